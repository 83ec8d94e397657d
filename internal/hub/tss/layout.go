package tss

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// form is the layout of the form of a declaration to the Trader Support Service (TSS).
var form = &layout.Form{
	Decides: "movementType",
	Sections: []layout.Section{
		{
			Title: "Movement", Help: "One declaration for each kind of goods that move to or from Northern Ireland.", Fields: []layout.Field{
				{Path: "movementType", Label: "Direction", Hint: "It decides whether goods at risk pay EU duty", Closed: true, Options: []layout.Option{
					{Value: string(GBToNI), Label: "Great Britain to Northern Ireland"}, {Value: string(NIToGB), Label: "Northern Ireland to Great Britain"}, {Value: string(ImportToNI), Label: "Into Northern Ireland from outside the United Kingdom and the EU"},
				}},
				{Path: "traderEori", Label: "Declarant’s EORI number", Hint: "XI and twelve digits for goods that move into Northern Ireland"},
				{Path: "ukimsAuthNumber", Label: "UKIMS authorisation", Hint: "Number of the trader’s authorisation for the UK Internal Market Scheme, which begins with XIUKIM", When: layout.Only("movementType", "", GBToNI, ImportToNI)},
				{Path: "reference", Label: "Your reference", Hint: "Your own number of the consignment. It is not sent."},
			},
			Sources: []layout.Source{source.Client("trader", "Take the declarant from a client", source.From("traderEori", "xiEori", "eori"), source.From("ukimsAuthNumber", "ukims")), declarationSource},
		},
		{
			Title: "Consignor", Help: "The person who sends the goods.", Fields: []layout.Field{
				{Path: "consignorName", Label: "Consignor"},
				{Path: "consignorEori", Label: "Consignor’s EORI number"},
				{Path: "consignorCountry", Label: "Country of dispatch", Hint: "GB for Great Britain, XI for Northern Ireland", Expected: true},
			},
			Sources: []layout.Source{source.Client("consignor", "Take the consignor from a client", source.From("consignorName", "name"), source.From("consignorEori", "eori"), source.From("consignorCountry", "country"))},
		},
		{
			Title: "Consignee", Help: "The person who receives the goods.", Fields: []layout.Field{
				{Path: "consigneeName", Label: "Consignee"},
				{Path: "consigneeEori", Label: "Consignee’s EORI number", Hint: "XI and twelve digits for a trader in Northern Ireland"},
				{Path: "consigneeCountry", Label: "Country of destination", Hint: "XI for Northern Ireland", Expected: true},
			},
			Sources: []layout.Source{source.Client("consignee", "Take the consignee from a client", source.From("consigneeName", "name"), source.From("consigneeEori", "xiEori", "eori"), source.From("consigneeCountry", "country"))},
		},
		{
			Title: "Goods", Fields: []layout.Field{
				{Path: "goodsDescription", Label: "Description of the goods", Hint: "In plain words, so that customs can identify them"},
				{Path: "commodityCode", Label: "Commodity code", Hint: "Ten digits for goods into Northern Ireland, such as 9403409000"},
				{Path: "countryOfOrigin", Label: "Country of origin", Hint: "Where the goods were made", Expected: true},
				{Path: "netMassKg", Label: "Net mass (kg)", Hint: "Without packaging"},
				{Path: "customsValueGbp", Label: "Customs value (£)", Hint: "Price with transport and insurance to the border", Expected: true},
			},
		},
		{
			Title: "Risk of onward movement", When: layout.Only("movementType", "", GBToNI, ImportToNI), Help: "Goods that may move on to the European Union pay EU duty. A trader who claims that they are not at risk must be able to prove it.", Fields: []layout.Field{
				{Path: "riskCategorisation", Label: "Risk", Closed: true, Hint: "Without a claim the goods are treated as at risk", Options: []layout.Option{
					{Value: string(NotAtRisk), Label: "Not at risk of moving to the EU"}, {Value: string(AtRisk), Label: "At risk of moving to the EU"}, {Value: string(Unclaimed), Label: "No claim"},
				}},
				{Path: "notAtRiskReason", Label: "Reason", Hint: "Why the goods are not at risk", When: layout.Only("riskCategorisation", "", NotAtRisk), Closed: true, Options: []layout.Option{
					{Value: string(ConsumedInNI), Label: "Sold to or used by end consumers in Northern Ireland or Great Britain, under UKIMS"}, {Value: string(UKOrigin), Label: "UK origin and no EU duty"},
					{Value: string(NoProcessing), Label: "Not subject to commercial processing"}, {Value: string(DomesticGoods), Label: "In free circulation in the United Kingdom"},
				}},
			},
		},
		{
			Title: "Customs declarations", Help: "Declarations to CDS of the same goods, such as the export from Great Britain.", Fields: []layout.Field{
				{Path: "customsDeclarations", Label: "Customs declarations", Hint: "MRN of each, or its DUCR"},
			},
			Sources: []layout.Source{numberSource},
		},
		{
			Title: "Transport", Fields: []layout.Field{
				{Path: "transportDocNumber", Label: "Transport document", Hint: "Number of the consignment note (CMR), bill of lading or air waybill", Expected: true},
				{Path: "vehicleReg", Label: "Vehicle registration number", Hint: "Of the vehicle or trailer, such as AB24 CDE", Expected: true},
				{Path: "scheduledDispatchAt", Label: "Date and time of dispatch", Hint: "London time", Expected: true},
			},
		},
	},
}

// numberSource adds the MRNs of declarations that customs has accepted.
var numberSource = func() layout.Source {
	s := source.Declaration("declarations", "Choose the customs declarations of the goods", source.From("customsDeclarations", "mrn"))
	s.Several, s.Statuses = true, []string{"ACCEPTED", "CLEARED"}
	return s
}()

var declarationSource = source.Item("declaration", "Take parties and goods from a customs declaration", slices.Concat(
	source.Consignor("consignor", "Name", "Eori", "Country"), source.Consignee("consignee", "Name", "Eori", "Country"), []layout.Take{
		source.From("goodsDescription", "entry.description"), source.From("commodityCode", "entry.commodityCode"), source.From("countryOfOrigin", "entry.countryOfOrigin"),
		source.From("netMassKg", "entry.netMassKg"), source.From("customsValueGbp", "entry.customsValueGbp"), source.Registration("vehicleReg"), source.From("reference", "reference"),
	})...)
