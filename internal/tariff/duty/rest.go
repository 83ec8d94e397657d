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

// burden returns what every option of the tariff bears. Excise and VAT are those of the UK's tariff.
func (x *calculation) burden() *rest {
	switch {
	case x.rest != nil:
	case x.parent != nil && !x.changesBurden():
		x.rest = x.parent.burden()
	case x.fiscal != nil:
		of := x.fiscal.burden()
		x.rest = &rest{remedies: x.remedies(), excise: of.excise, vat: of.vat, gap: x.gap || of.gap}
	default:
		x.rest = &rest{remedies: x.remedies(), excise: x.excise(), vat: x.findVAT(), gap: x.gap}
	}
	return x.rest
}

// changesBurden reports whether the fact that is varied can change what every option bears.
func (x *calculation) changesBurden() bool {
	if x.varied == "" {
		return true
	}
	return slices.ContainsFunc(x.of(measure.Remedy), x.touches) || slices.ContainsFunc(x.of(measure.Excise), x.touches) ||
		x.fiscal != nil && x.fiscal.changesBurden()
}

// remedies returns the trade remedies on the goods.
func (x *calculation) remedies() (all []*charge) {
	for _, group := range byType(x.of(measure.Remedy)) {
		all = append(all, x.ofGroup(group)...)
	}
	slices.SortStableFunc(all, func(a, b *charge) int {
		return compare(strings.Compare(a.measure.Type, b.measure.Type), strings.Compare(a.measure.Additional, b.measure.Additional),
			compareSIDs(a.measure.SID, b.measure.SID))
	})
	return all
}

// excise returns the excise duties on the goods. If several excise codes are possible and none is stated, the duty is not
// known.
func (x *calculation) excise() (all []*charge) {
	measures := byCode(x.of(measure.Excise))
	if stated := x.goods.line.ExciseCode; stated != "" {
		measures = matching(measures, func(m *measure.Measure) bool { return m.Additional == stated })
	}
	var codes []string
	for _, m := range measures {
		if c := x.judge(m).dearest; c != nil {
			codes = appendOnce(codes, m.Additional)
			all = append(all, c)
		}
	}
	if len(codes) <= 1 {
		return all
	}
	return []*charge{x.openExcise(codes, all)}
}

// openExcise is the excise duty without the code that chooses it.
func (x *calculation) openExcise(codes []string, possible []*charge) *charge {
	lack := x.goods.lack("exciseCode", func(m *missing) {
		m.question, m.values = "Which excise code do the goods have?", codes
		m.set = func(l *RequestLine, _ *NorthernIreland, value string) { l.ExciseCode = value }
	})
	c := &charge{x: x, measure: &measure.Measure{Type: possible[0].measure.Type}, payable: Paid, hinges: []*missing{lack}}
	for _, p := range possible {
		c.hinges = add(c.hinges, p.hinges)
	}
	return c
}

func byCode(all []*measure.Measure) []*measure.Measure {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b *measure.Measure) int {
		return compare(strings.Compare(a.Additional, b.Additional), compareSIDs(a.SID, b.SID))
	})
	return sorted
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
	for _, m := range x.of(measure.VAT) {
		code := vatCode(m)
		if !slices.ContainsFunc(v.rates, func(r vatChoice) bool { return r.code == code }) {
			v.rates = append(v.rates, vatChoice{code, m})
		}
	}
	if len(v.rates) == 0 {
		return nil
	}
	slices.SortFunc(v.rates, func(a, b vatChoice) int { return strings.Compare(a.code, b.code) })
	at := slices.IndexFunc(v.rates, func(r vatChoice) bool { return r.code == x.goods.line.VATChoice })
	open := at < 0
	if open {
		at = v.highest()
	}
	v.choice = v.rates[at].code
	v.charge = &charge{x: x, measure: v.rates[at].measure, components: v.rates[at].measure.Components, payable: Paid}
	if x.request.VATAccounting == Postponed {
		v.charge.payable = Postponed
	}
	if open && len(v.rates) > 1 {
		v.charge.hinges = []*missing{x.vatLack(v)}
	}
	return v
}

func (x *calculation) vatLack(v *vat) *missing {
	return x.goods.lack("vatChoice", func(m *missing) {
		m.question = "Which VAT rate applies to the goods and their use?"
		for _, r := range v.rates {
			m.values = append(m.values, r.code)
		}
		m.set = func(l *RequestLine, _ *NorthernIreland, value string) { l.VATChoice = value }
	})
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
