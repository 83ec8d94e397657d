package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// complete fills the gaps of a document, first those of its type.
func (m *completion) complete(d *TradeDocument) {
	m.parties(d)
	switch s := m.answer.Fields; d.DocumentType {
	case Invoice:
		m.invoice(d, s)
	case BillOfLading:
		m.bill(d, s)
	case PackingList:
		fromText(m, &d.PackingListNumber, s["packingListNumber"], m.identifier)
		fromText(m, &d.PackingListDate, s["packingListDate"], m.date)
		fromText(m, &d.InvoiceReference, s["invoiceReference"], m.identifier)
		fromText(m, &d.PurchaseOrderNumber, s["purchaseOrderNumber"], m.identifier)
		fromText(m, &d.Marks, s["marks"], m.phraseOf)
	}
	m.shared(d, m.answer.Fields)
	m.items(d)
	m.containers(d)
}

func (m *completion) parties(d *TradeDocument) {
	places := map[string]**TradeParty{
		"seller": &d.Seller, "buyer": &d.Buyer, "shipper": &d.Shipper, "consignee": &d.Consignee, "notifyParty": &d.NotifyParty,
	}
	for role := range strings.FieldsSeq(sides[d.DocumentType]) {
		m.party(places[role], m.answer.Parties[role])
	}
	if d.DocumentType == BillOfLading {
		m.guessOrder(d.Shipper)
		return
	}
	m.guessOrder(d.Seller)
}

// party fills the gaps of a party if the model names the same one, or the document has no name
// for it.
func (m *completion) party(to **TradeParty, s map[string]string) {
	p := TradeParty{}
	if *to != nil {
		p = **to
	}
	if nameOf(&p) > offlineTrusted && phrase(p.Name.Value) != phrase(s["name"]) {
		return
	}
	if nameOf(&p) <= offlineTrusted {
		p = TradeParty{}
	}
	fromText(m, &p.Name, s["name"], m.phraseOf)
	if p.Name == nil {
		return
	}
	m.spread(&p.Address, s["address"])
	fromText(m, &p.Country, s["country"], m.country)
	fromText(m, &p.VATNumber, s["vatNumber"], vatNumber)
	fromText(m, &p.EORI, s["eori"], eori)
	*to = &p
}

func (m *completion) invoice(d *TradeDocument, s map[string]string) {
	fromText(m, &d.InvoiceNumber, s["invoiceNumber"], m.identifier)
	fromText(m, &d.InvoiceDate, s["invoiceDate"], m.date)
	fromText(m, &d.DueDate, s["dueDate"], m.date)
	fromText(m, &d.PurchaseOrderNumber, s["purchaseOrderNumber"], m.identifier)
	fromText(m, &d.PaymentTerms, s["paymentTerms"], m.phraseOf)
	m.money(&d.Currency, s["currency"])
	t := InvoiceTotals{}
	if d.Totals != nil {
		t = *d.Totals
	}
	fromText(m, &t.Goods, s["goodsTotal"], m.amount)
	fromText(m, &t.Freight, s["freight"], m.amount)
	fromText(m, &t.Insurance, s["insurance"], m.amount)
	fromText(m, &t.VAT, s["vat"], m.amount)
	fromText(m, &t.Grand, s["grandTotal"], m.amount)
	if t != (InvoiceTotals{}) {
		d.Totals = &t
	}
}

func (m *completion) bill(d *TradeDocument, s map[string]string) {
	fromText(m, &d.BillOfLadingNumber, s["billOfLadingNumber"], m.identifier)
	fromText(m, &d.IssueDate, s["issueDate"], m.date)
	fromText(m, &d.ShippedOnBoardDate, s["shippedOnBoardDate"], m.date)
	fromText(m, &d.BookingNumber, s["bookingNumber"], m.identifier)
	fromText(m, &d.Carrier, s["carrier"], m.phraseOf)
	fromText(m, &d.CarrierCode, s["carrierCode"], carrierCode)
	fromText(m, &d.Vessel, s["vessel"], m.phraseOf)
	fromText(m, &d.Voyage, s["voyage"], m.identifier)
	fromText(m, &d.PlaceOfReceipt, s["placeOfReceipt"], m.phraseOf)
	fromText(m, &d.PortOfLoading, s["portOfLoading"], m.phraseOf)
	fromText(m, &d.PortOfDischarge, s["portOfDischarge"], m.phraseOf)
	fromText(m, &d.PlaceOfDelivery, s["placeOfDelivery"], m.phraseOf)
	fromText(m, &d.FreightTerms, s["freightTerms"], freight)
}

func (m *completion) shared(d *TradeDocument, s map[string]string) {
	fromText(m, &d.CountryOfOrigin, s["countryOfOrigin"], m.country)
	fromText(m, &d.PackageCount, s["packageCount"], m.count)
	measured(m, &d.NetMassKg, s["netMassKg"], m.mass)
	measured(m, &d.GrossMassKg, s["grossMassKg"], m.mass)
	measured(m, &d.VolumeM3, s["volumeM3"], m.volume)
	fromText(m, &d.Incoterm, s["incoterm"], incotermOf)
	fromText(m, &d.IncotermPlace, s["incotermPlace"], m.phraseOf)
}

// items takes the model's lines of goods unless there are more certain ones.
func (m *completion) items(d *TradeDocument) {
	if linesOf(d) > offlineTrusted {
		return
	}
	lines := m.answer.LineItems
	if len(lines) > maxAnswerItems {
		lines, m.truncated = lines[:maxAnswerItems], true
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

func (m *completion) item(s map[string]string) (l LineItem) {
	m.describe(&l, s["description"])
	fromText(m, &l.CommodityCode, s["commodityCode"], m.commodityCode)
	fromText(m, &l.Quantity, s["quantity"], m.quantityOf)
	fromText(m, &l.Unit, s["unit"], m.unitOf)
	fromText(m, &l.UnitPrice, s["unitPrice"], m.amount)
	fromText(m, &l.Amount, s["amount"], m.amount)
	fromText(m, &l.CountryOfOrigin, s["countryOfOrigin"], m.country)
	measured(m, &l.NetMassKg, s["netMassKg"], m.mass)
	measured(m, &l.GrossMassKg, s["grossMassKg"], m.mass)
	fromText(m, &l.PackageCount, s["packageCount"], m.count)
	fromText(m, &l.Packages, s["packages"], m.phraseOf)
	fromText(m, &l.Marks, s["marks"], m.phraseOf)
	measured(m, &l.VolumeM3, s["volumeM3"], m.volume)
	return l
}

// describe takes a description, whole or in parts on several lines, and stores where the line
// of goods begins.
func (m *completion) describe(l *LineItem, text string) {
	for c := range m.places(text) {
		m.near = c.cell.row.index
		fromText(m, &l.Description, text, described)
		return
	}
	m.spread(&l.Description, text)
}

// containers takes containers that the offline engine did not find.
func (m *completion) containers(d *TradeDocument) {
	if len(d.Containers) > 0 || d.DocumentType == Invoice {
		return
	}
	containers := m.answer.Containers
	if len(containers) > maxAnswerItems {
		containers, m.truncated = containers[:maxAnswerItems], true
	}
	for _, s := range containers {
		var k Container
		fromText(m, &k.Number, s["number"], containerNumber)
		if k.Number == nil {
			continue
		}
		fromText(m, &k.Seal, s["seal"], m.identifier)
		fromText(m, &k.PackageCount, s["packageCount"], m.count)
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
