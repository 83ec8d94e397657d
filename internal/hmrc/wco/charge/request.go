package charge

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Statements (DE 2/2) of movements to Northern Ireland, and the document of the authorisation for goods that stay in the United
// Kingdom. HMRC's lists of November 2026.
const (
	fromBritain   = "NIDOM"
	fromElsewhere = "NIIMP"
	notAtRisk     = "NIREM"
	deMinimisAid  = "NIAID"
)

// Codes of territories, and one that stands for any other country.
const (
	britain   = "GB"
	Elsewhere = "QQ"
)

// unionPreference is the preference that proves goods of the United Kingdom to the European Union.
const unionPreference = "300"

// proofs are how the codes of documents begin that prove a preferential origin. HMRC's Appendix 5A of November 2026.
var proofs = []string{"U0", "U1", "N864", "N865", "N954", "N018", "N861", "N862", "C100"}

func (g *Goods) states(statement string) bool { return slices.Contains(g.Statements, statement) }

// northern reports whether the statements say that the goods arrive in Northern Ireland.
func (g *Goods) northern() bool { return g.states(fromBritain) || g.states(fromElsewhere) }

// request asks the duty engine about the item. others is whether documents may be held that are not declared: duty.AnswerNone or
// duty.AnswerUnknown.
func (t *Tariff) request(g *Goods, others string) *duty.Request {
	r := g.Question(others)
	r.Date, r.Lines[0].Quantities = t.Day.String(), t.quantities(g)
	return r
}

// Question is what is declared of the item as a question about duties, without a day and without supplementary units whose unit is
// not declared. others is whether documents may be held that are not declared: duty.AnswerNone or duty.AnswerUnknown.
func (g *Goods) Question(others string) *duty.Request {
	value := duty.Decimal{Rat: g.Simple.CustomsValue.Rat()}
	l := duty.RequestLine{
		CommodityCode: padded(g.Simple.CommodityCode), Origin: g.Origin, PreferentialOrigin: g.PreferentialOrigin, DispatchCountry: g.dispatch(),
		Price: duty.Price{Amount: value, Currency: duty.Sterling}, CustomsValue: &value, Quantities: g.quantities(g.StatedUnit()),
	}
	if g.Simple.NetMass.Sign() > 0 {
		l.NetMass = &duty.Decimal{Rat: g.Simple.NetMass.Rat()}
	}
	g.codes(&l)
	l.Facts = g.facts(others)
	r := &duty.Request{Destination: duty.GreatBritain, Lines: []duty.RequestLine{l}}
	if g.northern() {
		r.Destination, r.NorthernIreland = duty.ToNI, g.answers()
	}
	if g.Postponed {
		r.VATAccounting = duty.Postponed
	}
	return r
}

// dispatch is the country that the goods come from. Goods that are declared to come from their destination, such as those from a
// warehouse, come from elsewhere.
func (g *Goods) dispatch() string {
	from := g.Dispatch
	if from == "" {
		from = g.Origin
	}
	switch {
	case g.states(fromBritain):
		return britain
	case !g.northern() && from == britain, len(from) != len(britain):
		return Elsewhere
	}
	return from
}

// answers are what the statements say about goods that arrive in Northern Ireland. Goods that are not declared as not at risk are at
// risk.
func (g *Goods) answers() *duty.NorthernIreland {
	stay := g.states(notAtRisk)
	proof := g.states(fromBritain) && g.Preference == unionPreference
	n := &duty.NorthernIreland{UKIMS: &stay, FinalUseInUK: &stay, ProofOfUKOrigin: &proof}
	if stay {
		n.Processing = duty.NoProcessing
	}
	return n
}

// codes sorts the additional codes by what they choose.
func (g *Goods) codes(l *duty.RequestLine) {
	for _, code := range g.AdditionalCodes {
		if len(code) == len("7000") && strings.HasPrefix(code, meursingFirst) {
			l.MeursingCode = code
		} else {
			l.AdditionalCodes = append(l.AdditionalCodes, code)
		}
	}
	for _, code := range g.NationalCodes {
		switch {
		case strings.HasPrefix(code, exciseFirst):
			l.ExciseCode = code
		case strings.HasPrefix(code, "VAT"):
			l.VATChoice = code
		}
	}
}

func (g *Goods) facts(others string) duty.Facts {
	aid := g.states(deMinimisAid)
	f := duty.Facts{Documents: g.Documents, OtherDocuments: others, DeMinimisAid: &aid}
	proves := func(d duty.Document) bool {
		return slices.ContainsFunc(proofs, func(p string) bool { return strings.HasPrefix(d.Code, p) })
	}
	if slices.ContainsFunc(g.Documents, proves) {
		f.ProofOfOrigin = duty.AnswerHeld
	}
	if g.Quota != "" {
		f.QuotaOrderNumbers = []string{g.Quota}
	}
	return f
}

// quantities are the supplementary units, in the declared unit or else in that of the code, and the tax bases.
func (t *Tariff) quantities(g *Goods) []duty.Quantity {
	unit := g.StatedUnit()
	if unit.Code == "" {
		unit = duty.SupplementaryUnit(t.Editions.UK, padded(g.Simple.CommodityCode), g.Origin, t.Day)
	}
	return g.quantities(unit)
}

// quantities are the tax bases and, in a unit that is known, the supplementary units.
func (g *Goods) quantities(unit measure.Unit) []duty.Quantity {
	all := slices.Clone(g.Bases)
	if g.Simple.Units == nil || g.Simple.Units.Sign() <= 0 || unit.Code == "" {
		return all
	}
	return append(all, duty.Quantity{Unit: unit.Code, Qualifier: unit.Qualifier, Value: duty.Decimal{Rat: g.Simple.Units.Rat()}})
}

// StatedUnit is the unit of the supplementary units that is declared; empty if none is.
func (g *Goods) StatedUnit() measure.Unit {
	if code, qualifier, _ := strings.Cut(g.Unit, "#"); len(code) == len(measure.Kilogram) {
		return measure.Unit{Code: code, Qualifier: qualifier}
	}
	return measure.Unit{}
}
