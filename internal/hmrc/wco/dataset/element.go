package dataset

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// Element is a data element with its place in the XML: at the header, at each item, or at either.
type Element struct {
	Number string // such as 6/1
	Name   string // in words, for messages
	Header string // pointer of a missing one at the header; empty if it is declared at items only
	Item   string // the same below an item, such as 23A.137; empty if it is declared at the header only

	header func(*wco.Declaration) bool
	item   func(*wco.GovernmentAgencyGoodsItem) bool
}

// AtHeader reports whether the header of a declaration has the element.
func (e *Element) AtHeader(d *wco.Declaration) bool { return e.header != nil && e.header(d) }

// AtItem reports whether an item has the element.
func (e *Element) AtItem(g *wco.GovernmentAgencyGoodsItem) bool { return e.item != nil && e.item(g) }

// Elements returns the data elements in the order of their numbers. The caller must not change them.
func Elements() []Element { return elements }

// Short names of the functions below.
type (
	head = wco.Declaration
	line = wco.GovernmentAgencyGoodsItem
)

var elements = slices.Concat(messageElements, partyElements, valueElements, placeElements, goodsElements, transportElements)

// The elements of groups 1 and 2: the message and its references.
var messageElements = []Element{
	{Number: "1/1", Name: "declaration type", Header: "42A.D013", header: func(d *head) bool { return len(d.TypeCode) >= 2 }},
	{Number: "1/2", Name: "additional declaration type", Header: "42A.D013", header: func(d *head) bool { return len(d.TypeCode) == 3 }},
	{Number: "1/7", Name: "specific circumstance indicator", Header: "42A.504", header: func(d *head) bool { return d.SpecificCircumstancesCodeCode != "" }},
	{Number: "1/8", Name: "signature", Header: "42A.61B.104", header: func(d *head) bool { return d.Authentication != wco.Authentication{} }},
	{Number: "1/9", Name: "number of items", Header: "42A.228", header: func(d *head) bool { return d.GoodsItemQuantity != "" }},
	{Number: "1/10", Name: "procedure", Item: "70A[1].166", item: func(g *line) bool {
		return len(g.GovernmentProcedure) > 0 && g.GovernmentProcedure[0].CurrentCode != ""
	}},
	{Number: "1/11", Name: "additional procedure", Item: "70A[2].166", item: func(g *line) bool { return len(g.GovernmentProcedure) > 1 }},
	{Number: "2/1", Name: "previous document", Header: "42A.67A.99A[1].D018", Item: "99A[1].D018",
		header: func(d *head) bool { return len(d.GoodsShipment.PreviousDocument) > 0 }, item: func(g *line) bool { return len(g.PreviousDocument) > 0 }},
	{Number: "2/2", Name: "additional information", Header: "42A.03A[1].226", Item: "03A[1].226",
		header: func(d *head) bool { return len(d.AdditionalInformation) > 0 }, item: func(g *line) bool { return len(g.AdditionalInformation) > 0 }},
	{Number: "2/3", Name: "document", Item: "02A[1].D006", item: func(g *line) bool { return len(g.AdditionalDocument) > 0 }},
	{Number: "2/4", Name: "reference of the consignment", Header: "42A.67A.35B.016", Item: "35B.016",
		header: func(d *head) bool { return d.GoodsShipment.UCR != wco.UCR{} }, item: func(g *line) bool { return g.UCR != wco.UCR{} }},
	{Number: "2/5", Name: "LRN", Header: "42A.D026", header: func(d *head) bool { return d.FunctionalReferenceID != "" }},
	{Number: "2/6", Name: "deferment account", Header: "42A.02A[1].D005", header: func(d *head) bool { return len(d.AdditionalDocument) > 0 }},
	{Number: "2/7", Name: "warehouse", Header: "42A.67A.43B.L019", header: func(d *head) bool {
		return d.GoodsShipment.Warehouse.ID != "" || d.GoodsShipment.Warehouse.TypeCode != ""
	}},
}

// The elements of group 3: parties and authorisations.
var partyElements = []Element{
	{Number: "3/1", Name: "exporter's name", Header: "42A.57A.R031", header: func(d *head) bool { return d.Exporter.Name != "" }},
	{Number: "3/2", Name: "exporter's EORI", Header: "42A.57A.R032", header: func(d *head) bool { return d.Exporter.ID != "" }},
	{Number: "3/7", Name: "consignor's name", Header: "42A.28A.30A.R020", header: func(d *head) bool { return d.Consignment.Consignor != wco.Consignor{} }},
	{Number: "3/9", Name: "consignee's name", Header: "42A.67A.27A.R014", Item: "27A.R014",
		header: func(d *head) bool { return d.GoodsShipment.Consignee.Name != "" }, item: func(g *line) bool { return g.Consignee.Name != "" }},
	{Number: "3/10", Name: "consignee's EORI", Header: "42A.67A.27A.R015", Item: "27A.R015",
		header: func(d *head) bool { return d.GoodsShipment.Consignee.ID != "" }, item: func(g *line) bool { return g.Consignee.ID != "" }},
	{Number: "3/15", Name: "importer's name", Header: "42A.67A.74A.R037", header: func(d *head) bool { return d.GoodsShipment.Importer.Name != "" }},
	{Number: "3/16", Name: "importer's EORI", Header: "42A.67A.74A.R038", header: func(d *head) bool { return d.GoodsShipment.Importer.ID != "" }},
	{Number: "3/17", Name: "declarant's name", Header: "42A.57B.R124", header: func(d *head) bool { return d.Declarant.Name != "" }},
	{Number: "3/18", Name: "declarant's EORI", Header: "42A.57B.R123", header: func(d *head) bool { return d.Declarant.ID != "" }},
	{Number: "3/19", Name: "representative's name", Header: "42A.05A.R003", header: func(d *head) bool { return d.Agent.Name != "" }},
	{Number: "3/20", Name: "representative's EORI", Header: "42A.05A.R004", header: func(d *head) bool { return d.Agent.ID != "" }},
	{Number: "3/21", Name: "representation", Header: "42A.05A.102", header: func(d *head) bool { return d.Agent.FunctionCode != "" }},
	{Number: "3/24", Name: "seller's name", Header: "42A.67A.09B.R050", Item: "09B.R050",
		header: func(d *head) bool { return d.GoodsShipment.Seller.Name != "" }, item: func(g *line) bool { return g.Seller.Name != "" }},
	{Number: "3/25", Name: "seller's EORI", Header: "42A.67A.09B.R051", Item: "09B.R051",
		header: func(d *head) bool { return d.GoodsShipment.Seller.ID != "" }, item: func(g *line) bool { return g.Seller.ID != "" }},
	{Number: "3/26", Name: "buyer's name", Header: "42A.67A.16A.R009", Item: "16A.R009",
		header: func(d *head) bool { return d.GoodsShipment.Buyer.Name != "" }, item: func(g *line) bool { return g.Buyer.Name != "" }},
	{Number: "3/27", Name: "buyer's EORI", Header: "42A.67A.16A.R010", Item: "16A.R010",
		header: func(d *head) bool { return d.GoodsShipment.Buyer.ID != "" }, item: func(g *line) bool { return g.Buyer.ID != "" }},
	{Number: "3/31", Name: "carrier's name", Header: "42A.28A.18A.R011", header: func(d *head) bool { return d.Consignment.Carrier.Name != "" }},
	{Number: "3/32", Name: "carrier's EORI", Header: "42A.28A.18A.R012", header: func(d *head) bool { return d.Consignment.Carrier.ID != "" }},
	{Number: "3/37", Name: "supply chain actor", Header: "42A.67A.16C[1].R143", Item: "16C[1].R143",
		header: func(d *head) bool { return len(d.GoodsShipment.AEOMutualRecognitionParty) > 0 }, item: func(g *line) bool { return len(g.AEOMutualRecognitionParty) > 0 }},
	{Number: "3/39", Name: "holder of the authorisation", Header: "42A.17C[1].R144", header: func(d *head) bool { return len(d.AuthorisationHolder) > 0 }},
	{Number: "3/40", Name: "fiscal reference", Header: "42A.67A.55B[1].R119", Item: "55B[1].R119",
		header: func(d *head) bool { return len(d.GoodsShipment.DomesticDutyTaxParty) > 0 }, item: func(g *line) bool { return len(g.DomesticDutyTaxParty) > 0 }},
}

// The elements of group 4: values and taxes.
var valueElements = []Element{
	{Number: "4/1", Name: "delivery terms", Header: "42A.67A.22B.090", header: func(d *head) bool { return d.GoodsShipment.TradeTerms.ConditionCode != "" }},
	{Number: "4/2", Name: "payment of the transport", Header: "42A.28A.62A.098", header: hasFreight},
	{Number: "4/3", Name: "tax type", Item: "23A.50A[1].113", item: func(g *line) bool { return anyFee(g, func(f *wco.DutyTaxFee) bool { return f.TypeCode != "" }) }},
	{Number: "4/4", Name: "tax base", Item: "23A.50A[1].116", item: func(g *line) bool {
		return anyFee(g, func(f *wco.DutyTaxFee) bool {
			return f.AdValoremTaxBaseAmount.Value != "" || f.SpecificTaxBaseQuantity.Value != ""
		})
	}},
	{Number: "4/6", Name: "payable tax", Item: "23A.50A[1].94A.378", item: func(g *line) bool {
		return anyFee(g, func(f *wco.DutyTaxFee) bool { return f.Payment.PaymentAmount.Value != "" })
	}},
	{Number: "4/7", Name: "assessed tax", Item: "23A.50A[1].94A.120", item: func(g *line) bool {
		return anyFee(g, func(f *wco.DutyTaxFee) bool { return f.Payment.TaxAssessedAmount.Value != "" })
	}},
	{Number: "4/8", Name: "method of payment", Item: "23A.50A[1].94A.107", item: func(g *line) bool {
		return anyFee(g, func(f *wco.DutyTaxFee) bool { return f.Payment.MethodCode != "" })
	}},
	{Number: "4/9", Name: "addition or deduction", Header: "42A.67A.41A.58B[1].371", Item: "41A.58B[1].371",
		header: func(d *head) bool { return len(d.GoodsShipment.CustomsValuation.ChargeDeduction) > 0 }, item: func(g *line) bool { return len(g.CustomsValuation.ChargeDeduction) > 0 }},
	{Number: "4/10", Name: "currency of the invoice", Header: "42A.109", header: func(d *head) bool { return d.InvoiceAmount.Currency != "" }},
	{Number: "4/11", Name: "total of the invoice", Header: "42A.109", header: func(d *head) bool { return d.InvoiceAmount.Value != "" }},
	{Number: "4/13", Name: "valuation indicators", Item: "39B.188", item: func(g *line) bool { return g.ValuationAdjustment.AdditionCode != "" }},
	{Number: "4/14", Name: "item price", Item: "23A.79A.112", item: func(g *line) bool { return g.Commodity.InvoiceLine.ItemChargeAmount.Value != "" }},
	{Number: "4/15", Name: "exchange rate", Header: "42A.40A[1].118", header: func(d *head) bool { return len(d.CurrencyExchange) > 0 }},
	{Number: "4/16", Name: "valuation method", Item: "41A.122", item: func(g *line) bool { return g.CustomsValuation.MethodCode != "" }},
	{Number: "4/17", Name: "preference", Item: "23A.50A[1].164", item: func(g *line) bool { return anyFee(g, func(f *wco.DutyTaxFee) bool { return f.DutyRegimeCode != "" }) }},
	{Number: "8/1", Name: "quota", Item: "23A.50A[1].401", item: func(g *line) bool { return anyFee(g, func(f *wco.DutyTaxFee) bool { return f.QuotaOrderID != "" }) }},
	{Number: "8/2", Name: "kind of guarantee", Header: "42A.90A[1].101",
		header: func(d *head) bool {
			return anyGuarantee(d, func(g *wco.ObligationGuarantee) bool { return g.SecurityDetailsCode != "" })
		}},
	{Number: "8/3", Name: "guarantee", Header: "42A.90A[1].D014", header: func(d *head) bool {
		return anyGuarantee(d, func(g *wco.ObligationGuarantee) bool {
			return g.ID != "" || g.ReferenceID != "" || g.AmountAmount.Value != ""
		})
	}},
	{Number: "8/5", Name: "nature of transaction", Header: "42A.67A.103", Item: "103",
		header: func(d *head) bool { return d.GoodsShipment.TransactionNatureCode != "" }, item: func(g *line) bool { return g.TransactionNatureCode != "" }},
	{Number: "8/6", Name: "statistical value", Item: "114", item: func(g *line) bool { return g.StatisticalValueAmount.Value != "" }},
	{Number: "8/7", Name: "quantity written off", Item: "02A[1].22C", item: func(g *line) bool {
		return slices.ContainsFunc(g.AdditionalDocument, func(d wco.AdditionalDocument) bool { return d.WriteOff != wco.WriteOff{} })
	}},
}

func hasFreight(d *head) bool {
	return d.Consignment.Freight.PaymentMethodCode != "" ||
		slices.ContainsFunc(d.Consignment.ConsignmentItem, func(i wco.ConsignmentItem) bool { return i.Freight.PaymentMethodCode != "" })
}

func anyFee(g *line, has func(*wco.DutyTaxFee) bool) bool {
	for n := range g.Commodity.DutyTaxFee {
		if has(&g.Commodity.DutyTaxFee[n]) {
			return true
		}
	}
	return false
}

func anyGuarantee(d *head, has func(*wco.ObligationGuarantee) bool) bool {
	for n := range d.ObligationGuarantee {
		if has(&d.ObligationGuarantee[n]) {
			return true
		}
	}
	return false
}
