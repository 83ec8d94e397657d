package check_test

import "github.com/tidewaiter/tidewaiter/internal/hmrc/wco"

const (
	trader = "GB123456789000"
	other  = "GB987654321000"
)

func item(d *wco.Declaration) *wco.GovernmentAgencyGoodsItem {
	return &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
}

func document(code, id, status string) wco.AdditionalDocument {
	return wco.AdditionalDocument{CategoryCode: code[:1], TypeCode: code[1:], ID: id, LPCOExemptionCode: status}
}

func statement(code string) wco.AdditionalInformation {
	return wco.AdditionalInformation{StatementCode: code, StatementDescription: code}
}

func pounds(value wco.Number) wco.Amount { return wco.Amount{Value: value, Currency: "GBP"} }

func goods(classification ...wco.Classification) wco.GovernmentAgencyGoodsItem {
	return wco.GovernmentAgencyGoodsItem{
		StatisticalValueAmount: pounds("1850"),
		AdditionalDocument:     []wco.AdditionalDocument{document("N935", "INV-1", "AC")},
		Commodity: wco.Commodity{
			Description: "Cotton T-shirts", Classification: classification,
			GoodsMeasure: wco.GoodsMeasure{GrossMassMeasure: wco.Measure{Value: "131"}, NetNetWeightMeasure: wco.Measure{Value: "120.5"}},
		},
		Packaging: []wco.Packaging{{MarksNumbersID: "1-10", QuantityQuantity: "10", TypeCode: "CT"}},
	}
}

func base(typeCode string, g wco.GovernmentAgencyGoodsItem) wco.Declaration {
	location, _ := wco.SplitGoodsLocation("GBAUFXTFXTFXT")
	return wco.Declaration{
		FunctionCode: wco.FunctionOriginal, FunctionalReferenceID: "LRN1", TypeCode: typeCode, GoodsItemQuantity: "1", TotalPackageQuantity: "10",
		Declarant: wco.Trader{ID: trader}, Agent: wco.Agent{FunctionCode: wco.Direct}, BorderTransportMeans: wco.BorderTransportMeans{ModeCode: "1"},
		GoodsShipment: wco.GoodsShipment{
			TransactionNatureCode: "1", Consignment: wco.Consignment{ContainerCode: "0", GoodsLocation: location},
			Destination: wco.Destination{CountryCode: "GB"}, ExportCountry: wco.ExportCountry{ID: "BD"},
			PreviousDocument:          []wco.PreviousDocument{{CategoryCode: "Z", TypeCode: "DCR", ID: "6" + trader + "-REF1"}},
			GovernmentAgencyGoodsItem: []wco.GovernmentAgencyGoodsItem{g},
		},
	}
}

// anImport is an H1 that has no fault, paid by deferment.
func anImport() wco.Declaration {
	codes, _ := wco.ClassifyImport("6109100010")
	g := goods(codes...)
	g.Commodity.InvoiceLine.ItemChargeAmount = pounds("1850")
	g.Commodity.DutyTaxFee = []wco.DutyTaxFee{{DutyRegimeCode: "100", TypeCode: "A00", Payment: wco.Payment{MethodCode: "E"}}}
	g.Origin = []wco.Origin{{CountryCode: "BD", TypeCode: wco.OriginNonPreferential}}
	g.CustomsValuation.MethodCode, g.ValuationAdjustment.AdditionCode = "1", "0000"
	g.GovernmentProcedure = []wco.GovernmentProcedure{{CurrentCode: "40", PreviousCode: "00"}, {CurrentCode: "000"}}
	g.AdditionalDocument = append(g.AdditionalDocument, document("C506", "GBDPO1108654", ""))
	d := base(wco.TypeImportArrived, g)
	d.GoodsShipment.Importer.ID = other
	d.AdditionalDocument = []wco.HeaderDocument{{CategoryCode: "1", ID: "1108654", TypeCode: "DAN"}}
	d.AuthorisationHolder = []wco.AuthorisationHolder{{ID: other, CategoryCode: "DPO"}}
	return d
}

// anExport is a B1 that has no fault.
func anExport() wco.Declaration {
	codes, _ := wco.ClassifyExport("61091000")
	g := goods(codes...)
	g.GovernmentProcedure = []wco.GovernmentProcedure{{CurrentCode: "10", PreviousCode: "40"}, {CurrentCode: "000"}}
	d := base(wco.TypeExportArrived, g)
	d.GoodsShipment.ExportCountry.ID, d.GoodsShipment.Destination.CountryCode = "GB", "US"
	d.Exporter.ID, d.ExitOffice.ID = other, "GB000060"
	d.AuthorisationHolder = []wco.AuthorisationHolder{{ID: other, CategoryCode: "EXRR"}}
	return d
}

// aWarehouseEntry is an H2 that has no fault.
func aWarehouseEntry() wco.Declaration {
	d := anImport()
	item(&d).GovernmentProcedure[0].CurrentCode = "71"
	item(&d).Commodity.DutyTaxFee, item(&d).CustomsValuation.MethodCode, item(&d).ValuationAdjustment.AdditionCode = nil, "", ""
	item(&d).Commodity.InvoiceLine = wco.InvoiceLine{}
	item(&d).AdditionalDocument = []wco.AdditionalDocument{document("C517", "GBCWP1", "")}
	d.GoodsShipment.Warehouse = wco.Warehouse{ID: "1234567GB", TypeCode: "R"}
	d.AdditionalDocument = nil
	d.AuthorisationHolder = []wco.AuthorisationHolder{{ID: other, CategoryCode: "CWP"}}
	return d
}
