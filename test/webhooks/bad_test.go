package webhooks

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// badReceiver is a misbehaving receiver, and the expected result of the first attempt.
type badReceiver struct {
	name     string
	url      func(t *testing.T) string
	status   int
	problem  string // beginning of the error; empty if the delivery succeeds
	response int    // length of the stored part of the answer
	later    time.Duration
	silent   bool // it does not answer in time
}

// receivers are the ways in which receivers fail.
var receivers = []badReceiver{
	{name: "never answers", url: silent, silent: true, problem: "no answer within 1 second"},
	{name: "answers too late", url: answering(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client has left
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	}), silent: true, problem: "no answer within 1 second"},
	{name: "one byte at a time", url: sendBytesSlowly, silent: true, problem: "no answer within 1 second"},
	{name: "a body without end, slowly", url: answering(sendBodySlowly), status: 200},
	{name: "a body of 1 GB", url: answering(flood), status: 200, response: 2048},
	{name: "bytes that are no text", url: answering(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		_, _ = w.Write([]byte("a\x00b\xff"))
	}), status: 500, problem: "the receiver answered 500", response: len("a\uFFFDb\uFFFD")},
	{name: "301", url: redirecting, status: 301, problem: "the receiver answered 301; redirects are not followed"},
	{name: "404", url: answering(code(404)), status: 404, problem: "the receiver answered 404"},
	{name: "429 with seconds", url: answering(code(429, "Retry-After", "7200")), status: 429, problem: "the receiver answered 429", later: 2 * time.Hour},
	{name: "429 with seconds without end", url: answering(code(429, "Retry-After", "99999999999999999999")), status: 429, problem: "the receiver answered 429", later: 24 * time.Hour},
	{name: "503 with a date", url: answering(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", time.Now().Add(3*time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(503)
	}), status: 503, problem: "the receiver answered 503", later: 3*time.Hour - 2*time.Second},
	{name: "a self-signed certificate", url: selfSigned, problem: "the certificate is not valid: certificate signed by unknown authority"},
	{name: "no TLS behind https", url: noTLS, problem: "the receiver does not speak TLS"},
	{name: "reset", url: resetting, problem: "the connection was closed without an answer"},
	{name: "no HTTP", url: speakingSMTP, problem: "the receiver cannot be reached, or does not speak HTTP"},
	{name: "connection refused", url: refusingConnections, problem: "the connection was refused"},
	{name: "no such name", url: func(*testing.T) string { return "http://tidewaiter-test.example:9/" }, problem: "the name tidewaiter-test.example cannot be resolved"},
}

// Whatever a receiver does, the attempt ends in time, is recorded with an explanation and at most 2 kB of the
// answer, and is retried when the schedule or the receiver says.
func TestBadReceivers(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		ids := make([]string, len(receivers))
		for i, b := range receivers {
			in := webhook.Input{URL: b.url(t)}
			if b.silent {
				in.Retry = &webhook.Retry{TimeoutSeconds: 1}
			}
			ids[i] = h.endpointWith(in)
		}
		h.record().step()
		h.dispatch(longTimeout)
		for i, b := range receivers {
			h.waitFor(b.name, func() bool { return h.deliveries(ids[i])[0].Attempts == 1 })
			b.check(t, h.deliveries(ids[i])[0])
		}
	})
}

func (b badReceiver) check(t *testing.T, d webhook.Delivery) {
	t.Helper()
	if d.HTTPStatus != b.status || !strings.HasPrefix(d.Error, b.problem) || (b.problem == "") != (d.Error == "") || len(d.Response) != b.response && b.response > 0 {
		t.Errorf("%s: %d %q, %d bytes", b.name, d.HTTPStatus, d.Error, len(d.Response))
	}
	if b.problem == "" {
		if d.Status != webhook.Delivered || d.DeliveredAt.IsZero() {
			t.Errorf("%s: %s", b.name, d.Status)
		}
		return
	}
	wait := d.DueAt.Sub(d.AttemptedAt) - d.Duration.Truncate(time.Millisecond)
	if least := max(b.later, 4*time.Second); d.Status != webhook.Pending || wait < least || wait > least+time.Minute {
		t.Errorf("%s: %s, again after %s", b.name, d.Status, wait)
	}
}

func answering(h http.HandlerFunc) func(*testing.T) string {
	return func(t *testing.T) string { return served(t, httptest.NewServer(h)) }
}

func served(t *testing.T, s *httptest.Server) string {
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

func code(status int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if len(header) > 0 {
			w.Header().Set(header[0], header[1])
		}
		w.WriteHeader(status)
	}
}

// sendBodySlowly answers at once, and then sends single bytes slowly.
func sendBodySlowly(w http.ResponseWriter, r *http.Request) {
	for {
		if _, err := w.Write([]byte(".")); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(600 * time.Millisecond):
		}
	}
}

// flood sends a gigabyte, or as much as the client reads.
func flood(w http.ResponseWriter, _ *http.Request) {
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = 'x'
	}
	for range 1 << 10 {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// redirecting redirects to a receiver that must never be called.
func redirecting(t *testing.T) string {
	other := answering(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") })(t)
	return answering(code(301, "Location", other))(t)
}

func selfSigned(t *testing.T) string {
	s := httptest.NewUnstartedServer(code(200))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	return served(t, s)
}

func noTLS(t *testing.T) string {
	return strings.Replace(answering(code(200))(t), "http://", "https://", 1)
}

// raw is a server of raw connections; each is closed when the test ends.
func raw(t *testing.T, serve func(*net.TCPConn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended); _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c.(*net.TCPConn))
				<-ended
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func silent(t *testing.T) string { return raw(t, func(*net.TCPConn) {}) }

func sendBytesSlowly(t *testing.T) string {
	return raw(t, func(c *net.TCPConn) {
		_, _ = c.Read(make([]byte, 100))
		for _, b := range []byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") {
			if _, err := c.Write([]byte{b}); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
}

func resetting(t *testing.T) string {
	return raw(t, func(c *net.TCPConn) {
		_, _ = c.Read(make([]byte, 100))
		_ = c.SetLinger(0)
		_ = c.Close()
	})
}

func speakingSMTP(t *testing.T) string {
	return raw(t, func(c *net.TCPConn) { fmt.Fprint(c, "220 mail.example ESMTP\r\n") })
}

func refusingConnections(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}
