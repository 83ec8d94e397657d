package analysis_test

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

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
		i.CommodityCode, i.Description, i.NetMassKg, i.GrossMassKg = code, description, pointer(quantity.MustMass(kilograms)), nil
		gross, _ := quantity.ParseMass(kilograms)
		gross = gross.Add(quantity.MustMass("1"))
		i.GrossMassKg, i.CustomsValueGBP, i.Quantity, i.PackageCount = &gross, pointer(quantity.MustMoney(value)), nil, count(1)
		if units != "" {
			i.SupplementaryUnits = number(units)
		}
	}
}

// priced has a price in a currency, terms of delivery if any, and a charge if any. A dollar has the rate 1.3.
func priced(price, currency, terms, charge string) change {
	return func(c *body) {
		i := first(c)
		i.CustomsValueGBP, i.ItemPrice = nil, sum(price, currency)
		if terms != "" {
			c.Declaration.DeliveryTerms = &datamodel.DeliveryTerms{Incoterm: terms}
		}
		if charge != "" {
			i.ValuationAdjustments = []datamodel.Charge{{Code: charge, Amount: sum("13", "USD")}}
		}
		rate := quantity.MustRate("1.3")
		c.Declaration.ExchangeRates = []datamodel.ExchangeRate{{Currency: "USD", Rate: &rate, Source: "OTHER"}}
	}
}

// sayAll states what a declaration with fill KNOWN must state itself.
func sayAll(c *body) {
	d, i := &c.Declaration, first(c)
	d.Fill, d.TransactionNature, i.ProcedureCode, i.ValuationMethod = datamodel.FillKnown, "1", "4000", "1"
	d.Destination = &datamodel.Destination{Country: "GB"}
	d.Representation = &datamodel.Representation{Type: datamodel.Direct}
	d.PreviousDocuments = []datamodel.PreviousDocument{{Category: "Z", Type: "DCR", Reference: "6GB123456789000-17"}}
	i.Packages, i.PackageCount, i.PackageType = []datamodel.Package{{Count: count(25), Type: "CT", Marks: "ADDR"}}, nil, ""
}

func sum(amount, currency string) *datamodel.Amount {
	s := quantity.MustSum(amount)
	return &datamodel.Amount{Amount: &s, Currency: currency}
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

var partyCases = []testCase{
	check("client's EORI too short", imported, func(c *body) { c.Client.EORI = "GB123" }, "DEC-001 blocker client.eori"),
	check("carrier's EORI malformed", exported, func(c *body) { c.Shipment.CarrierEORI = "GB12" }, "DEC-001 blocker shipment.carrierEori"),
	check("organisation's EORI malformed", imported, func(c *body) { c.Trader.EORI = "X" }, "DEC-001 blocker organisation.eori"),
	check("EORI with spaces", imported, func(c *body) { c.Client.EORI = "gb 123456789 000" }),
	check("importer without EORI", imported, func(c *body) { c.Client.EORI = "" }, "DEC-002 warning client.eori"),
	check("no party has an EORI", imported, func(c *body) { c.Client.EORI, c.Trader.EORI = "", "" }, "DEC-002 blocker client.eori"),
	check("exporter without EORI", exported, func(c *body) { c.Client.EORI = "" }, "DEC-002 blocker client.eori"),
	check("organisation without EORI", exported, func(c *body) { c.Trader.EORI = "" }),
	check("French EORI", imported, func(c *body) { c.Client.EORI = "FR12345678901234" }, "DEC-003 warning client.eori", "DEC-302 blocker previousDocuments[0].reference"),
	check("Northern Irish EORI", imported, func(c *body) { c.Client.EORI = "XI123456789000" }),
	check("exporter imports", imported, func(c *body) { c.Client.Role = "EXPORTER" }, "DEC-004 warning client.role"),
	check("importer exports", exported, func(c *body) { c.Client.Role = "IMPORTER" }, "DEC-004 warning client.role"),
	check("who does both", imported, func(c *body) { c.Client.Role = "BOTH" }),
	check("exporter abroad without street", imported, func(c *body) { c.Shipment.CounterpartyAddress = " " }, "DEC-005 warning shipment.counterpartyAddress"),
	check("exporter abroad without postcode", imported, func(c *body) { c.Shipment.CounterpartyPostcode = "" }),
	check("consignee to be confirmed", exported, func(c *body) { c.Shipment.CounterpartyName = "TBC" }, "DEC-006 warning shipment.counterpartyName"),
	check("consignee named Test Valley", exported, func(c *body) { c.Shipment.CounterpartyName = "Test Valley Joinery" }),
	check("exporter in London", imported, func(c *body) { c.Shipment.CounterpartyCountry = "GB" }, "DEC-007 warning shipment.counterpartyCountry"),
	check("consignee in Belfast", exported, func(c *body) { c.Shipment.CounterpartyCountry = "XI" }, "DEC-007 warning shipment.counterpartyCountry"),
	check("exporter in Jersey", imported, func(c *body) { c.Shipment.CounterpartyCountry = "JE" }),
	check("sister company", imported, func(c *body) { c.Shipment.CounterpartyName = "Mill Lane Textiles GmbH" }, "DEC-008 warning shipment.counterpartyName"),
	check("company of a like name", imported, func(c *body) { c.Shipment.CounterpartyName = "Mill Lane Dyeing GmbH" }),
}

var journeyCases = []testCase{
	check("import from GB", imported, func(c *body) { c.Shipment.CountryOfDispatch = "GB" }, "DEC-009 blocker shipment.countryOfDispatch"),
	check("import from nowhere", imported, func(c *body) {
		c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry, first(c).CountryOfOrigin = "", "", ""
	}, "DEC-005 warning shipment.counterpartyCountry", "DEC-009 blocker shipment.countryOfDispatch", "DEC-051 blocker items[0].countryOfOrigin"),
	check("import to France", imported, func(c *body) { c.Shipment.CountryOfDestination = "FR" }, "DEC-009 warning shipment.countryOfDestination"),
	check("import whose exporter says where from", imported, func(c *body) { c.Shipment.CountryOfDispatch = "" }),
	check("export to GB", exported, func(c *body) { c.Shipment.CountryOfDestination = "GB" }, "DEC-009 blocker shipment.countryOfDestination"),
	check("export to nowhere", exported, to(""), "DEC-005 warning shipment.counterpartyCountry", "DEC-009 blocker shipment.countryOfDestination"),
	check("port by name", imported, func(c *body) { c.Shipment.PortOfEntry = "Felixstowe" }, "DEC-010 warning shipment.portOfEntry"),
	check("port of five letters by name", imported, func(c *body) { c.Shipment.PortOfEntry = "Dover" }, "DEC-010 warning shipment.portOfEntry"),
	check("port without a location of its name", imported, func(c *body) { c.Shipment.PortOfEntry = "GBDVR" }, "DEC-214 warning location"),
	check("the same with its location", imported, func(c *body) { c.Shipment.PortOfEntry, c.Shipment.GoodsLocation = "GBDVR", "GBAUDEUDEUDEUGVM" }),
	check("port by name, and its location", imported, func(c *body) { c.Shipment.PortOfEntry, c.Shipment.GoodsLocation = "Felixstowe", "GBAUFXTFXTFXT" }),
	check("nameless lorry", imported, func(c *body) { c.Shipment.TransportID, c.Shipment.VesselName = "", " " }, "DEC-011 warning shipment.transportId"),
	check("ship by name", imported, func(c *body) { c.Shipment.TransportID = "" }),
	check("container mistyped", imported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234567"} }, "DEC-012 warning shipment.containers[0]"),
	check("container malformed", imported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234565", "BOX 7"} }, "DEC-012 warning shipment.containers[1]"),
	check("container twice", imported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234565", "msku 123456 5"} }, "DEC-012 warning shipment.containers[1]"),
	check("container in an aircraft", exported, func(c *body) { c.Shipment.Containers = []string{"MSKU1234565"} }, "DEC-012 info shipment.containers"),
	check("arrives in two months", imported, func(c *body) { c.Shipment.ExpectedArrival = in(60 * 24 * time.Hour) }, "DEC-013 warning shipment.expectedArrival"),
	check("has arrived and arrives tomorrow", imported, func(c *body) { c.Shipment.ExpectedArrival, c.Shipment.Arrived = in(24*time.Hour), true }, "DEC-013 warning shipment.expectedArrival"),
	check("arrives next week", imported, func(c *body) { c.Shipment.ExpectedArrival = in(7 * 24 * time.Hour) }),
	check("arrived last month", imported, func(c *body) { c.Shipment.ExpectedArrival, c.Shipment.Arrived = in(-30*24*time.Hour), true }),
	check("free on board", imported, func(c *body) { c.Shipment.Incoterm = "FOB" }, "DEC-014 info shipment.incoterm"),
	check("free on board, out", exported, func(c *body) { c.Shipment.Incoterm, c.Shipment.TransportMode = "FOB", "SEA" }),
	check("duty paid", imported, func(c *body) { c.Shipment.Incoterm = "DDP" }, "DEC-015 info shipment.incoterm"),
	check("duty unpaid", imported, func(c *body) { c.Shipment.Incoterm = "DAP" }),
	check("CIF by air", imported, func(c *body) { c.Shipment.TransportMode, c.Shipment.Containers = "AIR", nil }, "DEC-016 info shipment.incoterm"),
	check("CIP by air", imported, func(c *body) {
		c.Shipment.TransportMode, c.Shipment.Containers, c.Shipment.Incoterm = "AIR", nil, "CIP"
	}),
	check("no office of exit at Heathrow", exported, func(c *body) { c.Shipment.ExitOffice = "" }, "DEC-017 warning shipment.exitOffice"),
	check("no office of exit at Dover", exported, func(c *body) {
		c.Shipment.ExitOffice, c.Shipment.PortOfEntry, c.Shipment.GoodsLocation = "", "GBDVR", "GBAUDEUDEUDEUGVM"
	}),
	check("no carrier", exported, func(c *body) { c.Shipment.CarrierEORI = "" }, "DEC-018 info shipment.carrierEori"),
	check("no carrier of an import", imported, func(c *body) { c.Shipment.CarrierEORI = "" }),
}

var codeCases = []testCase{
	check("import with eight digits", imported, func(c *body) { first(c).CommodityCode = "61091000" }, "DEC-019 blocker items[0].commodityCode"),
	check("export with six digits", exported, func(c *body) { first(c).CommodityCode = "842139" }, "DEC-019 blocker items[0].commodityCode"),
	check("export with ten digits", exported, func(c *body) { first(c).CommodityCode = "8421398500" }, "DEC-019 info items[0].commodityCode"),
	check("chapter 77", imported, func(c *body) { first(c).CommodityCode = "7701000000" }, "DEC-020 blocker items[0].commodityCode"),
	check("heading that was dropped", exported, func(c *body) { first(c).CommodityCode = "84690000" }, "DEC-020 blocker items[0].commodityCode"),
	check("chapter 99", exported, func(c *body) { first(c).CommodityCode = "99050000" }, "DEC-020 warning items[0].commodityCode"),
	check("code with codes below it", imported, standing(analysis.Grouping), "DEC-021 blocker items[0].commodityCode"),
	check("code of last year", imported, standing(analysis.OutOfForce), "DEC-021 blocker items[0].commodityCode"),
	check("code that never was", exported, standing(analysis.NotFound), "DEC-021 blocker items[0].commodityCode"),
	check("short code that never was", exported, both(standing(analysis.NotFound), func(c *body) { first(c).CommodityCode = "842139" }), "DEC-019 blocker items[0].commodityCode"),
	check("code in force", imported, standing(analysis.Declarable)),
	check("code without a known status", imported, standing(analysis.Unknown)),
	check("code without a measure", imported, goods("3926909790", "Moulded plastic clips", "30", "300", "")),
	check("code that the tariff does not know", imported, goods("3926909799", "Moulded plastic clips", "30", "300", ""), "DEC-022 info items[0].commodityCode"),
	check("duty on what is not declared", imported, both(goods("1701141000", "Raw cane sugar for refining", "1000", "700", ""), from("BR")), "DEC-022 info items[0].commodityCode"),
	check("export without a measure", exported, func(c *body) { first(c).CommodityCode = "84213900" }),
	check("description that leads elsewhere", imported, suggested("6205200000", true, true), "DEC-023 warning items[0].commodityCode"),
	check("description that seems to lead elsewhere", imported, suggested("6205200000", true, false), "DEC-023 info items[0].commodityCode"),
	check("description that leads nowhere", imported, suggested("6205200000", false, false)),
	check("description that leads to the heading", imported, suggested("6109909000", true, true)),
	check("women's shirts as men's", imported, func(c *body) {
		first(c).CommodityCode, first(c).Description = "6105100000", "Ladies’ knitted cotton blouses"
	}, "DEC-024 warning items[0].commodityCode"),
	check("men's and women's shirts", imported, func(c *body) {
		first(c).CommodityCode, first(c).Description = "6105100000", "Men's and women's knitted cotton shirts"
	}),
	check("woven T-shirts", imported, func(c *body) { first(c).Description = "Men's woven cotton T-shirts" }, "DEC-024 warning items[0].commodityCode"),
	check("anything but knitted", imported, func(c *body) {
		first(c).CommodityCode, first(c).Description = "6205200000", "Men's cotton shirts, other than knitted"
	}),
	check("parts of a laptop", imported, both(goods("8471300000", "Spare parts for laptops", "20", "5000", "20"), from("CN")), "DEC-024 warning items[0].commodityCode"),
	check("one thing under two headings", imported, twice(func(i *customs.Item) { i.CommodityCode, i.NetMassKg = "6110209900", pointer(quantity.MustMass("121")) }), "DEC-025 warning items[1].commodityCode"),
	check("one thing under two codes of a heading", imported, twice(func(i *customs.Item) { i.CommodityCode, i.NetMassKg = "6109100090", pointer(quantity.MustMass("121")) })),
}

func standing(s analysis.CodeStatus) change {
	return func(c *body) { c.CodeStatus = func(string, time.Time) analysis.CodeStatus { return s } }
}

func suggested(code string, heading, chapter bool) change {
	return func(c *body) {
		c.Contradict = func(string, string, time.Time) analysis.Contradiction {
			return analysis.Contradiction{Heading: heading, Chapter: chapter, Likely: code}
		}
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

var descriptionCases = []testCase{
	check("vague", imported, func(c *body) { first(c).Description = "Spare parts" }, "DEC-026 warning items[0].description"),
	check("a code for a description", imported, func(c *body) { first(c).Description = "6109100010" }, "DEC-026 warning items[0].description"),
	check("half vague", imported, func(c *body) { first(c).Description = "T-shirts, hats etc." }, "DEC-026 warning items[0].description"),
	check("short", imported, func(c *body) { first(c).Description = "Tee" }, "DEC-026 info items[0].description"),
	check("one telling word", imported, func(c *body) { first(c).Description = "Undershirts" }),
	check("a brand and a model", imported, func(c *body) { first(c).Description = "Nike Air Max 90" }, "DEC-027 warning items[0].description"),
	check("a fruit and no brand", imported, both(goods("0808108090", "Apple", "900", "910", ""), from("NZ"), with("N851"))),
	check("a brand and what it is", imported, func(c *body) { first(c).Description = "Nike T-shirts" }),
	check("in Chinese", imported, func(c *body) { first(c).Description = "男士棉质T恤" }, "DEC-028 warning items[0].description"),
	check("with an accent", imported, func(c *body) { first(c).Description = "Gilets à capuche" }),
	check("used clothes as new", imported, func(c *body) { first(c).Description = "Used cotton T-shirts" }, "DEC-029 info items[0].description"),
	check("used clothes", imported, both(goods("6309000000", "Used clothing and shoes", "900", "1200", ""), from("CN"))),
}

var massCases = []testCase{
	check("no mass", imported, func(c *body) { first(c).NetMassKg = pointer(quantity.Mass{}) }, "DEC-030 blocker items[0].netMassKg"),
	check("a gram", imported, goods("6109100010", "Men's cotton T-shirts", "0.05", "5", "1"), "DEC-105 info items"),
	check("net above gross", imported, func(c *body) { first(c).GrossMassKg = mass("120.4") }, "DEC-031 blocker items[0].grossMassKg"),
	check("a hair above net", imported, func(c *body) { first(c).GrossMassKg = mass("120.500001") }),
	check("packaging of a tonne", imported, func(c *body) { first(c).GrossMassKg = mass("1310") }, "DEC-032 warning items[0].grossMassKg"),
	check("light goods in a box", imported, both(goods("9102110000", "Wrist watches, quartz", "2", "4000", "40"), from("CH"), func(c *body) { first(c).GrossMassKg = mass("30") })),
	check("no gross mass", imported, func(c *body) { first(c).GrossMassKg = nil }, "DEC-033 info items[0].grossMassKg"),
	check("one of two without gross mass", imported, twice(func(i *customs.Item) { i.GrossMassKg, i.NetMassKg = nil, pointer(quantity.MustMass("90")) }), "DEC-033 info items"),
	check("packaging of no weight", imported, func(c *body) { first(c).GrossMassKg = mass("120.5") }, "DEC-034 info items[0].grossMassKg"),
	check("timber without packaging", imported, both(goods("4407919000", "Sawn oak", "9000", "8100", "12"), from("US"), func(c *body) { first(c).GrossMassKg = mass("9000") })),
	check("40 tonnes on a lorry", exported, func(c *body) {
		c.Shipment.TransportMode, first(c).NetMassKg, first(c).GrossMassKg, first(c).CustomsValueGBP = "ROAD", pointer(quantity.MustMass("38000")), mass("40000"), pointer(quantity.MustMoney("900100"))
	}, "DEC-035 warning items"),
	check("31 tonnes in a container", imported, func(c *body) {
		first(c).NetMassKg, first(c).GrossMassKg, first(c).CustomsValueGBP, first(c).Quantity = pointer(quantity.MustMass("29000")), mass("31000"), pointer(quantity.MustMoney("400500")), count(150000)
	}, "DEC-035 warning items"),
	check("31 tonnes in two containers", imported, func(c *body) {
		first(c).NetMassKg, first(c).GrossMassKg, first(c).CustomsValueGBP, first(c).Quantity = pointer(quantity.MustMass("29000")), mass("31000"), pointer(quantity.MustMoney("400500")), count(150000)
		c.Shipment.Containers = []string{"MSKU1234565", "CSQU3054383"}
	}),
	check("T-shirts of 12 kg", imported, func(c *body) { first(c).Quantity, first(c).PackageCount = count(10), count(1) }, "DEC-036 warning items[0].netMassKg"),
	check("T-shirts of 30 g", imported, func(c *body) { first(c).Quantity = count(4000) }),
}

var quantityCases = []testCase{
	check("T-shirts uncounted", imported, func(c *body) { first(c).Quantity = nil }, "DEC-037 blocker items[0].quantity"),
	check("T-shirts counted as none", imported, func(c *body) { first(c).Quantity = count(0) }, "DEC-037 blocker items[0].quantity"),
	check("filters uncounted", exported, func(c *body) { first(c).Quantity = nil }),
	check("no filters", exported, func(c *body) { first(c).Quantity = count(0) }, "DEC-038 warning items[0].quantity"),
	check("two quantities", imported, func(c *body) { first(c).SupplementaryUnits = number("60") }, "DEC-036 warning items[0].netMassKg", "DEC-039 warning items[0].supplementaryUnits"),
	check("two quantities alike", imported, func(c *body) { first(c).SupplementaryUnits = number("600.0") }),
	check("half a T-shirt", imported, func(c *body) { first(c).Quantity, first(c).SupplementaryUnits = nil, number("600.5") }, "DEC-040 warning items[0].supplementaryUnits"),
	check("half a cubic metre", imported, both(goods("4407919000", "Sawn oak", "400", "500", "0.5"), from("US"))),
	check("bottles for litres", imported, both(goods("2204101100", "Champagne wine", "900", "9000", "100"), from("FR"), with("C651")), "DEC-041 warning items[0].supplementaryUnits", "DEC-101 info items[0].commodityCode", "DEC-113 warning documents[1].reference"),
	check("litres", imported, both(goods("2204101100", "Champagne wine", "900", "9000", "880"), from("FR")), "DEC-101 warning items[0].commodityCode"),
	check("no packages", imported, func(c *body) { first(c).PackageCount = count(0) }, "DEC-042 blocker items[0].packageCount"),
	check("packed with another item", imported, twice(func(i *customs.Item) {
		i.PackageCount, i.NetMassKg, i.GrossMassKg = count(0), pointer(quantity.MustMass("90")), mass("91")
	})),
	check("700 cartons of 600 T-shirts", imported, func(c *body) { first(c).PackageCount = count(700) }, "DEC-043 warning items[0].packageCount"),
	check("600 cartons of 600 T-shirts", imported, func(c *body) { first(c).PackageCount = count(600) }),
	check("packages of no kind", imported, func(c *body) { first(c).PackageType = "QZ" }, "DEC-044 blocker items[0].packageType"),
	check("usual packages", imported, func(c *body) { first(c).PackageType = "" }),
}

var valueCases = []testCase{
	check("price without a rate", imported, priced("1000", "TRY", "", ""), "DEC-123 info items[0].itemPrice"),
	check("price with a rate", imported, priced("1300", "USD", "", "")),
	check("statistical value that is computed", imported, func(c *body) {
		priced("1300", "USD", "", "")(c)
		sayAll(c)
	}, "DEC-124 info items[0].statisticalValue"),
	check("statistical value that is stated", imported, func(c *body) {
		priced("1300", "USD", "", "")(c)
		sayAll(c)
		first(c).StatisticalValue = sum("1000", "GBP")
	}),
	check("price without the freight", imported, priced("1300", "USD", "FCA", ""), "DEC-125 warning valuationAdjustments"),
	check("price with the freight added", imported, priced("1300", "USD", "FCA", "AK")),
	check("price with a freight charge", imported, func(c *body) {
		priced("1300", "USD", "FCA", "")(c)
		c.Declaration.FreightCharge = sum("90", "GBP")
	}),
	check("freight twice", imported, priced("1300", "USD", "DAP", "AK"), "DEC-126 warning items[0].valuationAdjustments"),
	check("freight twice at the header", imported, func(c *body) {
		c.Declaration.ValuationAdjustments = []datamodel.Charge{{Code: "AK", Amount: sum("50", "GBP")}}
	}, "DEC-126 warning valuationAdjustments"),
	check("a charge that counts nowhere", imported, priced("1300", "USD", "", "ZZ"), "DEC-127 info items[0].valuationAdjustments[0].code"),
	check("free samples", imported, func(c *body) { first(c).CustomsValueGBP = pointer(quantity.Money{}) }, "DEC-045 warning items[0].customsValueGbp"),
	check("free samples out", exported, func(c *body) { first(c).CustomsValueGBP = pointer(quantity.Money{}) }, "DEC-045 warning items[0].customsValueGbp"),
	check("decimal point slipped down", imported, func(c *body) { first(c).CustomsValueGBP = pointer(quantity.MustMoney("100.50")) }, "DEC-046 warning items[0].customsValueGbp", "DEC-047 warning items[0].customsValueGbp", "DEC-105 info items"),
	check("cheap T-shirts", imported, func(c *body) { first(c).CustomsValueGBP = pointer(quantity.MustMoney("200.50")) }),
	check("gold at its price", imported, both(goods("7108120000", "Unwrought gold bars", "1", "96000", "1000"), from("CH"))),
	check("gold at the price of silver", imported, both(goods("7108120000", "Unwrought gold bars", "1", "960", "1000"), from("CH")), "DEC-046 warning items[0].customsValueGbp"),
	check("value of one for all", imported, both(goods("8471300000", "Laptop computers", "180", "640", "1000"), from("CN")), "DEC-047 warning items[0].customsValueGbp"),
	check("enormous", imported, both(goods("8471300000", "Laptop computers", "180000", "640000001", "100000"), from("CN"), func(c *body) { c.Shipment.Containers = nil }), "DEC-048 warning items[0].customsValueGbp"),
	check("enormous medicine", imported, both(goods("3004900000", "Vaccines against measles", "18000", "640000001", ""), from("CH"), with("9023"))),
	check("one round value", exported, func(c *body) { first(c).CustomsValueGBP = pointer(quantity.MustMoney("20000")) }, "DEC-049 info items[0].customsValueGbp"),
	check("one value of whole thousands", exported, func(c *body) { first(c).CustomsValueGBP = pointer(quantity.MustMoney("21000")) }),
	check("averages", exported, averaged("21970.25"), "DEC-050 info items[0].customsValueGbp"),
	check("four values", exported, averaged("")),
}

// averaged makes four items of different codes, each of a value.
func averaged(value string) change {
	return func(c *body) {
		for n, code := range []string{"84212300", "84213925", "84219990"} {
			i := *first(c)
			i.CommodityCode, i.Description, i.CustomsValueGBP = code, "Filters of kind "+string(rune('P'+n)), pointer(quantity.MustMoney([]string{"21970.01", "21980", "21990"}[n]))
			c.Declaration.Items = append(c.Declaration.Items, i)
		}
		for n := range c.Declaration.Items {
			if value != "" {
				c.Declaration.Items[n].CustomsValueGBP = pointer(quantity.MustMoney(value))
			}
		}
	}
}

var originCases = []testCase{
	check("no origin", imported, func(c *body) { first(c).CountryOfOrigin = "" }, "DEC-051 blocker items[0].countryOfOrigin"),
	check("no origin out", exported, func(c *body) { first(c).CountryOfOrigin = "" }),
	check("British goods come in", imported, func(c *body) { first(c).CountryOfOrigin = "GB" }, "DEC-052 warning items[0].countryOfOrigin"),
	check("British goods come back", imported, func(c *body) { first(c).CountryOfOrigin, first(c).ProcedureCode = "GB", "6123" }),
	check("Northern Irish goods come in", imported, func(c *body) { first(c).CountryOfOrigin = "XI" }, "DEC-053 warning items[0].countryOfOrigin"),
	check("made nowhere", imported, func(c *body) { first(c).CountryOfOrigin = "ZZ" }, "DEC-053 blocker items[0].countryOfOrigin"),
	check("one code, four origins", exported, origins("US", "JP", "KR"), "DEC-054 info items[3].countryOfOrigin"),
	check("one code, two origins", exported, origins("US", "US", "US")),
}

func origins(of ...string) change {
	return func(c *body) {
		for n, country := range of {
			i := *first(c)
			i.CountryOfOrigin, i.NetMassKg, i.CustomsValueGBP = country, pointer(quantity.MustMass([]string{"610", "620", "630"}[n])), pointer(quantity.MustMoney([]string{"21971", "21972", "21973"}[n]))
			c.Declaration.Items = append(c.Declaration.Items, i)
		}
	}
}

func claim(code string) change { return func(c *body) { first(c).PreferenceCode = code } }

var preferenceCases = []testCase{
	check("preference that is none", imported, claim("777"), "DEC-055 blocker items[0].preferenceCode"),
	check("agreement that is none", imported, both(claim("300"), from("US"), with("U110")), "DEC-056 warning items[0].preferenceCode"),
	check("developing country that is none", imported, both(claim("200"), from("CN"), with("U110")), "DEC-056 warning items[0].preferenceCode"),
	check("developing country", imported, both(claim("200"), with("N865"))),
	check("preference without proof", imported, claim("200"), "DEC-057 warning items[0].preferenceCode"),
	check("European preference without proof", imported, both(claim("300"), from("PT")), "DEC-057 warning items[0].preferenceCode"),
	check("European preference", imported, both(claim("300"), from("PT"), with("U116"))),
	check("European proof for Korea", imported, both(claim("300"), from("KR"), with("U116")), "DEC-058 warning documents[1].type"),
	check("quota", imported, both(claim("120")), "DEC-059 blocker items[0].preferenceCode"),
	check("quota with its number", imported, both(claim("120"), func(c *body) { first(c).QuotaOrderNumber = "050001" })),
	check("authorised use under 4000", imported, claim("140"), "DEC-060 warning items[0].preferenceCode"),
	check("authorised use under 4400", imported, both(claim("140"), with("N990"), holding("EUS"), func(c *body) { first(c).ProcedureCode = "4400" })),
	check("by way of Singapore", imported, both(claim("200"), with("N865"), func(c *body) { c.Shipment.CountryOfDispatch = "SG" }), "DEC-061 info items[0].preferenceCode"),
	check("Portuguese goods from Spain", imported, both(from("ES"), claim("300"), with("U116"), func(c *body) { first(c).CountryOfOrigin = "PT" })),
	check("dutiable goods of a developing country", imported, func(*body) {}, "DEC-062 info items[0].preferenceCode"),
	check("free goods of a developing country", imported, both(goods("4903000000", "Children's picture books", "900", "9010", ""), from("BD"))),
	check("no preference for China", imported, from("CN")),
	check("preference of an export", exported, claim("300"), "DEC-063 warning items[0].preferenceCode", "DEC-302 blocker items[0].countryOfOrigin"),
	check("no preference of an export", exported, claim("100")),
}
