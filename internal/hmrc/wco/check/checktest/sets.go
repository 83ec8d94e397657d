package checktest

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
)

// Sets are declarations without a fault, by data set: all those of which HMRC's published table was read.
var Sets = map[dataset.Set]func() wco.Declaration{
	dataset.H1: Import, dataset.H2: WarehouseEntry, dataset.B1: Export, dataset.I1: simplifiedImport, dataset.C1: simplifiedExport,
	dataset.C21I: clearance, dataset.B2: outwardProcessing, dataset.B4: territories,
}

// authorised adds an authorisation with its document.
func authorised(d *wco.Declaration, kind, paper string) {
	d.AuthorisationHolder = append(d.AuthorisationHolder, wco.AuthorisationHolder{ID: Other, CategoryCode: kind})
	Item(d).AdditionalDocument = append(Item(d).AdditionalDocument, Document(paper, "GB"+kind+"1", ""))
}

func simplifiedImport() wco.Declaration {
	d := Import()
	d.TypeCode = "IMC"
	authorised(&d, "SDE", "C512")
	return d
}

func simplifiedExport() wco.Declaration {
	d := Export()
	d.TypeCode = "EXC"
	authorised(&d, "SDE", "C512")
	return d
}

// clearance is a request for goods that need no customs declaration.
func clearance() wco.Declaration {
	d := Import()
	d.TypeCode = "IMJ"
	g := Item(&d)
	g.GovernmentProcedure = []wco.GovernmentProcedure{{CurrentCode: "00", PreviousCode: "00"}, {CurrentCode: "0GD"}}
	g.Commodity.DutyTaxFee, g.Origin, g.StatisticalValueAmount = nil, nil, wco.Amount{}
	g.Commodity.Classification = g.Commodity.Classification[:1]
	g.CustomsValuation.MethodCode, g.ValuationAdjustment.AdditionCode, d.GoodsShipment.TransactionNatureCode = "", "", ""
	g.AdditionalDocument = g.AdditionalDocument[:1]
	d.GoodsShipment.Destination.CountryCode, d.GoodsShipment.ExportCountry.ID = "", ""
	d.AdditionalDocument, d.AuthorisationHolder = nil, nil
	return d
}

func outwardProcessing() wco.Declaration {
	d := Export()
	Item(&d).GovernmentProcedure[0].CurrentCode, Item(&d).GovernmentProcedure[0].PreviousCode = "21", "00"
	d.AuthorisationHolder = nil
	authorised(&d, "OPO", "C019")
	return d
}

// territories are goods that go to a special fiscal territory.
func territories() wco.Declaration {
	d := Export()
	d.TypeCode = "COA"
	d.GoodsShipment.Destination.CountryCode = "GG"
	return d
}
