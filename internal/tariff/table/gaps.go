package table

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Unheld is the number of measures with conditions whose thresholds the table does not hold.
func (t *Table) Unheld() (n int) {
	for i := range t.rows {
		unheld := func(c measure.Condition) bool { return c.Threshold != nil && c.Threshold.Amount == nil }
		if slices.ContainsFunc(t.asked[t.shapes[t.rows[i].shape].asked].all, unheld) {
			n++
		}
	}
	return n
}

// Unknown returns the groups of countries that measures are for, or exclude, and whose members are not known, sorted.
func (t *Table) Unknown(areas *measure.Areas) (groups []string) {
	found := map[string]bool{}
	for _, all := range append([][]string{t.texts[textArea]}, t.excluded...) {
		for _, id := range all {
			found[id] = true
		}
	}
	for id := range found {
		if areas.Unknown(&measure.Measure{Area: id}) {
			groups = append(groups, id)
		}
	}
	slices.Sort(groups)
	return groups
}

// Units returns the units of duties that the tariff does not have, as they are spelled, sorted.
func (t *Table) Units() (unknown []string) {
	note := func(all []measure.Component) {
		for _, c := range all {
			u := measure.Unit{Code: c.Unit, Qualifier: c.Qualifier}
			if c.Unit != "" && !u.Known() && !slices.Contains(unknown, c.Unit) {
				unknown = append(unknown, c.Unit)
			}
		}
	}
	for _, d := range t.duties {
		note(d.components)
	}
	for _, a := range t.asked {
		for _, c := range a.all {
			note(c.Components)
		}
	}
	slices.Sort(unknown)
	return unknown
}
