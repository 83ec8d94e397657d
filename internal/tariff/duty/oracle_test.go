package duty_test

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// oracle computes one line by one tariff.
type oracle struct {
	q             *asked
	line          *duty.RequestLine
	tariff        *table
	name          string
	value, costs  *big.Rat // nil if not known
	euro          *big.Rat
	supplementary measure.Unit
	fiscal        *oracle // whose excise and VAT count
	measures      []*measure.Measure
	rest          *restOf
	cases         map[*measure.Measure]*judged // that were judged
	amounts       map[dutyOf]computed
}

// restOf are the charges of every option.
type restOf struct{ remedies, excise []levy }

// asked is one question with all that it rests on.
type asked struct {
	request *duty.Request
	on      measure.Day
	uk, xi  *table
	monthly map[string]*big.Rat // units for one pound
	euro    *big.Rat
}

func (o *oracle) path(field string) string { return "lines[0]." + field }

func (o *oracle) pounds(p duty.Price) *big.Rat { return o.q.pounds(p) }

func (q *asked) pounds(p duty.Price) *big.Rat {
	if p.Currency == "GBP" {
		return p.Amount.Rat
	}
	if r := q.monthly[p.Currency]; r != nil {
		return quo(p.Amount.Rat, r)
	}
	return nil
}

// half rounds to the penny, half away from zero.
func half(r *big.Rat) *big.Rat {
	if r == nil {
		return nil
	}
	return pennies(plus(r, rat(1, 200)))
}

// open starts the oracle by one tariff of the question.
func (q *asked) open(t *table, name string) *oracle {
	l := &q.request.Lines[0]
	o := &oracle{
		q: q, line: l, tariff: t, name: name, euro: q.euro, value: half(q.worth()), costs: new(big.Rat),
		cases: map[*measure.Measure]*judged{}, amounts: map[dutyOf]computed{},
	}
	incidental := l.VATCosts
	if incidental == nil {
		incidental = q.request.VATCosts
	}
	for _, c := range incidental {
		o.costs = join(o.costs, q.pounds(c))
	}
	o.costs = half(o.costs)
	for i := range t.measures {
		if m := &t.measures[i]; m.From <= q.on && (m.To == 0 || m.To >= q.on) && o.concerns(m) {
			o.measures = append(o.measures, m)
		}
	}
	sort.SliceStable(o.measures, func(a, b int) bool { return o.measures[a].SID < o.measures[b].SID })
	for _, m := range o.measures {
		if slices.Contains([]string{"109", "110", "111"}, m.Type) && o.supplementary == (measure.Unit{}) {
			o.supplementary = measure.Unit{Code: m.Components[0].Unit, Qualifier: m.Components[0].Qualifier}
		}
	}
	return o
}

// concerns reports whether the area of a measure holds the origin and none of its exclusions does.
func (o *oracle) concerns(m *measure.Measure) bool {
	origin := o.line.Origin
	if o.line.PreferentialOrigin != "" && slices.Contains([]string{"106", "142", "145", "141", "143", "146", "147"}, m.Type) {
		origin = o.line.PreferentialOrigin
	}
	for _, x := range m.Excluded {
		if o.tariff.contains(x, origin) {
			return false
		}
	}
	everyone := o.tariff.groups["1011"] == nil || m.SID < 0 || strings.HasPrefix(m.Type, "67")
	return m.Area == "1011" && everyone || o.tariff.contains(m.Area, origin)
}

// countries returns the countries of an area, those of the groups within it included.
func (t *table) countries(area string) (all []string) {
	if area == "EU" {
		area = "1013"
	}
	members := t.groups[area]
	if members == nil {
		return []string{area}
	}
	for _, m := range members {
		if m == "EU" {
			all = append(all, m) // as a member of itself it is a code like those of countries
		} else {
			all = append(all, t.countries(m)...)
		}
	}
	return all
}

// list notes the countries of every area, so that they need not be collected for each question.
func (t *table) list() {
	t.listed = map[string]map[string]bool{}
	for area := range t.groups {
		t.listed[area] = map[string]bool{}
		for _, country := range t.countries(area) {
			t.listed[area][country] = true
		}
	}
}

// contains reports whether an area is a country or has it.
func (t *table) contains(area, country string) bool {
	if area == "EU" {
		area = "1013"
	}
	if countries, group := t.listed[area]; group {
		return countries[country]
	}
	return area == country
}

func (o *oracle) of(types ...string) (some []*measure.Measure) {
	for _, m := range o.measures {
		if slices.Contains(types, m.Type) {
			some = append(some, m)
		}
	}
	return some
}

// levy is a charge of the oracle.
type levy struct {
	m      *measure.Measure
	amount *big.Rat // nil if it is not known
	text   string   // of the duty
	fields []string // that decide about it
	lacks  []string // quantities without which its amount is not known
	unsure bool
	choice bool
}

// ways returns the charges to which the conditions of a measure can lead.
func (o *oracle) ways(m *measure.Measure) (all []levy) {
	j := o.judged(m)
	for _, v := range j.verdicts {
		if v.effect != "APPLIES" || slices.ContainsFunc(all, func(l levy) bool { return l.text == v.text }) {
			continue
		}
		l := levy{m: m, text: v.text}
		l.fields, l.unsure = j.deciding(func(a, b verdict) bool {
			return (a.effect == "APPLIES" && a.text == v.text) != (b.effect == "APPLIES" && b.text == v.text)
		})
		l.amount, l.lacks = o.amountOf(v.duty, m)
		all = append(all, l)
	}
	return all
}

// dearest returns the charge of a measure if unknown facts count against the importer.
func (o *oracle) dearest(m *measure.Measure) *levy {
	all := o.ways(m)
	if len(all) == 0 {
		return nil
	}
	worst := all[0]
	for _, l := range all[1:] {
		if worst.amount != nil && (l.amount == nil || l.amount.Cmp(worst.amount) > 0) {
			worst = l
		}
	}
	j := o.judged(m)
	cost := func(v verdict) (*big.Rat, string) {
		if v.effect != "APPLIES" {
			return new(big.Rat), ""
		}
		amount, _ := o.amountOf(v.duty, m)
		return amount, v.text
	}
	worst.fields, worst.unsure = j.deciding(func(a, b verdict) bool {
		x, textX := cost(a)
		y, textY := cost(b)
		if x == nil || y == nil {
			return textX != textY || a.effect != b.effect && (a.effect == "APPLIES" || b.effect == "APPLIES")
		}
		return x.Cmp(y) != 0
	})
	for _, l := range all {
		if l.amount == nil {
			worst.fields = append(worst.fields, l.lacks...)
		}
	}
	return &worst
}

// choice splits the measures of one type: those that hold, and by code those of which a code must choose one.
func (o *oracle) choice(all []*measure.Measure) (hold []*measure.Measure, codes []string) {
	for _, m := range all {
		if m.Additional == "" {
			hold = append(hold, m)
		} else if !slices.Contains(codes, m.Additional) {
			codes = append(codes, m.Additional)
		}
	}
	sort.Strings(codes)
	pick := ""
	for _, mine := range o.line.AdditionalCodes {
		if pick == "" && slices.Contains(codes, mine) {
			pick = mine
		}
	}
	company := func(c string) bool { return strings.Contains("ABC8", c[:1]) }
	for _, c := range codes {
		if pick == "" && slices.ContainsFunc(o.line.AdditionalCodes, company) && company(c) && strings.HasSuffix(c, "999") {
			pick = c
		}
	}
	if pick == "" && len(codes) == 1 {
		pick = codes[0]
	}
	if pick == "" {
		return hold, codes
	}
	for _, m := range all {
		if m.Additional == pick {
			hold = append(hold, m)
		}
	}
	return hold, nil
}

// highest returns the charges of the code with which most is charged.
func (o *oracle) highest(all []*measure.Measure, codes []string) (chosen []levy) {
	var most *big.Rat
	var fields []string
	first := true
	for _, code := range codes {
		var of []levy
		amount := new(big.Rat)
		for _, m := range all {
			if m.Additional != code {
				continue
			}
			l := o.dearest(m)
			if l == nil {
				continue
			}
			fields = append(fields, l.fields...)
			of = append(of, *l)
			if l.amount == nil || amount == nil {
				amount = nil
			} else {
				amount = plus(amount, l.amount)
			}
		}
		more := len(of) > 0 && (first || most != nil && (amount == nil || amount.Cmp(most) > 0))
		if more {
			chosen, most, first = of, amount, false
		}
	}
	for i := range chosen {
		chosen[i].fields = append(append(chosen[i].fields, fields...), o.path("additionalCodes"))
		chosen[i].choice = true
	}
	return chosen
}

// remedies are the trade remedies of every option.
func (o *oracle) remedies() (all []levy) {
	for _, typ := range []string{"551", "552", "553", "554", "695", "696"} {
		of := o.of(typ)
		hold, codes := o.choice(of)
		for _, m := range hold {
			if l := o.dearest(m); l != nil {
				all = append(all, *l)
			}
		}
		all = append(all, o.highest(of, codes)...)
	}
	return all
}

// excise are the excise duties of every option.
func (o *oracle) excise() (all []levy) {
	var codes, fields []string
	for _, m := range o.of("306") {
		if o.line.ExciseCode != "" && o.line.ExciseCode != m.Additional {
			continue
		}
		if l := o.dearest(m); l != nil {
			all = append(all, *l)
			fields = append(fields, l.fields...)
			if !slices.Contains(codes, m.Additional) {
				codes = append(codes, m.Additional)
			}
		}
	}
	if len(codes) < 2 {
		return all
	}
	return []levy{{m: &measure.Measure{Type: "306"}, text: "?", fields: append(fields, o.path("exciseCode"))}}
}

// vat returns the rate of VAT, nil for none, and the fields that decide about it.
func (o *oracle) vat() (rate *big.Rat, m *measure.Measure, fields []string) {
	var codes []string
	for _, c := range []string{"VAT", "VATE", "VATR", "VATZ"} {
		for _, n := range o.of("305", "VTS", "VTZ", "VTA", "VTE") {
			code := map[string]string{"VTS": "VAT", "VTZ": "VATZ", "VTA": "VATR", "VTE": "VATE"}[n.Type]
			if code == "" {
				code = n.Additional
			}
			if code == "" {
				code = "VAT"
			}
			if code != c || slices.Contains(codes, c) {
				continue
			}
			codes = append(codes, c)
			r := map[string]*big.Rat{"VAT": rat(20, 1), "VATR": rat(5, 1), "VATZ": new(big.Rat), "VATE": new(big.Rat)}[c]
			if len(n.Components) > 0 {
				r = n.Components[0].Amount
			}
			if o.line.VATChoice == c {
				return r, n, nil
			}
			if rate == nil || r.Cmp(rate) > 0 {
				rate, m = r, n
			}
		}
	}
	if len(codes) > 1 {
		fields = []string{o.path("vatChoice")}
	}
	return rate, m, fields
}

func (l levy) String() string { return fmt.Sprint(l.m.Type, " ", l.m.SID, " ", money(l.amount)) }

func money(r *big.Rat) string {
	if r == nil {
		return "null"
	}
	return pennies(r).FloatString(2)
}
