package audit

import (
	"context"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Sample verifies the newest events of an organisation's trail, at most limit of them, against themselves and against
// each other. It returns how many were found good; the error is a *Broken for the first that is not.
func Sample(ctx context.Context, s Store, org tenant.ID, limit int) (good int, err error) {
	var events []Event
	var cut Truncation
	err = s.ViewTrail(ctx, org, func(t Trail) (err error) {
		if cut, err = t.Truncation(); err == nil {
			events, err = t.Events(Query{Limit: limit})
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	slices.Reverse(events) // oldest first
	events = slices.DeleteFunc(events, func(e Event) bool { return e.Sequence <= cut.Sequence })
	if len(events) == 0 {
		return 0, nil
	}
	chain := Chain{Org: org, Last: Event{Sequence: events[0].Sequence - 1, Hash: events[0].PreviousHash}}
	for _, e := range events {
		if err := chain.Next(e); err != nil {
			return good, err
		}
		good++
	}
	return good, nil
}
