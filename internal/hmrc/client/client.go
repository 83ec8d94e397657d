package client

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/breaker"
)

// The base addresses of HMRC's API platform.
const (
	Production = "https://api.service.hmrc.gov.uk"
	Sandbox    = "https://test-api.service.hmrc.gov.uk"
)

const (
	dialDeadline      = 5 * time.Second
	handshakeDeadline = 10 * time.Second
	idleDeadline      = 30 * time.Second
	maxConnections    = 16       // at once to an API
	maxAnswerHead     = 64 << 10 // bytes of an answer's header
)

// Settings say which HMRC to talk to. A zero Deadline or Cooldown means the constant of
// that name.
type Settings struct {
	BaseURL    string        // scheme and host, without the API's path
	Accept     string        // media type with the API's version
	Deadline   time.Duration // of one exchange, and of the wait for the rate limit
	Cooldown   time.Duration // of the circuit breaker
	Middleware Middleware    // of every exchange; nil for none
}

// Middleware wraps the transport, to measure or trace exchanges. It must not change them.
type Middleware func(http.RoundTripper) http.RoundTripper

// API is what one of HMRC's APIs has of its own. All fields but Refusals and MaxAnswer are required.
type API struct {
	ContentType   string                            // of a request's body
	Success       []int                             // statuses of an accepted request
	Refusals      []int                             // statuses that prove a refusal, besides those of every API
	Closed        []string                          // error codes of a 503 that HMRC gives before it looks at the request
	Decode        func(body []byte, into any) error // of an error body: json.Unmarshal or xml.Unmarshal
	CorrelationID func(http.Header) string          // HMRC's identifier of an exchange; empty if there is none
	MaxAnswer     int                               // bytes of an answer's body; 0 for 1 MiB
	Check         func(Answer) error                // why a success proves nothing, which makes the outcome Unknown
}

// Client sends requests to one of HMRC's APIs. It is safe for concurrent use; a process has
// one per API for all organisations, so that rate limit and breaker see every request.
type Client struct {
	settings Settings
	api      API
	limiter  Limiter
	breaker  *breaker.Breaker
	http     *http.Client
	now      func() time.Time
}

// New makes a Client; it does not connect yet.
func New(s Settings, api API, limiter Limiter, now func() time.Time) (*Client, error) {
	base, err := url.Parse(s.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("hmrc: reading the base address: %w", err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("hmrc: the base address %q is not http(s)://host", s.BaseURL)
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	if s.Deadline == 0 {
		s.Deadline = Deadline
	}
	if s.Cooldown == 0 {
		s.Cooldown = Cooldown
	}
	if api.MaxAnswer == 0 {
		api.MaxAnswer = maxAnswer
	}
	return &Client{
		settings: s, api: api, limiter: limiter, breaker: breaker.New(Failures, s.Cooldown, now), http: NewHTTP(maxConnections, s.Middleware), now: now,
	}, nil
}

// BreakerOpen reports whether the circuit breaker is open.
func (c *Client) BreakerOpen() bool { return c.breaker.IsOpen() }

// Close closes the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// NewHTTP makes a client that does one exchange and nothing on its own: it follows no
// redirect, keeps no cookie and decompresses nothing. It speaks HTTP/1.1 only, because the
// certainty of [Unreachable] depends on that. The connections are those to one host.
func NewHTTP(connections int, middleware Middleware) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	var transport http.RoundTripper = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialDeadline}).DialContext,
		TLSHandshakeTimeout:    handshakeDeadline,
		IdleConnTimeout:        idleDeadline,
		MaxConnsPerHost:        connections,
		MaxIdleConnsPerHost:    connections,
		MaxResponseHeaderBytes: maxAnswerHead,
		DisableCompression:     true,
		Protocols:              protocols,
	}
	if middleware != nil {
		transport = middleware(transport)
	}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     transport,
	}
}
