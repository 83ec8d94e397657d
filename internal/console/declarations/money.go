package declarations

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// pounds formats an amount, such as £1,850.00.
func pounds(m quantity.Money) string {
	text := m.Fixed()
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "−", rest
	}
	whole, pence, _ := strings.Cut(text, ".")
	var out strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	return sign + "£" + out.String() + "." + pence
}

// date formats a date of the tariff: 1 January 2021 for 2021-01-01.
func date(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("2 January 2006")
}

// difference formats an amount with its sign; zero is None.
func difference(m quantity.Money) string {
	switch m.Cmp(quantity.Money{}) {
	case 0:
		return "None"
	case 1:
		return "+" + pounds(m)
	}
	return pounds(m)
}
