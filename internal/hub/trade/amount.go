package trade

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

var amountRules = ruleSet{
	{Code: "TRD-031", Severity: rules.Warning, Field: "quantity", Check: onlyFor(missingQuantity, SIEL, Strategic, CITES), Source: licenceGuidance + "; " + citesLaw,
		Title: "An individual licence has no quantity"},
	{Code: "TRD-032", Severity: rules.Blocker, Field: "quantity", Check: noQuantity, Source: licenceGuidance,
		Title: "The quantity is zero"},
	{Code: "TRD-033", Severity: rules.Warning, Field: "unitOfMeasure", Check: implausibleUnit, Source: licenceGuidance,
		Title: "The unit is missing, is a placeholder, or has no quantity"},
	{Code: "TRD-034", Severity: rules.Warning, Field: "quantity", Check: fractionOfPiece, Source: licenceGuidance,
		Title: "The quantity is a fraction of a piece"},
}

func missingQuantity(l *Licence, _ rules.Facts) remarks {
	rating, _ := exportcontrol.ParseRating(l.ProductCode)
	if l.Quantity != nil || rating.Entry == "ML22" || len(rating.Entry) == 5 && rating.Entry[1] == 'E' {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("There is no quantity, but %s covers only the stated quantity.", l.LicenceType.withArticle()), "Give the quantity and its unit.")
}

func noQuantity(l *Licence, _ rules.Facts) remarks {
	if l.Quantity == nil || !l.Quantity.IsZero() {
		return nil
	}
	return rules.Remarks("The quantity is 0, so the licence would cover no goods.", "Give the quantity to be exported.")
}

func implausibleUnit(l *Licence, _ rules.Facts) remarks {
	switch {
	case l.Quantity == nil && l.UnitOfMeasure != "":
		return remarkOn("", rules.Info, fmt.Sprintf("The unit is %q, but there is no quantity.", l.UnitOfMeasure), "Give the quantity, or remove the unit.")
	case l.Quantity != nil && l.UnitOfMeasure == "":
		return rules.Remarks(fmt.Sprintf("The quantity %s has no unit.", l.Quantity), "Give the unit, such as units, kg or litres.")
	case l.UnitOfMeasure != "" && (party.Placeholder(l.UnitOfMeasure) || len(goods.Words(l.UnitOfMeasure)) == 0):
		return rules.Remarks(fmt.Sprintf("%q is not a unit.", l.UnitOfMeasure), "Give the unit, such as units, kg or litres.")
	}
	return nil
}

// pieces lists units that have no fractions.
var pieces = strings.Fields("unit units piece pieces pc pcs each ea item items number no nos nar set sets pair pairs head animal animals specimen specimens plant plants")

func fractionOfPiece(l *Licence, _ rules.Facts) remarks {
	words := goods.Words(strings.ToLower(l.UnitOfMeasure))
	if l.Quantity == nil || len(words) != 1 || !slices.Contains(pieces, words[0]) || l.Quantity.Rat().IsInt() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s %s is not a whole number of pieces.", l.Quantity, l.UnitOfMeasure), "Check quantity and unit.")
}

var validityRules = ruleSet{
	{Code: "TRD-035", Severity: rules.Blocker, Field: "validUntil", Check: endsBeforeStart, Source: "The law of each type of licence",
		Title: "The licence ends before it begins"},
	{Code: "TRD-036", Severity: rules.Blocker, Field: "validUntil", Check: expired, Source: "The law of each type of licence",
		Title: "The licence has expired"},
	{Code: "TRD-037", Severity: rules.Warning, Field: "validUntil", Check: tooLong, Source: "GOV.UK: Standard Individual Export Licences; GOV.UK: Open individual export licences; Regulation (EC) No 865/2006 as retained, Article 10; GOV.UK: Get an export health certificate (one for each consignment)",
		Title: "The period is longer than such a licence is granted for"},
	{Code: "TRD-038", Severity: rules.Info, Field: "validUntil", Check: endsSoon, Source: "GOV.UK: Standard Individual Export Licences: most applications are decided within 20 working days",
		Title: "The licence ends within a month"},
	{Code: "TRD-039", Severity: rules.Warning, Field: "validFrom", Check: implausibleStart, Source: "The law of each type of licence",
		Title: "The licence begins years in the past or far in the future"},
}

// day is the layout of dates in messages.
const day = "2 January 2006"

func date(t time.Time) string { return t.In(calendar.London()).Format(day) }

func endsBeforeStart(l *Licence, _ rules.Facts) remarks {
	if l.ValidFrom == nil || l.ValidUntil == nil || l.ValidUntil.After(*l.ValidFrom) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The licence would be valid from %s until %s.", date(*l.ValidFrom), date(*l.ValidUntil)), "Correct one of the dates.")
}

func expired(l *Licence, f rules.Facts) remarks {
	if l.ValidUntil == nil || !l.ValidUntil.Before(f.Now) || len(endsBeforeStart(l, f)) > 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The licence was valid until %s.", date(*l.ValidUntil)), "Do not export under it. Apply for a new one.")
}

// maxMonths is the maximum term of each type, in months; types without a limit are missing. A certificate is for one
// consignment, which never takes more than 13 months.
var maxMonths = map[Type]int{SIEL: 24, Strategic: 24, OIEL: 60, CITES: 6, EHC: 13}

func tooLong(l *Licence, f rules.Facts) remarks {
	months, ok := maxMonths[l.LicenceType]
	if !ok || l.ValidUntil == nil {
		return nil
	}
	from := f.Now
	if l.ValidFrom != nil {
		from = *l.ValidFrom
	}
	last := from.In(calendar.London()).AddDate(0, months, 1)
	if !l.ValidUntil.After(last) {
		return nil
	}
	if l.LicenceType == EHC {
		return rules.Remarks(fmt.Sprintf("From %s until %s is more than a year, and an export health certificate is for one consignment.", date(from), date(*l.ValidUntil)),
			"Set the dates of the consignment. Each consignment needs its own certificate.")
	}
	return rules.Remarks(fmt.Sprintf("From %s until %s is longer than the maximum of %d months for %s.", date(from), date(*l.ValidUntil), months, l.LicenceType.withArticle()),
		fmt.Sprintf("Set validUntil to %s or before.", date(last.AddDate(0, 0, -1))))
}

// soon is the time before the end in which to apply for the next licence.
const soon = 30 * 24 * time.Hour

// endsSoon does not apply to certificates, which are for one consignment.
func endsSoon(l *Licence, f rules.Facts) remarks {
	if l.ValidUntil == nil || l.LicenceType == EHC || l.ValidUntil.Before(f.Now) || l.ValidUntil.Sub(f.Now) > soon || len(endsBeforeStart(l, f)) > 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The licence ends on %s, in %d days.", date(*l.ValidUntil), calendar.Days(f.Now, *l.ValidUntil)),
		"Apply for the next one now if you export goods after that day.")
}

// maxYearsPast is the number of years after which a start in the past is implausible.
const maxYearsPast = 5

func implausibleStart(l *Licence, f rules.Facts) remarks {
	if l.ValidFrom == nil {
		return nil
	}
	switch {
	case l.ValidFrom.Before(f.Now.AddDate(-maxYearsPast, 0, -1)):
		return rules.Remarks(fmt.Sprintf("The licence would begin on %s, which is years ago.", date(*l.ValidFrom)), "Check the year.")
	case l.ValidFrom.After(f.Now.AddDate(1, 0, 1)):
		return rules.Remarks(fmt.Sprintf("The licence would begin on %s, which is more than a year ahead.", date(*l.ValidFrom)), "Check the year.")
	}
	return nil
}
