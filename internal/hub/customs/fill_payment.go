package customs

import (
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// Codes of payment.
const (
	fromDeferment      = "E" // DE 4/8: deferment account
	securedByDeferment = "R" // DE 4/8: security from the deferment account
	fromCash           = "P" // DE 4/8: cash account
	customsDuty        = "A00"
	dutyAtRisk         = "A50" // of goods that are at risk of moving on from Northern Ireland to the EU
	importVAT          = "B00"
	noVAT              = "VATZ" // national additional code of goods at the rate zero
	atRisk             = "NIIMP"
	importerVAT        = "FR1" // DE 3/40: the importer accounts for VAT
	defermentDocument  = "1"   // DE 2/6
	defermentKind      = "DAN"
	waiver             = "0" // DE 8/2
	cashGuarantee      = "Y" // DE 8/2
	noGuarantee        = "Guaranteenotrequired"
)

// addPayment adds how duty and VAT of an import are paid and secured, and then the authorisations that the declaration
// requires, which the method of payment decides too.
func (f *filler) addPayment() {
	if f.isImport() {
		f.addImportPayment()
	}
	if !f.usual {
		f.addAuthorisations()
		f.addAuthorisationDocuments()
		f.addUKIMS()
	}
}

func (f *filler) addImportPayment() {
	vat := f.postponedUnder()
	if vat != "" {
		fillList(f, &f.header.FiscalReferences, "fiscalReferences", []datamodel.Role{{ID: vat, Role: importerVAT}}, fromClient, "3/40")
	}
	if f.usual {
		f.addUsualPayment(vat != "")
		return
	}
	f.addTaxLines(vat != "")
	f.addDefermentAccounts()
	f.addDefermentDefaults()
	f.addGuarantees()
}

// postponedUnder returns the VAT number under which the importer accounts for VAT; empty if VAT is paid.
func (f *filler) postponedUnder() string { return PostponedUnder(f.organisation.Profile, &f.client) }

// addTaxLines adds customs duty and VAT, paid as the client or the organisation pays.
func (f *filler) addTaxLines(postponed bool) {
	method, from := f.agreed(func(t *terms.Terms) string { return t.PaymentMethod })
	if method == "" {
		return
	}
	for n := range f.items {
		i := &f.items[n]
		duty := customsDuty
		if statementOf(i, atRisk) != nil {
			duty = dutyAtRisk
		}
		lines := []datamodel.TaxLine{{Type: duty, MethodOfPayment: method}}
		if !postponed && !hasNational(i, noVAT) {
			lines = append(lines, datamodel.TaxLine{Type: importVAT, MethodOfPayment: method})
		}
		fillList(f, &i.TaxLines, f.at(n, "taxLines"), lines, from, "4/3")
	}
}

// addDefermentAccounts adds the account of the client, if the organisation may charge it, or that of the organisation.
func (f *filler) addDefermentAccounts() {
	if f.header.DeferredPayments != nil || !f.defers() {
		return
	}
	client := f.client.Allows() || f.declarant() == f.clientEORI()
	accounts, from := []string{f.client.DefermentAccount, f.client.VATDefermentAccount}, fromClient
	if f.client.DefermentAccount == "" || !client {
		accounts, from = []string{f.organisation.Profile.DefermentAccount, f.organisation.Profile.VATDefermentAccount}, fromOrganisation
	}
	var all []datamodel.DeferredPayment
	for _, account := range accounts {
		if account != "" {
			all = append(all, datamodel.DeferredPayment{Category: defermentDocument, Account: account, Type: defermentKind})
		}
	}
	fillList(f, &f.header.DeferredPayments, "deferredPayments", all, from, "2/6")
}

// addDefermentDefaults adds the format that the guide prescribes to accounts that the body states.
func (f *filler) addDefermentDefaults() {
	f.header.DeferredPayments = slices.Clone(f.header.DeferredPayments)
	for n := range f.header.DeferredPayments {
		p, at := &f.header.DeferredPayments[n], "deferredPayments["+decimal(n)+"]"
		f.text(&p.Category, at+".category", defermentDocument, fromGuide)
		f.text(&p.Type, at+".type", defermentKind, fromGuide)
	}
}

// guaranteed are the requested procedures that suspend duty against a guarantee.
var guaranteed = []string{"51", "53", "71"}

// addGuarantees adds the guarantees of client or organisation, where payment or procedure needs one.
func (f *filler) addGuarantees() {
	needs := f.defers() || slices.ContainsFunc(f.items, func(i datamodel.Item) bool { return slices.Contains(guaranteed, requestedProcedure(&i)) })
	if !needs {
		return
	}
	for _, o := range f.terms() {
		var all []datamodel.Guarantee
		for _, g := range o.Valid(f.day) {
			one := datamodel.Guarantee{Type: g.Type, Reference: g.Reference, OtherReference: g.OtherReference, AccessCode: g.AccessCode, Office: g.Office}
			if g.Amount != nil {
				one.Amount = &datamodel.Amount{Amount: &g.Amount.Amount, Currency: g.Amount.Currency}
			}
			all = append(all, one)
		}
		fillList(f, &f.header.Guarantees, "guarantees", all, o.from, "8/2", "8/3")
	}
}

// addUsualPayment adds payment from the organisation's deferment account, with its authorisations and a waiver of the
// guarantee, or from the cash account.
func (f *filler) addUsualPayment(postponed bool) {
	account, method := f.organisation.Profile.DefermentAccount, fromCash
	if account != "" {
		method = fromDeferment
	}
	for n := range f.items {
		i := &f.items[n]
		if i.TaxLines == nil {
			f.text(&i.PreferenceCode, f.at(n, "preferenceCode"), noPreference, constant)
		}
		lines := []datamodel.TaxLine{{Type: customsDuty, MethodOfPayment: method}}
		if !postponed {
			lines = append(lines, datamodel.TaxLine{Type: importVAT, MethodOfPayment: method})
		}
		fillList(f, &i.TaxLines, f.at(n, "taxLines"), lines, constant)
	}
	if account == "" {
		fillList(f, &f.header.Guarantees, "guarantees", []datamodel.Guarantee{{OtherReference: f.declarant(), Type: cashGuarantee}}, constant)
		return
	}
	fillList(f, &f.header.DeferredPayments, "deferredPayments", []datamodel.DeferredPayment{{Category: defermentDocument, Account: account, Type: defermentKind}}, fromOrganisation)
	fillList(f, &f.header.Authorisations, "authorisations", []datamodel.Authorisation{{Holder: f.declarant(), Type: "CGU"}, {Holder: f.declarant(), Type: "DPO"}}, constant)
	fillList(f, &f.header.Guarantees, "guarantees", []datamodel.Guarantee{{Reference: noGuarantee, Type: waiver}}, constant)
	for n := range f.items {
		f.addUsualAuthorisation(n, datamodel.ItemDocument{Type: "C506", Reference: "GBDPO" + account})
		f.addUsualAuthorisation(n, datamodel.ItemDocument{Type: "C505", Reference: "GBCGU" + noGuarantee, Status: "CC"})
	}
}

// addUsualAuthorisation adds a document that the deferment account requires, unless the body states it for the item itself.
func (f *filler) addUsualAuthorisation(n int, d datamodel.ItemDocument) {
	own := f.declaration.Items[n].Documents
	if slices.ContainsFunc(own, func(o datamodel.ItemDocument) bool { return o.Category+o.Type == d.Type }) || !f.can(f.at(n, "documents")) {
		return
	}
	i := &f.items[n]
	f.note(f.at(n, "documents["+decimal(len(i.Documents))+"]"), d, constant)
	i.Documents = append(slices.Clip(i.Documents), d)
}

func decimal(n int) string { return strconv.Itoa(n) }
