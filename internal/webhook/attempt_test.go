package webhook_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

func sender(t *testing.T, s ssrf.Settings) *webhook.Sender {
	t.Helper()
	transport := ssrf.New(s).Transport()
	t.Cleanup(transport.CloseIdleConnections)
	return webhook.NewSender(transport, time.Now)
}

// An attempt sends the unchanged body with its headers by POST.
func TestAttempt(t *testing.T) {
	const body = `{"id":"evt_1"}`
	seen := make(chan *http.Request, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		if string(text) != body {
			t.Errorf("received body: %s", text)
		}
		seen <- r
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, "noted")
	}))
	t.Cleanup(s.Close)
	d := webhook.Delivery{ID: "d1", EventID: "evt_1", EventType: "declaration.cleared"}
	r := sender(t, ssrf.Settings{AllowPrivate: true}).Send(t.Context(), s.URL+"/hook?x=1", []string{first}, d, body)
	if r.HTTPStatus != 202 || r.Error != "" || r.Response != "noted" || r.Gone || r.At.IsZero() || r.Duration <= 0 {
		t.Errorf("%+v", r)
	}
	got := <-seen
	if got.Method != "POST" || got.URL.String() != "/hook?x=1" || got.ContentLength != int64(len(body)) {
		t.Errorf("%s %s, %d bytes", got.Method, got.URL, got.ContentLength)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Tidewaiter-Webhook/1.0", "X-Service-Event": "declaration.cleared", "X-Service-Delivery": "d1", "Webhook-Id": "evt_1",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q", name, got.Header.Get(name))
		}
	}
	if !verifies(t, first, got.Header, body) {
		t.Errorf("not verified: %v", got.Header)
	}
}

// Nothing is sent to a forbidden address, and the result names the reason.
func TestAttemptToForbiddenAddress(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request reached a forbidden address") }))
	t.Cleanup(s.Close)
	r := sender(t, ssrf.Settings{}).Send(t.Context(), s.URL, []string{first}, webhook.Delivery{}, "{}")
	if r.Error != "address 127.0.0.1 is refused: loopback" || r.HTTPStatus != 0 {
		t.Errorf("%+v", r)
	}
}

// Of an answer of a gigabyte, only 2 kB are read and stored.
func TestAttemptLimitsResponse(t *testing.T) {
	const block = 1 << 20
	sent := make(chan int, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text, n := make([]byte, block), 0
		for ; n < 1<<10; n++ {
			if _, err := w.Write(text); err != nil {
				break
			}
		}
		sent <- n
	}))
	t.Cleanup(s.Close)
	by := sender(t, ssrf.Settings{AllowPrivate: true})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := by.Send(t.Context(), s.URL, []string{first}, webhook.Delivery{}, "{}")
	runtime.ReadMemStats(&after)
	if r.Error != "" || r.HTTPStatus != 200 || len(r.Response) != webhook.MaxResponse {
		t.Errorf("%d %q, %d bytes", r.HTTPStatus, r.Error, len(r.Response))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 3*block {
		t.Errorf("%d bytes of memory", used)
	}
	if n := <-sent; n > 64 {
		t.Errorf("%d MB were read", n)
	}
}

// The timeout of an attempt is 15 seconds by default.
func TestAnswerTimeout(t *testing.T) {
	if got := sender(t, ssrf.Settings{}).Timeout; got != 15*time.Second {
		t.Errorf("%s", got)
	}
}

// The owner of an endpoint reads in plain words why it cannot be reached, and gets no details of
// the service's own network.
func TestExplain(t *testing.T) {
	dial := func(err error) error {
		return &url.Error{Op: "Post", URL: "https://x.example/", Err: &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 9, 8, 7)}, Err: err}}
	}
	for want, err := range map[string]error{
		"address 10.0.0.1 is refused: private network":                          dial(&ssrf.Refused{Address: "10.0.0.1", Why: "private network"}),
		"the name x.example cannot be resolved":                                 dial(&net.DNSError{Name: "x.example", Server: "10.9.8.7:53", IsTimeout: true}),
		"the connection was refused":                                            dial(syscall.ECONNREFUSED),
		"the connection was closed without an answer":                           dial(syscall.ECONNRESET),
		"the receiver cannot be reached in time":                                dial(context.DeadlineExceeded),
		"the receiver does not speak TLS":                                       &url.Error{Op: "Post", Err: http.ErrSchemeMismatch},
		"the receiver cannot be reached, or does not speak HTTP":                dial(syscall.ENETUNREACH),
		"the certificate is not valid: certificate signed by unknown authority": dial(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}),
	} {
		if got := webhook.Explain(err); got != want {
			t.Errorf("%v: %q, not %q", err, got, want)
		}
	}
	idle := errors.New("http: server closed idle connection") // as net/http says it
	for _, same := range []error{io.EOF, io.ErrUnexpectedEOF, os.NewSyscallError("write", syscall.EPIPE), net.ErrClosed, idle} {
		if got := webhook.Explain(dial(same)); got != "the connection was closed without an answer" {
			t.Errorf("%v: %q", same, got)
		}
	}
	for _, timeout := range []error{&net.DNSError{Err: "x", IsTimeout: true}, errors.New("x"), syscall.ETIMEDOUT, syscall.EHOSTUNREACH} {
		if got := webhook.Explain(dial(timeout)); strings.Contains(got, "10.9.8.7") {
			t.Errorf("%v contains an address: %q", timeout, got)
		}
	}
	long := x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{strings.Repeat("a", 5000) + ".example"}}, Host: "x.example"}
	if got := webhook.Explain(dial(long)); len(got) > 300 || !strings.HasPrefix(got, "the certificate is not valid: ") {
		t.Errorf("%d bytes: %.80s", len(got), got)
	}
}
