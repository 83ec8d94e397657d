package check

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Statements that a trader declares for itself (DE 2/2).
const (
	selfImporter = "00500"
	selfExporter = "00400"
)

// inspectLevels checks what must stand at the header or at the items, and pairs of which one must be there.
func (i *inspector) inspectLevels() {
	s := &i.GoodsShipment
	for n := range i.items() {
		g := &i.items()[n]
		i.sameLevel(s.TransactionNatureCode, g.TransactionNatureCode, n, "103", "nature of transaction")
		i.sameLevel(s.Destination.CountryCode, g.Destination.CountryCode, n, "99B.465", "country of destination")
		i.sameLevel(s.ExportCountry.ID, g.ExportCountry.ID, n, "95B.062", "country of dispatch")
		if i.TotalGrossMassMeasure.Value != "" && g.Commodity.GoodsMeasure.GrossMassMeasure.Value != "" {
			i.refuse(bothLevels, at(n, "23A.65A.126"), "The gross mass is declared for the whole and for the item.")
		}
	}
	i.inspectTotalMass()
	if isOneOf(i.additional, "A D") {
		i.inspectRepresentation()
	}
	if i.export {
		i.inspectDUCR()
	} else {
		i.inspectMUCR()
	}
}

// sameLevel refuses different values at header and item.
func (i *inspector) sameLevel(header, item string, n int, place, name string) {
	if header != "" && item != "" && header != item {
		i.refuse(bothLevels, at(n, place), "The %s is %s for the whole and %s for the item.", name, header, item)
	}
}

func (i *inspector) inspectTotalMass() {
	total, weighed := rational(i.TotalGrossMassMeasure.Value)
	if !weighed {
		return
	}
	sum := new(big.Rat)
	for n := range i.items() {
		if net, declared := rational(i.items()[n].Commodity.GoodsMeasure.NetNetWeightMeasure.Value); declared {
			sum.Add(sum, net)
		}
	}
	if sum.Cmp(total) > 0 {
		i.refuse("CDS11006", "42A.131", "The net masses together are above the total gross mass %s kg.", i.TotalGrossMassMeasure.Value)
	}
}

// inspectRepresentation requires an agent's function or the statement that the trader declares for itself (DE 3/21 or 2/2), and
// reports both if there is neither.
func (i *inspector) inspectRepresentation() {
	statement := selfImporter
	if i.export {
		statement = selfExporter
	}
	self := i.states(statement)
	principal := i.GoodsShipment.Importer
	if i.export {
		principal = i.Exporter
	}
	if i.Agent.FunctionCode == "" && !self && (principal.ID == "" || principal.ID != i.Declarant.ID) {
		const text = "Neither a representative nor the statement %s names the represented party."
		i.refuse(noAlternative, "42A.05A.102", text, statement)
		i.refuse(noAlternative, at(0, "03A[1].226"), text, statement)
	}
	if i.Agent.FunctionCode != "" && self {
		i.refuse(notCombined, "42A.05A.102", "A representative is declared, and the statement %s says that there is none.", statement)
	}
}

// states reports whether the header or an item has a statement (DE 2/2).
func (i *inspector) states(code string) bool {
	for _, a := range i.AdditionalInformation {
		if a.StatementCode == code {
			return true
		}
	}
	for n := range i.items() {
		if itemStates(&i.items()[n], code) {
			return true
		}
	}
	return false
}

func itemStates(g *wco.GovernmentAgencyGoodsItem, code string) bool {
	return slices.ContainsFunc(g.AdditionalInformation, func(a wco.AdditionalInformation) bool { return a.StatementCode == code })
}

// hasPrevious reports whether the header or an item has a previous document of a type.
func (i *inspector) hasPrevious(kind string) bool {
	is := func(p wco.PreviousDocument) bool { return p.TypeCode == kind && p.ID != "" }
	if slices.ContainsFunc(i.GoodsShipment.PreviousDocument, is) {
		return true
	}
	for n := range i.items() {
		if slices.ContainsFunc(i.items()[n].PreviousDocument, is) {
			return true
		}
	}
	return false
}

// inspectDUCR requires the reference of the consignment of an export.
func (i *inspector) inspectDUCR() {
	if !isOneOf(i.additional, "A D") {
		return
	}
	if !i.hasPrevious("DCR") {
		i.refuse("CDS12108", "42A.67A.99A[1].D018", "The export has no DUCR.")
	}
}

// inspectMUCR refuses several master references of an import.
func (i *inspector) inspectMUCR() {
	masters := 0
	for n, p := range i.GoodsShipment.PreviousDocument {
		if p.CategoryCode == "Z" && p.TypeCode == "MCR" {
			if masters++; masters > 1 {
				i.refuse("CDS12137", place("42A.67A.99A[%d].D018", n), "There are several master references.")
			}
		}
	}
}

// isNorthernIreland reports whether an EORI is one of Northern Ireland.
func isNorthernIreland(id string) bool {
	return len(id) > 2 && ident.EORI(id).Country() == ident.NorthernIreland
}
