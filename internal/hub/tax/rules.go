package tax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Rules check a return: its sums, sales, purchases, imports and goods of the Union,
// unusual values, earlier returns, dates and the trader.
var Rules = slices.Concat(sumRules, salesRules, purchaseRules, importRules, unionRules, oddRules, historyRules, timeRules, traderRules)

type (
	ruleSet = rules.Set[Return]
	remarks = []rules.Remark
)

// Sources that several rules rest on.
const (
	boxGuidance     = "HMRC: How to fill in and submit your VAT Return (VAT Notice 700/12), section 3"
	rateLaw         = "Value Added Tax Act 1994, section 2 (standard rate of 20%)"
	importGuidance  = "GOV.UK: Complete your VAT Return to account for import VAT"
	unionGuidance   = "HMRC: VAT Notice 700/12, section 3 (boxes 2, 8 and 9: goods between Northern Ireland and the European Union); VAT Notice 725"
	repaymentSource = "GOV.UK: VAT repayments"
)

// pence is an exact sum for comparing, at most 10^13 either way.
type pence int64

const pound pence = 100

func of(m quantity.Money) pence {
	n, _ := strconv.ParseInt(strings.Replace(m.Fixed(), ".", "", 1), 10, 64) // a box has at most 11 digits and two
	return pence(n)
}

// standardRate is the highest rate of the tax, in hundredths.
const standardRate = 20

// highest is the most VAT that a value in whole pounds can bear; its pence were left out.
func highest(value quantity.Money) pence { return (of(value) + pound) * standardRate / 100 }

// isGross reports whether VAT is a sixth of a value, as it is at the standard rate if the value includes VAT.
func isGross(vat, value quantity.Money) bool {
	const telling = 100 * pound
	off := 6*of(vat) - of(value)
	return of(vat) >= telling && off > -6*pound && off < 6*pound
}

// sterling is a sum to the penny, such as £8,420.50.
func sterling(m quantity.Money) string { return grouped(m.Fixed()) }

// whole is a sum in whole pounds, such as £46,780.
func whole(m quantity.Money) string { return grouped(strings.TrimSuffix(m.Fixed(), ".00")) }

func (p pence) String() string {
	digits := strconv.FormatInt(int64(max(p, -p)), 10)
	digits = strings.Repeat("0", max(0, 3-len(digits))) + digits
	sign := ""
	if p < 0 {
		sign = "-"
	}
	return grouped(sign + digits[:len(digits)-2] + "." + digits[len(digits)-2:])
}

// grouped puts commas between thousands, and the sign and £ in front.
func grouped(text string) string {
	digits, negative := strings.CutPrefix(text, "-")
	digits, fraction, broken := strings.Cut(digits, ".")
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	if broken {
		digits += "." + fraction
	}
	if negative {
		return "-£" + digits
	}
	return "£" + digits
}
