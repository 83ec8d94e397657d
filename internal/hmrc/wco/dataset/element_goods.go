package dataset

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// The elements of group 5: places and countries.
var placeElements = []Element{
	{Number: "5/8", Name: "country of destination", Header: "42A.67A.99B.465", Item: "99B.465",
		header: func(d *head) bool { return d.GoodsShipment.Destination.CountryCode != "" }, item: func(g *line) bool { return g.Destination.CountryCode != "" }},
	{Number: "5/12", Name: "office of exit", Header: "42A.56A.G005", header: func(d *head) bool { return d.ExitOffice.ID != "" }},
	{Number: "5/14", Name: "country of dispatch", Header: "42A.67A.95B.062", Item: "95B.062",
		header: func(d *head) bool { return d.GoodsShipment.ExportCountry.ID != "" }, item: func(g *line) bool { return g.ExportCountry.ID != "" }},
	{Number: "5/15", Name: "country of origin", Item: "92A[1].063", item: func(g *line) bool {
		return hasOrigin(g, func(kind string) bool { return kind != wco.OriginPreferential })
	}},
	{Number: "5/16", Name: "country of preferential origin", Item: "92A[2].063", item: func(g *line) bool {
		return hasOrigin(g, func(kind string) bool { return kind == wco.OriginPreferential })
	}},
	{Number: "5/18", Name: "countries of the route", Header: "42A.28A.81A[1].064", header: func(d *head) bool { return len(d.Consignment.Itinerary) > 0 }},
	{Number: "5/21", Name: "place of loading", Header: "42A.67A.28A.83A.L009", header: func(d *head) bool { return d.GoodsShipment.Consignment.LoadingLocation != wco.LoadingLocation{} }},
	{Number: "5/23", Name: "location of the goods", Header: "42A.67A.28A.64A.L016", header: func(d *head) bool { return d.GoodsShipment.Consignment.GoodsLocation != wco.GoodsLocation{} }},
	{Number: "5/26", Name: "office of presentation", Header: "42A.15C.G015", header: func(d *head) bool { return d.PresentationOffice.ID != "" }},
	{Number: "5/27", Name: "supervising office", Header: "42A.97B.G012", header: func(d *head) bool { return d.SupervisingOffice.ID != "" }},
}

func hasOrigin(g *line, of func(kind string) bool) bool {
	return slices.ContainsFunc(g.Origin, func(o wco.Origin) bool { return o.CountryCode != "" && of(o.TypeCode) })
}

// The elements of group 6: the goods.
var goodsElements = []Element{
	{Number: "6/1", Name: "net mass", Item: "23A.65A.128", item: func(g *line) bool { return g.Commodity.GoodsMeasure.NetNetWeightMeasure.Value != "" }},
	{Number: "6/2", Name: "supplementary units", Item: "23A.65A.130", item: func(g *line) bool { return g.Commodity.GoodsMeasure.TariffQuantity.Value != "" }},
	{Number: "6/5", Name: "gross mass", Header: "42A.131", Item: "23A.65A.126",
		header: func(d *head) bool { return d.TotalGrossMassMeasure.Value != "" }, item: func(g *line) bool { return g.Commodity.GoodsMeasure.GrossMassMeasure.Value != "" }},
	{Number: "6/8", Name: "description of the goods", Item: "23A.137", item: func(g *line) bool { return g.Commodity.Description != "" }},
	{Number: "6/9", Name: "kind of packages", Item: "93A[1].141", item: func(g *line) bool { return hasPackage(g, func(p *wco.Packaging) bool { return p.TypeCode != "" }) }},
	{Number: "6/10", Name: "number of packages", Item: "93A[1].144", item: func(g *line) bool {
		return hasPackage(g, func(p *wco.Packaging) bool { return p.QuantityQuantity != "" })
	}},
	{Number: "6/11", Name: "marks of the packages", Item: "93A[1].142", item: func(g *line) bool {
		return hasPackage(g, func(p *wco.Packaging) bool { return p.MarksNumbersID != "" })
	}},
	{Number: "6/12", Name: "UN number", Item: "23A.12C[1].506", item: func(g *line) bool { return len(g.Commodity.DangerousGoods) > 0 }},
	{Number: "6/13", Name: "CUS number", Item: "23A.21A.145", item: classified(wco.CUSNumber)},
	{Number: "6/14", Name: "commodity code", Item: "23A.21A[1].145", item: classified(wco.CombinedNomenclature)},
	{Number: "6/15", Name: "last two digits of the commodity code", Item: "23A.21A[2].145", item: func(g *line) bool {
		return classified(wco.TARIC)(g) || slices.ContainsFunc(g.Commodity.Classification, isWhole)
	}},
	{Number: "6/16", Name: "TARIC additional code", Item: "23A.21A.145", item: classified(wco.TARICAdditional)},
	{Number: "6/17", Name: "national additional code", Item: "23A.21A.145", item: classified(wco.NationalAdditional)},
	{Number: "6/18", Name: "total number of packages", Header: "42A.146", header: func(d *head) bool { return d.TotalPackageQuantity != "" }},
}

func hasPackage(g *line, has func(*wco.Packaging) bool) bool {
	for n := range g.Packaging {
		if has(&g.Packaging[n]) {
			return true
		}
	}
	return false
}

func classified(kind string) func(*line) bool {
	return func(g *line) bool {
		return slices.ContainsFunc(g.Commodity.Classification, func(c wco.Classification) bool { return c.IdentificationTypeCode == kind && c.ID != "" })
	}
}

// isWhole reports whether a classification has all ten digits of a commodity code.
func isWhole(c wco.Classification) bool {
	return c.IdentificationTypeCode == wco.CombinedNomenclature && len(c.ID) == 10
}

// The elements of group 7: transport.
var transportElements = []Element{
	{Number: "7/2", Name: "whether the goods are in containers", Header: "42A.67A.28A.096", header: func(d *head) bool { return d.GoodsShipment.Consignment.ContainerCode != "" }},
	{Number: "7/4", Name: "mode of transport at the border", Header: "42A.15A.T022", header: func(d *head) bool { return d.BorderTransportMeans.ModeCode != "" }},
	{Number: "7/5", Name: "inland mode of transport", Header: "42A.67A.28A.10A.T020", header: func(d *head) bool {
		return d.GoodsShipment.Consignment.ArrivalTransportMeans.ModeCode != "" || d.GoodsShipment.Consignment.DepartureTransportMeans.ModeCode != ""
	}},
	{Number: "7/7", Name: "means of transport on departure", Header: "42A.67A.28A.46A.T004", header: func(d *head) bool { return d.GoodsShipment.Consignment.DepartureTransportMeans.ID != "" }},
	{Number: "7/9", Name: "means of transport on arrival", Header: "42A.67A.28A.10A.T002", header: func(d *head) bool { return d.GoodsShipment.Consignment.ArrivalTransportMeans.ID != "" }},
	{Number: "7/10", Name: "container", Header: "42A.67A.28A.31B[1].159", Item: "23A.31B[1].159",
		header: func(d *head) bool {
			return slices.ContainsFunc(d.GoodsShipment.Consignment.TransportEquipment, func(e wco.TransportEquipment) bool { return e.ID != "" })
		}, item: func(g *line) bool { return len(g.Commodity.TransportEquipment) > 0 }},
	{Number: "7/14", Name: "means of transport at the border", Header: "42A.15A.T006", header: func(d *head) bool { return d.BorderTransportMeans.ID != "" }},
	{Number: "7/15", Name: "nationality of the means of transport", Header: "42A.15A.T014", header: func(d *head) bool { return d.BorderTransportMeans.RegistrationNationalityCode != "" }},
	{Number: "7/18", Name: "seal", Header: "42A.67A.28A.31B[1].44B[1].165", header: func(d *head) bool {
		return slices.ContainsFunc(d.GoodsShipment.Consignment.TransportEquipment, func(e wco.TransportEquipment) bool { return len(e.Seal) > 0 })
	}},
}
