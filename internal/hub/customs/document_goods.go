package customs

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
)

// Default codes, for values that the trader has not given.
const (
	importProcedure = "4000" // release for free circulation
	exportProcedure = "1040" // permanent export of goods in free circulation
	noAdditional    = "000"
	noPreference    = "100"
	packageKind     = "PK"
	noMarks         = "ADDR" // DE 6/11: identified by the address
	saleImport      = "1"    // DE 8/5 at the header
	saleExport      = "11"   // DE 8/5 at the item
	methodOne       = "1"    // DE 4/16: the price paid
	nothingSpecial  = "0000" // DE 4/13
	fromDeferment   = "E"    // DE 4/8
	fromCash        = "P"    // DE 4/8
	statusAttached  = "AC"   // the trader has the document
)

func (d *documentData) goodsShipment() wco.GoodsShipment {
	s := wco.GoodsShipment{
		Consignment:      d.consignment(),
		Destination:      wco.Destination{CountryCode: d.destination()},
		ExportCountry:    wco.ExportCountry{ID: d.dispatch()},
		PreviousDocument: d.previousDocument(),
	}
	for i := range d.declaration.Items {
		s.GovernmentAgencyGoodsItem = append(s.GovernmentAgencyGoodsItem, d.item(&d.declaration.Items[i]))
	}
	if !d.isImport() {
		s.Consignee = wco.Party{Name: d.shipment.CounterpartyName, Address: d.counterpartyAddress()}
		return s
	}
	s.TransactionNatureCode = saleImport
	s.Importer = wco.Trader{ID: d.clientEORI()}
	if s.Importer.ID == "" {
		s.Importer = wco.Trader{Name: cut(d.client.Name, 70), Address: wco.Address{
			CityName: d.client.City, CountryCode: d.client.Country, Line: d.client.AddressLine1, PostcodeID: d.client.Postcode,
		}}
	}
	s.TradeTerms = wco.TradeTerms{ConditionCode: orDefault(d.shipment.Incoterm, "CIF"), LocationID: orDefault(d.shipment.IncotermLocation, d.port())}
	if vat := PostponedUnder(d.organisation.Profile, &d.client); vat != "" {
		s.DomesticDutyTaxParty = []wco.RoledParty{{ID: vat, RoleCode: "FR1"}}
	}
	return s
}

// port returns the port of entry if it is given as a UN/LOCODE.
func (d *documentData) port() string {
	if port := trimmedUpper(d.shipment.PortOfEntry); isLocode(port) {
		return port
	}
	return "GBFXT"
}

func isLocode(text string) bool {
	return len(text) == 5 && strings.HasPrefix(text, home) && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789") == ""
}

// modes are the codes of the mode of transport (DE 7/4) and of the identification of the means (DE 7/9): by number, by name.
var modes = map[string]struct{ code, byNumber, byName string }{
	"SEA":  {"1", "10", "11"},
	"RAIL": {"2", "20", "20"},
	"ROAD": {"3", "30", "30"},
	"AIR":  {"4", "40", "40"},
}

func (d *documentData) border() wco.BorderTransportMeans {
	mode := modes[d.shipment.TransportMode]
	b := wco.BorderTransportMeans{ModeCode: mode.code, RegistrationNationalityCode: orDefault(d.shipment.TransportNationality, home)}
	if !d.isImport() {
		b.ID, b.IdentificationTypeCode = d.means()
	}
	return b
}

// means returns the means of transport by number or, without one, by name.
func (d *documentData) means() (id, kind string) {
	mode := modes[d.shipment.TransportMode]
	if number := trimmedUpper(d.shipment.TransportID); number != "" {
		return number, mode.byNumber
	}
	if name := strings.ReplaceAll(d.shipment.VesselName, " ", ""); name != "" {
		return name, mode.byName
	}
	return d.reference, mode.byName
}

func (d *documentData) consignment() wco.Consignment {
	id, kind := d.means()
	c := wco.Consignment{ContainerCode: "0", GoodsLocation: d.location()}
	if d.isImport() {
		c.ArrivalTransportMeans = wco.TransportMeans{ID: id, IdentificationTypeCode: kind}
	} else {
		c.DepartureTransportMeans = wco.TransportMeans{ID: id, IdentificationTypeCode: kind, ModeCode: modes[d.shipment.TransportMode].code}
	}
	for _, container := range d.shipment.Containers {
		c.ContainerCode = "1"
		c.TransportEquipment = append(c.TransportEquipment, wco.TransportEquipment{ID: trimmedUpper(container)})
	}
	if !d.isImport() && c.TransportEquipment == nil {
		c.TransportEquipment = []wco.TransportEquipment{wco.NoSeals()}
	}
	return c
}

// location returns where the goods can be examined (DE 5/23). Without a given code, the port's code is its name three times,
// if HMRC's lists hold that code; otherwise none is declared.
func (d *documentData) location() wco.GoodsLocation {
	code := d.shipment.GoodsLocation
	if code == "" {
		place := d.port()[2:]
		if code = home + "AU" + place + place + place; !codelist.Locations().Has(code) {
			return wco.GoodsLocation{}
		}
	}
	location, _ := wco.SplitGoodsLocation(code)
	return location
}

func (d *documentData) item(i *Item) wco.GovernmentAgencyGoodsItem {
	out := wco.GovernmentAgencyGoodsItem{
		StatisticalValueAmount: wco.Money(i.CustomsValueGBP, sterling),
		AdditionalDocument:     d.documents(),
		AdditionalInformation:  d.selfRepresentation(),
		Commodity: wco.Commodity{
			Description: i.Description, Classification: d.classification(i), GoodsMeasure: d.measure(i),
		},
		GovernmentProcedure: d.procedures(i),
		Packaging: []wco.Packaging{{
			MarksNumbersID: noMarks, QuantityQuantity: wco.Number(fmt.Sprint(i.packageCount())), TypeCode: orDefault(i.PackageType, packageKind),
		}},
	}
	if i.CountryOfOrigin != "" {
		out.Origin = []wco.Origin{{CountryCode: i.CountryOfOrigin, TypeCode: wco.OriginNonPreferential}}
		if preferential(i.PreferenceCode) {
			out.Origin = append(out.Origin, wco.Origin{CountryCode: i.CountryOfOrigin, TypeCode: wco.OriginPreferential})
		}
	}
	if !d.isImport() {
		out.TransactionNatureCode = saleExport
		return out
	}
	out.Commodity.DutyTaxFee = d.duties(i)
	out.Commodity.InvoiceLine = wco.InvoiceLine{ItemChargeAmount: wco.Money(i.CustomsValueGBP, sterling)}
	out.CustomsValuation = wco.CustomsValuation{MethodCode: methodOne}
	out.ValuationAdjustment = wco.ValuationAdjustment{AdditionCode: nothingSpecial}
	return out
}

// preferential reports whether a preference depends on the origin: codes 200 to 499.
func preferential(code string) bool { return code >= "200" && code <= "499" }

func (i *Item) packageCount() int64 {
	if i.PackageCount == nil {
		return 1
	}
	return *i.PackageCount
}

// classification splits a commodity code. A code of the wrong length is sent as it is; the analysis and CDS report it.
func (d *documentData) classification(i *Item) []wco.Classification {
	split := wco.ClassifyExport
	if d.isImport() {
		split = wco.ClassifyImport
	}
	if codes, ok := split(i.CommodityCode); ok {
		return codes
	}
	return []wco.Classification{{ID: i.CommodityCode, IdentificationTypeCode: wco.CombinedNomenclature}}
}

func (d *documentData) measure(i *Item) wco.GoodsMeasure {
	gross := i.NetMassKg
	if i.GrossMassKg != nil {
		gross = *i.GrossMassKg
	}
	m := wco.GoodsMeasure{GrossMassMeasure: wco.Mass(gross), NetNetWeightMeasure: wco.Mass(i.NetMassKg)}
	if units := i.Units(); units != nil {
		m.TariffQuantity = wco.Quantity(*units)
	}
	return m
}

func (d *documentData) procedures(i *Item) []wco.GovernmentProcedure {
	usual := exportProcedure
	if d.isImport() {
		usual = importProcedure
	}
	procedure, _ := wco.SplitProcedure(orDefault(i.ProcedureCode, usual))
	all := []wco.GovernmentProcedure{procedure}
	for _, code := range i.AdditionalProcedureCodes {
		all = append(all, wco.GovernmentProcedure{CurrentCode: code})
	}
	if len(all) == 1 {
		all = append(all, wco.GovernmentProcedure{CurrentCode: noAdditional})
	}
	return all
}

// duties returns customs duty with its preference, and VAT unless it is postponed.
func (d *documentData) duties(i *Item) []wco.DutyTaxFee {
	method := fromCash
	if d.organisation.Profile.DefermentAccount != "" {
		method = fromDeferment
	}
	fees := []wco.DutyTaxFee{{DutyRegimeCode: orDefault(i.PreferenceCode, noPreference), TypeCode: "A00", Payment: wco.Payment{MethodCode: method}}}
	if PostponedUnder(d.organisation.Profile, &d.client) == "" {
		fees = append(fees, wco.DutyTaxFee{TypeCode: "B00", Payment: wco.Payment{MethodCode: method}})
	}
	return fees
}

// documents returns the trader's documents in their order, so that CDS's pointers have the same indices, and then those that
// the deferment account requires.
func (d *documentData) documents() []wco.AdditionalDocument {
	var all []wco.AdditionalDocument
	for _, doc := range d.declaration.Documents {
		category, kind, ok := wco.SplitDocumentCode(doc.Type)
		if !ok {
			kind = doc.Type
		}
		all = append(all, wco.AdditionalDocument{CategoryCode: category, TypeCode: kind, ID: doc.Reference, LPCOExemptionCode: doc.status()})
	}
	if account := d.organisation.Profile.DefermentAccount; account != "" && d.isImport() {
		all = append(all,
			wco.AdditionalDocument{CategoryCode: "C", TypeCode: "506", ID: "GBDPO" + account},
			wco.AdditionalDocument{CategoryCode: "C", TypeCode: "505", ID: "GBCGU" + noGuarantee, LPCOExemptionCode: "CC"})
	}
	return all
}

// status returns the given status; by default that the trader has the document. Waivers (Y…) and authorisations (C5…, C6…)
// have none.
func (d Document) status() string {
	if d.Status != "" || strings.HasPrefix(d.Type, "Y") || strings.HasPrefix(d.Type, "C5") || strings.HasPrefix(d.Type, "C6") {
		return d.Status
	}
	return statusAttached
}

// selfRepresentation returns the statement that the trader declares for itself (DE 2/2), if there is no agent.
func (d *documentData) selfRepresentation() []wco.AdditionalInformation {
	switch {
	case d.agent() != "":
		return nil
	case d.isImport():
		return []wco.AdditionalInformation{{StatementCode: "00500", StatementDescription: "IMPORTER"}}
	}
	return []wco.AdditionalInformation{{StatementCode: "00400", StatementDescription: "EXPORTER"}}
}

func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n])
	}
	return text
}
