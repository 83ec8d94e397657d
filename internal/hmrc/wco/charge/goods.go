package charge

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Goods is what a declaration declares of one item, as far as charges depend on it.
type Goods struct {
	Simple             tariff.Goods // code, customs value in pounds, net mass and supplementary units
	NoValue            bool         // the customs value is not known
	Origin             string       // non-preferential (DE 5/15); otherwise the preferential one
	PreferentialOrigin string       // country or area (DE 5/16); empty for none
	Dispatch           string       // country of dispatch (DE 5/14); empty if it is not declared
	Preference         string       // DE 4/17; NoPreference if it is not declared
	Quota              string       // DE 8/1; empty for none
	AdditionalCodes    []string     // DE 6/16
	NationalCodes      []string     // DE 6/17
	Documents          []duty.Document
	Statements         []string        // codes of DE 2/2, also of the whole declaration
	Unit               string          // of the supplementary units, if it is declared
	Bases              []duty.Quantity // quantities that taxes are computed of (DE 4/4)
	Postponed          bool            // VAT is accounted for on the importer's return
	Taxes              []wco.DutyTaxFee

	Procedure            string   // requested (first part of DE 1/10); empty if it is not declared
	AdditionalProcedures []string // DE 1/11
	Waived               bool     // the declared guarantees (DE 8/2) are waivers
}

// Codes of what is declared.
const (
	NoPreference  = "100" // DE 4/17
	importerVAT   = "FR1" // DE 3/40: the importer accounts for VAT
	meursingFirst = "7"   // of the additional code of agricultural components
	exciseFirst   = "X"
	unionGroup    = "EU" // the European Union as a preferential origin
)

// GoodsOf reads what a declaration declares of the item at an index. simple is the item's code, value, mass and units.
func GoodsOf(d *wco.Declaration, n int, simple tariff.Goods) Goods {
	item := &d.GoodsShipment.GovernmentAgencyGoodsItem[n]
	g := Goods{Simple: simple, Preference: NoPreference, Unit: item.Commodity.GoodsMeasure.TariffQuantity.Unit, Taxes: item.Commodity.DutyTaxFee}
	g.readOrigin(item)
	g.Dispatch = strings.ToUpper(item.ExportCountry.ID)
	if g.Dispatch == "" {
		g.Dispatch = strings.ToUpper(d.GoodsShipment.ExportCountry.ID)
	}
	g.readCodes(item.Commodity.Classification)
	g.readProcedure(item.GovernmentProcedure)
	g.Waived = waives(d.ObligationGuarantee)
	g.readTaxes()
	for _, doc := range item.AdditionalDocument {
		g.AddDocument(doc.CategoryCode+doc.TypeCode, doc.ID, doc.LPCOExemptionCode)
	}
	for _, s := range d.AdditionalInformation {
		g.Statements = append(g.Statements, s.StatementCode)
	}
	for _, s := range item.AdditionalInformation {
		g.Statements = append(g.Statements, s.StatementCode)
	}
	accounts := func(p wco.RoledParty) bool { return p.RoleCode == importerVAT }
	g.Postponed = slices.ContainsFunc(d.GoodsShipment.DomesticDutyTaxParty, accounts) || slices.ContainsFunc(item.DomesticDutyTaxParty, accounts)
	return g
}

func (g *Goods) readOrigin(item *wco.GovernmentAgencyGoodsItem) {
	for _, o := range item.Origin {
		country := strings.ToUpper(o.CountryCode)
		switch {
		case o.TypeCode == wco.OriginPreferential && country == unionGroup:
			g.PreferentialOrigin = measure.EU
		case o.TypeCode == wco.OriginPreferential:
			g.PreferentialOrigin = country
		default:
			g.Origin = country
		}
	}
	if g.Origin == "" {
		g.Origin = g.PreferentialOrigin
	}
}

func (g *Goods) readCodes(all []wco.Classification) {
	for _, c := range all {
		switch c.IdentificationTypeCode {
		case wco.TARICAdditional:
			g.AdditionalCodes = append(g.AdditionalCodes, strings.ToUpper(c.ID))
		case wco.NationalAdditional:
			g.NationalCodes = append(g.NationalCodes, strings.ToUpper(c.ID))
		}
	}
}

// readTaxes reads the preference, the quota and the tax bases of the tax lines.
func (g *Goods) readTaxes() {
	regime := ""
	for i := range g.Taxes {
		f := &g.Taxes[i]
		if regime == "" {
			regime = f.DutyRegimeCode
		}
		if g.Quota == "" {
			g.Quota = f.QuotaOrderID
		}
		unit, qualifier, _ := strings.Cut(f.SpecificTaxBaseQuantity.Unit, "#")
		if amount, ok := rational(f.SpecificTaxBaseQuantity.Value); ok && len(unit) == len("KGM") {
			g.Bases = append(g.Bases, duty.Quantity{Unit: unit, Qualifier: qualifier, Value: duty.Decimal{Rat: amount}})
		}
	}
	if regime != "" {
		g.Preference = regime
	}
}

// AddDocument adds a document (DE 2/3) that goes with the item.
func (g *Goods) AddDocument(code, reference, status string) {
	g.Documents = append(g.Documents, duty.Document{Code: strings.ToUpper(code), Reference: reference, Status: status})
}

// Has reports whether a document is declared.
func (g *Goods) Has(code string) bool {
	return slices.ContainsFunc(g.Documents, func(d duty.Document) bool { return d.Code == code })
}

// Types of tax of goods of Northern Ireland, which stand for the usual ones.
var northernTypes = map[string]string{"A50": customsDuty, "B05": importVAT}

// withDeclared adds the declared taxes that the tariff does not have, with their declared amounts, and gives taxes the types of
// Northern Ireland that are declared. The measures know all taxes of the groups A and B; the table does not.
func (g *Goods) withDeclared(all []Charge, table bool) []Charge {
	for i := range g.Taxes {
		f := &g.Taxes[i]
		of := func(typ string) int { return slices.IndexFunc(all, func(c Charge) bool { return c.Type == typ }) }
		at := of(northernTypes[f.TypeCode])
		switch {
		case f.TypeCode == "" || of(f.TypeCode) >= 0:
		case at >= 0:
			all[at].Type = f.TypeCode
		case table || !isDuty(f.TypeCode) && !isVAT(f.TypeCode):
			all = append(all, declaredTax(f))
		}
	}
	return all
}

func declaredTax(f *wco.DutyTaxFee) Charge {
	amount := pounds(f.Payment.TaxAssessedAmount)
	return Charge{
		Type: f.TypeCode, Amount: &amount, Due: pounds(f.Payment.PaymentAmount), Payable: duty.Paid, Base: pounds(f.AdValoremTaxBaseAmount), Declared: true,
	}
}

// isDuty and isVAT report the group of a type of tax.
func isDuty(typ string) bool { return strings.HasPrefix(typ, "A") }
func isVAT(typ string) bool  { return strings.HasPrefix(typ, "B") }

// pounds is an amount, cut at the penny; zero for none.
func pounds(a wco.Amount) quantity.Money {
	value, ok := rational(a.Value)
	if !ok {
		return quantity.Money{}
	}
	sum, _ := quantity.TruncateMoney(value)
	return sum
}

func rational(n wco.Number) (*big.Rat, bool) { return new(big.Rat).SetString(string(n)) }
