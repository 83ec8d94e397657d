package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// complete fills the gaps of a document, first those of its type.
func (m *completing) complete(d *TradeDocument) {
	m.parties(d)
	switch s := m.said.Fields; d.DocumentType {
	case Invoice:
		m.invoice(d, s)
	case BillOfLading:
		m.bill(d, s)
	case PackingList:
		of(m, &d.PackingListNumber, s["packingListNumber"], m.identifier)
		of(m, &d.PackingListDate, s["packingListDate"], m.date)
		of(m, &d.InvoiceReference, s["invoiceReference"], m.identifier)
		of(m, &d.PurchaseOrderNumber, s["purchaseOrderNumber"], m.identifier)
		of(m, &d.Marks, s["marks"], m.phraseOf)
	}
	m.shared(d, m.said.Fields)
	m.items(d)
	m.containers(d)
}

func (m *completing) parties(d *TradeDocument) {
	places := map[string]**TradeParty{
		"seller": &d.Seller, "buyer": &d.Buyer, "shipper": &d.Shipper, "consignee": &d.Consignee, "notifyParty": &d.NotifyParty,
	}
	for role := range strings.FieldsSeq(sides[d.DocumentType]) {
		m.party(places[role], m.said.Parties[role])
	}
	if d.DocumentType == BillOfLading {
		m.guessOrder(d.Shipper)
		return
	}
	m.guessOrder(d.Seller)
}

// party fills the gaps of a party if the model names the same one, or the document has no name
// for it.
func (m *completing) party(to **TradeParty, s map[string]string) {
	p := TradeParty{}
	if *to != nil {
		p = **to
	}
	if nameOf(&p) > kept && phrase(p.Name.Value) != phrase(s["name"]) {
		return
	}
	if nameOf(&p) <= kept {
		p = TradeParty{}
	}
	of(m, &p.Name, s["name"], m.phraseOf)
	if p.Name == nil {
		return
	}
	m.spread(&p.Address, s["address"])
	of(m, &p.Country, s["country"], m.country)
	of(m, &p.VATNumber, s["vatNumber"], vatNumber)
	of(m, &p.EORI, s["eori"], eori)
	*to = &p
}

func (m *completing) invoice(d *TradeDocument, s map[string]string) {
	of(m, &d.InvoiceNumber, s["invoiceNumber"], m.identifier)
	of(m, &d.InvoiceDate, s["invoiceDate"], m.date)
	of(m, &d.DueDate, s["dueDate"], m.date)
	of(m, &d.PurchaseOrderNumber, s["purchaseOrderNumber"], m.identifier)
	of(m, &d.PaymentTerms, s["paymentTerms"], m.phraseOf)
	m.money(&d.Currency, s["currency"])
	t := InvoiceTotals{}
	if d.Totals != nil {
		t = *d.Totals
	}
	of(m, &t.Goods, s["goodsTotal"], m.amount)
	of(m, &t.Freight, s["freight"], m.amount)
	of(m, &t.Insurance, s["insurance"], m.amount)
	of(m, &t.VAT, s["vat"], m.amount)
	of(m, &t.Grand, s["grandTotal"], m.amount)
	if t != (InvoiceTotals{}) {
		d.Totals = &t
	}
}

func (m *completing) bill(d *TradeDocument, s map[string]string) {
	of(m, &d.BillOfLadingNumber, s["billOfLadingNumber"], m.identifier)
	of(m, &d.IssueDate, s["issueDate"], m.date)
	of(m, &d.ShippedOnBoardDate, s["shippedOnBoardDate"], m.date)
	of(m, &d.BookingNumber, s["bookingNumber"], m.identifier)
	of(m, &d.Carrier, s["carrier"], m.phraseOf)
	of(m, &d.CarrierCode, s["carrierCode"], carrierCode)
	of(m, &d.Vessel, s["vessel"], m.phraseOf)
	of(m, &d.Voyage, s["voyage"], m.identifier)
	of(m, &d.PlaceOfReceipt, s["placeOfReceipt"], m.phraseOf)
	of(m, &d.PortOfLoading, s["portOfLoading"], m.phraseOf)
	of(m, &d.PortOfDischarge, s["portOfDischarge"], m.phraseOf)
	of(m, &d.PlaceOfDelivery, s["placeOfDelivery"], m.phraseOf)
	of(m, &d.FreightTerms, s["freightTerms"], freight)
}

func (m *completing) shared(d *TradeDocument, s map[string]string) {
	of(m, &d.CountryOfOrigin, s["countryOfOrigin"], m.country)
	of(m, &d.PackageCount, s["packageCount"], m.count)
	measured(m, &d.NetMassKg, s["netMassKg"], m.mass)
	measured(m, &d.GrossMassKg, s["grossMassKg"], m.mass)
	measured(m, &d.VolumeM3, s["volumeM3"], m.volume)
	of(m, &d.Incoterm, s["incoterm"], incotermOf)
	of(m, &d.IncotermPlace, s["incotermPlace"], m.phraseOf)
}

// items takes the model's lines of goods unless there are more certain ones.
func (m *completing) items(d *TradeDocument) {
	if linesOf(d) > kept {
		return
	}
	lines := m.said.LineItems
	if len(lines) > maxAnswerItems {
		lines, m.cut = lines[:maxAnswerItems], true
	}
	var items []LineItem
	for _, s := range lines {
		if l := m.item(s); l.Description != nil || l.CommodityCode != nil {
			items = append(items, l)
		}
	}
	if len(items) > 0 {
		d.LineItems = items
	}
	m.near = 0
}

func (m *completing) item(s map[string]string) (l LineItem) {
	m.describe(&l, s["description"])
	of(m, &l.CommodityCode, s["commodityCode"], m.commodityCode)
	of(m, &l.Quantity, s["quantity"], m.quantityOf)
	of(m, &l.Unit, s["unit"], m.unitOf)
	of(m, &l.UnitPrice, s["unitPrice"], m.amount)
	of(m, &l.Amount, s["amount"], m.amount)
	of(m, &l.CountryOfOrigin, s["countryOfOrigin"], m.country)
	measured(m, &l.NetMassKg, s["netMassKg"], m.mass)
	measured(m, &l.GrossMassKg, s["grossMassKg"], m.mass)
	of(m, &l.PackageCount, s["packageCount"], m.count)
	of(m, &l.Packages, s["packages"], m.phraseOf)
	of(m, &l.Marks, s["marks"], m.phraseOf)
	measured(m, &l.VolumeM3, s["volumeM3"], m.volume)
	return l
}

// describe takes a description, whole or in parts on several lines, and stores where the line
// of goods begins.
func (m *completing) describe(l *LineItem, text string) {
	for c := range m.places(text) {
		m.near = c.cell.row.index
		of(m, &l.Description, text, described)
		return
	}
	m.spread(&l.Description, text)
}

// containers takes containers that the offline engine did not find.
func (m *completing) containers(d *TradeDocument) {
	if len(d.Containers) > 0 || d.DocumentType == Invoice {
		return
	}
	containers := m.said.Containers
	if len(containers) > maxAnswerItems {
		containers, m.cut = containers[:maxAnswerItems], true
	}
	for _, s := range containers {
		var k Container
		of(m, &k.Number, s["number"], containerNumber)
		if k.Number == nil {
			continue
		}
		of(m, &k.Seal, s["seal"], m.identifier)
		of(m, &k.PackageCount, s["packageCount"], m.count)
		measured(m, &k.GrossMassKg, s["grossMassKg"], m.mass)
		measured(m, &k.VolumeM3, s["volumeM3"], m.volume)
		d.Containers = append(d.Containers, k)
	}
}

func containerNumber(c candidate) (string, Confidence, bool) {
	number, err := ident.ParseContainer(strings.NewReplacer("-", "", "/", "").Replace(c.text))
	if err == nil && !number.ValidChecksum() {
		return string(number), wrongCheckDigit, true
	}
	return string(number), certain, err == nil
}
