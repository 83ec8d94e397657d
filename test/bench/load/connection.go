package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// exchangeTimeout is the timeout of an answer.
const exchangeTimeout = 30 * time.Second

// answerBuffer holds a page of 50 records.
const answerBuffer = 64 << 10

// connection implements as much of HTTP/1.1 as it needs to find the end of an answer.
type connection struct {
	net.Conn
	in *bufio.Reader
}

func dial(address string) (*connection, error) {
	c, err := net.DialTimeout("tcp", address, exchangeTimeout)
	if err != nil {
		return nil, err
	}
	return buffered(c), nil
}

func buffered(c net.Conn) *connection { return &connection{c, bufio.NewReaderSize(c, answerBuffer)} }

// request reads the head of a request and returns the length of its body.
func (c *connection) request() (length int, err error) {
	if _, err := c.line(); err != nil {
		return 0, err
	}
	for {
		line, err := c.line()
		switch {
		case err != nil || len(line) == 0:
			return length, err
		case len(line) > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength):
			if length, err = strconv.Atoi(string(line[len(contentLength):])); err != nil {
				return 0, errNotHTTP
			}
		}
	}
}

// exchange sends a request, reads the answer to its end and returns its status.
func (c *connection) exchange(request []byte) (status int, err error) {
	if err := c.SetDeadline(time.Now().Add(exchangeTimeout)); err != nil {
		return 0, err
	}
	if _, err := c.Write(request); err != nil {
		return 0, err
	}
	status, length, chunked, err := c.head()
	if err != nil {
		return 0, fmt.Errorf("read answer: %w", err)
	}
	if !chunked {
		_, err = c.in.Discard(length)
		return status, err
	}
	for length = -1; length != 0 && err == nil; {
		length, err = c.chunk()
	}
	return status, err
}

var (
	contentLength    = []byte("content-length: ")
	transferEncoding = []byte("transfer-encoding: chunked")
	errNotHTTP       = errors.New("the answer is not HTTP/1.1")
)

func (c *connection) head() (status, length int, chunked bool, err error) {
	line, err := c.line()
	if err != nil {
		return 0, 0, false, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, 0, false, errNotHTTP
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, false, errNotHTTP
	}
	for {
		line, err := c.line()
		switch {
		case err != nil || len(line) == 0:
			return status, length, chunked, err
		case len(line) > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength):
			if length, err = strconv.Atoi(string(line[len(contentLength):])); err != nil {
				return 0, 0, false, errNotHTTP
			}
		case bytes.EqualFold(line, transferEncoding):
			chunked = true
		}
	}
}

// chunk skips one chunk with the line that ends it, and returns its length.
func (c *connection) chunk() (int, error) {
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	length, err := strconv.ParseUint(string(line), 16, 31)
	if err != nil {
		return 0, errNotHTTP
	}
	_, err = c.in.Discard(int(length) + len("\r\n"))
	return int(length), err
}

func (c *connection) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
