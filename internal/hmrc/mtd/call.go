package mtd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

const (
	accept      = "application/vnd.hmrc.1.0+json"
	contentType = "application/json"
	apiPath     = "/organisations/vat/"

	vrnDigits = 9
)

// call is one call of the API.
type call struct {
	method string
	path   []string // below the trader's number, each escaped by itself
	query  url.Values
	body   []byte
}

// do makes a call for somebody, once, and once more with a new token when HMRC does
// not take the first. Its error is Refused, Unreachable or Unknown.
func (c *Client) do(ctx context.Context, as Caller, what call) (answer, error) {
	address, err := c.address(as.VRN, what)
	if err != nil {
		return answer{}, err
	}
	if c.breaker.RemainingDelay() > 0 {
		return answer{}, Unreachable{Cause: ErrOpen}
	}
	token, err := c.access(ctx, as.Tokens, "")
	if err != nil {
		return answer{}, err
	}
	got, err := c.exchange(ctx, as, what, address, token)
	if refused := (Refused{}); !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized {
		return got, err
	}
	if token, err = c.access(ctx, as.Tokens, token); err != nil {
		return answer{}, err
	}
	return c.exchange(ctx, as, what, address, token)
}

// address is where a call goes. A number or key that is none goes nowhere.
func (c *Client) address(vrn ident.VRN, what call) (string, error) {
	if len(vrn) != vrnDigits || vrn[0] > '9' {
		return "", Refused{Status: http.StatusBadRequest, Code: "VRN_INVALID", Message: "The trader's VAT registration number is not nine digits."}
	}
	address := c.settings.BaseURL + apiPath + string(vrn)
	for _, part := range what.path {
		address += "/" + url.PathEscape(part)
	}
	if len(what.query) > 0 {
		address += "?" + what.query.Encode()
	}
	return address, nil
}

// exchange waits for its turn and does one exchange, of which the breaker learns.
func (c *Client) exchange(ctx context.Context, as Caller, what call, address, token string) (answer, error) {
	if err := c.wait(ctx); err != nil {
		return answer{}, Unreachable{Cause: err}
	}
	if !c.breaker.TryAcquirePermit() {
		return answer{}, Unreachable{Cause: ErrOpen}
	}
	got, err := c.send(ctx, as, what, address, token)
	c.record(ctx, err)
	return got, err
}

func (c *Client) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Deadline)
	defer cancel()
	if err := c.limiter.Wait(ctx); err != nil {
		return fmt.Errorf("waiting for a turn: %w", err)
	}
	return nil
}

func (c *Client) send(ctx context.Context, as Caller, what call, address, token string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Deadline)
	defer cancel()
	var p passage
	var body io.Reader
	if what.body != nil {
		body = bytes.NewReader(what.body)
	}
	request, err := http.NewRequestWithContext(p.watch(ctx), what.method, address, body)
	if err != nil {
		return answer{}, Unreachable{Cause: err}
	}
	request.Header = as.Origin.Header(c.settings.Vendor)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", accept)
	if what.body != nil {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, p.broken(err)
	}
	defer response.Body.Close()
	return c.judge(response)
}

// record tells the breaker whether HMRC is there. A refusal is an answer, so it
// counts for HMRC. A caller that gave up says nothing about HMRC; but a half-open
// breaker has lent its one permit and must get it back.
func (c *Client) record(ctx context.Context, err error) {
	var refused Refused
	switch {
	case err == nil || errors.As(err, &refused):
		c.breaker.RecordSuccess()
	case ctx.Err() == nil || !c.breaker.IsClosed():
		c.breaker.RecordFailure()
	}
}
