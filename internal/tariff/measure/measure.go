// Package measure holds the measures of a tariff: what is charged, asked for or forbidden when goods of a commodity code
// arrive from a country, with the conditions under which it is.
//
// The terms are those of the EU's integrated tariff (TARIC), which the tariffs of the United Kingdom (UK) and of Northern
// Ireland (XI) both use.
package measure

import (
	"math/big"
	"time"
)

// Services whose tariffs are held.
const (
	UK = "UK"
	XI = "XI"
)

// Measure is one measure on the goods of a commodity code and of all codes below it.
type Measure struct {
	SID        int64  // the publisher's number; negative for a national measure
	Code       string // ten digits
	Type       string // such as 103, third-country duty
	Area       string // country or group; 1011 is all countries
	Excluded   []string
	From, To   Day    // first and last day in force; To is 0 if no end is known
	Additional string // additional code, such as B999; empty for none
	Order      string // order number of a quota, six digits; empty for none
	Reduction  int    // the reduction indicator, which chooses Meursing amounts; 0 for none
	Components []Component
	Conditions []Condition
	Acts       []string // legal acts, by id
	Footnotes  []string
}

// InForce reports whether the measure holds on a day; the last day is included.
func (m *Measure) InForce(on Day) bool { return m.From <= on && (m.To == 0 || on <= m.To) }

// Component is a part of a duty: a percentage of the value, an amount for each unit of a quantity, a limit, or the name of
// an agricultural component.
type Component struct {
	Expression string   // id of two digits: how the part is combined with those before it
	Amount     *big.Rat // nil if the part has none
	Currency   string   // empty for a percentage
	Unit       string   // TARIC unit, such as DTN for 100 kg; empty for none
	Qualifier  string   // such as I for biodiesel content; empty for none
}

// Condition is one line of the conditions of a measure. It has a document, a threshold, or neither: then it is met by
// itself.
type Condition struct {
	Code       string // letter of the group
	Document   string // such as C990; empty for none
	Threshold  *Threshold
	Action     string // two digits
	Components []Component
}

// Threshold is an amount that a price or quantity is compared with.
type Threshold struct {
	Amount    *big.Rat // nil if the table does not hold the threshold, of which nothing else is known then
	Currency  string   // empty for a quantity
	Unit      string
	Qualifier string
}

// LegalAct is a legal act that a measure rests on.
type LegalAct struct {
	ID, Code, Description, URL string
}

// Footnote is a note to measures.
type Footnote struct {
	Code, Text string
}

// Day is a calendar day, counted from 1 January 1970.
type Day int32

// DayOf returns the day of a date; its clock time and location do not matter.
func DayOf(date time.Time) Day {
	y, m, d := date.Date()
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / int64(24*time.Hour/time.Second)) // #nosec G115 -- the days of a million years fit
}

// ParseDay reads YYYY-MM-DD.
func ParseDay(text string) (Day, error) {
	date, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, err
	}
	return DayOf(date), nil
}

// Date returns the midnight in UTC with which the day begins.
func (d Day) Date() time.Time { return time.Unix(int64(d)*int64(24*time.Hour/time.Second), 0).UTC() }

// String returns YYYY-MM-DD.
func (d Day) String() string { return d.Date().Format(time.DateOnly) }
