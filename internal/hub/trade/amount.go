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
	{Code: "TRD-031", Severity: rules.Warning, Field: "quantity", Judge: of(missingQuantity, SIEL, Strategic, CITES), Source: licenceGuidance + "; " + citesLaw,
		Title: "An individual licence has no quantity"},
	{Code: "TRD-032", Severity: rules.Blocker, Field: "quantity", Judge: noQuantity, Source: licenceGuidance,
		Title: "The quantity is nought"},
	{Code: "TRD-033", Severity: rules.Warning, Field: "unitOfMeasure", Judge: strangeUnit, Source: licenceGuidance,
		Title: "The unit of the quantity is missing, is none, or stands alone"},
	{Code: "TRD-034", Severity: rules.Warning, Field: "quantity", Judge: brokenPieces, Source: licenceGuidance,
		Title: "A fraction of a piece is licensed"},
}

func missingQuantity(l *Licence, _ rules.Facts) remarks {
	rating, _ := exportcontrol.ParseRating(l.ProductCode)
	if l.Quantity != nil || rating.Entry == "ML22" || len(rating.Entry) == 5 && rating.Entry[1] == 'E' {
		return nil
	}
	return rules.Say(fmt.Sprintf("There is no quantity; the %s covers that and no more.", l.LicenceType), "Give the quantity and its unit.")
}

func noQuantity(l *Licence, _ rules.Facts) remarks {
	if l.Quantity == nil || !l.Quantity.IsZero() {
		return nil
	}
	return rules.Say("The quantity is 0: nothing would be licensed.", "Give the quantity that is to be exported.")
}

func strangeUnit(l *Licence, _ rules.Facts) remarks {
	switch {
	case l.Quantity == nil && l.UnitOfMeasure != "":
		return at("", rules.Info, fmt.Sprintf("%q is the unit of no quantity.", l.UnitOfMeasure), "Give the quantity, or leave the unit out.")
	case l.Quantity != nil && l.UnitOfMeasure == "":
		return rules.Say(fmt.Sprintf("%s of what is not said.", l.Quantity), "Give the unit, such as units, kg or litres.")
	case l.UnitOfMeasure != "" && (party.Placeholder(l.UnitOfMeasure) || len(goods.Words(l.UnitOfMeasure)) == 0):
		return rules.Say(fmt.Sprintf("%q is no unit.", l.UnitOfMeasure), "Give the unit, such as units, kg or litres.")
	}
	return nil
}

// pieces are units of what does not come in fractions.
var pieces = strings.Fields("unit units piece pieces pc pcs each ea item items number no nos nar set sets pair pairs head animal animals specimen specimens plant plants")

func brokenPieces(l *Licence, _ rules.Facts) remarks {
	words := goods.Words(strings.ToLower(l.UnitOfMeasure))
	if l.Quantity == nil || len(words) != 1 || !slices.Contains(pieces, words[0]) || l.Quantity.Rat().IsInt() {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s %s have a fraction.", l.Quantity, l.UnitOfMeasure), "Check quantity and unit.")
}

var validityRules = ruleSet{
	{Code: "TRD-035", Severity: rules.Blocker, Field: "validUntil", Judge: backwards, Source: "The law of each type of licence",
		Title: "The licence ends before it begins"},
	{Code: "TRD-036", Severity: rules.Blocker, Field: "validUntil", Judge: over, Source: "The law of each type of licence",
		Title: "The licence has expired"},
	{Code: "TRD-037", Severity: rules.Warning, Field: "validUntil", Judge: tooLong, Source: "GOV.UK: Standard Individual Export Licences; GOV.UK: Open individual export licences; Regulation (EC) No 865/2006 as retained, Article 10; GOV.UK: Get an export health certificate (one for each consignment)",
		Title: "The licence is asked for longer than it is granted"},
	{Code: "TRD-038", Severity: rules.Info, Field: "validUntil", Judge: nearlyOver, Source: "GOV.UK: Standard Individual Export Licences: most applications are decided within 20 working days",
		Title: "The licence ends within a month"},
	{Code: "TRD-039", Severity: rules.Warning, Field: "validFrom", Judge: strangeStart, Source: "The law of each type of licence",
		Title: "The licence begins years ago or years ahead"},
}

// day is how days stand in messages.
const day = "2 January 2006"

func date(t time.Time) string { return t.In(calendar.London()).Format(day) }

func backwards(l *Licence, _ rules.Facts) remarks {
	if l.ValidFrom == nil || l.ValidUntil == nil || l.ValidUntil.After(*l.ValidFrom) {
		return nil
	}
	return rules.Say(fmt.Sprintf("The licence would be valid from %s until %s.", date(*l.ValidFrom), date(*l.ValidUntil)), "Correct the one or the other.")
}

func over(l *Licence, f rules.Facts) remarks {
	if l.ValidUntil == nil || !l.ValidUntil.Before(f.Now) || len(backwards(l, f)) > 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("The licence was valid until %s.", date(*l.ValidUntil)), "Export nothing under it; apply for a new one.")
}

// terms are how many months each type is granted for at most; no month stands for
// a type without an end. A certificate is for one consignment; a year and a month
// is more than any takes.
var terms = map[Type]int{SIEL: 24, Strategic: 24, OIEL: 60, CITES: 6, EHC: 13}

func tooLong(l *Licence, f rules.Facts) remarks {
	months, ok := terms[l.LicenceType]
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
		return rules.Say(fmt.Sprintf("From %s until %s is more than a year, and an export health certificate is for one consignment.", date(from), date(*l.ValidUntil)),
			"Set the days of the one consignment; each takes a certificate of its own.")
	}
	return rules.Say(fmt.Sprintf("From %s until %s is longer than the %d months that %s is granted for.", date(from), date(*l.ValidUntil), months, l.LicenceType.one()),
		fmt.Sprintf("Set validUntil to %s or before.", date(last.AddDate(0, 0, -1))))
}

// soon is how long before its end a licence wants another.
const soon = 30 * 24 * time.Hour

// nearlyOver leaves out certificates, which are for a consignment.
func nearlyOver(l *Licence, f rules.Facts) remarks {
	if l.ValidUntil == nil || l.LicenceType == EHC || l.ValidUntil.Before(f.Now) || l.ValidUntil.Sub(f.Now) > soon || len(backwards(l, f)) > 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("The licence ends on %s, in %d days.", date(*l.ValidUntil), calendar.Days(f.Now, *l.ValidUntil)),
		"Apply for the next one now, if goods are still to go out after that day.")
}

// far is longer than any licence begins before or after its application.
const far = 5

func strangeStart(l *Licence, f rules.Facts) remarks {
	if l.ValidFrom == nil {
		return nil
	}
	switch {
	case l.ValidFrom.Before(f.Now.AddDate(-far, 0, -1)):
		return rules.Say(fmt.Sprintf("The licence would begin on %s, years ago.", date(*l.ValidFrom)), "Check the year.")
	case l.ValidFrom.After(f.Now.AddDate(1, 0, 1)):
		return rules.Say(fmt.Sprintf("The licence would begin on %s, more than a year ahead.", date(*l.ValidFrom)), "Check the year.")
	}
	return nil
}
