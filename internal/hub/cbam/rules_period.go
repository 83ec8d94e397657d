package cbam

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

var periodRules = ruleSet{
	{Code: "CBAM-001", Severity: rules.Info, Field: "quarter", Check: unfinishedQuarter, Source: reportLaw,
		Title: "The quarter has not ended"},
	{Code: "CBAM-002", Severity: rules.Warning, Field: "snapshotAt", Check: staleSnapshot, Source: reportLaw,
		Title: "The report was created before the quarter ended"},
	{Code: "CBAM-003", Severity: rules.Warning, Field: "totalImportsCount", Check: noImports, Source: reportLaw,
		Title: "There are no imports to report"},
	{Code: "CBAM-004", Severity: rules.Warning, Field: "quarter", Check: late, Source: ukLaw,
		Title: "The return for the quarter is late"},
}

func unfinishedQuarter(r *Report, f rules.Facts) remarks {
	q, ok := calendar.ParseQuarter(r.Quarter)
	if !ok {
		return nil
	}
	if _, until := q.UTC(); f.Now.Before(until) {
		return remarks{{
			NotYet:     true,
			Message:    fmt.Sprintf("%s ends on %s; more imports may follow.", r.Quarter, until.Add(-time.Second).Format("2 January 2006")),
			Suggestion: "Refresh the report after the quarter, then submit it.",
		}}
	}
	return nil
}

func staleSnapshot(r *Report, f rules.Facts) remarks {
	q, ok := calendar.ParseQuarter(r.Quarter)
	at, err := time.Parse(time.RFC3339, r.SnapshotAt)
	if !ok || err != nil {
		return nil
	}
	if _, until := q.UTC(); f.Now.Before(until) || !at.Before(until) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The imports are those of %s, but %s ended later.", at.Format("2 January 2006 15:04 UTC"), r.Quarter),
		"Refresh the report while it is a draft.")
}

func noImports(r *Report, _ rules.Facts) remarks {
	if r.TotalImportsCount > 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("There are no imports in %s.", r.Quarter), "Record the imports of the quarter, or do not submit the report if there were none.")
}

func late(r *Report, f rules.Facts) remarks {
	q, ok := calendar.ParseQuarter(r.Quarter)
	if !ok || q.Year != firstPeriod || !f.Now.After(firstReturn) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The return for %s was due on 31 May 2028.", r.Quarter), "Submit the return and pay now to limit penalties and interest.")
}
