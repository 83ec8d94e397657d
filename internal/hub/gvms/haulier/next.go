package haulier

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
)

// HMRC keeps a record for 28 days after its last change, and names it in a list for as long.
const keptFor = 28 * 24 * time.Hour

// soon is the time in which HMRC usually answers a request.
const soon = 10 * time.Minute

// Times around the crossing at which a simulator changes a record, and between which HMRC's carriers do.
var (
	simulated = []time.Duration{-time.Hour, 0, 2 * time.Hour}
	before    = 2 * time.Hour
	after     = 12 * time.Hour
)

// next returns when HMRC is asked next about a record: often while an answer is outstanding and around the crossing, rarely
// otherwise; zero if nothing is expected any more.
func (h *Haulier) next(r *exchange.Record, m *api.Movement, seen time.Time, messages []exchange.Message, now time.Time) time.Time {
	sent := latestSent(messages)
	switch {
	case sent == nil || sent.InDoubt() || m == nil && sent.State == outbox.Refused:
		return time.Time{}
	case sent.State == outbox.Sent && (m == nil || seen.Before(sent.CompletedAt) || now.Sub(sent.CompletedAt) < soon && !shows(m, sent)):
		return afterSending(r.Mode, now.Sub(sent.CompletedAt), now)
	case slices.Contains([]lifecycle.State{gvms.Completed, lifecycle.Cancelled}, statuses[m.Metadata.State]):
		return time.Time{}
	case now.Sub(seen) > keptFor:
		return time.Time{}
	}
	crossing := h.crossingOf(r, m)
	if r.Mode == exchange.Simulator {
		return firstAfter(crossing, now)
	}
	switch left := crossing.Sub(now); {
	case crossing.IsZero() || left < -after:
		return now.Add(time.Hour)
	case left > before:
		return now.Add(min(left-before, time.Hour))
	}
	return now.Add(time.Minute)
}

// shows reports whether a version of a record has what was sent last. A version that was read before HMRC had an update may be stored
// after the update.
func shows(m *api.Movement, sent *exchange.Message) bool {
	var r api.Record
	return sent.Purpose == toDelete || json.Unmarshal(sent.Raw, &r) != nil || contentOf(r) == contentOf(m.Record)
}

// afterSending returns when to ask for the answer to a request that HMRC has accepted some time ago.
func afterSending(mode exchange.Mode, ago time.Duration, now time.Time) time.Time {
	switch {
	case mode == exchange.Simulator:
		return now.Add(2 * time.Second)
	case ago < soon:
		return now.Add(api.PullInterval)
	case ago < keptFor:
		return now.Add(15 * time.Minute)
	}
	return time.Time{}
}

// firstAfter returns the next time at which a simulator changes a record; an hour from now if there is none.
func firstAfter(crossing, now time.Time) time.Time {
	for _, d := range simulated {
		if at := crossing.Add(d); !crossing.IsZero() && at.After(now) {
			return at
		}
	}
	return now.Add(time.Hour)
}

// crossingOf returns the instant of the planned crossing; zero if it is not known.
func (h *Haulier) crossingOf(r *exchange.Record, m *api.Movement) time.Time {
	data := h.held.of(r.Mode)
	if p := m.PlannedCrossing; p != nil && data != nil {
		at := slices.IndexFunc(data.Routes, func(o api.Route) bool { return o.ID == p.RouteID })
		if at >= 0 {
			if departure, err := data.DepartureTime(data.Routes[at], p.Departure); err == nil {
				return departure
			}
		}
	}
	var body gvms.Movement
	if json.Unmarshal(r.Body, &body) == nil && body.CrossingDate != nil {
		return *body.CrossingDate
	}
	return time.Time{}
}
