package duty

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// rest are the charges that every option bears besides its own duty.
type rest struct {
	remedies []*charge
	excise   []*charge
	vat      *vat // nil without a measure of VAT
	gap      bool // a charge is missing, as the edition does not hold its kind
}

// vat is the VAT measure of the goods; its amount depends on the other charges.
type vat struct {
	charge *charge
	choice string // VAT, VATR, VATZ or VATE
	rates  []vatChoice
}

// vatChoice is one of several VAT measures of a code.
type vatChoice struct {
	code    string
	measure *measure.Measure
}

// remedies returns the trade remedies on the goods.
func (x *calculation) remedies() (all []*charge) {
	for _, group := range byType(x.inForce(measure.Remedy)) {
		all = append(all, x.ofGroup(group)...)
	}
	return all
}

// excise returns the excise duties on the goods. If several excise codes are possible and none is stated, the duty is not
// known.
func (x *calculation) excise() (all []*charge) {
	measures := byCode(x.inForce(measure.Excise))
	stated := x.goods.line.ExciseCode
	if stated != "" {
		measures = matching(measures, func(m *measure.Measure) bool { return m.Additional == stated })
	}
	var possible []*charge
	for _, m := range measures {
		if c := x.dearest(m); c != nil {
			possible = append(possible, c)
		}
	}
	if len(possible) <= 1 {
		return possible
	}
	return []*charge{x.openExcise(possible)}
}

func byCode(all []*measure.Measure) []*measure.Measure {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b *measure.Measure) int {
		return compare(strings.Compare(a.Additional, b.Additional), compareSIDs(a.SID, b.SID))
	})
	return sorted
}

// openExcise is the excise duty without the code that chooses it.
func (x *calculation) openExcise(possible []*charge) *charge {
	n := need{lack: x.goods.lacks("exciseCode", "Which excise code do the goods have?", "")}
	for _, c := range possible {
		n.lack.values = append(n.lack.values, c.measure.Additional)
		n.variants = append(n.variants, variant{c.measure.Additional, c})
	}
	open := *possible[0].measure
	open.Additional, open.Components, open.Conditions = "", nil, nil
	return &charge{x: x, measure: &open, payable: Paid, needs: []need{n}}
}

// VAT choices.
const (
	vatStandard = "VAT"
	vatReduced  = "VATR"
	vatZero     = "VATZ"
	vatExempt   = "VATE"
)

// formerVAT are the choices of the measure types of VAT before 2021.
var formerVAT = map[string]string{"VTS": vatStandard, "VTZ": vatZero, "VTA": vatReduced, "VTE": vatExempt}

func vatCode(m *measure.Measure) string {
	if former := formerVAT[m.Type]; former != "" {
		return former
	}
	if m.Additional != "" {
		return m.Additional
	}
	return vatStandard
}

// findVAT returns the VAT on the goods: the caller's choice; without one the dearest.
func (x *calculation) findVAT() *vat {
	v := &vat{}
	for _, m := range byCode(x.inForce(measure.VAT)) {
		code := vatCode(m)
		if !slices.ContainsFunc(v.rates, func(r vatChoice) bool { return r.code == code }) {
			v.rates = append(v.rates, vatChoice{code, m})
		}
	}
	if len(v.rates) == 0 {
		return nil
	}
	at := slices.IndexFunc(v.rates, func(r vatChoice) bool { return r.code == x.goods.line.VATChoice })
	open := at < 0
	if open {
		at = v.highest()
	}
	v.choice = v.rates[at].code
	v.charge = &charge{x: x, measure: v.rates[at].measure, outcome: outcome{components: v.rates[at].measure.Components}, payable: Paid}
	if x.request.VATAccounting == Postponed {
		v.charge.payable = Postponed
	}
	if open && len(v.rates) > 1 {
		v.charge.needs = []need{x.vatNeed(v)}
	}
	return v
}

func (x *calculation) vatNeed(v *vat) need {
	n := need{lack: x.goods.lacks("vatChoice", "Which VAT rate applies to the goods and their use?", "")}
	for _, r := range v.rates {
		n.lack.values = append(n.lack.values, r.code)
		n.variants = append(n.variants, variant{r.code, &charge{x: x, measure: r.measure, outcome: outcome{components: r.measure.Components}, payable: v.charge.payable}})
	}
	return n
}

// highest is the index of the highest rate.
func (v *vat) highest() int {
	highest := 0
	for i := range v.rates {
		if rateOf(v.rates[i].measure).Cmp(rateOf(v.rates[highest].measure)) > 0 {
			highest = i
		}
	}
	return highest
}
