package declarations

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// pounds is an amount as people write it: £1,850.00.
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

// date is a day of the tariff, such as 2021-01-01, as people write it.
func date(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.Format("2 January 2006")
}

// difference is an amount with its sign; none is a word.
func difference(m quantity.Money) string {
	switch m.Cmp(quantity.Money{}) {
	case 0:
		return "None"
	case 1:
		return "+" + pounds(m)
	}
	return pounds(m)
}
