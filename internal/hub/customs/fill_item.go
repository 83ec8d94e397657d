package customs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// Usual codes, for values that the trader has not given.
const (
	importProcedure = "4000" // release for free circulation
	exportProcedure = "1040" // permanent export of goods in free circulation
	noAdditional    = "000"
	noPreference    = "100"
	packageKind     = "PK"
	noMarks         = "ADDR" // DE 6/11: identified by the address
	methodOne       = "1"    // DE 4/16: the price paid
	nothingSpecial  = "0000" // DE 4/13
	statusAttached  = "AC"   // the trader has the document
)

// withHeaderDocuments adds the documents of the header to each item, after its own: they go with every item.
func withHeaderDocuments(items []datamodel.Item, documents []Document) []datamodel.Item {
	if len(documents) == 0 {
		return items
	}
	more := make([]datamodel.ItemDocument, len(documents))
	for n, d := range documents {
		more[n] = datamodel.ItemDocument{Type: d.Type, Reference: d.Reference, Status: d.Status}
	}
	for n := range items {
		items[n].Documents = slices.Concat(items[n].Documents, more)
	}
	return items
}

// addGoods adds what an item leaves out.
func (f *filler) addGoods(n int) {
	i := &f.items[n]
	fill(f, &i.StatisticalValue, f.at(n, "statisticalValue"), f.statisticalValue(n), computed, "8/6")
	f.addProcedures(n, i)
	if f.usual {
		f.addUsualGoods(n, i)
	}
}

// statisticalValue returns the customs value in pounds: the one that is stated or, for an import, the one that follows from
// price, rate, additions and deductions; nil unless all of them are known.
func (f *filler) statisticalValue(n int) *datamodel.Amount {
	if value := f.items[n].CustomsValueGBP; value != nil {
		return pounds(*value)
	}
	if !f.isImport() || f.values == nil || f.values[n].Customs == nil {
		return nil
	}
	return pounds(*f.values[n].Customs)
}

// addProcedures adds the usual procedure, and 000 where there is no additional procedure, as the guide prescribes.
func (f *filler) addProcedures(n int, i *datamodel.Item) {
	if i.Procedures != nil {
		return
	}
	if f.usual {
		usual := exportProcedure
		if f.isImport() {
			usual = importProcedure
		}
		f.text(&i.ProcedureCode, f.at(n, "procedureCode"), usual, constant)
	}
	if i.ProcedureCode != "" && len(i.AdditionalProcedureCodes) == 0 && (f.usual || i.AdditionalProcedureCodes == nil) && f.can(f.at(n, "additionalProcedureCodes"), "1/11") {
		i.AdditionalProcedureCodes = []string{noAdditional}
		f.note(f.at(n, "additionalProcedureCodes"), i.AdditionalProcedureCodes, fromGuide)
	}
}

// addUsualGoods adds the usual constants of an item.
func (f *filler) addUsualGoods(n int, i *datamodel.Item) {
	fill(f, &i.GrossMassKg, f.at(n, "grossMassKg"), i.NetMassKg, constant)
	f.addUsualDocuments(n, i)
	f.addUsualPackages(n, i)
	if i.Origins == nil && preferential(i.PreferenceCode) {
		f.text(&i.PreferentialOrigin, f.at(n, "preferentialOrigin"), i.CountryOfOrigin, computed)
	}
	if !f.isImport() {
		i.CommodityCode, i.PreferenceCode = exportCode(i.CommodityCode), "" // an export has no preference
		if f.header.TransactionNature == "" {
			f.text(&i.TransactionNature, f.at(n, "transactionNature"), saleExport, constant)
		}
		return
	}
	if i.CustomsValueGBP != nil {
		fill(f, &i.ItemPrice, f.at(n, "itemPrice"), pounds(*i.CustomsValueGBP), computed)
	}
	f.text(&i.ValuationMethod, f.at(n, "valuationMethod"), methodOne, constant)
	f.text(&i.ValuationIndicators, f.at(n, "valuationIndicators"), nothingSpecial, constant)
}

// exportDigits is the length of the commodity code of an export.
const exportDigits = 8

// exportCode returns the first eight digits of a commodity code of ten.
func exportCode(code string) string {
	if len(code) == exportDigits+2 {
		return code[:exportDigits]
	}
	return code
}

// preferential reports whether a preference depends on the origin: codes 200 to 499.
func preferential(code string) bool { return code >= "200" && code <= "499" }

// addUsualDocuments states that the trader has the documents without a status. Waivers (Y…) and authorisations (C5…, C6…)
// have none.
func (f *filler) addUsualDocuments(n int, i *datamodel.Item) {
	i.Documents = slices.Clone(i.Documents)
	for k := range i.Documents {
		d := &i.Documents[k]
		if kind := d.Category + d.Type; d.Status == "" && !strings.HasPrefix(kind, "Y") && !strings.HasPrefix(kind, "C5") && !strings.HasPrefix(kind, "C6") {
			f.text(&d.Status, f.at(n, fmt.Sprintf("documents[%d].status", k)), statusAttached, constant)
		}
	}
}

// addUsualPackages adds count, kind and marks of the packages.
func (f *filler) addUsualPackages(n int, i *datamodel.Item) {
	if i.Packages != nil {
		return
	}
	one := int64(1)
	fill(f, &i.PackageCount, f.at(n, "packageCount"), &one, constant)
	f.text(&i.PackageType, f.at(n, "packageType"), packageKind, constant)
	if f.can(f.at(n, "packages")) {
		i.Packages = []datamodel.Package{{Count: i.PackageCount, Type: i.PackageType, Marks: noMarks}}
		i.PackageCount, i.PackageType = nil, ""
		if f.listing {
			f.note(f.at(n, "packages[0].marks"), noMarks, constant)
		}
	}
}

// addStatement adds a statement to an item that does not have one with its code.
func (f *filler) addStatement(n int, code, text, from string) {
	i := &f.items[n]
	if slices.ContainsFunc(i.AdditionalInformation, func(s datamodel.Statement) bool { return s.Code == code }) || !f.can(f.at(n, "additionalInformation"), "2/2") {
		return
	}
	s := datamodel.Statement{Code: code, Text: text}
	i.AdditionalInformation = append(slices.Clip(i.AdditionalInformation), s)
	f.note(f.at(n, "additionalInformation["+decimal(len(i.AdditionalInformation)-1)+"]"), s, from)
}

// statementOf returns the additional information statement with a code; nil for none.
func statementOf(i *datamodel.Item, code string) *datamodel.Statement {
	at := slices.IndexFunc(i.AdditionalInformation, func(s datamodel.Statement) bool { return s.Code == code })
	if at < 0 {
		return nil
	}
	return &i.AdditionalInformation[at]
}

// has reports whether an item has a national additional code.
func hasNational(i *datamodel.Item, code string) bool {
	return slices.Contains(i.NationalAdditionalCodes, code) ||
		slices.Contains(i.Classifications, datamodel.Classification{ID: code, Type: wco.NationalAdditional})
}
