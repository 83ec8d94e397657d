package cds

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// The versions of the declarations API. They differ in name only, but each
// environment answers to some of them: production and Trader Dress Rehearsal to
// 1.0, Trade Test to 2.0. Any other is a 406.
const (
	Version1 = "application/vnd.hmrc.1.0+xml"
	Version2 = "application/vnd.hmrc.2.0+xml"
	Version3 = "application/vnd.hmrc.3.0+xml"
)

// The base addresses of customs.
const (
	Production = "https://api.service.hmrc.gov.uk"
	Sandbox    = "https://test-api.service.hmrc.gov.uk"
)

const (
	submitPath = "/customs/declarations/"
	cancelPath = "/customs/declarations/cancellation-requests"

	dialDeadline      = 5 * time.Second
	handshakeDeadline = 10 * time.Second
	idleDeadline      = 30 * time.Second
	maxConnections    = 16       // at once to customs
	maxAnswerHead     = 64 << 10 // bytes of an answer's header
)

// Settings say which customs to talk to. What is left at zero has the default
// of the constant beside it.
type Settings struct {
	BaseURL  string        // scheme and host, without the API's path
	Accept   string        // media type with the version; Version1
	Deadline time.Duration // of one exchange, and of the wait for its turn; Deadline
	Cooldown time.Duration // of the circuit breaker; Cooldown
	Around   Around        // every exchange; nil for nothing
}

// Around lets an onlooker see exchanges: what it makes of a transport does the same.
type Around func(http.RoundTripper) http.RoundTripper

// Client sends documents to customs. It is safe for concurrent use; a process
// has one for all organisations, so that limit and breaker see every request.
type Client struct {
	settings Settings
	limiter  Limiter
	breaker  circuitbreaker.CircuitBreaker[any]
	http     *http.Client
	now      func() time.Time
}

// NewClient makes a Client; it does not yet connect.
func NewClient(s Settings, limiter Limiter, now func() time.Time) (*Client, error) {
	base, err := url.Parse(s.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("cds: reading the base address: %w", err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("cds: the base address %q is not http(s)://host", s.BaseURL)
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	if s.Accept == "" {
		s.Accept = Version1
	}
	if s.Deadline == 0 {
		s.Deadline = Deadline
	}
	if s.Cooldown == 0 {
		s.Cooldown = Cooldown
	}
	return &Client{
		settings: s, limiter: limiter, breaker: newBreaker(s.Cooldown), now: now,
		http: newHTTP(maxConnections, s.Around),
	}, nil
}

// Submit sends a declaration. The credentials decide for whom: customs takes
// the submitter's EORI from the token and from nothing else.
func (c *Client) Submit(ctx context.Context, as Credentials, document []byte) Outcome {
	return c.send(ctx, as, submitPath, document)
}

// Cancel sends a cancellation request for a declaration. Acceptance means that
// customs will consider it, not that the declaration is cancelled.
func (c *Client) Cancel(ctx context.Context, as Credentials, document []byte) Outcome {
	return c.send(ctx, as, cancelPath, document)
}

// Resting tells whether customs is being left alone for a while.
func (c *Client) Resting() bool { return !c.breaker.IsClosed() }

// Close drops the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// newHTTP is a client that does one exchange and nothing on its own: it follows
// no redirect, keeps no cookie and unpacks nothing. It speaks HTTP/1.1 only,
// because passage needs that.
func newHTTP(connections int, around Around) *http.Client {
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
	if around != nil {
		transport = around(transport)
	}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     transport,
	}
}
