package connection

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
)

const (
	// pollGap is the least time between two looks at HMRC for one EORI. HMRC names no limit besides three requests a second for
	// the application.
	pollGap = 10 * time.Second
	// keptFor is how long HMRC keeps an outcome.
	keptFor = 30 * 24 * time.Hour
)

// next returns when HMRC is asked next about a filing: often after a message was sent, rarely for an instruction not to load, which
// only containers by sea get; zero if nothing is expected any more.
func next(r *exchange.Record, f *ics2.Filing, all outcomes, sent *exchange.Message, a *amendment, now time.Time) time.Time {
	decided := all.accepted != nil || all.rejected != nil && !isRepetition(sent, all, now)
	switch {
	case sent != nil && sent.State == outbox.Sent && !decided:
		return afterSending(r.Mode, sent.CompletedAt, now)
	case a != nil && a.sent.State == outbox.Sent && a.outcome == nil:
		return afterSending(r.Mode, a.sent.CompletedAt, now)
	case all.accepted != nil && f.MayBeIntervened(now):
		return now.Add(time.Hour)
	}
	return time.Time{}
}

// afterSending returns when to ask for the outcome of a message that HMRC took some time ago.
func afterSending(mode exchange.Mode, sent, now time.Time) time.Time {
	ago := now.Sub(sent)
	switch {
	case mode == exchange.Simulator && ago < time.Minute:
		return now.Add(2 * time.Second)
	case ago < 10*time.Minute:
		return now.Add(pollGap)
	case ago < 24*time.Hour:
		return now.Add(5 * time.Minute)
	case ago < keptFor:
		return now.Add(time.Hour)
	}
	return time.Time{}
}
