package check

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
)

// Documents (DE 2/3).
const (
	waiver            = "Y" // category of statements that no document is needed
	lowValueStatement = "999L"
	defermentPaper    = "C506"
	// stateless are documents without a status besides waivers and authorisations (C5.., C6..).
	stateless = "N990 C019 1BRD 1RMS 1UKI 505N 9022 X999"
)

// inspectDocuments checks the documents of an item.
func (i *inspector) inspectDocuments(n int, g *wco.GovernmentAgencyGoodsItem) {
	seen := map[string]bool{}
	for k := range g.AdditionalDocument {
		d := &g.AdditionalDocument[k]
		i.inspectDocument(n, k, d)
		if d.WriteOff == (wco.WriteOff{}) || d.ID == "" {
			continue
		}
		if seen[d.ID] {
			i.refuse("CDS12151", at(n, place("02A[%d].D005", k)), "The licence %s is declared twice.", d.ID)
		}
		seen[d.ID] = true
	}
	i.inspectAuthorisationPapers(n, g)
	i.inspectValuationRelations(n, g)
}

func (i *inspector) inspectDocument(n, k int, d *wco.AdditionalDocument) {
	code := d.CategoryCode + d.TypeCode
	if len(code) != 4 {
		i.refuse(badValue, at(n, place("02A[%d].D006", k)), "%q is no document code, which has four characters.", code)
		return
	}
	pointer := func(tag string) string { return at(n, place("02A[%d].", k)+tag) }
	switch {
	case d.ID == "" && d.CategoryCode != waiver && code != lowValueStatement:
		i.refuse("CDS77000", pointer("D005"), "The document %s has no reference.", code)
	case d.LPCOExemptionCode == "" && needsStatus(d):
		i.refuse("CDS77002", pointer("360"), "The document %s has no status.", code)
	case d.Name == "" && d.ID == "" && d.CategoryCode == waiver:
		i.refuse("CDS77005", pointer("D028"), "The waiver %s has neither a reason nor a reference.", code)
	case d.Name == "" && codelist.StatusNeedsReason(d.LPCOExemptionCode):
		i.warn("CDS77005", pointer("D028"), "The status %s of the document %s needs a reason.", d.LPCOExemptionCode, code)
	case d.WriteOff != (wco.WriteOff{}) && d.WriteOff.QuantityQuantity.Value == "" && d.WriteOff.AmountAmount.Value == "":
		i.refuse("CDS77001", pointer("22C.502"), "The document %s is written off without a quantity.", code)
	}
}

// needsStatus reports whether a document needs a status. Waivers and authorisations do not.
func needsStatus(d *wco.AdditionalDocument) bool {
	authorisation := d.CategoryCode == "C" && (strings.HasPrefix(d.TypeCode, "5") || strings.HasPrefix(d.TypeCode, "6"))
	return d.CategoryCode != waiver && !authorisation && !isOneOf(d.CategoryCode+d.TypeCode, stateless)
}

// papers are the documents that prove an authorisation (DE 3/39).
var papers = map[string]string{
	"DPO": "C506", "CGU": "C505", "SDE": "C512", "EIR": "C514", "CWP": "C517", "IPO": "C601", "OPO": "C019", "TEA": "C516", "EUS": "N990",
}

// inspectAuthorisationPapers requires the documents of special procedures' authorisations. It takes one at any item.
func (i *inspector) inspectAuthorisationPapers(n int, g *wco.GovernmentAgencyGoodsItem) {
	if n == 0 {
		for k, h := range i.AuthorisationHolder {
			if paper := papers[h.CategoryCode]; paper != "" && !i.names(paper) {
				i.refuse("CDS12096", place("42A.17C[%d].R144", k), "The authorisation %s needs the document %s.", h.CategoryCode, paper)
			}
		}
	}
	if !i.export && names(g, defermentPaper) && !i.defers {
		i.refuse("CDS12148", at(n, "23A.50A[1].94A.107"), "The document C506 needs a tax that is paid by deferment (E).")
	}
}

func (i *inspector) names(document string) bool {
	for n := range i.items() {
		if names(&i.items()[n], document) {
			return true
		}
	}
	return false
}
