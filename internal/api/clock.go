package api

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ClockInput is the body that sets the test clock.
type ClockInput struct {
	Now     string `json:"now,omitempty" format:"date-time" doc:"Time at which the clock stops: not before the present one, and at most 10 years ahead of real time" example:"2027-01-31T09:00:00Z"`
	Advance string `json:"advance,omitempty" maxLength:"40" doc:"Instead of now: an ISO 8601 duration after which the clock stops" example:"P30D"`
}

// clockBody is the test clock in a response.
type clockBody struct {
	Now    string `json:"now" format:"date-time" doc:"Time of the test organisation"`
	Frozen bool   `json:"frozen" doc:"true while the clock stands; false for real time"`
}

func clockOf(tx Tx) clockBody {
	return clockBody{audit.Instant(tx.Now()), !tx.Test().Clock.IsZero()}
}

func (s *Server) mountClock() {
	const path = "/api/test/clock"
	one := objectSchema("clock", s.schemaOf(reflect.TypeFor[clockBody]()))
	handle(s, operation{
		id: "get-test-clock", summary: "Get the test clock", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: path,
		status: http.StatusOK, description: "The time of the test organisation. Needs a test key", response: one,
	}, s.getClock)
	handle(s, operation{
		id: "set-test-clock", summary: "Stop or advance the test clock", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: path,
		status: http.StatusOK, response: one, body: reflect.TypeFor[ClockInput](),
		description: "The clock stands at the new time until it is set again or deleted. The answer comes after what is due by time alone, such as OVERDUE and EXPIRED. Needs a test key",
		route:       route{role: tenant.Member},
	}, s.setClock)
	handle(s, operation{
		id: "delete-test-clock", summary: "Return to real time", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: path,
		status: http.StatusOK, response: one, route: route{role: tenant.Member},
		description: "Back to real time. What is dated in the future stays as it is. Needs a test key",
	}, s.deleteClock)
}

func (s *Server) getClock(ctx context.Context, in *struct{ caller }) (response, error) {
	var clock clockBody
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		clock = clockOf(tx)
		return access.OnlyTest(tx)
	})
	if err != nil {
		return response{}, err
	}
	return objectResponse("clock", clock)
}

func (s *Server) setClock(ctx context.Context, in *bodyInput) (response, error) {
	if !in.holder.Test {
		return response{}, access.ErrNotTest
	}
	body, err := decode[ClockInput](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	field, timeFrom, err := body.parse()
	if err != nil {
		return response{}, err
	}
	var clock clockBody
	var now time.Time
	err = s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		err := s.Access.SetClock(tx, in.call, field, timeFrom(tx.Now()))
		clock, now = clockOf(tx), tx.Now()
		return err
	})
	if err != nil {
		return response{}, err
	}
	if err := s.MakeDue(ctx, in.call.Org, now); err != nil {
		return response{}, err
	}
	return objectResponse("clock", clock)
}

// parse returns the field that is set, and the function from the present time to the wanted one.
func (c ClockInput) parse() (field string, timeFrom func(time.Time) time.Time, err error) {
	if (c.Now == "") == (c.Advance == "") {
		return "", nil, apierr.Invalid(apierr.Detail{Field: "now", Message: "must be given if advance is absent, and absent if advance is given"})
	}
	if c.Advance != "" {
		p, err := calendar.ParsePeriod(c.Advance)
		if err != nil {
			return "", nil, apierr.Invalid(apierr.Detail{Field: "advance", Message: "must be an ISO 8601 duration such as P30D or PT6H"})
		}
		return "advance", p.After, nil
	}
	at, err := time.Parse(time.RFC3339, c.Now)
	if err != nil {
		return "", nil, apierr.Invalid(apierr.Detail{Field: "now", Message: "must be a time such as 2027-01-31T09:00:00Z"})
	}
	return "now", func(time.Time) time.Time { return at }, nil
}

func (s *Server) deleteClock(ctx context.Context, in *struct{ caller }) (response, error) {
	var clock clockBody
	err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		err := s.Access.ResetClock(tx, in.call)
		clock = clockOf(tx)
		return err
	})
	if err != nil {
		return response{}, err
	}
	return objectResponse("clock", clock)
}
