package checktest

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
)

// Change makes a declaration wrong.
type Change = func(*wco.Declaration)

// stating adds statements to the first item.
func stating(codes ...string) Change {
	return func(d *wco.Declaration) {
		for _, c := range codes {
			Item(d).AdditionalInformation = append(Item(d).AdditionalInformation, Statement(c))
		}
	}
}

// twice repeats the item and changes the second one.
func twice(second func(*wco.GovernmentAgencyGoodsItem)) Change {
	return func(d *wco.Declaration) {
		items := &d.GoodsShipment.GovernmentAgencyGoodsItem
		*items = append(*items, (*items)[0])
		d.GoodsItemQuantity = "2"
		(*items)[1].AdditionalInformation = slices.Clone((*items)[0].AdditionalInformation)
		second(&(*items)[1])
	}
}

func both(changes ...Change) Change {
	return func(d *wco.Declaration) {
		for _, c := range changes {
			c(d)
		}
	}
}

func asType(code string) Change { return func(d *wco.Declaration) { d.TypeCode = code } }

func papered(documents ...wco.AdditionalDocument) Change {
	return func(d *wco.Declaration) {
		Item(d).AdditionalDocument = append(Item(d).AdditionalDocument, documents...)
	}
}

// WrongImports are changes of Import by the only code that they deserve.
var WrongImports = map[string]Change{
	"CDS10001": func(d *wco.Declaration) { d.TotalPackageQuantity = "" },
	"CDS10002": func(d *wco.Declaration) { d.ExitOffice.ID = "GB000060" },
	"CDS10003": func(d *wco.Declaration) {
		Item(d).AdditionalInformation = slices.Repeat([]wco.AdditionalInformation{Statement("00600")}, 100)
	},
	"CDS10004": func(d *wco.Declaration) { Item(d).Commodity.Classification = Item(d).Commodity.Classification[:1] },
	"CDS10020": func(d *wco.Declaration) { d.GoodsShipment.Destination.CountryCode = "YY" },
	"CDS10021": func(d *wco.Declaration) { Item(d).StatisticalValueAmount.Value = "-1" },
	"CDS11003": func(d *wco.Declaration) { d.GoodsItemQuantity = "7" },
	"CDS11005": both(stating("00100"), twice(func(g *wco.GovernmentAgencyGoodsItem) {
		g.GovernmentProcedure = []wco.GovernmentProcedure{{CurrentCode: "53", PreviousCode: "00"}, {CurrentCode: "000"}}
	})),
	"CDS11006": func(d *wco.Declaration) { Item(d).Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "131.1" },
	"CDS12005": func(d *wco.Declaration) { d.Declarant.ID = "GB12" },
	"CDS12016": func(d *wco.Declaration) {
		d.AcceptanceDateTime = wco.DateTime{Value: "20301231000000Z", Format: "304"}
	},
	"CDS12022": func(d *wco.Declaration) { Item(d).SequenceNumeric = "5" },
	"CDS12050": func(d *wco.Declaration) { Item(d).GovernmentProcedure = nil },
	"CDS12052": asType("IMV"),
	"CDS12056": func(d *wco.Declaration) { Item(d).GovernmentProcedure[1].CurrentCode = "D05" },
	"CDS12057": twice(func(g *wco.GovernmentAgencyGoodsItem) { g.Commodity.InvoiceLine.ItemChargeAmount.Currency = "USD" }),
	"CDS12058": func(d *wco.Declaration) {
		Item(d).Packaging = []wco.Packaging{{MarksNumbersID: "1", QuantityQuantity: "0", TypeCode: "CT"}}
	},
	"CDS12070": func(d *wco.Declaration) { Item(d).Commodity.DutyTaxFee[0].DutyRegimeCode = "120" },
	"CDS12071": func(d *wco.Declaration) { Item(d).TransactionNatureCode = "3" },
	"CDS12073": func(d *wco.Declaration) { d.GoodsShipment.TransactionNatureCode = "" },
	"CDS12074": func(d *wco.Declaration) { d.Agent.FunctionCode = "" },
	"CDS12078": func(d *wco.Declaration) { d.AdditionalDocument = nil },
	"CDS12079": func(d *wco.Declaration) {
		d.GoodsShipment.DomesticDutyTaxParty = []wco.RoledParty{{ID: "GB987654321", RoleCode: "FR1"}}
		Item(d).Commodity.DutyTaxFee = append(Item(d).Commodity.DutyTaxFee, wco.DutyTaxFee{TypeCode: "B00", Payment: wco.Payment{MethodCode: "E"}})
	},
	"CDS12081": func(d *wco.Declaration) { d.Exporter.ID = Other },
	"CDS12082": func(d *wco.Declaration) { d.InvoiceAmount = wco.Amount{Value: "9", Currency: "USD"} },
	"CDS12083": func(d *wco.Declaration) {
		Item(d).Origin = append(Item(d).Origin, wco.Origin{CountryCode: "FR", TypeCode: "2"}, wco.Origin{CountryCode: "EU", TypeCode: "2"})
	},
	"CDS12088": func(d *wco.Declaration) { d.Agent.Address.CityName = "Hull" },
	"CDS12092": func(d *wco.Declaration) { d.Exporter.ID, d.GoodsShipment.Seller.ID = Trader, Trader },
	"CDS12096": func(d *wco.Declaration) {
		d.AuthorisationHolder = append(d.AuthorisationHolder, wco.AuthorisationHolder{ID: Other, CategoryCode: "EUS"})
	},
	"CDS12099": func(d *wco.Declaration) { d.GoodsShipment.Consignment.GoodsLocation.TypeCode = "Q" },
	"CDS12102": both(func(d *wco.Declaration) {
		Item(d).Commodity.DutyTaxFee[0].Payment.MethodCode = "P"
		Item(d).AdditionalDocument = Item(d).AdditionalDocument[:1]
		d.AuthorisationHolder = nil
	}),
	"CDS12103": both(asType("COA"), func(d *wco.Declaration) { d.GoodsShipment.Destination.CountryCode = "" }),
	"CDS12104": func(d *wco.Declaration) { Item(d).GovernmentProcedure[0].CurrentCode = "10" },
	"CDS12110": func(d *wco.Declaration) { Item(d).Commodity.DutyTaxFee[0].QuotaOrderID = "057012" },
	"CDS12111": func(d *wco.Declaration) {
		Item(d).Commodity.DutyTaxFee[0].Payment.PaymentAmount = wco.Amount{Value: "5", Currency: "USD"}
		stating("OVR01")(d)
	},
	"CDS12113": func(d *wco.Declaration) {
		d.AuthorisationHolder = append(d.AuthorisationHolder, wco.AuthorisationHolder{ID: Other, CategoryCode: "CGU"})
		d.ObligationGuarantee = []wco.ObligationGuarantee{{ReferenceID: "1", SecurityDetailsCode: "3"}}
		papered(Document("C505", "GBCGU1", ""))(d)
	},
	"CDS12117": func(d *wco.Declaration) { d.GoodsShipment.Buyer.ID = Other },
	"CDS12120": both(asType("IMC"), func(d *wco.Declaration) { d.AuthorisationHolder[0].CategoryCode = "DPO" }),
	"CDS12121": both(func(d *wco.Declaration) { d.Agent.FunctionCode = "" }, stating("00500", "00400")),
	"CDS12123": func(d *wco.Declaration) { Item(d).Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "0" },
	"CDS12135": func(d *wco.Declaration) { d.GoodsShipment.ExportCountry.ID = "" },
	"CDS12137": func(d *wco.Declaration) {
		d.GoodsShipment.PreviousDocument = []wco.PreviousDocument{{CategoryCode: "Z", TypeCode: "MCR", ID: "A:LON1"}, {CategoryCode: "Z", TypeCode: "MCR", ID: "A:LON2"}}
	},
	"CDS12139": func(d *wco.Declaration) { Item(d).Commodity.DutyTaxFee[0].Payment.PaymentAmount = Pounds("5") },
	"CDS12141": stating("NIDOM", "NIIMP"),
	"CDS12143": stating("NIDOM", "NIREM", "NIAID"),
	"CDS12146": stating("OSR42"),
	"CDS12147": stating("UVC01"),
	"CDS12148": func(d *wco.Declaration) {
		Item(d).Commodity.DutyTaxFee[0].Payment.MethodCode = "P"
		d.AdditionalDocument = nil
	},
	"CDS12149": func(d *wco.Declaration) {
		Item(d).GovernmentProcedure = append(Item(d).GovernmentProcedure, wco.GovernmentProcedure{CurrentCode: "C07"})
	},
	"CDS12151": papered(
		wco.AdditionalDocument{CategoryCode: "L", TypeCode: "001", ID: "L1", LPCOExemptionCode: "EE", WriteOff: wco.WriteOff{QuantityQuantity: wco.Measure{Value: "1", Unit: "KGM"}}},
		wco.AdditionalDocument{CategoryCode: "L", TypeCode: "001", ID: "L1", LPCOExemptionCode: "EE", WriteOff: wco.WriteOff{QuantityQuantity: wco.Measure{Value: "1", Unit: "KGM"}}}),
	"CDS12152": func(d *wco.Declaration) { Item(d).GovernmentProcedure[1].CurrentCode = "1H7" },
	"CDS12154": both(stating("NIDOM"), papered(Document("999L", "CDS WAIVER", "AC"))),
	"CDS12155": papered(Document("999L", "CDS WAIVER", "AC"), Document("999L", "CDS WAIVER", "AC")),
	"CDS12156": both(asType("IMZ"), func(d *wco.Declaration) {
		d.AuthorisationHolder = append(d.AuthorisationHolder, wco.AuthorisationHolder{ID: Other, CategoryCode: "EIR"})
		papered(Document("C514", "GBEIR1", ""))(d)
	}),
	"CDS40070": both(stating("NIIMP"), twice(func(g *wco.GovernmentAgencyGoodsItem) { g.AdditionalInformation = nil })),
	"CDS40071": both(stating("NIDOM"), twice(func(g *wco.GovernmentAgencyGoodsItem) { g.AdditionalInformation = nil })),
	"CDS40072": both(stating("NIEXP"), twice(func(g *wco.GovernmentAgencyGoodsItem) { g.AdditionalInformation = nil })),
	"CDS40073": stating("NIREM"),
	"CDS40074": stating("NIAID"),
	"CDS40045": func(d *wco.Declaration) {
		Item(d).CustomsValuation.MethodCode = "4"
		Item(d).AdditionalDocument = Item(d).AdditionalDocument[1:]
	},
	"CDS77000": papered(Document("N271", "", "AC")),
	"CDS77001": papered(wco.AdditionalDocument{CategoryCode: "L", TypeCode: "001", ID: "L1", LPCOExemptionCode: "EE", WriteOff: wco.WriteOff{QuantityQuantity: wco.Measure{Unit: "KGM"}}}),
	"CDS77002": papered(Document("N271", "1", "")),
	"CDS77005": papered(Document("Y900", "", "")),
}

// WrongExports are those of Export.
var WrongExports = map[string]Change{
	"CDS11004": func(d *wco.Declaration) { Item(d).GovernmentProcedure[0].CurrentCode = "40" },
	"CDS12084": func(d *wco.Declaration) {
		d.GoodsShipment.Consignee = wco.Party{Name: "A", ID: Trader, Address: wco.Address{CountryCode: "US"}}
	},
	"CDS12086": func(d *wco.Declaration) { d.Consignment.Carrier = wco.Carrier{Name: "A", ID: Trader} },
	"CDS12091": func(d *wco.Declaration) { d.GoodsShipment.Consignee.ID = Other },
	"CDS12108": func(d *wco.Declaration) { d.GoodsShipment.PreviousDocument = nil },
	"CDS12132": func(d *wco.Declaration) { d.GoodsShipment.PreviousDocument[0].ID = "REF1" },
	"CDS12133": func(d *wco.Declaration) {
		d.GoodsShipment.PreviousDocument = append(d.GoodsShipment.PreviousDocument, wco.PreviousDocument{CategoryCode: "Z", TypeCode: "MCR", ID: "?"})
	},
}

// ByTariff are what an imported tariff knows about the goods of Import, by the code for which it refuses them.
var ByTariff = map[string]check.Commodity{
	"CDS40011": {Listed: true, Unit: "NAR", Complete: true},
	"CDS40012": {Complete: true},
}
