// Package checktest has declarations that have no fault, and for each code of customs a change that deserves it. Tests of the
// checks, of the review of declarations and of the simulator use the same ones.
package checktest

import "github.com/tidewaiter/tidewaiter/internal/hmrc/wco"

// Trader and Other are the EORIs of the declarations.
const (
	Trader = "GB123456789000"
	Other  = "GB987654321000"
)

// Item is the first goods item.
func Item(d *wco.Declaration) *wco.GovernmentAgencyGoodsItem {
	return &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
}

// Document makes a document from a code of four characters.
func Document(code, id, status string) wco.AdditionalDocument {
	return wco.AdditionalDocument{CategoryCode: code[:1], TypeCode: code[1:], ID: id, LPCOExemptionCode: status}
}

// Statement makes a statement whose text is its code.
func Statement(code string) wco.AdditionalInformation {
	return wco.AdditionalInformation{StatementCode: code, StatementDescription: code}
}

// Pounds makes an amount.
func Pounds(value wco.Number) wco.Amount { return wco.Amount{Value: value, Currency: "GBP"} }

func goods(classification ...wco.Classification) wco.GovernmentAgencyGoodsItem {
	return wco.GovernmentAgencyGoodsItem{
		StatisticalValueAmount: Pounds("1850"),
		AdditionalDocument:     []wco.AdditionalDocument{Document("N935", "INV-1", "AC")},
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
		Declarant: wco.Trader{ID: Trader}, Agent: wco.Agent{FunctionCode: wco.Direct}, BorderTransportMeans: wco.BorderTransportMeans{ModeCode: "1"},
		GoodsShipment: wco.GoodsShipment{
			TransactionNatureCode: "1", Consignment: wco.Consignment{ContainerCode: "0", GoodsLocation: location},
			Destination: wco.Destination{CountryCode: "GB"}, ExportCountry: wco.ExportCountry{ID: "BD"},
			PreviousDocument:          []wco.PreviousDocument{{CategoryCode: "Z", TypeCode: "DCR", ID: "6" + Trader + "-REF1"}},
			GovernmentAgencyGoodsItem: []wco.GovernmentAgencyGoodsItem{g},
		},
	}
}

// Import is an H1 that has no fault, paid by deferment.
func Import() wco.Declaration {
	codes, _ := wco.ClassifyImport("6109100010")
	g := goods(codes...)
	g.Commodity.InvoiceLine.ItemChargeAmount = Pounds("1850")
	g.Commodity.DutyTaxFee = []wco.DutyTaxFee{{DutyRegimeCode: "100", TypeCode: "A00", Payment: wco.Payment{MethodCode: "E"}}}
	g.Origin = []wco.Origin{{CountryCode: "BD", TypeCode: wco.OriginNonPreferential}}
	g.CustomsValuation.MethodCode, g.ValuationAdjustment.AdditionCode = "1", "0000"
	g.GovernmentProcedure = []wco.GovernmentProcedure{{CurrentCode: "40", PreviousCode: "00"}, {CurrentCode: "000"}}
	g.AdditionalDocument = append(g.AdditionalDocument, Document("C506", "GBDPO1108654", ""))
	d := base(wco.TypeImportArrived, g)
	d.GoodsShipment.Importer.ID = Other
	d.AdditionalDocument = []wco.HeaderDocument{{CategoryCode: "1", ID: "1108654", TypeCode: "DAN"}}
	d.AuthorisationHolder = []wco.AuthorisationHolder{{ID: Other, CategoryCode: "DPO"}}
	return d
}

// Export is a B1 that has no fault.
func Export() wco.Declaration {
	codes, _ := wco.ClassifyExport("61091000")
	g := goods(codes...)
	g.GovernmentProcedure = []wco.GovernmentProcedure{{CurrentCode: "10", PreviousCode: "40"}, {CurrentCode: "000"}}
	d := base(wco.TypeExportArrived, g)
	d.GoodsShipment.ExportCountry.ID, d.GoodsShipment.Destination.CountryCode = "GB", "US"
	d.Exporter.ID, d.ExitOffice.ID = Other, "GB000060"
	d.AuthorisationHolder = []wco.AuthorisationHolder{{ID: Other, CategoryCode: "EXRR"}}
	return d
}

// WarehouseEntry is an H2 that has no fault.
func WarehouseEntry() wco.Declaration {
	d := Import()
	Item(&d).GovernmentProcedure[0].CurrentCode = "71"
	Item(&d).Commodity.DutyTaxFee, Item(&d).CustomsValuation.MethodCode, Item(&d).ValuationAdjustment.AdditionCode = nil, "", ""
	Item(&d).Commodity.InvoiceLine = wco.InvoiceLine{}
	Item(&d).AdditionalDocument = []wco.AdditionalDocument{Document("C517", "GBCWP1", "")}
	d.GoodsShipment.Warehouse = wco.Warehouse{ID: "1234567GB", TypeCode: "R"}
	d.AdditionalDocument = nil
	d.AuthorisationHolder = []wco.AuthorisationHolder{{ID: Other, CategoryCode: "CWP"}}
	return d
}
