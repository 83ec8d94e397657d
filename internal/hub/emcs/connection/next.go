package connection

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
)

// waits are the times until HMRC is asked next, by the age of the message that waits for an answer. HMRC usually answers within seconds.
var waits = []struct{ upTo, wait time.Duration }{
	{time.Minute, gap}, {10 * time.Minute, 30 * time.Second}, {time.Hour, 2 * time.Minute}, {24 * time.Hour, usual},
}

const (
	gap   = 5 * time.Second  // HMRC looks for new messages at most this often
	usual = 15 * time.Minute // while a movement is under way
	late  = 6 * time.Hour    // for explanations after its end, and for what HMRC has not answered for a day
)

// keptFor is how long HMRC keeps the messages of a movement after the last one.
const keptFor = 30 * 24 * time.Hour

// next returns when HMRC is asked next about a movement; zero if nothing is outstanding.
func next(r *exchange.Record, l *life.Life, k *known) time.Time {
	since := k.unanswered()
	switch {
	case !since.IsZero() && k.Now.Sub(since) < keptFor:
		return k.Now.Add(waitFor(r.Mode, k.Now.Sub(since)))
	case l.State == life.Accepted, l.State == life.InTransit, r.Status == lifecycle.Submitted && l.State == "":
		return k.Now.Add(usual)
	case l.State == life.Delivered && len(l.Open) > 0 && k.Now.Sub(k.latest) < keptFor:
		return k.Now.Add(late)
	}
	return time.Time{}
}

// unanswered returns when the latest message was sent that HMRC has not answered; zero if there is none.
func (k *known) unanswered() (since time.Time) {
	for _, s := range k.sent {
		if !k.answers(s) && s.at.After(since) {
			since = s.at
		}
	}
	return since
}

// answers reports whether HMRC has answered a message: a draft with any message, a later one with the same report to the parties, or with a refusal.
func (k *known) answers(s stored) bool {
	for _, got := range k.got {
		switch {
		case s.Kind == emcs.Draft, got.Kind == emcs.Refusal && got.Header.Correlation == s.Header.Identifier:
			return true
		case got.Kind == s.Kind && (got.at.After(s.at) || got.SameReport(s.Message)):
			return true
		}
	}
	return false
}

// simulated is how long a simulator is asked at once: it answers immediately, or not at all.
const simulated = 10 * time.Second

func waitFor(mode exchange.Mode, age time.Duration) time.Duration {
	if mode == exchange.Simulator && age < simulated {
		return 0
	}
	for _, w := range waits {
		if age < w.upTo {
			return w.wait
		}
	}
	return late
}
