package charge

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Suspended is how a charge is settled that a special procedure suspends: it falls due if the goods leave the procedure for free
// circulation, or break its terms.
const Suspended = "SUSPENDED"

// Suspension is why a charge is not payable now.
type Suspension struct{ Reason, Source string }

// Sources of suspensions, HMRC's lists of November 2026.
const (
	procedureSource = "HMRC: Requested and previous procedure codes for data element 1/10 of CDS (Appendix 1)"
	additionSource  = "HMRC: Additional procedure codes for data element 1/11 of CDS (Appendix 2)"
	methodSource    = "HMRC: Method of payment codes for data element 4/8 of CDS (Appendix 9)"
)

// suspensive is what a requested procedure (DE 1/10) suspends.
type suspensive struct {
	reason            string
	duty, excise, tax bool // customs duties, excise duty, and VAT
	secured           bool // a guarantee or a deposit covers what is suspended, unless it is waived
	relieves          bool // the goods bear a lower duty, and the difference to the full one is suspended
}

// Requested procedures that suspend, and the additional procedures (DE 1/11) that change what they suspend.
var suspensives = map[string]suspensive{
	"07": {reason: "Excise warehousing (procedure 07)", excise: true, tax: true},
	"42": {reason: "Onward supply relief (procedure 42)", tax: true},
	"44": {reason: "Authorised use (procedure 44)", relieves: true, secured: true},
	"51": {reason: "Inward processing (procedure 51)", duty: true, excise: true, tax: true, secured: true},
	"53": {reason: "Temporary admission (procedure 53)", duty: true, excise: true, tax: true, secured: true},
	"71": {reason: "Customs warehousing (procedure 71)", duty: true, excise: true, tax: true, secured: true},
}

const (
	inwardProcessing   = "51"
	onlyVAT            = "A04" // inward processing suspends VAT only
	temporaryAdmission = "53"
	partialRelief      = "D51" // temporary admission with partial relief
)

// PartialRelief is the code of the missing part of the duty that is due under temporary admission with partial relief.
const PartialRelief = "PARTIAL_RELIEF"

// securing are the methods of payment (DE 4/8) that secure a charge instead of paying it, with what they are.
var securing = map[string]string{
	"M": "a cash deposit", "N": "a deposit from the cash account", "R": "a deposit from the deferment account", "S": "the importer's general guarantee",
	"T": "the agent's general guarantee", "U": "the importer's guarantee account with standing authority",
	"V": "the importer's guarantee account with individual authority", "Z": "the importer's individual guarantee",
}

// noGuarantee is the type of guarantee (DE 8/2) that is a waiver.
const noGuarantee = "0"

// readProcedure reads the procedures of the item.
func (g *Goods) readProcedure(all []wco.GovernmentProcedure) {
	for i, p := range all {
		switch code := strings.ToUpper(p.CurrentCode); {
		case i == 0 || p.PreviousCode != "":
			g.Procedure = code
		default:
			g.AdditionalProcedures = append(g.AdditionalProcedures, code)
		}
	}
}

// waives reports whether the guarantees of a declaration are waivers only.
func waives(all []wco.ObligationGuarantee) bool {
	pledges := func(o wco.ObligationGuarantee) bool { return o.SecurityDetailsCode != noGuarantee }
	return len(all) > 0 && !slices.ContainsFunc(all, pledges)
}

func (g *Goods) suspensive() (s suspensive, source string) {
	s, source = suspensives[g.Procedure], procedureSource
	if g.Procedure == inwardProcessing && slices.Contains(g.AdditionalProcedures, onlyVAT) {
		s.reason, s.duty, s.excise, source = s.reason+" of VAT only (A04)", false, false, additionSource
	}
	return s, source
}

// Suspends reports whether the procedure of the item suspends customs duty.
func (g *Goods) Suspends() bool {
	s, _ := g.suspensive()
	return s.duty
}

// SuspendedBy is the procedure of the item that suspends charges; empty for none.
func (g *Goods) SuspendedBy() string {
	s, _ := g.suspensive()
	return s.reason
}

// suspend settles the charges by the procedure and by the methods of payment. full is the dearest third-country duty, of which authorised
// use relieves; nil if it is not known.
func (g *Goods) suspend(a *Assessment, full *duty.Option) {
	s, source := g.suspensive()
	for i := range a.Charges {
		c := &a.Charges[i]
		suspends := s.excise
		if isDuty(c.Type) {
			suspends = s.duty
		} else if isVAT(c.Type) {
			suspends = s.tax
		}
		if suspends && !c.Besides && !c.Declared {
			c.suspend(Suspension{s.reason + " suspends it.", source}, s.secured && !g.Waived)
		}
	}
	if s.relieves && full != nil && a.Option != nil && full.Totals.Duty.Cmp(a.Option.Totals.Duty) > 0 {
		g.addRelief(a, full, Suspension{s.reason + " relieves of it as long as the goods are put to that use.", source})
	}
	if g.Procedure == temporaryAdmission && slices.Contains(g.AdditionalProcedures, partialRelief) {
		a.miss(PartialRelief, "Partial relief (D51) makes a part of the duty payable for each month, which the estimate does not know.")
	}
	g.missReliefs(a)
	g.secure(a)
}

// Relief is the code of what a relief makes less than the estimate, which does not compute it.
const Relief = "RELIEF"

// returning are additional procedures (DE 1/11) of goods that come back: returned goods, and goods that were repaired or replaced under
// outward processing. Codes of a C and two digits are reliefs for certain goods and traders.
var returning = strings.Fields("F01 F02 F03 F04 F05 B02 B03 B06")

// missReliefs names the additional procedures that may relieve the goods of charges.
func (g *Goods) missReliefs(a *Assessment) {
	for _, code := range g.AdditionalProcedures {
		if slices.Contains(returning, code) || isReliefCode(code) {
			a.miss(Relief, "The additional procedure "+code+" may relieve the goods of duty or VAT, which the estimate does not compute.")
		}
	}
}

func isReliefCode(code string) bool {
	return len(code) == 3 && code[0] == 'C' && isDigit(code[1]) && isDigit(code[2])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func (c *Charge) suspend(s Suspension, secured bool) {
	c.Payable, c.Due, c.Suspension = Suspended, quantity.Money{}, &s
	if secured {
		c.Security = c.Sum()
	}
}

// addRelief adds the difference to the full duty.
func (g *Goods) addRelief(a *Assessment, full *duty.Option, why Suspension) {
	at := slices.IndexFunc(a.Charges, func(c Charge) bool { return isDuty(c.Type) })
	if at < 0 {
		return
	}
	difference := full.Totals.Duty.Sub(a.Option.Totals.Duty)
	c := Charge{Type: a.Charges[at].Type, Amount: &difference, Base: a.Charges[at].Base, Besides: true}
	c.suspend(why, !g.Waived)
	a.Charges = slices.Insert(a.Charges, at+1, c)
}

// secure settles charges whose declared method of payment is a security. A critical quota already says what is secured.
func (g *Goods) secure(a *Assessment) {
	for i := range a.Charges {
		c := &a.Charges[i]
		method, declared := securing[g.method(c.Type)]
		already := func(o Charge) bool { return o.Type == c.Type && o.Payable == duty.Secured }
		if !declared || c.Payable != duty.Paid && c.Payable != Suspended || slices.ContainsFunc(a.Charges, already) {
			continue
		}
		c.Security = c.Sum()
		if c.Payable == duty.Paid {
			c.Payable, c.Due = duty.Secured, quantity.Money{}
			c.Suspension = &Suspension{"Method of payment " + g.method(c.Type) + " is " + method + ".", methodSource}
		}
	}
}

// method is the declared method of payment (DE 4/8) of a type of tax; empty for none.
func (g *Goods) method(typ string) string {
	for i := range g.Taxes {
		if g.Taxes[i].TypeCode == typ {
			return g.Taxes[i].Payment.MethodCode
		}
	}
	return ""
}
