package filing

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Timer is the step that time takes with a record that nobody has moved in the
// meantime, such as expire after the day until which a licence is valid. The zero
// Timer has no step.
type Timer struct {
	By    lifecycle.Action // a step that the lifecycle guards as the system's
	After time.Time        // the last instant at which the record may stay as it is
}

// IsSet tells whether there is a step to come.
func (t Timer) IsSet() bool { return t.By != "" }

// currentTimer is the timer of a record as it now stands: from the input at hand, or else
// from the stored one.
func (t *Type) currentTimer(f *Filing, in *Input) (timer Timer, err error) {
	switch {
	case t.timer == nil:
		return Timer{}, nil
	case in != nil:
		timer = in.timer(f.moment())
	default:
		timer, err = t.timer(f.Body, f.moment())
	}
	return timer.bounded(), err
}

// bounded keeps an instant that no database need keep out of it: what lies before
// all days has run out anyhow, and what lies behind them never will.
func (t Timer) bounded() Timer {
	switch {
	case t.After.After(lastDay):
		return Timer{}
	case t.After.Before(firstDay):
		t.After = firstDay
	}
	return t
}

func (d Definition[B]) timerOf(raw json.RawMessage, m Moment) (Timer, error) {
	b, err := decode[B](raw)
	if err != nil {
		return Timer{}, err
	}
	return d.Timer(b, m), nil
}
