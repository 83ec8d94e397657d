package emcs_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

// The receipt is due by HMRC's reminder; without one, five business days after the arrival that HMRC's messages say, and only then by the movement's own fields. Saturday 28 November 2026
// and two days make Monday 30 November.
func TestReceiptDueByMessages(t *testing.T) {
	for added, want := range map[string]string{
		`{"dispatchOn":"2026-11-28","journeyTime":"D02"}`:                                           "2026-12-07",
		`{"dispatchOn":"2026-11-28","journeyTime":"D02","receiptDueBy":"2026-12-09T12:00:00.000Z"}`: "2026-12-09",
		`{"dispatchOn":"2026-11-28","journeyTime":"H12"}`:                                           "2026-12-08", // as planned: 1 December and two days
	} {
		all := emcs.Movements.Deadlines(&emcs.Movement{JourneyDays: count(2), DispatchAt: hence(4 * 24 * time.Hour)}, filing.Metadata{Status: emcs.InTransit, Added: []byte(added)})
		if len(all) != 1 || all[0].Name != "report_of_receipt" || all[0].DueAt.Format(time.DateOnly) != want {
			t.Errorf("%s: %+v", added, all)
		}
	}
	data := whole()
	if all := emcs.Movements.Deadlines(data, filing.Metadata{Status: lifecycle.Draft}); len(all) != 1 || all[0].DueAt.Format(time.DateOnly) != now.Format(time.DateOnly) {
		t.Errorf("data set: %+v", all)
	}
}

// An accepted movement is dispatched when the day that HMRC has begins in London; a movement without messages is not.
func TestDispatchByTime(t *testing.T) {
	for added, want := range map[string]string{`{"dispatchOn":"2026-06-01"}`: "2026-05-31T22:59:59.999Z", `{}`: "0001-01-01T00:00:00Z", `{"dispatchOn":"soon"}`: "0001-01-01T00:00:00Z"} {
		got := emcs.Movements.Timer(whisky(), filing.Metadata{Status: lifecycle.Accepted, Added: []byte(added)})
		if at := got.After.UTC().Format(time.RFC3339Nano); at != want || got.IsSet() != (got.After != time.Time{}) {
			t.Errorf("%s: %+v", added, got)
		}
	}
	if got := emcs.Movements.Timer(whisky(), filing.Metadata{Status: emcs.InTransit, Added: []byte(`{"dispatchOn":"2026-06-01"}`)}); got.IsSet() {
		t.Errorf("%+v", got)
	}
}
