package ics2

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// deadlines returns the deadlines of a filing: submission before the arrival, by mode of transport, and acceptance by the
// arrival.
func deadlines(f *Filing, m filing.Metadata) []filing.Deadline {
	if len(f.Message) > 0 {
		whole, _ := f.whole()
		f = &whole
	}
	if f.EstimatedArrival == nil {
		return nil
	}
	w := windowOf(f)
	switch m.Status {
	case lifecycle.Draft:
		return []filing.Deadline{{Name: "lodgement", Title: "Submit the entry summary declaration: " + w.rule, DueAt: f.EstimatedArrival.Add(-w.safe), Source: w.source()}}
	case lifecycle.Submitted:
		return []filing.Deadline{{Name: "arrival", Title: "Have the entry summary declaration accepted before the goods arrive", DueAt: *f.EstimatedArrival, Source: w.source()}}
	}
	return nil
}
