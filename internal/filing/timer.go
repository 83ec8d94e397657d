package filing

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Timer is a transition that the service makes when a time has passed and the record has not changed, such as expire
// after the last day of a licence. The zero Timer has no transition.
type Timer struct {
	Action lifecycle.Action // an action with the guard System
	After  time.Time        // the last instant before the transition
}

// IsSet reports whether there is a transition.
func (t Timer) IsSet() bool { return t.Action != "" }

// currentTimer returns the timer of a record: from the new input or, if that is nil, from the stored one.
func (t *Type) currentTimer(f *Filing, in *Input) (timer Timer, err error) {
	switch {
	case t.timer == nil:
		return Timer{}, nil
	case in != nil:
		timer = in.timer(f.metadata())
	default:
		timer, err = t.timer(f.Body, f.metadata())
	}
	return timer.bounded(), err
}

// bounded returns the timer with an instant that can be stored: one before firstDay has passed anyway, and one after
// lastDay never will.
func (t Timer) bounded() Timer {
	switch {
	case t.After.After(lastDay):
		return Timer{}
	case t.After.Before(firstDay):
		t.After = firstDay
	}
	return t
}

func (d Definition[B]) timerOf(raw json.RawMessage, m Metadata) (Timer, error) {
	b, err := decode[B](raw)
	if err != nil {
		return Timer{}, err
	}
	return d.Timer(b, m), nil
}
