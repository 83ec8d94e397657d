package duty

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// option is one way to bring the goods in, before it is written.
type option struct {
	x       *calculation
	kind    string
	label   string
	base    *charge // its own duty
	secured *charge // the difference to the full duty, of a critical quota
	quota   *measure.Measure
	reason  string // why it is not available; empty if it is
	proof   *missing
	unsure  bool // something else is unknown, such as the balance of a quota
	totals  Totals
}

// optionKinds are the kinds of options by kind of measure.
var optionKinds = map[measure.Kind]string{
	measure.ThirdCountry: ThirdCountry, measure.Preference: Preference, measure.Suspension: Suspension, measure.QuotaDuty: QuotaOption,
}

// options returns the ways to bring the goods in by one tariff, and those that are closed.
func (x *calculation) options() (open, closed []*option) {
	add := func(o *option) {
		if o.reason != "" {
			closed = append(closed, o)
		} else {
			open = append(open, o)
		}
	}
	for _, o := range x.thirdCountry() {
		add(o)
	}
	for _, kind := range []measure.Kind{measure.Preference, measure.Suspension, measure.QuotaDuty} {
		if kind == measure.QuotaDuty && x.name == measure.XI {
			continue // Regulation (EU) 2020/2170: the EU's quotas are not available in Northern Ireland
		}
		for _, m := range x.inForce(kind) {
			for _, o := range x.ofMeasure(m, optionKinds[kind]) {
				add(o)
			}
		}
	}
	return open, closed
}

// thirdCountry returns the options of the duty that holds for all countries. Of several duties that differ by additional code
// the caller's holds, otherwise the highest.
func (x *calculation) thirdCountry() (all []*option) {
	for _, group := range byType(x.inForce(measure.ThirdCountry)) {
		chosen, open := x.choose(group)
		for _, m := range chosen {
			all = append(all, x.ofMeasure(m, ThirdCountry)...)
		}
		c := x.dearestOf(open, "additionalCodes", "Which additional code do the goods have?", func(m *measure.Measure) string { return m.Additional })
		if c != nil {
			all = append(all, &option{x: x, kind: ThirdCountry, base: c})
		}
	}
	return all
}

// ofMeasure returns an option for each way in which the conditions of a measure may allow it; one that is not available if
// they do not.
func (x *calculation) ofMeasure(m *measure.Measure, kind string) (all []*option) {
	allowed, _ := x.charges(m)
	for _, c := range allowed {
		o := &option{x: x, kind: kind, base: c}
		x.limit(o)
		all = append(all, o)
	}
	if len(allowed) == 0 {
		c := &charge{x: x, measure: m, outcome: outcome{components: m.Components}, assessed: x.assess(m.Components, m.Reduction), payable: Paid}
		all = append(all, &option{x: x, kind: kind, base: c, reason: x.refusal(m)})
	}
	return all
}

// refusal is why the conditions of a measure do not allow it.
func (x *calculation) refusal(m *measure.Measure) string {
	for i := range m.Conditions {
		if m.Conditions[i].Document != "" {
			return DocumentAbsent
		}
	}
	return ThresholdNotMet
}

// limit applies what restricts preferences and quotas besides their conditions.
func (x *calculation) limit(o *option) {
	m := o.base.measure
	if o.kind == Preference && len(m.Conditions) == 0 {
		x.proof(o)
	}
	if o.kind == QuotaOption {
		x.quota(o)
	}
}

// proof asks for the proof of origin of a preference that states no condition.
func (x *calculation) proof(o *option) {
	switch x.goods.line.Facts.ProofOfOrigin {
	case AnswerHeld:
	case AnswerNone:
		o.reason = ProofAbsent
	default:
		o.proof = x.goods.lacks("facts.proofOfOrigin", "Do you hold a proof of origin for the preference?", "")
		o.proof.values = []string{AnswerHeld, AnswerNone}
	}
}

// quotaReasons are the reasons why a quota cannot be used, by its status.
var quotaReasons = map[string]string{
	measure.QuotaExhausted: QuotaExhausted, measure.QuotaSuspended: QuotaSuspended, measure.QuotaBlocked: QuotaBlocked,
}

// licensedMark is the third digit of the order numbers of quotas that need a licence, whose balance is not published.
const licensedMark = '4'

// quota applies the status of the quota.
func (x *calculation) quota(o *option) {
	o.quota = o.base.measure
	q, held := x.tariff.Quota(o.quota.Order, x.goods.on)
	licensed := len(o.quota.Order) > 2 && o.quota.Order[2] == licensedMark
	o.unsure = !held || licensed
	if held {
		o.reason = quotaReasons[q.Status]
		if q.Status == measure.QuotaCritical {
			o.secured = x.security(o.base)
		}
	}
}

// security is the difference to the third-country duty, for which a critical quota demands a security; nil if it is none.
func (x *calculation) security(base *charge) *charge {
	full := x.thirdCountry()
	if len(full) == 0 || full[0].base.amount() == nil || base.amount() == nil {
		return nil
	}
	difference := new(big.Rat).Sub(full[0].base.amount(), base.amount())
	if difference.Sign() <= 0 {
		return nil
	}
	secured := *full[0].base
	assessed := *secured.assessed
	assessed.amount = exactly(difference)
	secured.assessed, secured.payable, secured.needs = &assessed, Secured, nil
	return &secured
}

// bill are the charges of an option with their sums.
type bill struct {
	base, secured *charge
	remedies      []*charge
	excise        []*charge
	vat           *charge
	gap           bool
}

// bill returns the charges of an option. Additional duties of the safeguard are not charged within a quota.
func (o *option) bill() *bill {
	r := o.x.rest
	b := &bill{base: o.base, secured: o.secured, excise: r.excise, gap: r.gap}
	for _, c := range r.remedies {
		if o.kind != QuotaOption || c.measure.Type != measure.SafeguardType {
			b.remedies = append(b.remedies, c)
		}
	}
	if r.vat == nil {
		b.gap = true
	} else {
		b.vat = r.vat.charge
	}
	return b
}

// replace returns the bill with another charge in place of one; nil takes it off.
func (b *bill) replace(old, by *charge) *bill {
	n := *b
	n.remedies, n.excise = swap(b.remedies, old, by), swap(b.excise, old, by)
	if b.vat == old {
		n.vat = by
	}
	if b.base == old {
		n.base = by
	}
	return &n
}

func swap(all []*charge, old, by *charge) []*charge {
	at := slices.Index(all, old)
	if at < 0 {
		return all
	}
	changed := slices.Clone(all)
	if by == nil {
		return slices.Delete(changed, at, at+1)
	}
	changed[at] = by
	return changed
}

// sums adds up the charges, and computes the VAT on them.
func (b *bill) sums(x *calculation) (t Totals, tax *assessment) {
	t.Complete = !b.gap
	base := new(big.Rat)
	known := true
	add := func(to *quantity.Money, c *charge) {
		amount := c.cut()
		if amount == nil {
			t.Complete, known = false, false
			return
		}
		*to = to.Add(*amount)
		base.Add(base, amount.Rat())
	}
	if b.base != nil {
		add(&t.Duty, b.base)
	}
	for _, c := range b.remedies {
		add(&t.Remedies, c)
	}
	for _, c := range b.excise {
		add(&t.Excise, c)
	}
	t.Known = t.Duty.Add(t.Remedies).Add(t.Excise)
	if b.vat != nil {
		tax = x.taxOn(b.vat, base, known)
		amount := cut(tax.amount.value())
		if amount == nil {
			t.Complete = false
		} else {
			t.VAT, t.Known = *amount, t.Known.Add(*amount)
		}
	}
	if t.Complete {
		total := t.Known
		t.Total = &total
	}
	return t, tax
}

// taxOn computes VAT on the customs value, the other charges, and the costs up to the first destination.
func (x *calculation) taxOn(c *charge, charges *big.Rat, known bool) *assessment {
	rate := rateOf(c.measure)
	component := measure.Component{Expression: "01", Amount: rate}
	a := &assessment{ofValue: true, resolved: []measure.Component{component}, amount: unknownAmount()}
	switch {
	case rate.Sign() == 0:
		a.amount = exactly(zero)
	case known && x.goods.value != nil:
		base := new(big.Rat).Add(x.goods.value, charges)
		if x.costs != nil {
			base.Add(base, x.costs)
		}
		a.taxed = base
		tax := new(big.Rat).Mul(base, rate)
		a.amount = exactly(tax.Quo(tax, percent))
	}
	a.add(component, a.amount.value(), EuroRate{})
	return a
}

// labels of options.
var labels = map[string]string{
	ThirdCountry: "Third-country duty", Preference: "Tariff preference", Suspension: "Suspension", QuotaOption: "Tariff quota",
	Waiver: "Waiver of duty as de minimis aid", NoDuty: "No import duty",
}

// title names the option for people.
func (o *option) title() string {
	if o.label != "" {
		return o.label
	}
	parts := []string{labels[o.kind]}
	m := o.base.measure
	if m.Order != "" {
		parts[0] += " " + m.Order
	}
	if o.kind != ThirdCountry && m.Area != measure.Everywhere {
		name := o.x.tariff.Details().Areas[m.Area]
		if name == "" {
			name = m.Area
		}
		parts = append(parts, name)
	}
	if authorised[m.Type] {
		parts = append(parts, "authorised use")
	}
	return strings.Join(parts, ": ")
}

// authorised are the measure types for goods under authorised use.
var authorised = map[string]bool{"105": true, "115": true, "123": true, "145": true, "146": true}
