package webhook

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// Limits of one attempt.
const (
	answerTimeout = 15 * time.Second // from the beginning to the answer's status
	bodyTimeout   = time.Second      // for as much of the answer's body as is kept
	maxResponse   = 2 << 10
	maxError      = 300
)

// Result is the result of one attempt. The attempt was successful if there is no Error.
type Result struct {
	At         time.Time // when it began, by the time that its signature names
	Ended      time.Time // by the time that it is tried again by
	Duration   time.Duration
	HTTPStatus int
	Error      string
	Response   string
	Headers    string // of the answer, as they are kept
	RetryAfter time.Duration
	Gone       bool // 410: the receiver wants nothing more
}

// by returns the result with the times of a test clock, unless that is zero.
func (r Result) by(clock time.Time) Result {
	if !clock.IsZero() {
		r.At, r.Ended = clock, clock
	}
	return r
}

// Sender makes attempts.
type Sender struct {
	Client        *http.Client // must guard the addresses that it connects to
	Certified     Certified
	Now           func() time.Time
	Stamp         func() time.Time // the time as receivers have it, for signatures
	Timeout       time.Duration    // from the beginning of an attempt to the answer's status
	ContinueTrace ContinueTrace    // nil for none

	// Destinations are the kinds besides webhooks; zero for none.
	Destinations Destinations

	accesses    accesses
	connections connections
}

// Certified returns a guarded transport that shows a certificate to receivers.
type Certified func(tls.Certificate) http.RoundTripper

// ContinueTrace adds an attempt to the trace of its delivery.
type ContinueTrace func(ctx context.Context, trace string) context.Context

// NewSender returns a sender for a transport that checks addresses. It follows no redirects.
func NewSender(guarded http.RoundTripper, now func() time.Time) *Sender {
	return &Sender{Client: stayingClient(guarded), Now: now, Stamp: now, Timeout: answerTimeout}
}

// stayingClient returns a client that follows no redirects.
func stayingClient(transport http.RoundTripper) *http.Client {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}
}

// delivery is a Delivery with everything that an attempt needs.
type delivery struct {
	Delivery
	body  string
	trace string
}

// send makes one attempt. Only destinations with batches get several deliveries, which succeed or fail together.
func (s *Sender) send(ctx context.Context, to *target, all ...*delivery) Result {
	r, began, limit := Result{At: s.Stamp()}, s.Now(), to.options.timeout(s.Timeout)
	if s.ContinueTrace != nil && all[0].trace != "" {
		ctx = s.ContinueTrace(ctx, all[0].trace)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(limit, func() { cancel(noAnswer(limit)) })
	defer timer.Stop()
	var err error
	if to.broker != nil {
		err = to.publish(ctx, all, &r)
	} else {
		err = to.deliver(ctx, all[0], &r, timer)
	}
	if err != nil {
		r.Error = to.whyFailed(ctx, err)
	}
	if ended := certificateEnded(to.ends, r.At); r.Error != "" && ended != "" {
		r.Error = clip(ended + ": " + r.Error)
	}
	r.Ended = s.Now()
	r.Duration = r.Ended.Sub(began)
	return r
}

// noAnswer is the error of an attempt whose time is over.
func noAnswer(limit time.Duration) error {
	if limit == time.Second {
		return errors.New("no answer within 1 second")
	}
	return fmt.Errorf("no answer within %v seconds", limit.Seconds())
}

// whyFailed returns why there was no answer: what the receiver said, that the time was over, or what the network said.
func (t *target) whyFailed(ctx context.Context, err error) string {
	var said *destination.Refusal
	var noToken *tokenError
	if slow := context.Cause(ctx); slow != nil && errors.As(err, &noToken) {
		return (&tokenError{slow.Error()}).Error()
	} else if slow != nil && !errors.As(err, &said) {
		return slow.Error()
	}
	if t.broker != nil {
		return explainBroker(err)
	}
	return explain(err)
}

// deliver makes the request of a webhook, and reads the answer.
func (t *target) deliver(ctx context.Context, p *delivery, r *Result, timer *time.Timer) error {
	answer, err := t.post(ctx, p, r.At)
	if err != nil {
		return err
	}
	r.HTTPStatus, r.Gone, r.Headers = answer.StatusCode, answer.StatusCode == http.StatusGone, keptHeaders(answer.Header)
	r.RetryAfter = retryAfter(answer.Header.Get("Retry-After"), r.At)
	timer.Reset(bodyTimeout)
	if answer.ContentLength != 0 {
		beginning, _ := io.ReadAll(io.LimitReader(answer.Body, maxResponse))
		r.Response = string(beginning)
	}
	_ = answer.Body.Close()
	r.Error = refusal(answer)
	return nil
}

func (t *target) post(ctx context.Context, p *delivery, at time.Time) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, strings.NewReader(p.body))
	if err != nil {
		return nil, err
	}
	request.Header = headersOf(p, t.signers, at)
	for name, value := range t.options.Headers {
		request.Header.Set(name, value)
	}
	token, err := t.authorise(ctx, request.Header)
	if err != nil {
		return nil, err
	}
	answer, err := t.client.Transport.RoundTrip(request) // which, unlike Do, follows no redirect and copies no headers
	if err == nil && answer.StatusCode == http.StatusUnauthorized && token != "" {
		t.tokens.refused(token)
	}
	return answer, err
}

// refusal returns why an answer counts as a failed attempt; empty if it does not.
func refusal(answer *http.Response) string {
	switch status := answer.StatusCode; {
	case status >= 200 && status < 300:
		return ""
	case status >= 300 && status < 400:
		return fmt.Sprintf("the receiver answered %d; redirects are not followed", status)
	default:
		return fmt.Sprintf("the receiver answered %d", status)
	}
}

// retryAfter reads the header in both of its forms (RFC 9110, section 10.2.3).
func retryAfter(text string, now time.Time) time.Duration {
	if text == "" {
		return 0
	}
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(max(0, min(seconds, int64(maxRetryAfter/time.Second)))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, min(at.Sub(now), maxRetryAfter))
	}
	return 0
}

// explain returns in plain words why a webhook got no answer.
func explain(err error) string {
	return cmp.Or(known(err), "the receiver cannot be reached, or does not speak HTTP")
}

// explainBroker returns in plain words why another destination took no message.
func explainBroker(err error) string {
	return cmp.Or(known(err), "the receiver cannot be reached, or does not speak the protocol of this kind")
}

// known returns in plain words what happened; empty if the error is of no known sort. It leaves out network details of the
// service, which do not help the owner of the endpoint.
func known(err error) string {
	var noToken *tokenError
	var said *destination.Refusal
	var unknown *net.DNSError
	var record tls.RecordHeaderError
	var alert *net.OpError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var refused *ssrf.Refused
	switch {
	case errors.As(err, &noToken):
		return noToken.Error()
	case errors.As(err, &said):
		return clip(said.Why)
	case errors.As(err, &refused):
		return refused.Error()
	case errors.As(err, &unknown):
		return fmt.Sprintf("the name %s cannot be resolved", unknown.Name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case isClosed(err):
		return "the connection was closed without an answer"
	case errors.As(err, &authority), errors.As(err, &name), errors.As(err, &invalid):
		return clip("the certificate is not valid: " + certificate(err))
	case errors.As(err, &alert) && alert.Op == "remote error":
		return clip("the receiver ended the TLS connection: " + strings.TrimPrefix(alert.Err.Error(), "tls: "))
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "the receiver does not speak TLS"
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return "the receiver cannot be reached in time"
	}
	return ""
}

func certificate(err error) string {
	var verification *tls.CertificateVerificationError
	if errors.As(err, &verification) {
		return strings.TrimPrefix(verification.Err.Error(), "x509: ")
	}
	return err.Error()
}

// isClosed reports whether the other side has closed the connection: while it was read or written, or before it was used again, which
// net/http only says in words.
func isClosed(err error) bool {
	for _, closed := range []error{syscall.ECONNRESET, syscall.EPIPE, net.ErrClosed, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, closed) {
			return true
		}
	}
	return strings.Contains(err.Error(), "http: server closed idle connection")
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

func clip(text string) string { return text[:min(len(text), maxError)] }
