package mtd

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Limits of obligations.
const (
	maxObligations = 1000 // in one answer
	maxRange       = 366  // days between the first and the last day of a request
)

const isoDay = "2006-01-02"

// State is the state of an obligation.
type State string

// All states.
const (
	Open      State = "O"
	Fulfilled State = "F"
)

// Obligation is a period for which HMRC expects or has a return. HMRC requires that its key is not shown to people.
type Obligation struct {
	PeriodKey string
	Start     string // first day, such as 2026-10-01
	End       string // last day
	Due       string // last day for the return
	State     State
	Received  string // day on which HMRC received the return; empty while open
}

var periodKey = lazyregexp.New(`^[#0-9A-Z]{4}$`)

// Obligations returns those between two days, which are at most 366 days apart; the time zone of the arguments does not
// matter. HMRC creates an obligation on the first day of its period, and may show a return that was just sent as open
// until the next morning.
func (c *Client) Obligations(ctx context.Context, as Caller, from, to time.Time) ([]Obligation, error) {
	if to.Before(from) || to.Sub(from) > maxRange*24*time.Hour {
		return nil, client.Refused{Status: http.StatusBadRequest, Code: "INVALID_DATE_RANGE", Message: fmt.Sprintf("The range must be %d days or less.", maxRange)}
	}
	query := url.Values{"from": {from.Format(isoDay)}, "to": {to.Format(isoDay)}}
	answer, failure := c.call(ctx, as, client.Request{Method: http.MethodGet, Path: "/obligations?" + query.Encode()})
	if IsNotFound(failure) {
		return nil, nil
	}
	if failure != nil {
		return nil, failure
	}
	return readObligations(answer)
}

func readObligations(a client.Answer) ([]Obligation, error) {
	var body struct {
		Obligations []struct {
			PeriodKey string `json:"periodKey"`
			Start     string `json:"start"`
			End       string `json:"end"`
			Due       string `json:"due"`
			Status    State  `json:"status"`
			Received  string `json:"received"`
		} `json:"obligations"`
	}
	if failure := read(a, &body); failure != nil {
		return nil, failure
	}
	if len(body.Obligations) > maxObligations {
		return nil, a.Unknown(fmt.Errorf("%d obligations, more than %d", len(body.Obligations), maxObligations))
	}
	all := make([]Obligation, len(body.Obligations))
	for i, o := range body.Obligations {
		all[i] = Obligation{PeriodKey: o.PeriodKey, Start: o.Start, End: o.End, Due: o.Due, State: o.Status, Received: o.Received}
		if err := all[i].check(); err != nil {
			return nil, a.Unknown(err)
		}
	}
	return all, nil
}

// check checks an obligation against HMRC's format, because its key becomes part of an address.
func (o Obligation) check() error {
	if !periodKey.MatchString(o.PeriodKey) || o.State != Open && o.State != Fulfilled {
		return fmt.Errorf("obligation %q has the state %q", o.PeriodKey, o.State)
	}
	for _, day := range []string{o.Start, o.End, o.Due} {
		if _, err := time.Parse(isoDay, day); err != nil {
			return fmt.Errorf("obligation %q: %w", o.PeriodKey, err)
		}
	}
	return nil
}

// IsNotFound reports whether HMRC answered that it has no such thing. A gateway's 404 has no code and proves nothing.
func IsNotFound(err error) bool {
	var refused client.Refused
	return errors.As(err, &refused) && refused.Status == http.StatusNotFound && refused.Code == CodeNotFound
}
