package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

var timeRules = ruleSet{
	{Code: "TAX-029", Severity: rules.Info, Field: "periodId", Check: notEnded, Source: "HMRC: VAT (MTD) API, submit VAT return for period: TAX_PERIOD_NOT_ENDED",
		Title: "The period has not ended"},
	{Code: "TAX-030", Severity: rules.Warning, Field: "periodId", Check: late, Source: "Finance Act 2021, Schedules 24 and 26 (late submission and late payment); " + dueSource,
		Title: "The return is late, or nearly so"},
	{Code: "TAX-031", Severity: rules.Warning, Field: "box4VatReclaimed", Check: outOfTime, Source: "Value Added Tax Regulations 1995, regulation 29(1A) (four years)",
		Title: "VAT is reclaimed more than four years late"},
}

const day = "2 January 2006"

// notEnded is only worth knowing while the period runs: a draft is made as it
// goes. Before it has begun there is nothing to return.
func notEnded(r *Return, f rules.Facts) remarks {
	p, err := ParsePeriod(r.PeriodKey)
	if err != nil || f.Now.After(p.End) {
		return nil
	}
	end := p.End.In(calendar.London()).Format(day)
	if f.Now.Before(p.Start) {
		return remarks{{
			Severity:   rules.Blocker,
			Message:    fmt.Sprintf("%s begins on %s.", p.Key, p.Start.In(calendar.London()).Format(day)),
			Suggestion: "Compute the return after the period has ended.",
		}}
	}
	return remarks{{
		NotYet:     true,
		Message:    fmt.Sprintf("%s runs until %s; HMRC accepts no return before then.", p.Key, end),
		Suggestion: "Compute the return again when the period has ended, with all that customs has cleared by then, and submit it then.",
	}}
}

// soon is how many days before its last the return gets a word.
const soon = 7

func late(r *Return, f rules.Facts) remarks {
	p, err := ParsePeriod(r.PeriodKey)
	if err != nil || !f.Now.After(p.End) {
		return nil
	}
	due, left := p.Due.In(calendar.London()).Format(day), calendar.Days(f.Now, p.Due)
	switch {
	case f.Now.After(p.Due):
		return rules.Remarks(fmt.Sprintf("The return of %s was due on %s, %s ago.%s", p.Key, due, counted(-left, "day"), r.lateCost()),
			"Submit at once. A late return counts a penalty point; at four points each costs £200.")
	case left <= soon:
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("The return of %s is due by %s, in %s.", p.Key, due, counted(left, "day")),
			Suggestion: "Submit, and see that the payment arrives by then too.",
		}}
	}
	return nil
}

// lateCost is what late payment costs for due dates from April 2025 on.
func (r *Return) lateCost() string {
	if r.NetVATPosition != Payable {
		return ""
	}
	return fmt.Sprintf(" On the %s in box 5, as far as it is unpaid, HMRC charges interest, 3%% after 15 days, 3%% more after 30 and 10%% a year from then on.", sterling(r.Box5NetVAT))
}

const claimYears = 4

func outOfTime(r *Return, f rules.Facts) remarks {
	p, err := ParsePeriod(r.PeriodKey)
	if err != nil || r.Box4VATReclaimed.Sign() <= 0 || !f.Now.After(p.Due.AddDate(claimYears, 0, 0)) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 4 reclaims %s, and the return of %s was due on %s, more than four years ago.", sterling(r.Box4VATReclaimed), p.Key, p.Due.In(calendar.London()).Format(day)),
		"VAT cannot be reclaimed more than four years after the return was due; ask HMRC before you submit.")
}
