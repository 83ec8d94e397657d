package analysis_test

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func scenarios() []scenario {
	return slices.Concat(partyCases, journeyCases, codeCases, descriptionCases, massCases, quantityCases, valueCases, originCases, preferenceCases,
		sanctionCases, controlCases, licenceCases, procedureCases, dutyCases, documentCases, historyCases, settlementCases)
}

func first(c *body) *customs.Item { return &c.Declaration.Items[0] }

func mass(text string) *quantity.Mass { m := quantity.MustMass(text); return &m }

func number(text string) *quantity.Number { n := quantity.MustNumber(text); return &n }

func count(n int64) *int64 { return &n }

func in(d time.Duration) *time.Time { t := now.Add(d); return &t }

// goods are what an item is: code and description, kilograms, pounds, and units where
// there are any.
func goods(code, description, kilograms, value, units string) change {
	return func(c *body) {
		i := first(c)
		i.CommodityCode, i.Description, i.NetMassKg, i.GrossMassKg = code, description, quantity.MustMass(kilograms), nil
		gross, _ := quantity.ParseMass(kilograms)
		gross = gross.Add(quantity.MustMass("1"))
		i.GrossMassKg, i.CustomsValueGBP, i.Quantity, i.PackageCount = &gross, quantity.MustMoney(value), nil, count(1)
		if units != "" {
			i.SupplementaryUnits = number(units)
		}
	}
}

func from(origin string) change {
	return func(c *body) {
		first(c).CountryOfOrigin, c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry = origin, origin, origin
	}
}

func to(country string) change {
	return func(c *body) { c.Shipment.CountryOfDestination, c.Shipment.CounterpartyCountry = country, country }
}

func with(codes string) change {
	return func(c *body) {
		for code := range strings.FieldsSeq(codes) {
			c.Declaration.Documents = append(c.Declaration.Documents, customs.Document{Type: code, Reference: "GBX-2026-1"})
		}
	}
}

func both(changes ...change) change {
	return func(c *body) {
		for _, change := range changes {
			change(c)
		}
	}
}

var partyCases = []scenario{
	{"client's EORI too short", imported, func(c *body) { c.Client.EORI = "GB123" }, []string{"001b client.eori"}},
	{"carrier's EORI malformed", exported, func(c *body) { c.Shipment.CarrierEORI = "GB12" }, []string{"001b shipment.carrierEori"}},
	{"organisation's EORI malformed", imported, func(c *body) { c.Trader.EORI = "X" }, []string{"001b organisation.eori"}},
	{"EORI with spaces", imported, func(c *body) { c.Client.EORI = "gb 123456789 000" }, nil},
	{"importer without EORI", imported, func(c *body) { c.Client.EORI = "" }, []string{"002w client.eori"}},
	{"nobody has an EORI", imported, func(c *body) { c.Client.EORI, c.Trader.EORI = "", "" }, []string{"002b client.eori"}},
	{"exporter without EORI", exported, func(c *body) { c.Client.EORI = "" }, []string{"002b client.eori"}},
	{"organisation without EORI", exported, func(c *body) { c.Trader.EORI = "" }, nil},
	{"French EORI", imported, func(c *body) { c.Client.EORI = "FR12345678901234" }, []string{"003w client.eori"}},
	{"Northern Irish EORI", imported, func(c *body) { c.Client.EORI = "XI123456789000" }, nil},
	{"exporter imports", imported, func(c *body) { c.Client.Role = "EXPORTER" }, []string{"004w client.role"}},
	{"importer exports", exported, func(c *body) { c.Client.Role = "IMPORTER" }, []string{"004w client.role"}},
	{"who does both", imported, func(c *body) { c.Client.Role = "BOTH" }, nil},
	{"exporter abroad without street", imported, func(c *body) { c.Shipment.CounterpartyAddress = " " }, []string{"005w shipment.counterpartyAddress"}},
	{"exporter abroad without postcode", imported, func(c *body) { c.Shipment.CounterpartyPostcode = "" }, nil},
	{"consignee to be confirmed", exported, func(c *body) { c.Shipment.CounterpartyName = "TBC" }, []string{"006w shipment.counterpartyName"}},
	{"consignee named Test Valley", exported, func(c *body) { c.Shipment.CounterpartyName = "Test Valley Joinery" }, nil},
	{"exporter in London", imported, func(c *body) { c.Shipment.CounterpartyCountry = "GB" }, []string{"007w shipment.counterpartyCountry"}},
	{"consignee in Belfast", exported, func(c *body) { c.Shipment.CounterpartyCountry = "XI" }, []string{"007w shipment.counterpartyCountry"}},
	{"exporter in Jersey", imported, func(c *body) { c.Shipment.CounterpartyCountry = "JE" }, nil},
	{"sister company", imported, func(c *body) { c.Shipment.CounterpartyName = "Mill Lane Textiles GmbH" }, []string{"008w shipment.counterpartyName"}},
	{"company of a like name", imported, func(c *body) { c.Shipment.CounterpartyName = "Mill Lane Dyeing GmbH" }, nil},
}

var journeyCases = []scenario{
	{"import from GB", imported, func(c *body) { c.Shipment.CountryOfDispatch = "GB" }, []string{"009b shipment.countryOfDispatch"}},
	{"import from nowhere", imported, func(c *body) {
		c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry, first(c).CountryOfOrigin = "", "", ""
	}, []string{"005w shipment.counterpartyCountry", "009b shipment.countryOfDispatch", "051b items[0].countryOfOrigin"}},
	{"import to France", imported, func(c *body) { c.Shipment.CountryOfDestination = "FR" }, []string{"009w shipment.countryOfDestination"}},
	{"import whose exporter says where from", imported, func(c *body) { c.Shipment.CountryOfDispatch = "" }, nil},
	{"export to GB", exported, func(c *body) { c.Shipment.CountryOfDestination = "GB" }, []string{"009b shipment.countryOfDestination"}},
	{"export to nowhere", exported, to(""), []string{"005w shipment.counterpartyCountry", "009b shipment.countryOfDestination"}},
	{"port by name", imported, func(c *body) { c.Shipment.PortOfEntry = "Felixstowe" }, []string{"010w shipment.portOfEntry"}},
	{"port of five letters by name", imported, func(c *body) { c.Shipment.PortOfEntry = "Dover" }, []string{"010w shipment.portOfEntry"}},
	{"port by name, and its location", imported, func(c *body) { c.Shipment.PortOfEntry, c.Shipment.GoodsLocation = "Felixstowe", "GBAUFXTFXTFXT" }, nil},
	{"nameless lorry", imported, func(c *body) { c.Shipment.TransportID, c.Shipment.VesselName = "", " " }, []string{"011w shipment.transportId"}},
	{"ship by name", imported, func(c *body) { c.Shipment.TransportID = "" }, nil},
	{"container mistyped", imported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234567"} }, []string{"012w shipment.containers[0]"}},
	{"container malformed", imported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234565", "BOX 7"} }, []string{"012w shipment.containers[1]"}},
	{"container twice", imported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234565", "msku 123456 5"} }, []string{"012w shipment.containers[1]"}},
	{"container in an aircraft", exported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234565"} }, []string{"012i shipment.containers"}},
	{"arrives in two months", imported, func(c *body) { c.Shipment.ExpectedArrival = in(60 * 24 * time.Hour) }, []string{"013w shipment.expectedArrival"}},
	{"has arrived and arrives tomorrow", imported, func(c *body) { c.Shipment.ExpectedArrival, c.Shipment.Arrived = in(24*time.Hour), true }, []string{"013w shipment.expectedArrival"}},
	{"arrives next week", imported, func(c *body) { c.Shipment.ExpectedArrival = in(7 * 24 * time.Hour) }, nil},
	{"arrived last month", imported, func(c *body) { c.Shipment.ExpectedArrival, c.Shipment.Arrived = in(-30*24*time.Hour), true }, nil},
	{"free on board", imported, func(c *body) { c.Shipment.Incoterm = "FOB" }, []string{"014i shipment.incoterm"}},
	{"free on board, out", exported, func(c *body) { c.Shipment.Incoterm, c.Shipment.TransportMode = "FOB", "SEA" }, nil},
	{"duty paid", imported, func(c *body) { c.Shipment.Incoterm = "DDP" }, []string{"015i shipment.incoterm"}},
	{"duty unpaid", imported, func(c *body) { c.Shipment.Incoterm = "DAP" }, nil},
	{"CIF by air", imported, func(c *body) { c.Shipment.TransportMode, c.Shipment.Containers = "AIR", nil }, []string{"016i shipment.incoterm"}},
	{"CIP by air", imported, func(c *body) {
		c.Shipment.TransportMode, c.Shipment.Containers, c.Shipment.Incoterm = "AIR", nil, "CIP"
	}, nil},
	{"no office of exit at Heathrow", exported, func(c *body) { c.Shipment.ExitOffice = "" }, []string{"017w shipment.exitOffice"}},
	{"no office of exit at Dover", exported, func(c *body) { c.Shipment.ExitOffice, c.Shipment.PortOfEntry = "", "GBDVR" }, nil},
	{"no carrier", exported, func(c *body) { c.Shipment.CarrierEORI = "" }, []string{"018i shipment.carrierEori"}},
	{"no carrier of an import", imported, func(c *body) { c.Shipment.CarrierEORI = "" }, nil},
}

var codeCases = []scenario{
	{"import with eight digits", imported, func(c *body) { first(c).CommodityCode = "61091000" }, []string{"019b items[0].commodityCode"}},
	{"export with six digits", exported, func(c *body) { first(c).CommodityCode = "842139" }, []string{"019b items[0].commodityCode"}},
	{"export with ten digits", exported, func(c *body) { first(c).CommodityCode = "8421398500" }, []string{"019i items[0].commodityCode"}},
	{"chapter 77", imported, func(c *body) { first(c).CommodityCode = "7701000000" }, []string{"020b items[0].commodityCode"}},
	{"heading that was dropped", exported, func(c *body) { first(c).CommodityCode = "84690000" }, []string{"020b items[0].commodityCode"}},
	{"chapter 99", exported, func(c *body) { first(c).CommodityCode = "99050000" }, []string{"020w items[0].commodityCode"}},
	{"code with codes below it", imported, standing(analysis.Grouping), []string{"021b items[0].commodityCode"}},
	{"code of last year", imported, standing(analysis.Ended), []string{"021b items[0].commodityCode"}},
	{"code that never was", exported, standing(analysis.Absent), []string{"021b items[0].commodityCode"}},
	{"short code that never was", exported, both(standing(analysis.Absent), func(c *body) { first(c).CommodityCode = "842139" }), []string{"019b items[0].commodityCode"}},
	{"code in force", imported, standing(analysis.Declarable), nil},
	{"code that nobody knows of", imported, standing(analysis.Untold), nil},
	{"code without a measure", imported, goods("3926909790", "Moulded plastic clips", "30", "300", ""), nil},
	{"code that the tariff does not know", imported, goods("3926909799", "Moulded plastic clips", "30", "300", ""), []string{"022i items[0].commodityCode"}},
	{"duty on what is not declared", imported, both(goods("1701141000", "Raw cane sugar for refining", "1000", "700", ""), from("BR")), []string{"022i items[0].commodityCode"}},
	{"export without a measure", exported, func(c *body) { first(c).CommodityCode = "84213900" }, nil},
	{"description that leads elsewhere", imported, suggested("6205200000", 0.9), []string{"023w items[0].commodityCode"}},
	{"description that seems to lead elsewhere", imported, suggested("6205200000", 0.6), []string{"023i items[0].commodityCode"}},
	{"description that leads nowhere", imported, suggested("6205200000", 0.3), nil},
	{"description that leads to the heading", imported, suggested("6109909000", 0.95), nil},
	{"women's shirts as men's", imported, func(c *body) {
		first(c).CommodityCode, first(c).Description = "6105100000", "Ladies’ knitted cotton blouses"
	}, []string{"024w items[0].commodityCode"}},
	{"men's and women's shirts", imported, func(c *body) {
		first(c).CommodityCode, first(c).Description = "6105100000", "Men's and women's knitted cotton shirts"
	}, nil},
	{"woven T-shirts", imported, func(c *body) { first(c).Description = "Men's woven cotton T-shirts" }, []string{"024w items[0].commodityCode"}},
	{"anything but knitted", imported, func(c *body) {
		first(c).CommodityCode, first(c).Description = "6205200000", "Men's cotton shirts, other than knitted"
	}, nil},
	{"parts of a laptop", imported, both(goods("8471300000", "Spare parts for laptops", "20", "5000", "20"), from("CN")), []string{"024w items[0].commodityCode"}},
	{"one thing under two headings", imported, twice(func(i *customs.Item) { i.CommodityCode, i.NetMassKg = "6110209900", quantity.MustMass("121") }), []string{"025w items[1].commodityCode"}},
	{"one thing under two codes of a heading", imported, twice(func(i *customs.Item) { i.CommodityCode, i.NetMassKg = "6109100090", quantity.MustMass("121") }), nil},
}

func standing(s analysis.Standing) change {
	return func(c *body) { c.Standing = func(string, time.Time) analysis.Standing { return s } }
}

func suggested(code string, confidence float64) change {
	return func(c *body) {
		c.Suggest = func(string) []analysis.Suggestion { return []analysis.Suggestion{{Code: code, Confidence: confidence}} }
	}
}

// twice adds a second item, which is the first but for a change.
func twice(change func(*customs.Item)) change {
	return func(c *body) {
		second := *first(c)
		change(&second)
		if second.GrossMassKg != nil && second.NetMassKg.Cmp(*second.GrossMassKg) > 0 {
			second.GrossMassKg = mass(second.NetMassKg.String())
		}
		c.Declaration.Items = append(c.Declaration.Items, second)
	}
}

var descriptionCases = []scenario{
	{"vague", imported, func(c *body) { first(c).Description = "Spare parts" }, []string{"026w items[0].description"}},
	{"a code for a description", imported, func(c *body) { first(c).Description = "6109100010" }, []string{"026w items[0].description"}},
	{"half vague", imported, func(c *body) { first(c).Description = "T-shirts, hats etc." }, []string{"026w items[0].description"}},
	{"short", imported, func(c *body) { first(c).Description = "Tee" }, []string{"026i items[0].description"}},
	{"one telling word", imported, func(c *body) { first(c).Description = "Undershirts" }, nil},
	{"a brand and a model", imported, func(c *body) { first(c).Description = "Nike Air Max 90" }, []string{"027w items[0].description"}},
	{"a fruit and no brand", imported, both(goods("0808108090", "Apple", "900", "910", ""), from("NZ"), with("N851")), nil},
	{"a brand and what it is", imported, func(c *body) { first(c).Description = "Nike T-shirts" }, nil},
	{"in Chinese", imported, func(c *body) { first(c).Description = "男士棉质T恤" }, []string{"028w items[0].description"}},
	{"with an accent", imported, func(c *body) { first(c).Description = "Gilets à capuche" }, nil},
	{"used clothes as new", imported, func(c *body) { first(c).Description = "Used cotton T-shirts" }, []string{"029i items[0].description"}},
	{"used clothes", imported, both(goods("6309000000", "Used clothing and shoes", "900", "1200", ""), from("CN")), nil},
}

var massCases = []scenario{
	{"no mass", imported, func(c *body) { first(c).NetMassKg = quantity.Mass{} }, []string{"030b items[0].netMassKg"}},
	{"a gram", imported, goods("6109100010", "Men's cotton T-shirts", "0.05", "5", "1"), []string{"105i items"}},
	{"net above gross", imported, func(c *body) { first(c).GrossMassKg = mass("120.4") }, []string{"031b items[0].grossMassKg"}},
	{"a hair above net", imported, func(c *body) { first(c).GrossMassKg = mass("120.500001") }, nil},
	{"packaging of a tonne", imported, func(c *body) { first(c).GrossMassKg = mass("1310") }, []string{"032w items[0].grossMassKg"}},
	{"light goods in a box", imported, both(goods("9102110000", "Wrist watches, quartz", "2", "4000", "40"), from("CH"), func(c *body) { first(c).GrossMassKg = mass("30") }), nil},
	{"no gross mass", imported, func(c *body) { first(c).GrossMassKg = nil }, []string{"033i items[0].grossMassKg"}},
	{"one of two without gross mass", imported, twice(func(i *customs.Item) { i.GrossMassKg, i.NetMassKg = nil, quantity.MustMass("90") }), []string{"033i items"}},
	{"packaging of no weight", imported, func(c *body) { first(c).GrossMassKg = mass("120.5") }, []string{"034i items[0].grossMassKg"}},
	{"timber without packaging", imported, both(goods("4407919000", "Sawn oak", "9000", "8100", "12"), from("US"), func(c *body) { first(c).GrossMassKg = mass("9000") }), nil},
	{"40 tonnes on a lorry", exported, func(c *body) {
		c.Shipment.TransportMode, first(c).NetMassKg, first(c).GrossMassKg, first(c).CustomsValueGBP = "ROAD", quantity.MustMass("38000"), mass("40000"), quantity.MustMoney("900100")
	}, []string{"035w items"}},
	{"31 tonnes in a container", imported, func(c *body) {
		first(c).NetMassKg, first(c).GrossMassKg, first(c).CustomsValueGBP, first(c).Quantity = quantity.MustMass("29000"), mass("31000"), quantity.MustMoney("400500"), count(150000)
	}, []string{"035w items"}},
	{"31 tonnes in two containers", imported, func(c *body) {
		first(c).NetMassKg, first(c).GrossMassKg, first(c).CustomsValueGBP, first(c).Quantity = quantity.MustMass("29000"), mass("31000"), quantity.MustMoney("400500"), count(150000)
		c.Shipment.Containers = []string{"MSKU1234565", "CSQU3054383"}
	}, nil},
	{"T-shirts of 12 kg", imported, func(c *body) { first(c).Quantity, first(c).PackageCount = count(10), count(1) }, []string{"036w items[0].netMassKg"}},
	{"T-shirts of 30 g", imported, func(c *body) { first(c).Quantity = count(4000) }, nil},
}

var quantityCases = []scenario{
	{"T-shirts uncounted", imported, func(c *body) { first(c).Quantity = nil }, []string{"037b items[0].quantity"}},
	{"T-shirts counted as none", imported, func(c *body) { first(c).Quantity = count(0) }, []string{"037b items[0].quantity"}},
	{"filters uncounted", exported, func(c *body) { first(c).Quantity = nil }, nil},
	{"no filters", exported, func(c *body) { first(c).Quantity = count(0) }, []string{"038w items[0].quantity"}},
	{"two quantities", imported, func(c *body) { first(c).SupplementaryUnits = number("60") }, []string{"036w items[0].netMassKg", "039w items[0].supplementaryUnits"}},
	{"two quantities alike", imported, func(c *body) { first(c).SupplementaryUnits = number("600.0") }, nil},
	{"half a T-shirt", imported, func(c *body) { first(c).Quantity, first(c).SupplementaryUnits = nil, number("600.5") }, []string{"040w items[0].supplementaryUnits"}},
	{"half a cubic metre", imported, both(goods("4407919000", "Sawn oak", "400", "500", "0.5"), from("US")), nil},
	{"bottles for litres", imported, both(goods("2204101100", "Champagne wine", "900", "9000", "100"), from("FR"), with("C651")), []string{"041w items[0].supplementaryUnits", "101i items[0].commodityCode", "113w documents[1].reference"}},
	{"litres", imported, both(goods("2204101100", "Champagne wine", "900", "9000", "880"), from("FR")), []string{"101w items[0].commodityCode"}},
	{"no packages", imported, func(c *body) { first(c).PackageCount = count(0) }, []string{"042b items[0].packageCount"}},
	{"packed with another item", imported, twice(func(i *customs.Item) {
		i.PackageCount, i.NetMassKg, i.GrossMassKg = count(0), quantity.MustMass("90"), mass("91")
	}), nil},
	{"700 cartons of 600 T-shirts", imported, func(c *body) { first(c).PackageCount = count(700) }, []string{"043w items[0].packageCount"}},
	{"600 cartons of 600 T-shirts", imported, func(c *body) { first(c).PackageCount = count(600) }, nil},
	{"packages of no kind", imported, func(c *body) { first(c).PackageType = "QZ" }, []string{"044b items[0].packageType"}},
	{"usual packages", imported, func(c *body) { first(c).PackageType = "" }, nil},
}

var valueCases = []scenario{
	{"free samples", imported, func(c *body) { first(c).CustomsValueGBP = quantity.Money{} }, []string{"045w items[0].customsValueGbp"}},
	{"free samples out", exported, func(c *body) { first(c).CustomsValueGBP = quantity.Money{} }, []string{"045w items[0].customsValueGbp"}},
	{"decimal point slipped down", imported, func(c *body) { first(c).CustomsValueGBP = quantity.MustMoney("100.50") }, []string{"046w items[0].customsValueGbp", "047w items[0].customsValueGbp", "105i items"}},
	{"cheap T-shirts", imported, func(c *body) { first(c).CustomsValueGBP = quantity.MustMoney("200.50") }, nil},
	{"gold at its price", imported, both(goods("7108120000", "Unwrought gold bars", "1", "96000", "1000"), from("CH")), nil},
	{"gold at the price of silver", imported, both(goods("7108120000", "Unwrought gold bars", "1", "960", "1000"), from("CH")), []string{"046w items[0].customsValueGbp"}},
	{"value of one for all", imported, both(goods("8471300000", "Laptop computers", "180", "640", "1000"), from("CN")), []string{"047w items[0].customsValueGbp"}},
	{"enormous", imported, both(goods("8471300000", "Laptop computers", "180000", "640000001", "100000"), from("CN"), func(c *body) { c.Shipment.Containers = nil }), []string{"048w items[0].customsValueGbp"}},
	{"enormous medicine", imported, both(goods("3004900000", "Vaccines against measles", "18000", "640000001", ""), from("CH"), with("9023")), nil},
	{"one round value", exported, func(c *body) { first(c).CustomsValueGBP = quantity.MustMoney("20000") }, []string{"049i items[0].customsValueGbp"}},
	{"one value of whole thousands", exported, func(c *body) { first(c).CustomsValueGBP = quantity.MustMoney("21000") }, nil},
	{"averages", exported, averaged("21970.25"), []string{"050i items[0].customsValueGbp"}},
	{"four values", exported, averaged(""), nil},
}

// averaged makes four items of different codes, each of a value.
func averaged(value string) change {
	return func(c *body) {
		for n, code := range []string{"84212300", "84213925", "84219990"} {
			i := *first(c)
			i.CommodityCode, i.Description, i.CustomsValueGBP = code, "Filters of kind "+string(rune('P'+n)), quantity.MustMoney([]string{"21970.01", "21980", "21990"}[n])
			c.Declaration.Items = append(c.Declaration.Items, i)
		}
		for n := range c.Declaration.Items {
			if value != "" {
				c.Declaration.Items[n].CustomsValueGBP = quantity.MustMoney(value)
			}
		}
	}
}

var originCases = []scenario{
	{"no origin", imported, func(c *body) { first(c).CountryOfOrigin = "" }, []string{"051b items[0].countryOfOrigin"}},
	{"no origin out", exported, func(c *body) { first(c).CountryOfOrigin = "" }, nil},
	{"British goods come in", imported, func(c *body) { first(c).CountryOfOrigin = "GB" }, []string{"052w items[0].countryOfOrigin"}},
	{"British goods come back", imported, func(c *body) { first(c).CountryOfOrigin, first(c).ProcedureCode = "GB", "6123" }, nil},
	{"Northern Irish goods come in", imported, func(c *body) { first(c).CountryOfOrigin = "XI" }, []string{"053w items[0].countryOfOrigin"}},
	{"made nowhere", imported, func(c *body) { first(c).CountryOfOrigin = "ZZ" }, []string{"053b items[0].countryOfOrigin"}},
	{"one code, four origins", exported, origins("US", "JP", "KR"), []string{"054i items[3].countryOfOrigin"}},
	{"one code, two origins", exported, origins("US", "US", "US"), nil},
}

func origins(of ...string) change {
	return func(c *body) {
		for n, country := range of {
			i := *first(c)
			i.CountryOfOrigin, i.NetMassKg, i.CustomsValueGBP = country, quantity.MustMass([]string{"610", "620", "630"}[n]), quantity.MustMoney([]string{"21971", "21972", "21973"}[n])
			c.Declaration.Items = append(c.Declaration.Items, i)
		}
	}
}

func claim(code string) change { return func(c *body) { first(c).PreferenceCode = code } }

var preferenceCases = []scenario{
	{"preference that is none", imported, claim("777"), []string{"055b items[0].preferenceCode"}},
	{"agreement that is none", imported, both(claim("300"), from("US"), with("U110")), []string{"056w items[0].preferenceCode"}},
	{"developing country that is none", imported, both(claim("200"), from("CN"), with("U110")), []string{"056w items[0].preferenceCode"}},
	{"developing country", imported, both(claim("200"), with("N865")), nil},
	{"preference without proof", imported, claim("200"), []string{"057w items[0].preferenceCode"}},
	{"European preference without proof", imported, both(claim("300"), from("PT")), []string{"057w items[0].preferenceCode"}},
	{"European preference", imported, both(claim("300"), from("PT"), with("U116")), nil},
	{"European proof for Korea", imported, both(claim("300"), from("KR"), with("U116")), []string{"058w documents[1].type"}},
	{"quota", imported, both(claim("120")), []string{"059w items[0].preferenceCode"}},
	{"authorised use under 4000", imported, claim("140"), []string{"060w items[0].preferenceCode"}},
	{"authorised use under 4400", imported, both(claim("140"), with("N990"), func(c *body) { first(c).ProcedureCode = "4400" }), nil},
	{"by way of Singapore", imported, both(claim("200"), with("N865"), func(c *body) { c.Shipment.CountryOfDispatch = "SG" }), []string{"061i items[0].preferenceCode"}},
	{"Portuguese goods from Spain", imported, both(from("ES"), claim("300"), with("U116"), func(c *body) { first(c).CountryOfOrigin = "PT" }), nil},
	{"dutiable goods of a developing country", imported, func(*body) {}, []string{"062i items[0].preferenceCode"}},
	{"free goods of a developing country", imported, both(goods("4903000000", "Children's picture books", "900", "9010", ""), from("BD")), nil},
	{"no preference for China", imported, from("CN"), nil},
	{"preference of an export", exported, claim("300"), []string{"063w items[0].preferenceCode"}},
	{"no preference of an export", exported, claim("100"), nil},
}
