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

// onlyCode is the additional code of measures if all have the same; otherwise empty.
func onlyCode(coded []*measure.Measure) string {
	for _, m := range coded {
		if m.Additional != coded[0].Additional {
			return ""
		}
	}
	if len(coded) == 0 {
		return ""
	}
	return coded[0].Additional
}

// choose chooses among measures of one type that differ by additional code: those of the caller's code, of a company that is
// not named the ones for others. Measures without an additional code, or whose code leaves no choice, all apply. If the
// caller's codes do not choose, open are the measures among which a code must.
func (x *calculation) choose(all []*measure.Measure) (chosen, open []*measure.Measure) {
	coded := matching(all, func(m *measure.Measure) bool { return m.Additional != "" })
	chosen = matching(all, func(m *measure.Measure) bool { return m.Additional == "" })
	code := x.chosenCode(coded)
	if code == "" {
		return chosen, coded
	}
	return append(chosen, matching(coded, func(m *measure.Measure) bool { return m.Additional == code })...), nil
}

// chosenCode is the additional code that the caller's codes choose; empty if they choose none.
func (x *calculation) chosenCode(coded []*measure.Measure) string {
	company := false
	for _, code := range x.goods.line.AdditionalCodes {
		if slices.ContainsFunc(coded, func(m *measure.Measure) bool { return m.Additional == code }) {
			return code
		}
		company = company || isCompany(code)
	}
	if code := onlyCode(coded); code != "" {
		return code
	}
	for _, m := range coded {
		if company && isCompany(m.Additional) && strings.HasSuffix(m.Additional, others) {
			return m.Additional
		}
	}
	return ""
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
		if c := x.judge(m).dearest; c != nil {
			all = append(all, c)
		}
	}
	return append(all, x.dearestCode(open)...)
}

// dearestCode returns the charges of the additional code with which most is charged. They hinge on the code.
func (x *calculation) dearestCode(open []*measure.Measure) (chosen []*charge) {
	if len(open) == 0 {
		return nil
	}
	var codes []string
	for _, m := range open {
		codes = appendOnce(codes, m.Additional)
	}
	var hinges []*missing
	for _, code := range codes {
		var of []*charge
		for _, m := range open {
			c := x.judge(m).dearest
			if c == nil {
				continue
			}
			hinges = add(hinges, c.hinges)
			if m.Additional == code {
				of = append(of, c)
			}
		}
		if chosen == nil || dearerSum(of, chosen) > 0 {
			chosen = of
		}
	}
	hinges = append(hinges, x.codeLack(codes))
	for i, c := range chosen {
		open := *c
		open.hinges, open.choice = hinges, true
		chosen[i] = &open
	}
	return chosen
}

// dearerSum compares the sums of charges: one that is not known counts as the greatest, none at all as the least.
func dearerSum(a, b []*charge) int { return dearer(totalOf(a), totalOf(b)) }

func totalOf(all []*charge) *charge {
	if len(all) < 2 {
		return worst(all)
	}
	total := exactly(zero)
	for _, c := range all {
		total = total.plus(c.assessed.amount)
	}
	return &charge{assessed: &assessment{amount: total}}
}

// codeLack is the question for the additional code, with all codes that any measure asks for.
func (x *calculation) codeLack(codes []string) *missing {
	m := x.goods.lack("additionalCodes", func(m *missing) {
		m.question = "Which additional code do the goods have?"
		m.set = func(l *RequestLine, _ *NorthernIreland, value string) {
			l.AdditionalCodes = append([]string{value}, l.AdditionalCodes...)
		}
	})
	for _, code := range codes {
		m.values = appendOnce(m.values, code)
	}
	slices.Sort(m.values)
	return m
}
