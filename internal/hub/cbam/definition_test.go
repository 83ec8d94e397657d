package cbam_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Imports never change. A report can be refreshed until it is submitted, and only an OWNER marks it accepted.
func TestLifecycles(t *testing.T) {
	imports, reports := cbam.Imports(nil).Type().Lifecycle, cbam.Reports.Type().Lifecycle
	if len(imports.Edges) != 0 || imports.Initial != cbam.Recorded {
		t.Errorf("%+v", imports)
	}
	for _, c := range []struct {
		by       lifecycle.Action
		from, to lifecycle.State
		guard    lifecycle.Guard
		event    string
	}{
		{lifecycle.Refresh, lifecycle.Draft, lifecycle.Draft, lifecycle.Member, "refreshed"},
		{lifecycle.Remove, lifecycle.Draft, lifecycle.Draft, lifecycle.Member, "deleted"},
		{lifecycle.AskApproval, lifecycle.Draft, lifecycle.Draft, lifecycle.Member, "approval_requested"},
		{lifecycle.Approve, lifecycle.Draft, lifecycle.Draft, lifecycle.SecondPerson, "approved"},
		{lifecycle.Submit, lifecycle.Draft, lifecycle.Submitted, lifecycle.Member, "submitted"},
		{lifecycle.MarkAccepted, lifecycle.Submitted, lifecycle.Accepted, lifecycle.Owner, "accepted"},
	} {
		e, ok := reports.Find(c.from, c.by)
		if !ok || e.StateAfter(c.from) != c.to || e.Guard != c.guard || e.Event != c.event || !slices.Equal(reports.From(c.by), []lifecycle.State{c.from}) {
			t.Errorf("%s: %+v", c.by, e)
		}
	}
	if len(reports.Edges) != 6 {
		t.Errorf("%d steps", len(reports.Edges))
	}
}

// A reference contains the quarter and has at most 22 characters, the maximum in the XML of the report.
func TestReference(t *testing.T) {
	ids := ident.NewSource(rand.NewChaCha8([32]byte{1}), func() time.Time { return now })
	seen := map[string]bool{}
	for range 1000 {
		ref := cbam.Reports.Reference(ids, now, &cbam.Report{Quarter: "2026-Q4"})
		if !regexp.MustCompile(`^CBAM-GB-2026Q4-[0-9A-HJKMNP-TV-Z]{7}$`).MatchString(ref.Value) || ref.Field != "reference" || len(ref.Value) != 22 || seen[ref.Value] {
			t.Fatalf("%+v", ref)
		}
		seen[ref.Value] = true
	}
}

// Reports of 2027 are due with the first return until they are accepted. Other years have no due date yet.
func TestReportDeadlines(t *testing.T) {
	last := time.Date(2028, 5, 31, 22, 59, 59, 999e6, time.UTC)
	for _, c := range []struct {
		quarter string
		status  lifecycle.State
		due     bool
	}{
		{"2027-Q1", lifecycle.Draft, true}, {"2027-Q4", lifecycle.Draft, true}, {"2027-Q2", lifecycle.Submitted, true}, {"2027-Q2", lifecycle.Accepted, false},
		{"2026-Q4", lifecycle.Draft, false}, {"2028-Q1", lifecycle.Draft, false}, {"", lifecycle.Draft, false},
	} {
		got := cbam.Reports.Deadlines(&cbam.Report{Quarter: c.quarter}, filing.Metadata{Status: c.status})
		if len(got) != 0 != c.due || c.due && (!got[0].DueAt.Equal(last) || !got[0].WholeDay || got[0].Lapses || got[0].Name != "return" || got[0].Source == "" || got[0].Title == "") {
			t.Errorf("%s %s: %+v", c.quarter, c.status, got)
		}
	}
}

// A year has four ends of quarters, in London time.
func TestQuarterEnds(t *testing.T) {
	var ends []string
	for _, d := range cbam.QuarterEnds(now, now.AddDate(1, 0, 0)) {
		if !d.WholeDay || !d.Lapses || d.Title == "" || d.Source == "" {
			t.Errorf("%+v", d)
		}
		ends = append(ends, d.Name+" "+d.DueAt.UTC().Format(time.RFC3339Nano))
	}
	want := []string{"2026-Q4 2026-12-31T23:59:59.999Z", "2027-Q1 2027-03-31T22:59:59.999Z", "2027-Q2 2027-06-30T22:59:59.999Z", "2027-Q3 2027-09-30T22:59:59.999Z"}
	if !slices.Equal(ends, want) {
		t.Errorf("%q", ends)
	}
	if got := cbam.QuarterEnds(now, now); got != nil {
		t.Errorf("%+v", got)
	}
	if end := (calendar.Quarter{Year: 2026, Number: 4}).End(); len(cbam.QuarterEnds(now, end)) != 1 {
		t.Error("the end itself is left out")
	}
}
