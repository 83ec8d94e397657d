package ics2_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
)

// A draft is due before the arrival. The time limit depends on the mode of transport and the data in the filing.
func TestLodgementDeadlines(t *testing.T) {
	for _, c := range []struct {
		name   string
		from   func() body
		change change
		lead   time.Duration
	}{
		{"road", tunnel, unchanged, time.Hour},
		{"rail", train, unchanged, 2 * time.Hour},
		{"ferry", ferry, unchanged, 2 * time.Hour},
		{"short sea", belfast, unchanged, 2 * time.Hour},
		{"short sea from Turkey", deepSea, func(f body) { f.PortOfLoading = "TRIST" }, 2 * time.Hour},
		{"inland waterway", ore, func(f body) { f.ModeOfTransport = "8" }, 2 * time.Hour},
		{"bulk", ore, unchanged, 4 * time.Hour},
		{"deep sea", deepSea, unchanged, aDay},
		{"containers", deepSea, func(f body) { f.GoodsDescription = "Espresso machines, FCL 1x40HC" }, 5 * aDay},
		{"sea from an unknown place", deepSea, func(f body) { f.PortOfLoading = "Busan" }, aDay},
		{"long flight", longHaul, unchanged, 4 * time.Hour},
		{"short flight", longHaul, func(f body) { f.PortOfLoading = "FRCDG" }, 4 * time.Hour},
		{"post", parcel, unchanged, 4 * time.Hour},
		{"post by road", parcel, func(f body) { f.ModeOfTransport = "3" }, time.Hour},
		{"unknown mode", tunnel, func(f body) { f.ModeOfTransport = "lorry train" }, time.Hour},
	} {
		f := c.from()
		c.change(f)
		got := ics2.Filings.Deadlines(f, filing.Metadata{Status: lifecycle.Draft})
		if len(got) != 1 || got[0].Name != "lodgement" || !got[0].DueAt.Equal(f.EstimatedArrival.Add(-c.lead)) || got[0].WholeDay || got[0].Lapses || got[0].Title == "" || got[0].Source == "" {
			t.Errorf("%s: got %+v, want %s before %s", c.name, got, c.lead, f.EstimatedArrival)
		}
	}
}

// A submitted filing must be accepted by the arrival. A final filing, and one without an arrival, have no deadline.
func TestOtherDeadlines(t *testing.T) {
	f := deepSea()
	got := ics2.Filings.Deadlines(f, filing.Metadata{Status: lifecycle.Submitted})
	if len(got) != 1 || got[0].Name != "arrival" || !got[0].DueAt.Equal(*f.EstimatedArrival) || got[0].Source == "" {
		t.Errorf("submitted: %+v", got)
	}
	for _, status := range []lifecycle.State{lifecycle.Accepted, lifecycle.Rejected, lifecycle.Cancelled} {
		if got := ics2.Filings.Deadlines(f, filing.Metadata{Status: status}); len(got) != 0 {
			t.Errorf("%s: %+v", status, got)
		}
	}
	f.EstimatedArrival = nil
	if got := ics2.Filings.Deadlines(f, filing.Metadata{Status: lifecycle.Draft}); len(got) != 0 {
		t.Errorf("without arrival: %+v", got)
	}
}
