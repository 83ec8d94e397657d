package duty_test

import (
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// choiceOf is an option of the oracle.
type choiceOf struct {
	o           *oracle
	kind        string
	base        *levy // nil for a waiver
	reason      string
	unsure      bool
	fields      []string
	secured     *big.Rat
	charges     []levy
	vat         *big.Rat // nil if it is not known
	hasVAT      bool
	total       *big.Rat // nil unless complete
	known       *big.Rat
	conditional bool
}

// options returns the open and the closed options of a tariff.
func (o *oracle) options() (open, closed []*choiceOf) {
	put := func(c *choiceOf) {
		o.complete(c)
		if c.reason == "" {
			open = append(open, c)
		} else {
			closed = append(closed, c)
		}
	}
	for _, typ := range []string{"103", "105"} {
		hold, codes := o.choice(o.of(typ))
		for _, m := range hold {
			o.measure("THIRD_COUNTRY", m, put)
		}
		for _, l := range o.highest(o.of(typ), codes) {
			put(&choiceOf{o: o, kind: "THIRD_COUNTRY", base: &l})
		}
	}
	kinds := []struct {
		kind  string
		types []string
	}{
		{"PREFERENCE", []string{"106", "142", "145"}}, {"SUSPENSION", []string{"112", "115", "117", "119", "141"}},
		{"QUOTA", []string{"122", "123", "143", "146", "147"}},
	}
	for _, k := range kinds {
		for _, m := range o.of(k.types...) {
			if k.kind != "QUOTA" || o.name == "UK" {
				o.measure(k.kind, m, put)
			}
		}
	}
	for _, c := range append(slices.Clone(open), closed...) {
		if c.kind == "QUOTA" {
			o.secure(c, open)
		}
	}
	return open, closed
}

// measure puts an option for each way in which a measure can apply, or a closed one.
func (o *oracle) measure(kind string, m *measure.Measure, put func(*choiceOf)) {
	ways := o.ways(m)
	for _, l := range ways {
		c := &choiceOf{o: o, kind: kind, base: &l}
		needsProof := slices.Contains([]string{"106", "142", "145", "141", "143", "146", "147"}, m.Type)
		if needsProof && len(m.Conditions) == 0 {
			switch o.line.Facts.ProofOfOrigin {
			case "HELD":
			case "NONE":
				c.reason = "PROOF_ABSENT"
			default:
				c.fields = append(c.fields, o.path("facts.proofOfOrigin"))
			}
		}
		c.unsure = kind == "SUSPENSION" && len(m.Conditions) == 0 && len(m.Footnotes) > 0 // a person must read for which goods it is
		if kind == "QUOTA" {
			q, held := o.tariff.Quota(m.Order, o.q.on)
			c.unsure = !held || q.Balance == nil || strings.HasPrefix(m.Order, "054") || strings.HasPrefix(m.Order, "094")
			if closed := map[string]string{
				"EXHAUSTED": "QUOTA_EXHAUSTED", "SUSPENDED": "QUOTA_SUSPENDED", "BLOCKED": "QUOTA_BLOCKED",
			}[q.Status]; held && closed != "" {
				c.reason = closed
			}
		}
		put(c)
	}
	if len(ways) > 0 {
		return
	}
	stated := m.Components
	for i := range m.Conditions {
		if len(stated) == 0 && m.Conditions[i].Action == "01" {
			stated = m.Conditions[i].Components
			break
		}
	}
	amount, lacks := o.amountOf(stated, m)
	put(&choiceOf{o: o, kind: kind, base: &levy{m: m, amount: amount, lacks: lacks, text: "closed"}, reason: o.whyNot(m)})
}

// whyNot says whether a code of conditions that asks for documents can exclude the measure.
func (o *oracle) whyNot(m *measure.Measure) string {
	for i := range m.Conditions {
		alone := *m
		alone.Conditions = nil
		document := false
		for _, c := range m.Conditions {
			if c.Code == m.Conditions[i].Code {
				alone.Conditions = append(alone.Conditions, c)
				document = document || c.Document != ""
			}
		}
		if document && !o.judged(&alone).always(func(v verdict) bool { return v.effect == "APPLIES" }) {
			return "DOCUMENT_ABSENT"
		}
	}
	return "THRESHOLD_NOT_MET"
}

// complete adds the other charges of an option, and sums them up.
func (o *oracle) complete(c *choiceOf) {
	fiscal := o
	if o.fiscal != nil {
		fiscal = o.fiscal
	}
	if c.base != nil {
		c.charges = append(c.charges, *c.base)
	}
	if o.rest == nil {
		o.rest = &restOf{remedies: o.remedies(), excise: fiscal.excise()}
	}
	for _, l := range o.rest.remedies {
		if c.kind != "WAIVER" && (c.kind != "QUOTA" || l.m.Type != "696") {
			c.charges = append(c.charges, l)
		}
	}
	c.charges = append(c.charges, o.rest.excise...)
	known, whole := new(big.Rat), true
	c.conditional = c.unsure
	for _, l := range c.charges {
		c.fields = append(c.fields, l.fields...)
		c.conditional = c.conditional || l.unsure
		if l.amount == nil {
			c.fields = append(c.fields, l.lacks...)
			whole = false
			continue
		}
		known = plus(known, pennies(l.amount))
	}
	rate, _, fields := fiscal.vat()
	c.fields = append(c.fields, fields...)
	if rate != nil {
		c.hasVAT = true
		if rate.Sign() == 0 {
			c.vat = new(big.Rat)
		} else if whole && o.value != nil && o.costs != nil {
			c.vat = pennies(quo(mul(plus(plus(o.value, o.costs), known), rate), rat(100, 1)))
		}
		if c.vat != nil {
			known = plus(known, c.vat)
		}
	}
	c.known = known
	if whole && c.vat != nil {
		c.total = known
	}
	sort.Strings(c.fields)
	c.fields = slices.Compact(c.fields)
	c.conditional = c.conditional || len(c.fields) > 0
}

// secure is the difference to the full duty, if the quota is critical.
func (o *oracle) secure(c *choiceOf, open []*choiceOf) {
	q, held := o.tariff.Quota(c.base.m.Order, o.q.on)
	if !held || q.Status != "CRITICAL" || c.base.amount == nil || c.base.text == "closed" {
		return
	}
	var full, sure *levy
	more := func(a, b *levy) bool { // whether a is dearer
		return b == nil || b.amount != nil && (a.amount == nil || a.amount.Cmp(b.amount) > 0)
	}
	for _, t := range open {
		if t.kind != "THIRD_COUNTRY" {
			continue
		}
		if more(t.base, full) {
			full = t.base
		}
		if len(t.base.fields) == 0 && !t.base.unsure && more(t.base, sure) {
			sure = t.base
		}
	}
	if sure != nil {
		full = sure
	}
	if full != nil && full.amount != nil && full.amount.Cmp(c.base.amount) > 0 {
		c.secured = less(full.amount, c.base.amount)
	}
}

// answerOf is the answer of the oracle for a line.
type answerOf struct {
	outcome      string
	open, closed []*choiceOf
}

// answer decides by the route, as HMRC's rules for Northern Ireland say it.
func (q *asked) answer() answerOf {
	l := &q.request.Lines[0]
	from := l.DispatchCountry
	if from == "" {
		from = l.Origin
	}
	ni := &duty.NorthernIreland{}
	if q.request.NorthernIreland != nil {
		ni = q.request.NorthernIreland
	}
	is := func(b *bool, value bool) bool { return b != nil && *b == value }
	union := q.uk.contains("1013", from)
	toNI := q.request.Destination == "NI"
	switch {
	case !toNI && from == "XI", toNI && (is(ni.UnionGoods, true) || union && ni.UnionGoods == nil):
		return answerOf{outcome: "NO_DUTY"}
	}
	uk := q.open(q.uk, "UK")
	if !toNI {
		if uk.forbidden(func(*measure.Measure) bool { return true }) {
			return answerOf{outcome: "REFUSED"}
		}
		open, closed := uk.options()
		return result(uk, open, closed)
	}
	xi := q.open(q.xi, "XI")
	xi.fiscal = uk
	if uk.supplementary != (measure.Unit{}) {
		xi.supplementary = uk.supplementary
	}
	if uk.supplementary == (measure.Unit{}) {
		uk.supplementary = xi.supplementary
	}
	national := func(m *measure.Measure) bool { return m.SID < 0 }
	if uk.forbidden(national) || xi.forbidden(func(m *measure.Measure) bool { return m.SID > 0 }) {
		return answerOf{outcome: "REFUSED"}
	}
	remedies := len(xi.of("551", "552", "553", "554", "695", "696")) > 0
	safe := is(ni.UKIMS, true) && is(ni.FinalUseInUK, true) &&
		(is(ni.TurnoverBelowThreshold, true) || ni.Processing == "NONE" || ni.Processing == "ALLOWED")
	open, closed := xi.options()
	free := slices.ContainsFunc(open, func(c *choiceOf) bool {
		return c.kind == "THIRD_COUNTRY" && len(c.base.fields) == 0 && !c.base.unsure && c.base.amount != nil && c.base.amount.Sign() == 0
	})
	if from == "GB" {
		if !remedies && (free || safe || is(ni.ProofOfUKOrigin, true)) {
			return answerOf{outcome: "NO_DUTY"}
		}
		if aid := l.Facts.DeMinimisAid; aid == nil || *aid {
			c := &choiceOf{o: xi, kind: "WAIVER"}
			if aid == nil {
				c.fields = []string{xi.path("facts.deMinimisAid")}
			}
			xi.complete(c)
			open = append(open, c)
		}
		return result(xi, open, closed)
	}
	if remedies || !safe {
		return result(xi, open, closed)
	}
	mine, mineClosed := uk.options()
	if free {
		return result(uk, mine, mineClosed)
	}
	return result(uk, q.compare(mine, open, uk.value), append(mineClosed, closed...))
}

// compare chooses between the options of both tariffs, for each option of the UK and for each kind that it lacks.
func (q *asked) compare(uk, xi []*choiceOf, value *big.Rat) (chosen []*choiceOf) {
	cheapest := func(kind string) (best *choiceOf) {
		for _, c := range xi {
			if c.kind == kind && (best == nil || c.base.amount != nil && (best.base.amount == nil || c.base.amount.Cmp(best.base.amount) < 0)) {
				best = c
			}
		}
		return best
	}
	put := func(instead string, c *choiceOf) {
		second := instead != c.kind && slices.ContainsFunc(chosen, func(d *choiceOf) bool { return d.kind == "THIRD_COUNTRY" })
		if !second && !slices.Contains(chosen, c) {
			chosen = append(chosen, c)
		}
	}
	sort.SliceStable(uk, func(i, j int) bool { return uk[i].kind == "THIRD_COUNTRY" && uk[j].kind != "THIRD_COUNTRY" })
	if !slices.ContainsFunc(uk, func(u *choiceOf) bool { return u.kind == "THIRD_COUNTRY" }) {
		for _, c := range xi {
			if c.kind == "THIRD_COUNTRY" {
				put(c.kind, c)
			}
		}
	}
	for _, c := range uk {
		other := cheapest(c.kind)
		if other == nil {
			other = cheapest("THIRD_COUNTRY")
		}
		switch {
		case other == nil:
			put(c.kind, c)
		case c.base.amount == nil || other.base.amount == nil || value == nil:
			for _, e := range xi {
				if e.kind == other.kind {
					put(c.kind, e)
				}
			}
		default:
			apart := less(c.base.amount, other.base.amount)
			if apart.Abs(apart).Cmp(quo(mul(value, rat(3, 1)), rat(100, 1))) <= 0 {
				put(c.kind, c)
			} else {
				put(c.kind, other)
			}
		}
	}
	for _, c := range xi {
		if !slices.ContainsFunc(uk, func(u *choiceOf) bool { return u.kind == c.kind }) {
			put(c.kind, c)
		}
	}
	return chosen
}

func result(o *oracle, open, closed []*choiceOf) answerOf {
	a := answerOf{outcome: "NOT_CALCULABLE", open: open, closed: closed}
	if len(open) > 0 && o.value != nil {
		a.outcome = "CALCULATED"
	}
	sort.SliceStable(a.open, func(i, j int) bool { return a.open[i].before(a.open[j]) })
	return a
}

// before orders options: complete ones, cheaper ones, sure ones.
func (c *choiceOf) before(d *choiceOf) bool {
	if (c.total != nil) != (d.total != nil) {
		return c.total != nil
	}
	if order := c.known.Cmp(d.known); order != 0 {
		return order < 0
	}
	return !c.conditional && d.conditional
}

// forbidden reports whether a measure refuses the goods whatever the unknown facts are.
func (o *oracle) forbidden(counts func(*measure.Measure) bool) bool {
	for _, m := range o.measures {
		series := o.tariff.details.Series[m.Type] == "A"
		left := m.Type == "442" || m.Type == "447" || m.Type == "SPL"
		if left || !counts(m) || len(m.Conditions) == 0 && !series {
			continue
		}
		if len(m.Conditions) == 0 {
			return true
		}
		if o.judged(m).always(func(v verdict) bool { return v.effect == "CODE" || series && v.effect == "REFUSED" }) {
			return true
		}
	}
	return false
}
