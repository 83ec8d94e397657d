package statements

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// functions are the area's template functions.
var functions = map[string]any{
	"pounds": pounds, "whole": whole, "cost": cost, "pence": func(n int64) string { return pounds(quantity.PoundsOf(n)) },
	"number": func(t fmt.Stringer) string { return grouped(t.String()) }, "tonnes": tonnes, "percent": percent, "meter": meterValue,
	"codeText": codeText, "quarter": quarterMonths, "days": calendar.Away, "reword": reword,
	"breakdown": breakdownOf, "disabledHub": func(p page.Page, name, hub, text string) disabledHub { return disabledHub{p, name, hub, text} },
}

// disabledHub is the data of the notice that a Hub is not enabled.
type disabledHub struct {
	Page            page.Page
	Name, Hub, Text string
}

// breakdown is a breakdown of a report by one property.
type breakdown struct {
	Title string
	Shown []cbam.Share
	Rest  int
	All   quantity.Total
}

// maxShares is the maximum number of rows of a breakdown.
const maxShares = 12

func breakdownOf(title string, shares []cbam.Share, all quantity.Total) breakdown {
	shown := shares[:min(len(shares), maxShares)]
	return breakdown{title, shown, len(shares) - len(shown), all}
}

const minus = "−"

// grouped adds thousands separators to a number.
func grouped(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	digits, fraction, decimal := strings.Cut(digits, ".")
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	if decimal {
		digits += "." + fraction
	}
	if negative {
		return minus + digits
	}
	return digits
}

func sterling(number string) string {
	if rest, negative := strings.CutPrefix(grouped(number), minus); negative {
		return minus + "£" + rest
	}
	return "£" + grouped(number)
}

// pounds formats an amount with pence.
func pounds(m quantity.Money) string { return sterling(m.Fixed()) }

// whole formats an amount without pence.
func whole(m quantity.Money) string { return sterling(strings.TrimSuffix(m.Fixed(), ".00")) }

// cost formats an amount of a report.
func cost(t quantity.Total) string { return sterling(t.Fixed(quantity.MoneyPlaces)) }

// Kilograms in a tonne, and decimal places of tonnes on pages.
const (
	kilogramsATonne = 1000
	tonnePlaces     = 3
)

// tonnes formats a mass in kilograms as tonnes.
func tonnes(kilograms quantity.Total) string {
	t := new(big.Rat).Quo(kilograms.Rat(), big.NewRat(kilogramsATonne, 1))
	return grouped(quantity.RoundTotal(t, tonnePlaces).String())
}

// share returns a part in per cent; 0 if all is zero.
func share(part, all quantity.Total) *big.Rat {
	if all.IsZero() {
		return new(big.Rat)
	}
	return new(big.Rat).Mul(new(big.Rat).Quo(part.Rat(), all.Rat()), big.NewRat(100, 1))
}

func percent(part, all quantity.Total) string { return share(part, all).FloatString(1) + " %" }

// meterValue returns a share as the value of a meter element.
func meterValue(part, all quantity.Total) string { return share(part, all).FloatString(1) }

func codeText(code any) string {
	text := fmt.Sprint(code)
	if meaning := cbam.TextOf(text); meaning != "" {
		return meaning
	}
	return ident.Country(text).NameAndCode()
}

// quarterMonths returns the months of a quarter: October to December 2026 for 2026-Q4.
func quarterMonths(key string) string {
	q, ok := calendar.ParseQuarter(key)
	if !ok {
		return key
	}
	return fmt.Sprintf("%s to %s %d", time.Month(3*q.Number-2), time.Month(3*q.Number), q.Year)
}

// memberLabels replaces member names in findings by the labels on pages. figures matches amounts
// without separators, and importID the import ids in findings, which pages leave out.
var (
	memberLabels = strings.NewReplacer("vatNumber of the organisation", "the VAT number of the organisation, in the settings", "vatNumber", "the VAT number",
		"box1VatDueSales", "box 1", "box2VatDueAcquisitions", "box 2", "box3TotalVatDue", "box 3", "box4VatReclaimed", "box 4", "box4ImportVat", "the import VAT of box 4",
		"box4AdditionalReclaim", "other VAT reclaimed in box 4", "box5NetVat", "box 5", "box6TotalSales", "box 6", "box7TotalPurchases", "box 7",
		"netMassKg", "the net mass", "customsValueGbp", "the customs value", "embeddedEmissionsKgCo2", "the embedded emissions",
		"box8TotalSuppliesEu", "box 8", "box9TotalAcquisitionsEu", "box 9")
	codes    = lazyregexp.New(`\b[A-Z_]+\b`)
	figures  = lazyregexp.New(`£\d{4,}(?:\.\d+)?\b|\b\d{4,}(?:\.\d+)? (?:kg|t)\b`)
	importID = lazyregexp.New(` \(import [0-9a-f-]{36}\)`)
)

// reword replaces names and codes in the text of a finding by the words of the page.
func reword(text string) string {
	text = memberLabels.Replace(importID.ReplaceAllString(text, ""))
	text = codes.ReplaceAllStringFunc(text, func(code string) string { return cmp.Or(strings.ToLower(cbam.Sectors[cbam.Category(code)]), code) })
	text = figures.ReplaceAllStringFunc(text, func(figure string) string {
		number, unit, _ := strings.Cut(figure, " ")
		if amount, is := strings.CutPrefix(number, "£"); is {
			return sterling(amount)
		}
		return grouped(number) + " " + unit
	})
	return ident.NameCountries(text)
}
