package check

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// Codes of taxes and payment.
const (
	deferred       = "E"   // method of payment (DE 4/8): deferment account
	fromAccount    = "E R" // the same, and security from the account
	account        = "DAN" // type of the deferment account (DE 2/6)
	importVAT      = "B00"
	postponed      = "FR1" // role of the importer who accounts for VAT (DE 3/40)
	manualOverride = "OVR01"
)

// inspectPayment checks how taxes are paid against accounts, authorisations and guarantees.
func (i *inspector) inspectPayment() {
	if i.export {
		return
	}
	hasAccount := slices.ContainsFunc(i.AdditionalDocument, func(d wco.HeaderDocument) bool { return d.TypeCode == account && d.ID != "" })
	i.inspectDeferral(hasAccount)
	if hasAccount && !i.defers {
		i.refuse("CDS12102", "42A.02A[1].D005", "A deferment account is declared, and no tax is paid by it (method of payment E).")
	}
	i.inspectGuarantees()
	i.inspectPostponed()
}

// inspectDeferral checks the taxes that are paid by deferment, and notes whether there is one.
func (i *inspector) inspectDeferral(hasAccount bool) {
	paid := false
	for n := range i.items() {
		fees := i.items()[n].Commodity.DutyTaxFee
		for k := range fees {
			i.defers = i.defers || isOneOf(fees[k].Payment.MethodCode, fromAccount)
			if fees[k].Payment.MethodCode != deferred || paid {
				continue
			}
			pointer := at(n, place("23A.50A[%d].94A.107", k))
			if !hasAccount {
				i.refuse("CDS12078", pointer, "The tax is paid by deferment (E), and there is no deferment account.")
			}
			if !i.holds("DPO") {
				i.mandate("42A.17C[1].R144", "Declare the authorisation DPO with its holder, and the document C506.", "Item %d is paid by deferment (E), which needs the authorisation DPO.", n+1)
			}
			paid = true // reported once
		}
	}
}

func (i *inspector) inspectGuarantees() {
	guaranteed := func(types string) bool {
		return slices.ContainsFunc(i.ObligationGuarantee, func(g wco.ObligationGuarantee) bool { return isOneOf(g.SecurityDetailsCode, types) })
	}
	if i.holds("CGU") && len(i.ObligationGuarantee) > 0 && !guaranteed("0 1") && !isOneOf(i.additional, "J K") {
		i.refuse("CDS12113", "42A.90A[1].101", "The authorisation CGU needs a guarantee of type 0 or 1.")
	}
	for n, g := range i.ObligationGuarantee {
		i.currency(g.AmountAmount, place("42A.90A[%d].492", n), "guarantee")
	}
}

// inspectPostponed refuses VAT that is paid now where the importer accounts for it on its return.
func (i *inspector) inspectPostponed() {
	accounts := func(p wco.RoledParty) bool { return p.RoleCode == postponed }
	header := slices.ContainsFunc(i.GoodsShipment.DomesticDutyTaxParty, accounts)
	for n := range i.items() {
		g := &i.items()[n]
		if !header && !slices.ContainsFunc(g.DomesticDutyTaxParty, accounts) {
			continue
		}
		for k := range g.Commodity.DutyTaxFee {
			f := &g.Commodity.DutyTaxFee[k]
			if f.TypeCode == importVAT && f.Payment.MethodCode != "" {
				i.refuse("CDS12079", at(n, place("23A.50A[%d].94A.107", k)), "VAT is postponed (FR1), and the tax line B00 is paid now.")
			}
		}
	}
}

// inspectInvoice compares the currencies of the prices.
func (i *inspector) inspectInvoice() {
	first := ""
	for n := range i.items() {
		currency := i.items()[n].Commodity.InvoiceLine.ItemChargeAmount.Currency
		if currency == "" {
			continue
		}
		if first == "" {
			first = currency
		}
		if currency != first {
			i.refuse("CDS12057", at(n, "23A.79A.112"), "The price is in %s, and that of another item in %s.", currency, first)
		}
	}
	if total := i.InvoiceAmount; !i.export && total.Value != "" && first != "" && total.Currency != first {
		i.refuse("CDS12082", "42A.109", "The invoice is in %s, and the prices are in %s.", total.Currency, first)
	}
}

// inspectPreference checks preference, preferential origin and quota against each other.
func (i *inspector) inspectPreference(n int, g *wco.GovernmentAgencyGoodsItem) {
	if i.export {
		return
	}
	code, quota, line := regime(g)
	if code == "" {
		return
	}
	preferential := slices.ContainsFunc(g.Origin, func(o wco.Origin) bool { return o.TypeCode == wco.OriginPreferential && o.CountryCode != "" })
	if code[0] >= '2' && code[0] <= '4' && !preferential && isOneOf(string(i.set), "H1 H3 H4 H5") {
		i.mandate(at(n, "92A[2].063"), "Declare the preferential origin, or claim no preference (100).", "Preference %s needs the country of preferential origin.", code)
	}
	claims := len(code) == 3 && isOneOf(code[1:], "20 23 25 28")
	switch {
	case claims && quota == "":
		i.mandate(at(n, place("23A.50A[%d].401", line)), "Declare the order number of the quota, or a preference without a quota.", "Preference %s claims a quota, and there is no order number.", code)
	case !claims && quota != "":
		i.refuse("CDS12110", at(n, place("23A.50A[%d].401", line)), "The quota %s does not go with preference %s.", quota, code)
	}
	i.inspectOriginGroup(n, g)
}

// regime returns the preference of an item with its line, and its quota.
func regime(g *wco.GovernmentAgencyGoodsItem) (code, quota string, line int) {
	for k := range g.Commodity.DutyTaxFee {
		f := &g.Commodity.DutyTaxFee[k]
		if code == "" && f.DutyRegimeCode != "" {
			code, line = f.DutyRegimeCode, k
		}
		if quota == "" {
			quota = f.QuotaOrderID
		}
	}
	return code, quota, line
}

func (i *inspector) inspectOriginGroup(n int, g *wco.GovernmentAgencyGoodsItem) {
	seen := 0
	for k, o := range g.Origin {
		if o.TypeCode != wco.OriginPreferential {
			continue
		}
		if seen++; seen > 1 {
			i.refuse("CDS12083", at(n, place("92A[%d].063", k)), "There are several preferential origins.")
		}
	}
}

// inspectEssentials requires elements of full declarations that depend on nothing that the XML could say: the origin and the
// price of an import, and the value of an export.
func (i *inspector) inspectEssentials(n int, g *wco.GovernmentAgencyGoodsItem) {
	priced := g.Commodity.InvoiceLine.ItemChargeAmount.Value != ""
	switch {
	case !isOneOf(i.additional, "A D"):
	case isOneOf(string(i.set), tenDigitSets):
		if len(g.Origin) == 0 || g.Origin[0].CountryCode == "" {
			i.refuse(Missing, at(n, "92A[1].063"), "There is no country of origin.")
		}
		if !priced && isOneOf(g.CustomsValuation.MethodCode, "1") {
			i.refuse(Missing, at(n, "23A.79A.112"), "There is no item price.")
		}
	case i.set == "B1" && !priced && g.StatisticalValueAmount.Value == "":
		i.refuse(Missing, at(n, "114"), "There is no statistical value.")
	}
}

// inspectValuationRelations checks methods, amounts and taxes that go together.
func (i *inspector) inspectValuationRelations(n int, g *wco.GovernmentAgencyGoodsItem) {
	manual, override := -1, itemStates(g, manualOverride)
	for k := range g.Commodity.DutyTaxFee {
		if p := g.Commodity.DutyTaxFee[k].Payment; manual < 0 && (p.PaymentAmount.Value != "" || p.TaxAssessedAmount.Value != "") {
			manual = k
		}
	}
	if manual >= 0 && !override && !i.states(manualOverride) {
		i.refuse("CDS12139", at(n, place("23A.50A[%d].94A.378", manual)), "A tax is calculated by hand, and there is no statement OVR01.")
	}
	method := g.CustomsValuation.MethodCode
	if method == "" || method == "1" || i.export || i.set == "I1" {
		return
	}
	proven := slices.ContainsFunc(g.AdditionalDocument, func(d wco.AdditionalDocument) bool {
		return d.CategoryCode != "" && strings.Contains("ADN9", d.CategoryCode)
	})
	if !proven && !hasAdditional(g, "E01 E02") {
		i.refuse("CDS40045", at(n, "41A.122"), "Valuation method %s needs the document that proves the value.", method)
	}
}
