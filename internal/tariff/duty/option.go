package duty

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// option is one way to bring the goods in, before it is written.
type option struct {
	x       *calculation
	kind    string
	base    *charge // its own duty; nil for a waiver
	secured *charge // the difference to the full duty, of a critical quota
	quota   *measure.Measure
	reason  string // why it is not available; empty if it is
	proof   *missing
	unsure  bool // the balance of the quota is not known
	noted   bool // only footnotes say for which goods the suspension is
	bill    *bill
	totals  Totals
	lacks   []*missing // unknown facts that it rests on, or that change its charges
}

// options are the ways to bring the goods in by one tariff, and those that are closed.
type options struct{ open, closed []*option }

func (all *options) add(o *option) {
	if o.reason != "" {
		all.closed = append(all.closed, o)
	} else {
		all.open = append(all.open, o)
	}
}

// optionKinds are the kinds of options by kind of measure.
var optionKinds = map[measure.Kind]string{
	measure.ThirdCountry: ThirdCountry, measure.Preference: Preference, measure.Suspension: Suspension, measure.QuotaDuty: QuotaOption,
}

// options returns the ways to bring the goods in by the tariff.
func (x *calculation) options() *options {
	if x.opened != nil {
		return x.opened
	}
	x.opened = &options{}
	if x.parent != nil && x.burden() == x.parent.burden() {
		x.takeOver()
	}
	if !x.opened.hasKind(ThirdCountry) {
		for _, o := range x.thirdCountry() {
			x.opened.add(o)
		}
	}
	for _, kind := range []measure.Kind{measure.Preference, measure.Suspension, measure.QuotaDuty} {
		if kind == measure.QuotaDuty && x.name == measure.XI {
			continue // Regulation (EU) 2020/2170: the EU's quotas are not available in Northern Ireland
		}
		for _, m := range x.of(kind) {
			if x.opened.has(m) {
				continue
			}
			for _, o := range x.ofMeasure(m, optionKinds[kind]) {
				x.opened.add(o)
			}
		}
	}
	return x.opened
}

// takeOver takes the options of the parent that the varied document does not concern. Quotas also rest on the full duty.
func (x *calculation) takeOver() {
	full := !slices.ContainsFunc(x.of(measure.ThirdCountry), x.touches)
	take := func(all []*option) {
		for _, o := range all {
			if rests := o.kind == ThirdCountry || o.kind == QuotaOption; (full || !rests) && !x.touches(o.base.measure) {
				x.opened.add(o)
			}
		}
	}
	take(x.parent.options().open)
	take(x.parent.options().closed)
}

func (all *options) hasKind(kind string) bool {
	of := func(o *option) bool { return o.kind == kind }
	return slices.ContainsFunc(all.open, of) || slices.ContainsFunc(all.closed, of)
}

func (all *options) has(m *measure.Measure) bool {
	of := func(o *option) bool { return o.base.measure == m }
	return slices.ContainsFunc(all.open, of) || slices.ContainsFunc(all.closed, of)
}

// thirdCountry returns the options of the duty that holds for all countries. Of several duties that differ by additional code
// the caller's holds, otherwise the highest.
func (x *calculation) thirdCountry() (all []*option) {
	for _, group := range byType(x.of(measure.ThirdCountry)) {
		chosen, open := x.choose(group)
		for _, m := range chosen {
			all = append(all, x.ofMeasure(m, ThirdCountry)...)
		}
		for _, c := range x.dearestCode(open) {
			all = append(all, x.option(&option{kind: ThirdCountry, base: c}))
		}
	}
	return all
}

// ofMeasure returns an option for each way in which the conditions of a measure may allow it; one that is not available if
// they do not.
func (x *calculation) ofMeasure(m *measure.Measure, kind string) (all []*option) {
	j := x.judge(m)
	for _, c := range j.ways {
		o := &option{x: x, kind: kind, base: c}
		x.limit(o)
		all = append(all, x.option(o))
	}
	if len(j.ways) == 0 {
		components := statedDuty(m)
		c := &charge{x: x, measure: m, components: components, assessed: x.assess(components, m), payable: Paid}
		o := &option{kind: kind, base: c, reason: x.refusal(m)}
		if kind == QuotaOption {
			o.quota = m
		}
		all = append(all, x.option(o))
	}
	return all
}

// statedDuty is the duty of a measure or, if its conditions have it, of the first one that has.
func statedDuty(m *measure.Measure) []measure.Component {
	if len(m.Components) > 0 {
		return m.Components
	}
	for i := range m.Conditions {
		if m.Conditions[i].Action == measure.ActionAmount {
			return m.Conditions[i].Components
		}
	}
	return nil
}

// refusal is why the conditions of a measure do not allow it: a document, if a group of conditions that fails asks for one.
func (x *calculation) refusal(m *measure.Measure) string {
	for _, group := range groupsOf(m.Conditions) {
		asks := slices.ContainsFunc(group, func(c *measure.Condition) bool { return c.Document != "" })
		if asks && slices.ContainsFunc(x.branches(group), func(b branch) bool { return b.effect != applies }) {
			return DocumentAbsent
		}
	}
	return ThresholdNotMet
}

// option completes an option with its charges and their sums.
func (x *calculation) option(o *option) *option {
	o.x = x
	o.bill = x.bill(o)
	o.totals = o.bill.sums(x)
	o.lacks = o.missing()
	return o
}

// missing are the unknown facts that the option rests on, or that change its charges.
func (o *option) missing() (facts []*missing) {
	if o.proof != nil {
		facts = append(facts, o.proof)
	}
	for _, c := range o.bill.all() {
		facts = add(facts, c.hinges)
		if c.assessed != nil && c.amount() == nil {
			facts = add(facts, c.assessed.lacks)
		}
	}
	if o.bill.vat != nil {
		facts = add(facts, o.bill.vat.hinges)
	}
	slices.SortFunc(facts, func(a, b *missing) int { return strings.Compare(a.field, b.field) })
	return facts
}

// conditional reports whether something is unknown that the option rests on.
func (o *option) conditional() bool {
	return o.unsure || o.noted || len(o.lacks) > 0 || slices.ContainsFunc(o.bill.all(), func(c *charge) bool { return c.unsure })
}

// limit applies what restricts preferences and quotas besides their conditions.
func (x *calculation) limit(o *option) {
	m := o.base.measure
	if preferential[m.Type] && len(m.Conditions) == 0 {
		x.proof(o)
	}
	if o.kind == QuotaOption {
		x.quota(o)
	}
	o.noted = o.kind == Suspension && len(m.Conditions) == 0 && len(m.Footnotes) > 0
}

// proof asks for the proof of origin of a preference that states no condition.
func (x *calculation) proof(o *option) {
	switch x.goods.line.Facts.ProofOfOrigin {
	case AnswerHeld:
	case AnswerNone:
		o.reason = ProofAbsent
	default:
		o.proof = x.goods.lack("facts.proofOfOrigin", func(m *missing) {
			m.question, m.values = "Do you hold a proof of origin for the preference?", []string{AnswerHeld, AnswerNone}
			m.set = func(l *RequestLine, _ *NorthernIreland, value string) { l.Facts.ProofOfOrigin = value }
		})
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
	o.unsure = !held || licensed || q.Balance == nil
	if reason := quotaReasons[q.Status]; held && reason != "" {
		o.reason = reason
	}
	if held && q.Status == measure.QuotaCritical {
		o.secured = x.security(o.base)
	}
}

// security is the difference to the third-country duty, for which a critical quota demands a security; nil if it is none.
func (x *calculation) security(base *charge) *charge {
	full := x.fullDuty()
	if full == nil || full.amount() == nil || base.amount() == nil {
		return nil
	}
	difference := new(big.Rat).Sub(full.amount(), base.amount())
	if difference.Sign() <= 0 {
		return nil
	}
	assessed := *full.assessed
	assessed.amount = exactly(difference)
	return &charge{x: x, measure: full.measure, components: full.components, assessed: &assessed, payable: Secured}
}

// fullDuty is the dearest third-country duty that needs no further fact or, if each needs one, the dearest; nil for none.
func (x *calculation) fullDuty() *charge {
	var certain, all []*charge
	for _, o := range x.opened.open {
		if o.kind != ThirdCountry {
			continue
		}
		all = append(all, o.base)
		if o.base.certain() {
			certain = append(certain, o.base)
		}
	}
	if len(certain) > 0 {
		return worst(certain)
	}
	return worst(all)
}

// labels of options.
var labels = map[string]string{
	ThirdCountry: "Third-country duty", Preference: "Tariff preference", Suspension: "Suspension", QuotaOption: "Tariff quota",
	Waiver: "Waiver of duty as de minimis aid", NoDuty: "No import duty",
}

// title names the option for people.
func (o *option) title() string {
	parts := []string{labels[o.kind]}
	if o.base == nil {
		return parts[0]
	}
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
