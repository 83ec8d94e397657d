// Package difference compares the measures that two editions of the tariff hold of a commodity code.
package difference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Measure is a measure as it is compared.
type Measure struct {
	Tariff string // measure.UK or measure.XI
	Code   string // ten digits
	SID    int64  // the publisher's number; 0 in tables that have none
	Type   string
	Area   string
	Terms
}

// Terms are what a measure says. Texts are empty for what it does not have.
type Terms struct {
	From, To   string // first and last day in force; tables without numbers may have none
	Duty       string // as the duty engine writes it
	Additional string
	Order      string // order number of the quota
	Reduction  int    // which agricultural amounts apply; 0 for none
	Excluded   []string
	Conditions []Condition // in the order of the tariff
	Acts       []string    // ids
	Footnotes  []string    // codes
}

// Condition is a condition of a measure.
type Condition struct {
	Code, Document, Threshold, Action, Duty string
}

// Of returns a measure of a tariff as it is compared, for the goods of a code.
func Of(tariff, code string, m *measure.Measure) Measure {
	t := Terms{
		Duty: measure.Text(m.Components), Additional: m.Additional, Order: m.Order, Reduction: m.Reduction,
		Excluded: sorted(m.Excluded), Acts: sorted(m.Acts), Footnotes: sorted(m.Footnotes), From: dayText(m.From), To: dayText(m.To),
	}
	for i := range m.Conditions {
		c := &m.Conditions[i]
		t.Conditions = append(t.Conditions, Condition{c.Code, c.Document, c.ThresholdText(), c.Action, measure.Text(c.Components)})
	}
	return Measure{Tariff: tariff, Code: code, SID: m.SID, Type: m.Type, Area: m.Area, Terms: t}
}

func sorted(codes []string) []string { return slices.Compact(slices.Sorted(slices.Values(codes))) }

func dayText(d measure.Day) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// InForce reports whether the measure holds on a day; the last day is included. An empty day is any.
func (m *Measure) InForce(day string) bool {
	return day == "" || m.From <= day && (m.To == "" || day <= m.To)
}

// Text says in one line what the measure is: its duty, additional code, quota and days.
func (m *Measure) Text() string {
	words := []string{cmp.Or(m.Duty, "no duty")}
	for _, w := range []struct{ name, value string }{{"code ", m.Additional}, {"quota ", m.Order}, {"from ", m.From}, {"to ", m.To}} {
		if w.value != "" {
			words = append(words, w.name+w.value)
		}
	}
	if n := len(m.Conditions); n > 0 {
		words = append(words, fmt.Sprintf("%d conditions", n))
	}
	return strings.Join(words, ", ")
}
