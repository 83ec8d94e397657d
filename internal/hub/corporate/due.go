package corporate

import (
	"fmt"
	"math/big"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

var dueRules = ruleSet{
	{Code: "COR-006", Severity: rules.Warning, Field: "dueDate", Check: late, Source: "Companies Act 2006, sections 451 and 453, and Companies (Late Filing Penalties) Regulations 2008; Finance Act 1998, Schedule 18, paragraphs 17 and 18; the law of each form",
		Title: "The filing is late"},
	{Code: "COR-007", Severity: rules.Info, Field: "dueDate", Check: soon, Source: "The law of each form",
		Title: "The filing is due within a week"},
	{Code: "COR-008", Severity: rules.Warning, Field: "dueDate", Check: laterThanLaw, Source: "The law of each form",
		Title: "The due date is later than the legal deadline"},
	{Code: "COR-009", Severity: rules.Warning, Field: "dueDate", Check: implausibleDueDate, Source: "The law of each form",
		Title: "The due date is years in the future or in the past"},
}

// legalDeadline returns the legal deadline of a filing, by the dates in its form.
func (f *Filing) legalDeadline() (last time.Time, why string, ok bool) {
	from := func(member string) (day time.Time) {
		day, ok = f.day(member)
		why = member + " " + formatDate(day)
		return day
	}
	switch f.FilingType {
	case ConfirmationStatement:
		return from("reviewPeriodEnd").AddDate(0, 0, window), why, ok
	case AnnualAccounts:
		months := 9
		if f.isPublic() {
			months = 6
		}
		return monthsAfter(from("periodEnd"), months), why, ok
	case PSCNotification:
		return from("dateBecamePsc").AddDate(0, 0, window), why, ok
	case DirectorAppointment:
		return from("appointedOn").AddDate(0, 0, window), why, ok
	case DirectorResignation:
		return from("resignedOn").AddDate(0, 0, window), why, ok
	case CT600:
		return monthsAfter(from("periodEnd"), 12), why, ok
	case ICORenewal:
		return from("expiryDate"), why, ok
	case TRSUpdate:
		return from("changeDate").AddDate(0, 0, trustWindow), why, ok
	}
	return time.Time{}, "", false
}

// Legal time limits.
const (
	window      = 14
	trustWindow = 90
)

// monthsAfter counts months as company law does: from the last day of a month to the last day of another month.
func monthsAfter(day time.Time, months int) time.Time {
	first := time.Date(day.Year(), day.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	if day.AddDate(0, 0, 1).Day() == 1 {
		return first.AddDate(0, 0, last-1)
	}
	return first.AddDate(0, 0, min(day.Day(), last)-1)
}

// late compares with the due date, and with the legal deadline if it is known.
func late(f *Filing, facts rules.Facts) remarks {
	if !f.DueDate.Before(facts.Now) {
		return nil
	}
	due, today := dateMeant(f.DueDate), dateOf(facts.Now)
	if last, _, ok := f.legalDeadline(); ok && !today.After(last) {
		return rules.Remarks(fmt.Sprintf("The due date, %s, is in the past; the legal deadline of the %s is %s.", formatDate(due), f.FilingType, formatDate(last)),
			"Correct the due date, or file now.")
	}
	return rules.Remarks(fmt.Sprintf("The %s %s due on %s, %s. %s", f.FilingType, f.FilingType.verb("was", "were"), formatDate(due), formatDays(daysBetween(today, due)), f.consequences(due, today)),
		"File now, because each day of delay counts. A late filing is still required.")
}

// formatDays formats a number of days from today.
func formatDays(days int) string {
	switch {
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	case days == -1:
		return "yesterday"
	case days < 0:
		return fmt.Sprintf("%d days ago", -days)
	}
	return fmt.Sprintf("in %d days", days)
}

// consequences returns the consequences of a delay, in a sentence.
func (f *Filing) consequences(due, today time.Time) string {
	switch f.FilingType {
	case AnnualAccounts:
		return accountsPenalty(due, today, f.isPublic())
	case CT600:
		return taxPenalty(due, today)
	case ConfirmationStatement:
		return "A late filing is an offence by the company and its officers, and the company may be struck off."
	case ICORenewal:
		return "The penalty for not paying the fee is up to £4,350."
	case RegisteredOffice:
		return "The old address remains the registered office until the new one is registered."
	case TRSUpdate:
		return "The penalty for not updating the register is up to £5,000."
	}
	return "A late filing is an offence by the company and every officer in default."
}

// accountsPenalty returns the penalty of Companies House for late accounts.
func accountsPenalty(due, today time.Time, public bool) string {
	bands, kind := [4]string{"£150", "£375", "£750", "£1,500"}, "private"
	if public {
		bands, kind = [4]string{"£750", "£1,500", "£3,000", "£7,500"}, "public"
	}
	band := 3
	for i, months := range []int{1, 3, 6} {
		if !today.After(monthsAfter(due, months)) {
			band = i
			break
		}
	}
	return fmt.Sprintf("The penalty for a %s company is %s so far, or twice that if the accounts of the previous year were also late.", kind, bands[band])
}

// doubledPenalties is the first filing date of returns with doubled flat penalties.
var doubledPenalties = time.Date(2026, time.April, 1, 0, 0, 0, 0, time.UTC)

func taxPenalty(due, today time.Time) string {
	flat := int64(100)
	if !due.Before(doubledPenalties) {
		flat = 200
	}
	if today.After(monthsAfter(due, 3)) {
		flat *= 2
	}
	text := fmt.Sprintf("The penalty is %s so far", pounds(big.NewRat(flat, 1)))
	switch {
	case today.After(monthsAfter(due, 12)):
		text += ", and 20% of the unpaid tax"
	case today.After(monthsAfter(due, 6)):
		text += ", and 10% of the unpaid tax"
	}
	return text + "."
}

// urgentDays is the number of days before the due date in which a filing is urgent.
const urgentDays = 7

func soon(f *Filing, facts rules.Facts) remarks {
	days := calendar.Days(facts.Now, f.DueDate)
	if f.DueDate.Before(facts.Now) || days > urgentDays {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The %s %s due on %s, %s.", f.FilingType, f.FilingType.verb("is", "are"), formatDate(dateMeant(f.DueDate)), formatDays(days)), "Submit it in time.")
}

func laterThanLaw(f *Filing, _ rules.Facts) remarks {
	last, why, ok := f.legalDeadline()
	if due := dateMeant(f.DueDate); !ok || !due.After(last) {
		return nil
	}
	return remarks{{
		Message:    fmt.Sprintf("The due date is %s; by %s the %s %s due on %s.", formatDate(dateMeant(f.DueDate)), why, f.FilingType, f.FilingType.verb("is", "are"), formatDate(last)),
		Suggestion: fmt.Sprintf("Set the due date to %s (%s), or correct the date in the form.", formatDate(last), laws[f.FilingType]),
	}}
}

// farAway, in days, is longer than the time limit of any form: first accounts are due 21 months after incorporation.
const maxDaysAhead = 2 * 366

func implausibleDueDate(f *Filing, facts rules.Facts) remarks {
	days := calendar.Days(facts.Now, f.DueDate)
	if -maxDaysAhead <= days && days <= maxDaysAhead {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The due date is %s, %s.", formatDate(dateMeant(f.DueDate)), formatDays(days)), "Check the year.")
}
