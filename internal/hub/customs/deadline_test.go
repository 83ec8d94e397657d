package customs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Goods of a pre-lodged declaration must arrive within 30 days, and those of an accepted export must leave within 150
// days, also after clearance. A rejected or cancelled declaration has no deadline.
func TestDeadlines(t *testing.T) {
	kind := customs.Declarations(tariff.Embedded(), nil, nil)
	const early = `{"prelodged":true,"submittedAt":"2026-10-24T08:00:00.000Z"}`
	const accepted = `{"prelodged":true,"submittedAt":"2026-10-24T08:00:00.000Z","acceptedAt":"2026-11-02T09:00:00.000Z"}`
	for _, c := range []struct {
		status    lifecycle.State
		direction string
		added     string
		want      string
	}{
		{lifecycle.Submitted, customs.Import, early, "arrival 2026-11-23T09:00:00Z"}, // the clocks went back in between
		{lifecycle.Submitted, customs.Export, early, "arrival 2026-11-23T09:00:00Z"},
		{lifecycle.Submitted, customs.Import, `{"submittedAt":"2026-10-24T08:00:00.000Z"}`, ""},
		{lifecycle.Submitted, customs.Import, `{"prelodged":true}`, ""},
		{lifecycle.Submitted, customs.Import, ``, ""},
		{lifecycle.Accepted, customs.Export, accepted, "departure 2027-04-01T08:00:00Z"},
		{lifecycle.Accepted, customs.Export, early, ""},
		{lifecycle.Accepted, customs.Import, accepted, ""},
		{lifecycle.Draft, customs.Import, accepted, ""},
		{lifecycle.Rejected, customs.Import, accepted, ""},
		{customs.Cleared, customs.Export, accepted, "departure 2027-04-01T08:00:00Z"},
		{lifecycle.Cancelled, customs.Export, accepted, ""},
	} {
		moment := filing.Metadata{Status: c.status, Added: json.RawMessage(c.added)}
		got := ""
		for _, d := range kind.Deadlines(&customs.Declaration{DeclarationType: c.direction}, moment) {
			got += d.Name + " " + d.DueAt.UTC().Format(time.RFC3339)
			if d.Title == "" || d.Source == "" || d.WholeDay || d.Lapses {
				t.Errorf("%s %s: %+v", c.status, c.direction, d)
			}
		}
		if got != c.want {
			t.Errorf("%s %s of %s: %q, not %q", c.status, c.direction, c.added, got, c.want)
		}
	}
}
