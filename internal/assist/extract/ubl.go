package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

// readUBL reads an invoice in the Universal Business Language 2 (OASIS).
func readUBL(d *TradeDocument, root *source.Element) {
	d.InvoiceNumber = textAt(root.Find("ID"))
	if d.InvoiceKind = kindAt(root.Find("InvoiceTypeCode")); root.Name.Space == ublCredit {
		d.InvoiceKind = &Text{creditNote, standardConfidence, Place{XPath: root.Path, Text: root.Name.Local}}
	}
	d.InvoiceReference = textAt(root.Find("BillingReference", "InvoiceDocumentReference", "ID"))
	d.InvoiceDate = dateAt(root.Find("IssueDate"))
	if d.DueDate = dateAt(root.Find("DueDate")); d.DueDate == nil {
		d.DueDate = dateAt(root.Find("PaymentMeans", "PaymentDueDate"))
	}
	d.Currency = textAt(root.Find("DocumentCurrencyCode"))
	d.PurchaseOrderNumber = textAt(root.Find("OrderReference", "ID"))
	d.PaymentTerms = textAt(root.Find("PaymentTerms", "Note"))
	d.Seller = ublParty(root.Find("AccountingSupplierParty", "Party"))
	d.Buyer = ublParty(root.Find("AccountingCustomerParty", "Party"))
	if term := textAt(root.Find("DeliveryTerms", "ID")); term != nil && incoterm.MatchString(term.Value) {
		term.Value = strings.ToUpper(incoterm.FindStringSubmatch(term.Value)[1])
		d.Incoterm = term
	}
	if d.IncotermPlace = textAt(root.Find("DeliveryTerms", "DeliveryLocation", "Name")); d.IncotermPlace == nil {
		d.IncotermPlace = textAt(root.Find("DeliveryTerms", "DeliveryLocation", "ID"))
	}
	d.GrossMassKg, d.NetMassKg = massAt(root.Find("Delivery", "Shipment", "GrossWeightMeasure")), massAt(root.Find("Delivery", "Shipment", "NetWeightMeasure"))
	d.Totals = ublTotals(root)
	for _, line := range append(root.All("InvoiceLine"), root.All("CreditNoteLine")...) {
		if len(d.LineItems) < maxItems {
			d.LineItems = append(d.LineItems, ublLine(line))
		}
	}
}

func ublParty(e *source.Element) *TradeParty {
	if e == nil {
		return nil
	}
	var p TradeParty
	if p.Name = textAt(e.Find("PartyLegalEntity", "RegistrationName")); p.Name == nil {
		p.Name = textAt(e.Find("PartyName", "Name"))
	}
	at := e.Find("PostalAddress")
	p.Address = addressAt(at.Find("StreetName"), at.Find("AdditionalStreetName"), at.Find("CityName"), at.Find("PostalZone"))
	p.Country = countryAt(at.Find("Country", "IdentificationCode"))
	for _, id := range e.All("PartyTaxScheme", "CompanyID") {
		p.register(textAt(id))
	}
	for _, id := range e.All("PartyIdentification", "ID") {
		if t := textAt(id); t != nil && strings.HasPrefix(t.Value, "GB") || t != nil && strings.HasPrefix(t.Value, "XI") {
			p.register(t)
		}
	}
	return &p
}

func ublTotals(root *source.Element) *InvoiceTotals {
	sums := root.Find("LegalMonetaryTotal")
	t := InvoiceTotals{Goods: amountAt(sums.Find("LineExtensionAmount")), VAT: amountAt(root.Find("TaxTotal", "TaxAmount")), Grand: amountAt(sums.Find("PayableAmount"))}
	if t.Grand == nil {
		t.Grand = amountAt(sums.Find("TaxInclusiveAmount"))
	}
	for _, charge := range root.All("AllowanceCharge") {
		reason := fold(source.TextOf(charge.Find("AllowanceChargeReason")) + " " + source.TextOf(charge.Find("AllowanceChargeReasonCode")))
		switch {
		case source.TextOf(charge.Find("ChargeIndicator")) != "true":
		case strings.Contains(reason, "freight") || strings.Contains(reason, "fc") || strings.Contains(reason, "carriage"):
			t.Freight = amountAt(charge.Find("Amount"))
		case strings.Contains(reason, "insurance"):
			t.Insurance = amountAt(charge.Find("Amount"))
		}
	}
	if t == (InvoiceTotals{}) {
		return nil
	}
	return &t
}

func ublLine(line *source.Element) LineItem {
	item, invoiced := line.Find("Item"), line.Find("InvoicedQuantity")
	if invoiced == nil {
		invoiced = line.Find("CreditedQuantity")
	}
	l := LineItem{
		Description: textAt(item.Find("Name")), Quantity: amountAt(invoiced), UnitPrice: amountAt(line.Find("Price", "PriceAmount")),
		Amount: amountAt(line.Find("LineExtensionAmount")), CountryOfOrigin: countryAt(item.Find("OriginCountry", "IdentificationCode")),
	}
	if l.Description == nil {
		l.Description = textAt(item.Find("Description"))
	}
	if q := invoiced; q != nil && q.Attrs["unitCode"] != "" {
		l.Unit = &Text{q.Attrs["unitCode"], standardConfidence, Place{XPath: q.Path + "/@unitCode", Text: q.Attrs["unitCode"]}}
	}
	for _, code := range item.All("CommodityClassification", "ItemClassificationCode") {
		if list := code.Attrs["listID"]; l.CommodityCode == nil && (list == "HS" || list == "TSP" || list == "CV" || list == "") {
			l.CommodityCode = codeAt(code)
		}
	}
	if l.CommodityCode == nil {
		l.CommodityCode = codeAt(item.Find("CommodityClassification", "CommodityCode"))
	}
	for _, property := range item.All("AdditionalItemProperty") {
		switch phrase(source.TextOf(property.Find("Name"))) {
		case "net weight", "net mass":
			l.NetMassKg = massAt(property.Find("ValueQuantity"))
		case "gross weight", "gross mass":
			l.GrossMassKg = massAt(property.Find("ValueQuantity"))
		}
	}
	return l
}
