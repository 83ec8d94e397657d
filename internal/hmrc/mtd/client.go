package mtd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"golang.org/x/oauth2"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// The base addresses of HMRC, and where a person gives consent.
const (
	Production = "https://api.service.hmrc.gov.uk"
	Sandbox    = "https://test-api.service.hmrc.gov.uk"

	productionConsent = "https://www.tax.service.gov.uk/oauth/authorize"
	sandboxConsent    = "https://test-www.tax.service.gov.uk/oauth/authorize"
	otherConsent      = "/oauth/authorize"
	tokenPath         = "/oauth/token" // #nosec G101 -- a path
)

// The limits of talking to HMRC.
const (
	Deadline = 20 * time.Second // of one exchange, and of the wait for its turn
	Failures = 5                // in a row open the circuit breaker
	Cooldown = 10 * time.Second // until an open breaker lets one request try

	dialDeadline      = 5 * time.Second
	handshakeDeadline = 10 * time.Second
	idleDeadline      = 30 * time.Second
	maxConnections    = 8        // at once to HMRC
	maxAnswerHead     = 64 << 10 // bytes of an answer's header
)

// ErrOff is the error of making a client of settings that name no HMRC.
var ErrOff = errors.New("mtd: no base address is set: there is no connection to HMRC")

// ErrOpen is the cause of an [Unreachable] when the last requests have all failed
// and HMRC is being left alone for a while.
var ErrOpen = errors.New("mtd: circuit breaker is open")

// Settings say which HMRC to talk to and as which application. Without a BaseURL
// there is no connection; what else is left at zero has the default of the constant
// beside it.
type Settings struct {
	BaseURL      string // https, or http to this machine
	ConsentURL   string // where a person gives consent; HMRC's own for its base addresses
	ClientID     string
	ClientSecret string
	RedirectURL  string // where HMRC sends the person back to, as it is registered there
	Vendor       Vendor
	Deadline     time.Duration // Deadline
	Cooldown     time.Duration // Cooldown
	Around       Around        // every exchange; nil for nothing
}

// Around lets an onlooker see exchanges: what it makes of a transport does the same.
type Around func(http.RoundTripper) http.RoundTripper

// On tells whether there is to be a connection at all.
func (s Settings) On() bool { return s.BaseURL != "" }

// Limiter makes a caller wait for its turn: HMRC allows an application three
// requests a second. Instances that share the application share the Limiter's state.
type Limiter interface {
	Wait(ctx context.Context) error
}

// Client talks to HMRC. It is safe for concurrent use; a process has one for all
// organisations, so that limit and breaker see every request.
type Client struct {
	settings Settings
	oauth    oauth2.Config
	limiter  Limiter
	breaker  circuitbreaker.CircuitBreaker[any]
	http     *http.Client
	now      func() time.Time
}

// Caller is for whom a call is made: the trader's number, the tokens of the person
// who gave consent, and where the person sits.
type Caller struct {
	VRN    ident.VRN
	Tokens Tokens
	Origin Origin
}

// New makes a Client; it does not yet connect.
func New(s Settings, limiter Limiter, now func() time.Time) (*Client, error) {
	if !s.On() {
		return nil, ErrOff
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	if s.ConsentURL == "" {
		s.ConsentURL = consentOf(s.BaseURL)
	}
	for _, address := range []string{s.BaseURL, s.ConsentURL} {
		if err := checkAddress(address); err != nil {
			return nil, err
		}
	}
	if s.Deadline == 0 {
		s.Deadline = Deadline
	}
	if s.Cooldown == 0 {
		s.Cooldown = Cooldown
	}
	return &Client{
		settings: s, limiter: limiter, breaker: newBreaker(s.Cooldown), http: newHTTP(s.Around), now: now,
		oauth: oauth2.Config{
			ClientID: s.ClientID, ClientSecret: s.ClientSecret, RedirectURL: s.RedirectURL, Scopes: []string{scopes},
			// The style is fixed because the library would otherwise find it out by
			// trying, and spend a code or refresh token on the first try.
			Endpoint: oauth2.Endpoint{AuthURL: s.ConsentURL, TokenURL: s.BaseURL + tokenPath, AuthStyle: oauth2.AuthStyleInParams},
		},
	}, nil
}

// Resting tells whether HMRC is being left alone for a while.
func (c *Client) Resting() bool { return !c.breaker.IsClosed() }

// Close drops the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

func consentOf(base string) string {
	switch base {
	case Production:
		return productionConsent
	case Sandbox:
		return sandboxConsent
	}
	return base + otherConsent
}

// checkAddress lets tokens and figures leave this machine encrypted only.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("mtd: reading an address: %w", err)
	}
	if u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !isLocal(u.Hostname())) {
		return fmt.Errorf("mtd: the address %q is not https://host, nor http:// to this machine", u.Redacted())
	}
	return nil
}

func isLocal(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// newHTTP is a client that does one exchange and nothing on its own: it follows no
// redirect, keeps no cookie and unpacks nothing. It speaks HTTP/1.1 only, because
// passage needs that.
func newHTTP(around Around) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	var transport http.RoundTripper = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialDeadline}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    handshakeDeadline,
		IdleConnTimeout:        idleDeadline,
		MaxConnsPerHost:        maxConnections,
		MaxIdleConnsPerHost:    maxConnections,
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

func newBreaker(cooldown time.Duration) circuitbreaker.CircuitBreaker[any] {
	return circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(Failures).
		WithSuccessThreshold(1).
		WithDelay(cooldown).
		Build()
}
