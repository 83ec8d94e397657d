package client_test

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

// listen accepts connections and hands each to a function.
func listen(t *testing.T, each func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go each(conn)
		}
	}()
	return listener.Addr().String()
}

// readRequest reads a whole request off the wire.
func readRequest(conn net.Conn) {
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err == nil {
		_, _ = io.Copy(io.Discard, request.Body)
	}
}

// When a request fails before its body has left, HMRC has not received it.
func TestNothingLeft(t *testing.T) {
	closed := listenAndClose(t)
	silent := listen(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	hangsUp := listen(t, func(conn net.Conn) { _ = conn.Close() })
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	for name, url := range map[string]string{
		"connection refused":           "http://" + closed,
		"no such name":                 "http://hmrc.invalid",
		"certificate not trusted":      untrusted.URL,
		"TLS handshake never answered": "https://" + silent,
		"hung up in the TLS handshake": "https://" + hangsUp,
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, send(t, newClient(t, client.Settings{BaseURL: url, Deadline: 200 * time.Millisecond})), "unreachable")
		})
	}
	t.Run("the caller is gone already", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, failure := newClient(t, client.Settings{BaseURL: "http://" + silent}).Do(ctx, hmrctest.Bearer("t"), post)
		expect(t, failure, "unreachable")
	})
	t.Run("a token that cannot be a header", func(t *testing.T) {
		_, failure := newClient(t, client.Settings{BaseURL: "http://" + silent}).Do(t.Context(), hmrctest.Bearer("a\nb"), post)
		expect(t, failure, "unreachable")
	})
}

func listenAndClose(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// When a request fails after its body has left, the outcome is unknown.
func TestLeftWithoutAnswer(t *testing.T) {
	answer := func(text string) func(net.Conn) {
		return func(conn net.Conn) {
			readRequest(conn)
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}
	for name, each := range map[string]func(net.Conn){
		"closed after reading": answer(""),
		"reset after reading": func(conn net.Conn) {
			readRequest(conn)
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		},
		"reset while reading": func(conn net.Conn) { _, _ = conn.Read(make([]byte, 64)); _ = conn.Close() },
		"never answered":      func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) },
		"never read":          func(net.Conn) {},
		"half a status line":  answer("HTTP/1.1 20"),
		"not HTTP":            answer("220 mail.example ESMTP\r\n"),
		"half a header":       answer("HTTP/1.1 202 Accepted\r\nX-ID: " + id + "\r\n"),
		"switching protocols": answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, client.Settings{BaseURL: "http://" + listen(t, each), Deadline: 200 * time.Millisecond})
			_, failure := c.Do(t.Context(), hmrctest.Bearer("t"), client.Request{Method: http.MethodPost, Path: "/things", Body: make([]byte, 1<<20)})
			expect(t, failure, "unknown")
		})
	}
}

// A header without end is not read to the end of memory.
func TestEndlessHeader(t *testing.T) {
	address := listen(t, func(conn net.Conn) {
		readRequest(conn)
		_, err := io.WriteString(conn, "HTTP/1.1 202 Accepted\r\n")
		for err == nil {
			_, err = io.WriteString(conn, "X-More: "+id+"\r\n")
		}
	})
	failure := send(t, newClient(t, client.Settings{BaseURL: "http://" + address, Deadline: 2 * time.Second}))
	if outcomeName(failure) != "unknown" || !strings.Contains(failure.Error(), "headers exceeded 65536 bytes") {
		t.Fatal(failure)
	}
}

// An acceptance stands even if the rest of the answer never comes; the answer has the reason.
func TestAcceptedThenSilence(t *testing.T) {
	address := listen(t, func(conn net.Conn) {
		readRequest(conn)
		_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\nX-ID: "+id+"\r\n\r\n")
	})
	c := newClient(t, client.Settings{BaseURL: "http://" + address, Deadline: 500 * time.Millisecond})
	answer, failure := c.Do(t.Context(), hmrctest.Bearer("t"), post)
	if failure != nil || answer.CorrelationID != id || answer.Err == nil {
		t.Fatalf("%+v, %v", answer, failure)
	}
}

// A caller that gives up before the answer leaves the outcome unknown.
func TestCallerLeaves(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	address := listen(t, func(conn net.Conn) { readRequest(conn); leave() })
	_, failure := newClient(t, client.Settings{BaseURL: "http://" + address}).Do(ctx, hmrctest.Bearer("t"), post)
	expect(t, failure, "unknown")
}

// The client never sends a document twice on its own, not even when a kept
// connection breaks, where net/http would repeat other methods.
func TestDocumentIsSentOnce(t *testing.T) {
	requests := make(chan struct{}, 10)
	address := listen(t, func(conn net.Conn) {
		reader := bufio.NewReader(conn)
		for first := true; ; first = false {
			request, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, request.Body)
			requests <- struct{}{}
			if !first {
				_ = conn.Close()
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nX-ID: "+id+"\r\n\r\n")
		}
	})
	c := newClient(t, client.Settings{BaseURL: "http://" + address})
	expect(t, send(t, c), "accepted")
	expect(t, send(t, c), "unknown")
	if len(requests) != 2 {
		t.Fatalf("%d requests, want 2", len(requests))
	}
}
