package cds_test

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

// listen takes connections and gives each to a function.
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

// When the way breaks before the document has left, customs has not got it.
func TestNothingLeft(t *testing.T) {
	closed := listenAndClose(t)
	silent := listen(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
	hangsUp := listen(t, func(conn net.Conn) { _ = conn.Close() })
	stranger := httptest.NewUnstartedServer(http.NotFoundHandler())
	stranger.Config.ErrorLog = log.New(io.Discard, "", 0)
	stranger.StartTLS()
	t.Cleanup(stranger.Close)
	for name, url := range map[string]string{
		"connection refused":           "http://" + closed,
		"no such name":                 "http://customs.invalid",
		"certificate not trusted":      stranger.URL,
		"TLS handshake never answered": "https://" + silent,
		"hung up in the TLS handshake": "https://" + hangsUp,
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, cds.Settings{BaseURL: url, Deadline: 200 * time.Millisecond})
			expect(t, client.Submit(t.Context(), bearer("t"), document), "unreachable")
		})
	}
	t.Run("the caller is gone already", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		expect(t, newClient(t, cds.Settings{BaseURL: "http://" + silent}).Submit(ctx, bearer("t"), document), "unreachable")
	})
	t.Run("a token that cannot be a header", func(t *testing.T) {
		expect(t, newClient(t, cds.Settings{BaseURL: "http://" + silent}).Submit(t.Context(), bearer("a\nb"), document), "unreachable")
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

// When the way breaks after the document has left, nobody knows.
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
		"reset while reading":  func(conn net.Conn) { _, _ = conn.Read(make([]byte, 64)); _ = conn.Close() },
		"never answered":       func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) },
		"never read":           func(net.Conn) {},
		"half a status line":   answer("HTTP/1.1 20"),
		"not HTTP":             answer("220 mail.example ESMTP\r\n"),
		"half a header":        answer("HTTP/1.1 202 Accepted\r\nX-Conversation-ID: " + conversation + "\r\n"),
		"a header without end": func(conn net.Conn) { readRequest(conn); endless(conn) },
		"switching protocols":  answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, cds.Settings{BaseURL: "http://" + listen(t, each), Deadline: 200 * time.Millisecond})
			expect(t, client.Submit(t.Context(), bearer("t"), make([]byte, 1<<20)), "unknown")
		})
	}
}

func endless(conn net.Conn) {
	_, err := io.WriteString(conn, "HTTP/1.1 202 Accepted\r\n")
	for err == nil {
		_, err = io.WriteString(conn, "X-More: "+conversation+"\r\n")
	}
}

// An acceptance stands even if the rest of the answer never comes.
func TestAcceptedThenSilence(t *testing.T) {
	address := listen(t, func(conn net.Conn) {
		readRequest(conn)
		_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\nX-Conversation-ID: "+conversation+"\r\n\r\n")
	})
	client := newClient(t, cds.Settings{BaseURL: "http://" + address, Deadline: 500 * time.Millisecond})
	expect(t, client.Submit(t.Context(), bearer("t"), document), "accepted")
}

// A caller that leaves while customs is thinking leaves the outcome unknown.
func TestCallerLeaves(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	address := listen(t, func(conn net.Conn) { readRequest(conn); leave() })
	expect(t, newClient(t, cds.Settings{BaseURL: "http://" + address}).Submit(ctx, bearer("t"), document), "unknown")
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
			_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nX-Conversation-ID: "+conversation+"\r\n\r\n")
		}
	})
	client := newClient(t, cds.Settings{BaseURL: "http://" + address})
	expect(t, client.Submit(t.Context(), bearer("t"), document), "accepted")
	expect(t, client.Submit(t.Context(), bearer("t"), document), "unknown")
	if len(requests) != 2 {
		t.Fatalf("%d requests, want 2", len(requests))
	}
}
