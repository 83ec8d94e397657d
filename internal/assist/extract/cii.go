package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

// readCII reads a Cross Industry Invoice (UN/CEFACT D16B), as in ZUGFeRD and Factur-X.
func readCII(d *TradeDocument, root *source.Element) {
	head, trade := root.Find("ExchangedDocument"), root.Find("SupplyChainTradeTransaction")
	agreement, delivery, settlement := trade.Find("ApplicableHeaderTradeAgreement"), trade.Find("ApplicableHeaderTradeDelivery"), trade.Find("ApplicableHeaderTradeSettlement")
	d.InvoiceNumber = textAt(head.Find("ID"))
	d.InvoiceKind = kindAt(head.Find("TypeCode"))
	d.InvoiceReference = textAt(settlement.Find("InvoiceReferencedDocument", "IssuerAssignedID"))
	d.InvoiceDate = dateAt(head.Find("IssueDateTime", "DateTimeString"))
	d.DueDate = dateAt(settlement.Find("SpecifiedTradePaymentTerms", "DueDateDateTime", "DateTimeString"))
	d.PaymentTerms = textAt(settlement.Find("SpecifiedTradePaymentTerms", "Description"))
	d.Currency = textAt(settlement.Find("InvoiceCurrencyCode"))
	d.PurchaseOrderNumber = textAt(agreement.Find("BuyerOrderReferencedDocument", "IssuerAssignedID"))
	d.Seller, d.Buyer = ciiParty(agreement.Find("SellerTradeParty")), ciiParty(agreement.Find("BuyerTradeParty"))
	terms := agreement.Find("ApplicableTradeDeliveryTerms")
	if d.Incoterm = textAt(terms.Find("DeliveryTypeCode")); d.Incoterm != nil && !incoterm.MatchString(d.Incoterm.Value) {
		d.Incoterm = nil
	}
	d.IncotermPlace = textAt(terms.Find("RelevantTradeLocation", "Name"))
	d.GrossMassKg = massAt(delivery.Find("RelatedSupplyChainConsignment", "GrossWeightMeasure"))
	d.Totals = ciiTotals(settlement)
	for _, line := range trade.All("IncludedSupplyChainTradeLineItem") {
		if len(d.LineItems) < maxItems {
			d.LineItems = append(d.LineItems, ciiLine(line))
		}
	}
}

func ciiParty(e *source.Element) *TradeParty {
	if e == nil {
		return nil
	}
	at := e.Find("PostalTradeAddress")
	p := TradeParty{
		Name:    textAt(e.Find("Name")),
		Address: addressAt(at.Find("LineOne"), at.Find("LineTwo"), at.Find("LineThree"), at.Find("CityName"), at.Find("PostcodeCode")),
		Country: countryAt(at.Find("CountryID")),
	}
	for _, id := range e.All("SpecifiedTaxRegistration", "ID") {
		if id.Attrs["schemeID"] != "FC" { // FC is a local tax number
			p.register(textAt(id))
		}
	}
	for _, id := range append(e.All("GlobalID"), e.All("ID")...) {
		if t := textAt(id); t != nil && (strings.HasPrefix(t.Value, "GB") || strings.HasPrefix(t.Value, "XI")) {
			p.register(t)
		}
	}
	return &p
}

func ciiTotals(settlement *source.Element) *InvoiceTotals {
	sums := settlement.Find("SpecifiedTradeSettlementHeaderMonetarySummation")
	t := InvoiceTotals{Goods: amountAt(sums.Find("LineTotalAmount")), VAT: amountAt(sums.Find("TaxTotalAmount")), Grand: amountAt(sums.Find("GrandTotalAmount"))}
	if t.Grand == nil {
		t.Grand = amountAt(sums.Find("DuePayableAmount"))
	}
	for _, charge := range settlement.All("SpecifiedTradeAllowanceCharge") {
		reason := fold(source.TextOf(charge.Find("Reason")))
		switch {
		case source.TextOf(charge.Find("ChargeIndicator", "Indicator")) != "true":
		case strings.Contains(reason, "freight") || strings.Contains(reason, "fracht") || strings.Contains(reason, "transport"):
			t.Freight = amountAt(charge.Find("ActualAmount"))
		case strings.Contains(reason, "insurance") || strings.Contains(reason, "versicherung"):
			t.Insurance = amountAt(charge.Find("ActualAmount"))
		}
	}
	if t == (InvoiceTotals{}) {
		return nil
	}
	return &t
}

func ciiLine(line *source.Element) LineItem {
	product, delivery := line.Find("SpecifiedTradeProduct"), line.Find("SpecifiedLineTradeDelivery")
	agreement, settlement := line.Find("SpecifiedLineTradeAgreement"), line.Find("SpecifiedLineTradeSettlement")
	quantity := delivery.Find("BilledQuantity")
	l := LineItem{
		Description: textAt(product.Find("Name")), Quantity: amountAt(quantity), UnitPrice: amountAt(agreement.Find("NetPriceProductTradePrice", "ChargeAmount")),
		Amount:          amountAt(settlement.Find("SpecifiedTradeSettlementLineMonetarySummation", "LineTotalAmount")),
		CountryOfOrigin: countryAt(product.Find("OriginTradeCountry", "ID")),
		CommodityCode:   codeAt(product.Find("DesignatedProductClassification", "ClassCode")),
	}
	if quantity != nil && quantity.Attrs["unitCode"] != "" {
		l.Unit = &Text{quantity.Attrs["unitCode"], standardConfidence, Place{XPath: quantity.Path + "/@unitCode", Text: quantity.Attrs["unitCode"]}}
	}
	for _, property := range product.All("ApplicableProductCharacteristic") {
		switch phrase(source.TextOf(property.Find("Description"))) {
		case "net weight", "net mass", "nettogewicht":
			l.NetMassKg = massAt(property.Find("ValueMeasure"))
		case "gross weight", "gross mass", "bruttogewicht":
			l.GrossMassKg = massAt(property.Find("ValueMeasure"))
		}
	}
	return l
}
