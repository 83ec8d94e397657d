package check

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
)

// inspectRelations checks elements against each other.
func (i *inspector) inspectRelations() {
	i.inspectType()
	i.inspectSpecialProcedures()
	i.inspectPayment()
	i.inspectInvoice()
	i.inspectNorthernIreland()
	for n := range i.items() {
		g := &i.items()[n]
		i.inspectAdditionalProcedures(n, g)
		i.inspectEssentials(n, g)
		i.inspectPreference(n, g)
		i.inspectDocuments(n, g)
		i.inspectItemStatements(n, g)
	}
}

// holds reports whether an authorisation of a type is declared (DE 3/39).
func (i *inspector) holds(types string) bool {
	return slices.ContainsFunc(i.AuthorisationHolder, func(h wco.AuthorisationHolder) bool { return isOneOf(h.CategoryCode, types) })
}

// inspectType checks the type of the declaration (DE 1/1 and 1/2) against authorisations, previous documents and items.
func (i *inspector) inspectType() {
	const authorisations = "42A.17C[1].R144"
	switch {
	case isOneOf(i.additional, "C F Y") && !i.holds("SDE EIR"):
		i.refuse("CDS12120", authorisations, "A declaration of type %s needs the authorisation SDE.", i.additional)
	case i.additional == "Z" && !i.holds("EIR"), strings.HasSuffix(string(i.set), "_EIDR") && !i.holds("EIR"):
		i.refuse("CDS12120", authorisations, "A declaration of goods entered in the declarant's records needs the authorisation EIR.")
	case i.export && isOneOf(i.additional, "A C") && len(i.AuthorisationHolder) == 0:
		i.arrivedWithoutAuthorisation(authorisations)
	}
	if i.additional == "Y" && !i.hasPrevious("SDE") {
		i.mandate("42A.67A.99A[1].D018", "Declare the MRN of the simplified declaration as previous document.", "A supplementary declaration names the simplified one as previous document (Y, SDE).")
	}
	if i.additional == "Z" && !i.hasPrevious("CLE") && !i.holds("MOU") {
		i.refuse("CDS12156", "42A.67A.99A[1].D018", "A supplementary declaration of goods entered in the records names the entry as previous document (Y, CLE).")
	}
	i.inspectEntryDate()
	i.inspectAcceptance()
	i.inspectSets()
	if i.kind == "CO" && i.GoodsShipment.Destination.CountryCode == "" && !i.eachItem(func(g *wco.GovernmentAgencyGoodsItem) bool { return g.Destination.CountryCode != "" }) {
		i.refuse("CDS12103", "42A.67A.99B.465", "A declaration of type CO needs the country of destination.")
	}
}

func (i *inspector) arrivedWithoutAuthorisation(at string) {
	const text = "An export whose goods have arrived needs an authorisation for its location, such as CSE or EXRR."
	if i.options.Lenient {
		i.unknown(at, text)
		return
	}
	i.refuse("CDS12120", at, text)
}

func (i *inspector) eachItem(is func(*wco.GovernmentAgencyGoodsItem) bool) bool {
	for n := range i.items() {
		if !is(&i.items()[n]) {
			return false
		}
	}
	return true
}

// inspectEntryDate compares the entries in the records (CLE) with the acceptance date, and refuses them at both levels.
func (i *inspector) inspectEntryDate() {
	header := false
	for n, p := range i.GoodsShipment.PreviousDocument {
		if p.TypeCode == "CLE" {
			header = true
			i.compareEntry(p.ID, place("42A.67A.99A[%d].D018", n))
		}
	}
	for n := range i.items() {
		for k, p := range i.items()[n].PreviousDocument {
			if p.TypeCode != "CLE" {
				continue
			}
			pointer := at(n, place("99A[%d].D018", k))
			i.compareEntry(p.ID, pointer)
			if header {
				i.refuse(bothLevels, pointer, "The entry in the records (CLE) is declared for the whole and for the item.")
			}
		}
	}
}

func (i *inspector) compareEntry(id, at string) {
	if accepted := acceptance(i.Declaration); accepted != "" && i.additional == "Z" && len(id) == len(accepted) && id != accepted {
		i.refuse("CDS12156", at, "The entry in the records is of %s, and the acceptance date is %s.", id, accepted)
	}
}

// acceptance returns the declared acceptance date as YYYYMMDD; empty for none.
func acceptance(d *wco.Declaration) string {
	text := d.AcceptanceDateTime.Value
	return text[:min(len(text), 8)]
}

// inspectAcceptance refuses an acceptance date in the future.
func (i *inspector) inspectAcceptance() {
	today := strings.ReplaceAll(i.options.Day, "-", "")
	if accepted := acceptance(i.Declaration); accepted != "" && accepted > today {
		i.refuse("CDS12016", "42A.023", "The acceptance date %s is in the future.", accepted)
	}
}

// inspectSets refuses items whose procedures belong to different data sets.
func (i *inspector) inspectSets() {
	if !isOneOf(i.additional, "A D R X Y Z") || i.kind == "CO" {
		return
	}
	for n := 1; n < len(i.items()); n++ {
		first, other := requested(&i.items()[0]), requested(&i.items()[n])
		if dataset.OfProcedure(first, i.export) != dataset.OfProcedure(other, i.export) {
			i.refuse("CDS11005", at(n, "70A[1].166"), "Procedure %s belongs to another data set than procedure %s of the first item.", other, first)
		}
	}
}

// special is what a special procedure needs.
type special struct {
	requested, before, types, documents, name string
}

var specials = []special{
	{"44", "", "EUS TEA TEAH", "N990 C990 C516", "authorised use (EUS with N990)"},
	{"51", "51", "IPO", "C601", "inward processing (IPO with C601)"},
	{"53", "", "TEA TEAH", "C516", "temporary admission (TEA with C516)"},
	{"71", "71", "CWP CW1 CW2", "C517 C518 C519", "customs warehousing (CWP with C517)"},
	{"21 22", "21 22", "OPO", "C019", "outward processing (OPO with C019)"},
}

// inspectSpecialProcedures requires authorisation, document and warehouse. The statement 00100 asks for an authorisation by the
// declaration itself.
func (i *inspector) inspectSpecialProcedures() {
	warehouse := i.GoodsShipment.Warehouse.ID != "" || i.GoodsShipment.Warehouse.TypeCode != ""
	full := !isOneOf(i.additional, "J K Q")
	byDeclaration := i.states("00100")
	for n := range i.items() {
		g := &i.items()[n]
		if isOneOf(requested(g), "07 71") && full && !warehouse {
			i.mandate("42A.67A.43B.L019", "Declare kind and number of the warehouse.", "Procedure %s of item %d needs the warehouse.", requested(g), n+1)
			warehouse = true // reported once
		}
		for k := range specials {
			s := &specials[k]
			applies := isOneOf(requested(g), s.requested) || full && isOneOf(previous(g), s.before)
			if applies && !byDeclaration && (!i.holds(s.types) || !names(g, s.documents)) {
				i.mandate(at(n, "70A[1].166"), "Declare the authorisation with its holder, and its document.", "Procedure %s%s needs an authorisation for %s, or the statement 00100.", requested(g), previous(g), s.name)
			}
		}
	}
}

// names reports whether an item has one of some documents (DE 2/3).
func names(g *wco.GovernmentAgencyGoodsItem, documents string) bool {
	return slices.ContainsFunc(g.AdditionalDocument, func(d wco.AdditionalDocument) bool { return isOneOf(d.CategoryCode+d.TypeCode, documents) })
}

// noOther is the additional procedure code for none.
const noOther = "000"

// inspectAdditionalProcedures checks DE 1/11 against DE 1/10.
func (i *inspector) inspectAdditionalProcedures(n int, g *wco.GovernmentAgencyGoodsItem) {
	for k, p := range g.GovernmentProcedure {
		if k == 0 || p.CurrentCode == noOther && len(g.GovernmentProcedure) == 2 {
			continue
		}
		pointer := at(n, place("70A[%d].166", k))
		switch {
		case p.CurrentCode == noOther && len(g.GovernmentProcedure) > 2:
			i.refuse("CDS12149", pointer, "The additional procedure 000 says that there is none, and there are others.")
		case p.CurrentCode == "1H7" && i.set != dataset.H7:
			i.refuse("CDS12152", pointer, "The additional procedure 1H7 is only for the low value data set (H7).")
		case p.CurrentCode == noOther:
		case i.export:
			i.inspectExportAdditional(g, p.CurrentCode, pointer)
		default:
			i.inspectImportAdditional(g, p.CurrentCode, pointer)
		}
	}
	if i.set == dataset.H7 && !hasAdditional(g, "1H7") {
		i.refuse("CDS12152", at(n, "70A[2].166"), "A declaration of the low value data set (H7) needs the additional procedure 1H7 at each item.")
	}
}

func hasAdditional(g *wco.GovernmentAgencyGoodsItem, codes string) bool {
	return slices.ContainsFunc(g.GovernmentProcedure[min(1, len(g.GovernmentProcedure)):], func(p wco.GovernmentProcedure) bool { return isOneOf(p.CurrentCode, codes) })
}

func (i *inspector) inspectExportAdditional(g *wco.GovernmentAgencyGoodsItem, code, at string) {
	list, known := codelist.Additional(requested(g) + previous(g))
	switch {
	case known && list.Has(code):
	case known && codelist.ExportAdditional().Has(code):
		i.refuse(notCombined, at, "The additional procedure %s does not go with procedure %s%s.", code, requested(g), previous(g))
	default:
		i.unknown(at, "The additional procedure %s with procedure %s%s is in no list of exports.", code, requested(g), previous(g))
	}
}

// importFamilies are the letters of additional procedure codes that belong to some requested procedures, with those and the
// previous procedures.
var importFamilies = []struct{ letter, requested, before string }{
	{"A", "51", "51"}, {"B", "48", "21 22"}, {"D", "53", "53"},
}

func (i *inspector) inspectImportAdditional(g *wco.GovernmentAgencyGoodsItem, code, at string) {
	for _, f := range importFamilies {
		if len(code) != 3 || code[:1] != f.letter {
			continue
		}
		fits := isOneOf(requested(g), f.requested) || isOneOf(previous(g), f.before)
		if !fits {
			i.refuse(notCombined, at, "The additional procedure %s does not go with procedure %s%s.", code, requested(g), previous(g))
		}
		return
	}
	if len(code) != 3 {
		i.unknown(at, "The additional procedure %s is in no list.", code)
	}
}
