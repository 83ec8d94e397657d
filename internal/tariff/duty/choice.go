package duty

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// others is the ending of the additional code for all companies that are not named.
const others = "999"

// companyTypes are the first characters of additional codes that name companies.
const companyTypes = "ABC8"

// choose chooses among measures of one type that differ by additional code: those of the caller's codes, of a company that
// is not named the one for others. Measures without an additional code all apply. If the caller's codes do not choose, open
// are the measures among which a code must.
func (x *calculation) choose(all []*measure.Measure) (chosen, open []*measure.Measure) {
	var coded []*measure.Measure
	for _, m := range all {
		if m.Additional == "" {
			chosen = append(chosen, m)
		} else {
			coded = append(coded, m)
		}
	}
	named := matching(coded, func(m *measure.Measure) bool { return slices.Contains(x.goods.line.AdditionalCodes, m.Additional) })
	if len(named) == 0 && slices.ContainsFunc(x.goods.line.AdditionalCodes, isCompany) {
		named = matching(coded, func(m *measure.Measure) bool {
			return isCompany(m.Additional) && strings.HasSuffix(m.Additional, others)
		})
	}
	if len(named) > 0 {
		return append(chosen, named[0]), nil
	}
	return chosen, coded
}

func isCompany(code string) bool { return code != "" && strings.Contains(companyTypes, code[:1]) }

func matching(all []*measure.Measure, is func(*measure.Measure) bool) (some []*measure.Measure) {
	for _, m := range all {
		if is(m) {
			some = append(some, m)
		}
	}
	return some
}

// byType returns measures in groups of one type, by type and additional code.
func byType(all []*measure.Measure) (groups [][]*measure.Measure) {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b *measure.Measure) int {
		return compare(strings.Compare(a.Type, b.Type), strings.Compare(a.Additional, b.Additional), compareSIDs(a.SID, b.SID))
	})
	for i, m := range sorted {
		if i == 0 || m.Type != sorted[i-1].Type {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], m)
	}
	return groups
}

// compare returns the first comparison that is not equal.
func compare(all ...int) int {
	for _, c := range all {
		if c != 0 {
			return c
		}
	}
	return 0
}

func compareSIDs(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// ofGroup returns the charges of measures of one type: of those that apply, and the dearest of those among which an
// additional code chooses.
func (x *calculation) ofGroup(group []*measure.Measure) (all []*charge) {
	chosen, open := x.choose(group)
	for _, m := range chosen {
		if c := x.dearest(m); c != nil {
			all = append(all, c)
		}
	}
	if c := x.dearestOf(open, "additionalCodes", "Which additional code do the goods have?", func(m *measure.Measure) string { return m.Additional }); c != nil {
		all = append(all, c)
	}
	return all
}

// dearestOf returns the dearest charge of measures of which one applies, with the need for the fact that chooses.
func (x *calculation) dearestOf(open []*measure.Measure, field, question string, value func(*measure.Measure) string) (chosen *charge) {
	n := need{lack: x.goods.lacks(field, question, "")}
	for _, m := range open {
		c := x.dearest(m)
		n.variants = append(n.variants, variant{value(m), c})
		n.lack.values = append(n.lack.values, value(m))
		if c != nil && (chosen == nil || dearer(c, chosen) > 0) {
			chosen = c
		}
	}
	if chosen != nil && len(open) > 1 {
		chosen.needs = append(slices.Clone(chosen.needs), n)
	}
	return chosen
}
