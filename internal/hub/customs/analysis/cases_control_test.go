package analysis_test

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func madeIn(origin string) change { return func(c *body) { first(c).CountryOfOrigin = origin } }

var sanctionCases = []testCase{
	check("made in Russia", imported, madeIn("RU"), "DEC-064 blocker items[0].countryOfOrigin"),
	check("shirts of Belarus", imported, madeIn("BY"), "DEC-064 warning items[0].countryOfOrigin"),
	check("potash of Belarus", imported, both(goods("3104205000", "Potassium chloride", "20000", "6010", "12000"), madeIn("BY")), "DEC-064 blocker items[0].countryOfOrigin"),
	check("carpets of Iran", imported, both(goods("5701109000", "Knotted wool carpets", "100", "6010", "20"), madeIn("IR")), "DEC-064 warning items[0].countryOfOrigin"),
	check("shirts of Syria", imported, madeIn("SY")),
	check("oil of Syria", imported, both(goods("2709009000", "Crude petroleum oil", "20000", "8010", ""), madeIn("SY")), "DEC-064 blocker items[0].countryOfOrigin"),
	check("shirts of Kazakhstan", imported, madeIn("KZ")),
	check("sent from Russia", imported, func(c *body) { c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry = "RU", "RU" },
		"DEC-065 blocker shipment.counterpartyCountry", "DEC-065 blocker shipment.countryOfDispatch"),
	check("Russian ship", imported, func(c *body) { c.Shipment.TransportNationality = "RU" }, "DEC-065 blocker shipment.transportNationality"),
	check("Panamanian ship", imported, func(c *body) { c.Shipment.TransportNationality = "PA" }),
	check("filters to Russia", exported, to("RU"), "DEC-066 blocker items[0].commodityCode"),
	check("books to Belarus", exported, both(goods("49019900", "Printed school books", "100", "910", ""), to("BY")), "DEC-066 warning items[0].commodityCode"),
	check("filters to Turkey", exported, to("TR")),
	check("from Sevastopol", imported, func(c *body) {
		from("UA")(c)
		c.Shipment.CounterpartyCity = "Sevastopol"
	}, "DEC-067 blocker shipment.counterpartyCity"),
	check("from Kyiv, Donetsk's street", imported, func(c *body) {
		from("UA")(c)
		c.Shipment.CounterpartyCity, c.Shipment.CounterpartyAddress = "Kyiv", "4 Donetska Street"
	}),
	check("chips to Kyrgyzstan", exported, both(goods("85423190", "Microcontrollers for washing machines", "2", "4010", "200"), to("KG")), "DEC-068 warning items[0].commodityCode"),
	check("chips to China", exported, both(goods("85423190", "Microcontrollers for washing machines", "2", "4010", "200"), to("CN"))),
	check("chips to France", exported, both(goods("85423190", "Microcontrollers for washing machines", "2", "4010", "200"), to("FR"))),
	check("Indian steel", imported, both(goods("7308909890", "Steel frames for sheds", "2000", "5010", ""), from("IN")), "DEC-069 info items[0].commodityCode", "DEC-104 info items[0].commodityCode"),
	check("American steel", imported, both(goods("7308909890", "Steel frames for sheds", "2000", "5010", ""), from("US")), "DEC-104 info items[0].commodityCode"),
}

var controlCases = []testCase{
	check("machine tool without a licence", exported, goods("84571090", "Five-axis machining centre", "900", "190100", "1"), "DEC-070 blocker items[0].description"),
	check("machine tool with a licence", exported, both(goods("84571090", "Five-axis machining centre", "900", "190100", "1"), with("X002"))),
	check("machine tool without need of a licence", exported, both(goods("84571090", "Five-axis machining centre", "900", "190100", "1"), with("Y901")), "DEC-071 warning items[0].description"),
	check("lathe", exported, goods("84581120", "Horizontal lathe for schools", "900", "19010", "1")),
	check("shotguns come in", imported, both(goods("9303209500", "Double-barrelled shotguns for sport", "30", "9010", "10"), from("IT")), "DEC-072 warning items[0].description"),
	check("shotguns with a licence", imported, both(goods("9303209500", "Double-barrelled shotguns for sport", "30", "9010", "10"), from("IT"), with("9100"))),
	check("toy guns come in", imported, both(goods("9503008100", "Plastic toy weapons", "30", "310", "100"), from("CN"))),
}

// codes of documents that no rule asks for stand for none.
var licenceCases = []testCase{
	check("crocodile bags", imported, both(goods("4202210000", "Crocodile leather handbags", "30", "9010", "30"), from("SG")), "DEC-073 warning items[0].description"),
	check("crocodile bags with a permit", imported, both(goods("4202210000", "Crocodile leather handbags", "30", "9010", "30"), from("SG"), with("C400"))),
	check("cow leather bags", imported, both(goods("4202210000", "Cow leather handbags", "30", "9010", "30"), from("SG"))),
	check("horses", imported, both(goods("0101210000", "Horses kept for pedigree breeding", "1100", "90100", "2"), from("US")), "DEC-074 warning items[0].commodityCode"),
	check("horses with their document", imported, both(goods("0101210000", "Horses kept for pedigree breeding", "1100", "90100", "2"), from("US"), health("C640"))),
	check("Brazilian beef", imported, both(goods("0202309090", "Frozen boneless beef cuts", "20000", "90100", ""), from("BR")), "DEC-075 warning items[0].commodityCode"),
	check("Irish beef", imported, both(goods("0202309090", "Frozen boneless beef cuts", "20000", "90100", ""), from("IE")), "DEC-075 info items[0].commodityCode"),
	check("Brazilian beef with its document", imported, both(goods("0202309090", "Frozen boneless beef cuts", "20000", "90100", ""), from("BR"), health("N853"))),
	check("cod", imported, both(goods("0304711000", "Frozen cod fillets", "2000", "9010", ""), from("CN"), health("N853")), "DEC-076 warning items[0].commodityCode"),
	check("cod with its certificate", imported, both(goods("0304711000", "Frozen cod fillets", "2000", "9010", ""), from("CN"), health("N853"), with("C673"))),
	check("trees", imported, both(goods("0602202000", "Young apple trees with bare roots", "200", "910", "100"), from("NL")), "DEC-077 warning items[0].commodityCode"),
	check("trees with their certificate", imported, both(goods("0602202000", "Young apple trees with bare roots", "200", "910", "100"), from("NL"), with("N851"))),
	check("carrots", imported, both(goods("0706100010", "Fresh carrots", "2000", "910", ""), from("NL")), "DEC-078 info items[0].commodityCode"),
	check("oranges", imported, both(goods("0805102290", "Navel oranges", "2000", "1910", ""), from("ZA"))),
	check("Turkish figs", imported, both(goods("0804209000", "Dried figs", "2000", "7910", ""), from("TR")), "DEC-079 info items[0].commodityCode"),
	check("Greek figs", imported, both(goods("0804209000", "Dried figs", "2000", "7910", ""), from("GR"))),
	check("organic tea", imported, both(goods("0902400000", "Organic black tea", "2000", "7910", ""), from("KE")), "DEC-080 warning items[0].description"),
	check("organic tea with its certificate", imported, both(goods("0902400000", "Organic black tea", "2000", "7910", ""), from("KE"), with("C644"))),
	check("black tea", imported, both(goods("0902400000", "Black tea", "2000", "7910", ""), from("KE"))),
	check("Malaysian beds", imported, both(goods("9403500000", "Teak bedroom furniture", "2000", "7910", ""), from("MY"))),
	check("Indonesian beds", imported, both(goods("9403500000", "Teak bedroom furniture", "2000", "7910", ""), from("ID")), "DEC-081 warning items[0].commodityCode"),
	check("Indonesian beds with their licence", imported, both(goods("9403500000", "Teak bedroom furniture", "2000", "7910", ""), from("ID"), with("C690"))),
	check("scrap copper out", exported, goods("74040010", "Copper scrap, bright wire", "2000", "12910", ""), "DEC-082 warning items[0].commodityCode"),
	check("scrap copper with its form", exported, both(goods("74040010", "Copper scrap, bright wire", "2000", "12910", ""), with("C672"))),
	check("fireworks", imported, both(goods("3604100000", "Display fireworks", "2000", "12910", ""), from("CN")), "DEC-083 warning items[0].commodityCode"),
	check("fireworks with a licence", imported, both(goods("3604100000", "Display fireworks", "2000", "12910", ""), from("CN"), with("9023"))),
	check("cannabis flower", imported, both(goods("1211908600", "Dried cannabis flower, 20% THC", "20", "12910", ""), from("PT")), "DEC-084 warning items[0].description"),
	check("dried mint", imported, both(goods("1211908600", "Dried mint leaves", "20", "110.30", ""), from("PT")), "DEC-105 info items"),
	check("HCFC", imported, both(goods("2903710000", "Chlorodifluoromethane in cylinders", "200", "2910", ""), from("CN")), "DEC-085 warning items[0].commodityCode"),
	check("HCFC with a licence", imported, both(goods("2903710000", "Chlorodifluoromethane in cylinders", "200", "2910", ""), from("CN"), with("L100"))),
	check("air conditioners", imported, both(goods("8415109090", "Split air conditioners", "900", "12910", ""), from("TH")), "DEC-086 warning items[0].commodityCode"),
	check("air conditioners with their declaration", imported, both(goods("8415109090", "Split air conditioners", "900", "12910", ""), from("TH"), with("C057"))),
	check("rough diamonds", imported, both(goods("7102310000", "Rough diamonds, unsorted", "0.1", "90100", "500"), from("BW")), "DEC-069 info items[0].commodityCode", "DEC-087 warning items[0].commodityCode"),
	check("rough diamonds with their certificate", imported, both(goods("7102310000", "Rough diamonds, unsorted", "0.1", "90100", "500"), from("BW"), with("L116")), "DEC-069 info items[0].commodityCode"),
	check("old master out", exported, goods("97012100", "Antique oil painting by an old master, 1650", "20", "490100", ""), "DEC-088 info items[0].description"),
	check("old master with a licence", exported, both(goods("97012100", "Antique oil painting by an old master, 1650", "20", "490100", ""), with("E012"))),
	check("painting of a student", exported, goods("97019100", "Acrylic painting, new", "20", "910", "")),
	check("medicines", imported, both(goods("3004900000", "Paracetamol tablets", "20", "910", ""), from("IN")), "DEC-089 info items[0].commodityCode"),
	check("rabbit fur", imported, both(goods("4302193500", "Dressed rabbit skins", "20", "9910", "100"), from("CN")), "DEC-090 info items[0].commodityCode"),
	check("rabbit fur with its statement", imported, both(goods("4302193500", "Dressed rabbit skins", "20", "9910", "100"), from("CN"), with("Y922"))),
}

// health names a health entry document by its number.
func health(code string) change {
	return func(c *body) {
		c.Declaration.Documents = append(c.Declaration.Documents, customs.Document{Type: code, Reference: "GBCHD2026.1234567"})
	}
}

func under(procedure string, additional ...string) change {
	return func(c *body) { first(c).ProcedureCode, first(c).AdditionalProcedureCodes = procedure, additional }
}

// holding states an authorisation.
func holding(kind string) change {
	return func(c *body) {
		c.Declaration.Authorisations = append(c.Declaration.Authorisations, datamodel.Authorisation{Holder: "GB123456789000", Type: kind})
	}
}

// inDataSet names the data set. The usual values are added all the same, so that nothing else is missing.
func inDataSet(set string) change {
	return func(c *body) { c.Declaration.DataSet, c.Declaration.Fill = set, datamodel.FillUsual }
}

func states(code, text string) change {
	return func(c *body) {
		first(c).AdditionalInformation = []datamodel.Statement{{Code: code, Text: text}}
	}
}

func worth(value string) change {
	return func(c *body) { first(c).CustomsValueGBP = pointer(quantity.MustMoney(value)) }
}

// parcel is one T-shirt.
var parcel = goods("6109100010", "Men's knitted cotton T-shirt", "0.2", "30.50", "1")

var procedureCases = []testCase{
	check("import under 1040", imported, under("1040"), "DEC-091 blocker items[0].procedureCode"),
	check("export under 4000", exported, under("4000"), "DEC-091 blocker items[0].procedureCode"),
	check("procedure that is none", imported, under("4099"), "DEC-091 blocker items[0].procedureCode"),
	check("returned goods", imported, under("6123", "F01")),
	check("inward processing without authorisation", imported, under("5100"), "DEC-092 warning items[0].procedureCode", "DEC-305 blocker items[0].procedureCode"),
	check("inward processing", imported, both(under("5100"), with("C601")), "DEC-092 warning items[0].procedureCode", "DEC-305 blocker items[0].procedureCode"),
	check("inward processing with all", imported, both(under("5100"), with("C601"), holding("IPO")), "DEC-092 warning items[0].procedureCode"),
	check("after temporary admission without its paper", imported, under("4053"), "DEC-093 warning items[0].procedureCode"),
	check("authorised use without authorisation", imported, under("4400"), "DEC-305 blocker items[0].procedureCode"),
	check("authorised use", imported, both(under("4400"), with("N990"), holding("EUS"))),
	check("from a warehouse", imported, both(under("4071"), with("C517"), holding("CWP"))),
	check("inward processing without its period", imported, both(under("5100"), with("C601"), holding("IPO"), inDataSet("H4")), "DEC-128 warning items[0].additionalInformation"),
	check("inward processing with its period", imported, both(under("5100"), with("C601"), holding("IPO"), inDataSet("H4"), states("POD01", "6 months"))),
	check("to Belfast with an EORI of Northern Ireland", imported, func(c *body) { c.Shipment.PortOfEntry, c.Client.XIEORI = "GBBEL", "XI123456789000" }, "DEC-129 info client.xiEori"),
	check("to Belfast without one", imported, func(c *body) { c.Shipment.PortOfEntry = "GBBEL" }),
	check("release and return together", imported, twice(func(i *customs.Item) { i.ProcedureCode, i.NetMassKg = "6123", pointer(quantity.MustMass("121")) }), "DEC-094 warning items[1].procedureCode"),
	check("release twice", imported, twice(func(i *customs.Item) { i.ProcedureCode, i.NetMassKg = "4000", pointer(quantity.MustMass("121")) })),
	check("import with a code of exports", imported, both(parcel, under("", "3LV")), "DEC-095 warning items[0].additionalProcedureCodes[0]", "DEC-105 info items"),
	check("export with an unknown code", exported, under("", "9ZZ"), "DEC-095 warning items[0].additionalProcedureCodes[0]"),
	check("export with a known code", exported, under("", "1CS")),
	check("000 with another", imported, under("", "1SG", "000"), "DEC-096 blocker items[0].additionalProcedureCodes[1]"),
	check("a code twice", exported, under("", "1CS", "1CS"), "DEC-096 warning items[0].additionalProcedureCodes[1]"),
	check("two reliefs that shut each other out", imported, both(parcel, under("", "C07", "C08")), "DEC-096 blocker items[0].additionalProcedureCodes[1]"),
	check("000 alone", imported, under("", "000")),
	check("negligible above its limit", imported, under("", "C07"), "DEC-097 blocker items[0].additionalProcedureCodes[0]"),
	check("negligible", imported, both(parcel, under("", "C07"))),
	check("negligible perfume", imported, both(goods("3303001000", "Perfumes", "0.2", "30.50", ""), from("FR"), under("", "C07")), "DEC-097 blocker items[0].additionalProcedureCodes[0]"),
	check("gift above its limit", imported, both(parcel, worth("40.01"), under("", "C08")), "DEC-097 blocker items[0].additionalProcedureCodes[0]"),
	check("low value export above its limit", exported, under("", "3LV"), "DEC-097 blocker items[0].additionalProcedureCodes[0]"),
	check("low value export", exported, both(goods("84213985", "Dust extraction filters", "20", "873", ""), under("", "3LV"))),
	check("unit prices for shirts", imported, under("", "E02"), "DEC-098 warning items[0].additionalProcedureCodes[0]"),
	check("unit prices for carrots", imported, both(goods("0706100010", "Fresh carrots", "2000", "910", ""), from("NL"), with("N851"), under("", "E02"))),
	check("Jersey by way of Toronto", exported, under("", "F75"), "DEC-098 warning items[0].additionalProcedureCodes[0]"),
	check("to Jersey", exported, both(to("JE"), under("", "F75"))),
}

var dutyCases = []testCase{
	check("Chinese bicycles", imported, both(goods("8712003000", "Bicycles", "1400", "21370", "100"), from("CN")), "DEC-099 warning items[0].commodityCode"),
	check("Japanese bicycles", imported, both(goods("8712003000", "Bicycles", "1400", "21370", "100"), from("JP"))),
	check("hot-rolled coil", imported, both(goods("7208370000", "Hot-rolled steel coils", "20000", "11370", ""), from("KR")), "DEC-100 info items[0].commodityCode", "DEC-104 info items[0].commodityCode"),
	check("gin without excise", imported, both(goods("2208501100", "Gin in bottles", "900", "9010", "280"), from("NL")), "DEC-101 warning items[0].commodityCode"),
	check("tonic water", imported, both(goods("2202100000", "Tonic water in bottles", "900", "910", "890"), from("NL"))),
	check("whisky out", exported, goods("22083030", "Single malt Scotch whisky", "900", "9010", "280"), "DEC-102 info items[0].procedureCode"),
	check("whisky out of a warehouse", exported, both(goods("22083030", "Single malt Scotch whisky", "900", "9010", "280"), under("1007"))),
	check("children's T-shirts", imported, func(c *body) { first(c).Description = "Children's knitted cotton T-shirts" }, "DEC-103 info items[0].commodityCode"),
	check("children's books", imported, both(goods("4903000000", "Children's picture books", "900", "9010", ""), from("CN"))),
	check("aluminium", imported, both(goods("7606129290", "Aluminium sheets", "900", "4010", ""), from("KR")), "DEC-104 info items[0].commodityCode"),
	check("aluminium foil hats", imported, both(goods("6506999000", "Hats of aluminium foil", "9", "410.50", "100"), from("KR"))),
	check("a parcel", imported, parcel, "DEC-105 info items"),
	check("a parcel out", exported, worth("640")),
	check("100 items", exported, many(100), "DEC-106 warning items"),
	check("99 items", exported, many(99)),
}

// many repeats the item with other masses and values.
func many(n int64) change {
	return func(c *body) {
		for k := int64(1); k < n; k++ {
			i := *first(c)
			i.CustomsValueGBP = pointer(i.Value().Add(quantity.PoundsOf(100 * k)))
			c.Declaration.Items = append(c.Declaration.Items, i)
		}
	}
}

func documented(all ...customs.Document) change {
	return func(c *body) { c.Declaration.Documents = append(c.Declaration.Documents, all...) }
}

var documentCases = []testCase{
	check("no invoice", imported, func(c *body) { c.Declaration.Documents = nil }, "DEC-107 warning documents"),
	check("invoice as N380", imported, func(c *body) { c.Declaration.Documents[0].Type = "N380" }, "DEC-107 info documents"),
	check("no invoice out", exported, func(c *body) { c.Declaration.Documents = nil }, "DEC-107 info documents"),
	check("code in small letters", imported, documented(customs.Document{Type: "n730", Reference: "CMR-1"}), "DEC-108 blocker documents[1].type"),
	check("code of five", imported, documented(customs.Document{Type: "N7300", Reference: "CMR-1"}), "DEC-108 blocker documents[1].type"),
	check("code that is none", imported, documented(customs.Document{Type: "N999", Reference: "CMR-1"}), "DEC-109 warning documents[1].type"),
	check("waybill", imported, documented(customs.Document{Type: "N730", Reference: "CMR-1"})),
	check("national document", imported, documented(customs.Document{Type: "9WKS", Reference: "Worksheet 1"})),
	check("status that is none", imported, func(c *body) { c.Declaration.Documents[0].Status = "QQ" }, "DEC-110 blocker documents[0].status"),
	check("status with a reason", imported, func(c *body) { c.Declaration.Documents[0].Status = "UP" }, "DEC-111 warning documents[0].status"),
	check("attached", imported, func(c *body) { c.Declaration.Documents[0].Status = "AE" }),
	check("invoice to follow", imported, func(c *body) { c.Declaration.Documents[0].Reference = "T.B.C." }, "DEC-112 warning documents[0].reference"),
	check("invoice 0", imported, func(c *body) { c.Declaration.Documents[0].Reference = "000" }, "DEC-112 warning documents[0].reference"),
	check("invoice 10", imported, func(c *body) { c.Declaration.Documents[0].Reference = "10" }),
	check("health document without its form", imported, documented(customs.Document{Type: "N853", Reference: "1234567"}), "DEC-113 warning documents[1].reference"),
	check("health document", imported, documented(customs.Document{Type: "N853", Reference: "GBCHD2026.1234567"})),
	check("reference in Chinese", imported, func(c *body) { c.Declaration.Documents[0].Reference = "发票 12" }, "DEC-113 warning documents[0].reference"),
	check("invoice twice", imported, documented(customs.Document{Type: "N935", Reference: "inv-2026-0042"}), "DEC-114 warning documents[1]"),
	check("two invoices", imported, documented(customs.Document{Type: "N935", Reference: "INV-2026-0043"})),
	check("invoice for the simulator", imported, func(c *body) { c.Declaration.Documents[0].Reference, c.Simulated = "sim-P-1", false }, "DEC-122 blocker documents[0].reference"),
	check("a simulated licence", imported, func(c *body) {
		c.Simulated, c.Mocked = false, []filing.SimulatedUse{{Field: "documents[0].reference", Reference: "GBSIE2026/000123", Noun: "licence"}}
	}, "DEC-308 blocker documents[0].reference"),
	check("invoice for the simulator, at the simulator", imported, func(c *body) { c.Declaration.Documents[0].Reference, c.Simulated = "SIM-P-1", true }),
	check("permit and no need of one", imported, with("C400 Y900"), "DEC-115 warning documents[2].type"),
	check("permit for one item and none for another", imported, both(with("C400 Y900"), twice(func(i *customs.Item) { i.NetMassKg = pointer(quantity.MustMass("121")) }))),
	check("permit and another statement", imported, with("C400 Y929")),
}

func before(age time.Duration, status lifecycle.State, invoice bool) change {
	return func(c *body) {
		c.Earlier = append(c.Earlier, customs.EarlierDeclaration{ID: "x", LRN: "TWS1", Status: status, CreatedAt: now.Add(-age), Invoice: invoice})
	}
}

const days = 24 * time.Hour

var historyCases = []testCase{
	check("an item twice", imported, twice(func(*customs.Item) {}), "DEC-116 warning items[1]"),
	check("two lots", imported, twice(func(i *customs.Item) { i.NetMassKg = pointer(quantity.MustMass("121")) })),
	check("invoice declared before", imported, before(40*days, lifecycle.Submitted, true), "DEC-117 warning documents"),
	check("invoice declared long before", imported, before(100*days, lifecycle.Submitted, true)),
	check("invoice declared and rejected", imported, before(40*days, lifecycle.Rejected, true)),
	check("the same goods again", imported, before(3*days, customs.Cleared, false), "DEC-118 warning items"),
	check("the same goods a month later", imported, before(30*days, customs.Cleared, false)),
	check("the same goods, cancelled", imported, before(3*days, lifecycle.Cancelled, false)),
}

func postponed(ours, theirs string) change {
	return func(c *body) {
		c.Trader.PostponedVAT, c.Trader.VATNumber, c.Client.VATNumber = true, ours, theirs
	}
}

var settlementCases = []testCase{
	check("postponed under the importer's number", imported, postponed("", "GB123456789")),
	check("postponed under the importer's number, and not the agent's", imported, postponed("GB980780684", "GB 123 4567 89")),
	check("postponed under another's number", imported, postponed("GB123456789", "GB980780684"), "DEC-120 info client.vatNumber"),
	check("postponed for a client without a number", imported, postponed("GB980780684", ""), "DEC-119 warning client.vatNumber"),
	check("postponed under a number that is none", imported, postponed("", "GB12345"), "DEC-119 warning client.vatNumber", "DEC-121 warning client.vatNumber"),
	check("postponed for the organisation itself", imported, func(c *body) {
		c.Trader.PostponedVAT, c.Trader.VATNumber, c.Client.VATNumber, c.Trader.EORI = true, "GB123456789", "", c.Client.EORI
	}),
	check("nothing to postpone", exported, postponed("", "")),
	check("VAT number too short", imported, func(c *body) { c.Client.VATNumber = "GB12345" }, "DEC-121 warning client.vatNumber"),
	check("VAT number of the organisation", imported, func(c *body) { c.Trader.VATNumber = "12" }, "DEC-121 warning organisation.vatNumber"),
}
