package check

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// Statements about movements to and from Northern Ireland (DE 2/2).
const (
	domestic     = "NIDOM"
	fromAbroad   = "NIIMP"
	exported     = "NIEXP"
	notAtRisk    = "NIREM"
	aid          = "NIAID"
	onwardSupply = "OSR42"
	bulkValue    = "UVC01"
)

// inspectNorthernIreland checks the statements about Northern Ireland over all items.
func (i *inspector) inspectNorthernIreland() {
	if i.states(domestic) && i.states(fromAbroad) {
		i.refuse("CDS12141", at(0, "03A[1].226"), "The statements NIDOM and NIIMP exclude each other.")
	}
	for _, s := range []struct{ code, statement string }{{"CDS40070", fromAbroad}, {"CDS40071", domestic}, {"CDS40072", exported}} {
		if !i.itemsState(s.statement) {
			continue
		}
		for n := range i.items() {
			if !itemStates(&i.items()[n], s.statement) {
				i.refuse(s.code, at(n, "03A[1].226"), "The item has no statement %s, which other items have.", s.statement)
			}
		}
	}
	moves := i.states(domestic) || i.states(fromAbroad)
	if moves && !isNorthernIreland(i.Declarant.ID) && !isNorthernIreland(i.GoodsShipment.Importer.ID) && !isNorthernIreland(i.Exporter.ID) {
		i.unknown("42A.57B.R123", "The goods move to Northern Ireland, and no party has an EORI that begins with XI.")
	}
}

// itemsState reports whether an item has a statement.
func (i *inspector) itemsState(code string) bool {
	for n := range i.items() {
		if itemStates(&i.items()[n], code) {
			return true
		}
	}
	return false
}

// inspectItemStatements checks the statements of an item (DE 2/2) against each other and its procedure.
func (i *inspector) inspectItemStatements(n int, g *wco.GovernmentAgencyGoodsItem) {
	i.inspectLowValueDocuments(n, g)
	if len(g.AdditionalInformation) == 0 {
		return
	}
	states := func(code string) bool { return itemStates(g, code) }
	pointer := at(n, "03A[1].226")
	refuse := func(wrong bool, code, text string) {
		if wrong {
			i.refuse(code, pointer, "%s", text)
		}
	}
	moves := states(domestic) || states(fromAbroad)
	refuse(states(notAtRisk) && states(aid) && states(domestic), "CDS12143", "The statements NIREM and NIAID exclude each other.")
	refuse(states(notAtRisk) && !moves, "CDS40073", "The statement NIREM needs NIIMP or NIDOM.")
	refuse(states(aid) && !moves, "CDS40074", "The statement NIAID needs NIIMP or NIDOM.")
	refuse(states(onwardSupply) && requested(g) != "42", "CDS12146", "The statement OSR42 belongs to procedure 42.")
	refuse(states(bulkValue) && !i.options.Amended, "CDS12147", "The statement UVC01 is only for amendments.")
	refuse((moves || states(exported)) && names(g, lowValueStatement), "CDS12154", "The document 999L does not go with a movement of Northern Ireland.")
	refuse(states(selfImporter) && states(selfExporter), "CDS12121", "The statements 00500 and 00400 exclude each other.")
}

// inspectLowValueDocuments allows one waiver 999L at an item.
func (i *inspector) inspectLowValueDocuments(n int, g *wco.GovernmentAgencyGoodsItem) {
	seen := 0
	for k, d := range g.AdditionalDocument {
		if d.CategoryCode+d.TypeCode != lowValueStatement {
			continue
		}
		if seen++; seen > 1 {
			i.refuse("CDS12155", at(n, place("02A[%d].D006", k)), "The document 999L is declared twice.")
		}
	}
}
