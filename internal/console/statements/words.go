package statements

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// calls are the functions that the area's templates call.
var calls = map[string]any{
	"pounds": pounds, "whole": whole, "cost": cost, "pence": func(n int64) string { return pounds(quantity.PoundsOf(n)) },
	"number": func(t fmt.Stringer) string { return grouped(t.String()) }, "tonnes": tonnes, "percent": percent, "degree": degree,
	"word": word, "quarter": quarterInWords, "days": calendar.Away, "date": date, "say": say,
	"split": splitOf, "off": func(p page.Page, name, hub, text string) off { return off{p, name, hub, text} },
}

// off tells that a Hub is not enabled.
type off struct {
	Page            page.Page
	Name, Hub, Text string
}

// split is one of a report's, as far as a page shows it.
type split struct {
	Title string
	Shown []cbam.Share
	Rest  int
	All   quantity.Total
}

// sharesShown is how many of them.
const sharesShown = 12

func splitOf(title string, shares []cbam.Share, all quantity.Total) split {
	shown := shares[:min(len(shares), sharesShown)]
	return split{title, shown, len(shares) - len(shown), all}
}

const minus = "−"

// grouped puts commas between the thousands of a plain number.
func grouped(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	digits, fraction, broken := strings.Cut(digits, ".")
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	if broken {
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

// pounds is an amount with its pence.
func pounds(m quantity.Money) string { return sterling(m.Fixed()) }

// whole is an amount that has no pence.
func whole(m quantity.Money) string { return sterling(strings.TrimSuffix(m.Fixed(), ".00")) }

// cost is an amount as reports keep it.
func cost(t quantity.Total) string { return sterling(t.Fixed(quantity.MoneyPlaces)) }

// kilogramsATonne and the places that tonnes are shown with: to the kilogram.
const (
	kilogramsATonne = 1000
	tonnePlaces     = 3
)

// tonnes is a mass of kilograms in tonnes.
func tonnes(kilograms quantity.Total) string {
	t := new(big.Rat).Quo(kilograms.Rat(), big.NewRat(kilogramsATonne, 1))
	return grouped(quantity.RoundTotal(t, tonnePlaces).String())
}

// share is a part in hundredths; nothing of nothing is nothing.
func share(part, all quantity.Total) *big.Rat {
	if all.IsZero() {
		return new(big.Rat)
	}
	return new(big.Rat).Mul(new(big.Rat).Quo(part.Rat(), all.Rat()), big.NewRat(100, 1))
}

func percent(part, all quantity.Total) string { return share(part, all).FloatString(1) + " %" }

// degree is a share as a number that a meter takes.
func degree(part, all quantity.Total) string { return share(part, all).FloatString(1) }

// words are what the codes of statements mean, but for those of sectors.
var words = map[string]string{
	"SUPPLIER": "The supplier’s own figure", "ESTIMATED_AI": "Estimated, with a model’s help", "ESTIMATED_DEFAULT": "Estimated from tables",
	"DEFAULT_VALUE": "Published default value of code and country", "TYPICAL_OF_GOODS_AND_COUNTRY": "Typical of the goods and the country",
	"TYPICAL_OF_GOODS": "Typical of the goods", "TYPICAL_OF_MAKING": "Typical of how the goods were made",
	"TYPICAL_OF_SECTOR_AND_COUNTRY": "Typical of the sector in the country", "TYPICAL_OF_SECTOR": "Typical of the sector",
}

func word(code any) string {
	text := fmt.Sprint(code)
	if meaning := cmp.Or(cbam.Sectors[cbam.Category(text)], words[text]); meaning != "" {
		return meaning
	}
	return ident.Country(text).Called()
}

// quarterInWords is October to December 2026 for 2026-Q4.
func quarterInWords(key string) string {
	q, ok := calendar.ParseQuarter(key)
	if !ok {
		return key
	}
	return fmt.Sprintf("%s to %s %d", time.Month(3*q.Number-2), time.Month(3*q.Number), q.Year)
}

// inWords says members of statements as their pages do; figures are those without commas, and importID is what rules name an import
// by, which the page lists anyway.
var (
	inWords = strings.NewReplacer("vatNumber of the organisation", "the VAT number of the organisation, in the settings", "vatNumber", "the VAT number",
		"box1VatDueSales", "box 1", "box2VatDueAcquisitions", "box 2", "box3TotalVatDue", "box 3", "box4VatReclaimed", "box 4", "box4ImportVat", "the import VAT of box 4",
		"box4AdditionalReclaim", "what else is reclaimed in box 4", "box5NetVat", "box 5", "box6TotalSales", "box 6", "box7TotalPurchases", "box 7",
		"netMassKg", "the net mass", "customsValueGbp", "the customs value", "embeddedEmissionsKgCo2", "the embedded emissions",
		"box8TotalSuppliesEu", "box 8", "box9TotalAcquisitionsEu", "box 9")
	codes    = regexp.MustCompile(`\b[A-Z_]+\b`)
	figures  = regexp.MustCompile(`£\d{4,}(?:\.\d+)?\b|\b\d{4,}(?:\.\d+)? (?:kg|t)\b`)
	importID = regexp.MustCompile(` \(import [0-9a-f-]{36}\)`)
)

// say is what a rule says, in the words of a page.
func say(text string) string {
	text = inWords.Replace(importID.ReplaceAllString(text, ""))
	text = codes.ReplaceAllStringFunc(text, func(code string) string { return cmp.Or(strings.ToLower(cbam.Sectors[cbam.Category(code)]), code) })
	text = figures.ReplaceAllStringFunc(text, func(figure string) string {
		number, unit, _ := strings.Cut(figure, " ")
		if amount, is := strings.CutPrefix(number, "£"); is {
			return sterling(amount)
		}
		return grouped(number) + " " + unit
	})
	return ident.CallCountries(text)
}

// date is a day of HMRC's, such as 2026-10-01, as people write it.
func date(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("2 January 2006")
}
