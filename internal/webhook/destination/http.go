package destination

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/sigv4"
)

const maxAnswer = 64 << 10 // of an answer, in bytes

// Client sends signed requests to a service over HTTP. It follows no redirects.
type Client struct {
	network Network
	key     sigv4.Key
	http    *http.Client
}

// NewClient returns a client. Plain is without TLS.
func NewClient(n Network, key sigv4.Key, plain bool) *Client {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{n, key, &http.Client{Transport: n.Transport(plain), CheckRedirect: stay}}
}

// Do signs and sends a request with a body, and returns the answer's status and the beginning of its body.
func (c *Client) Do(ctx context.Context, r *http.Request, body []byte) (status int, answer []byte, err error) {
	c.key.Sign(r, body, c.network.Now())
	got, err := c.http.Do(r.WithContext(ctx)) // #nosec G704 -- the transport checks the address
	if err != nil {
		return 0, nil, err
	}
	defer got.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(got.Body, maxAnswer))
	return got.StatusCode, answer, err
}

// Close closes the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Refused returns the Refusal of an answer: the service's own code and words.
func Refused(field string, status int, code, message string) error {
	why := fmt.Sprintf("the service answered %d", status)
	if code != "" {
		why += " " + Clip(code)
	}
	if message != "" {
		why += ": " + Clip(message)
	}
	return &Refusal{Field: field, Why: why, Status: status}
}
