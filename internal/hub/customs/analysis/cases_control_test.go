package analysis_test

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func madeIn(origin string) change { return func(c *body) { first(c).CountryOfOrigin = origin } }

var sanctionCases = []scenario{
	{"made in Russia", imported, madeIn("RU"), []string{"064b items[0].countryOfOrigin"}},
	{"shirts of Belarus", imported, madeIn("BY"), []string{"064w items[0].countryOfOrigin"}},
	{"potash of Belarus", imported, both(goods("3104205000", "Potassium chloride", "20000", "6010", "12000"), madeIn("BY")), []string{"064b items[0].countryOfOrigin"}},
	{"carpets of Iran", imported, both(goods("5701109000", "Knotted wool carpets", "100", "6010", "20"), madeIn("IR")), []string{"064w items[0].countryOfOrigin"}},
	{"shirts of Syria", imported, madeIn("SY"), nil},
	{"oil of Syria", imported, both(goods("2709009000", "Crude petroleum oil", "20000", "8010", ""), madeIn("SY")), []string{"064b items[0].countryOfOrigin"}},
	{"shirts of Kazakhstan", imported, madeIn("KZ"), nil},
	{"sent from Russia", imported, func(c *body) { c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry = "RU", "RU" },
		[]string{"065b shipment.counterpartyCountry", "065b shipment.countryOfDispatch"}},
	{"Russian ship", imported, func(c *body) { c.Shipment.TransportNationality = "RU" }, []string{"065b shipment.transportNationality"}},
	{"Panamanian ship", imported, func(c *body) { c.Shipment.TransportNationality = "PA" }, nil},
	{"filters to Russia", exported, to("RU"), []string{"066b items[0].commodityCode"}},
	{"books to Belarus", exported, both(goods("49019900", "Printed school books", "100", "910", ""), to("BY")), []string{"066w items[0].commodityCode"}},
	{"filters to Turkey", exported, to("TR"), nil},
	{"from Sevastopol", imported, func(c *body) {
		from("UA")(c)
		c.Shipment.CounterpartyCity = "Sevastopol"
	}, []string{"067b shipment.counterpartyCity"}},
	{"from Kyiv, Donetsk's street", imported, func(c *body) {
		from("UA")(c)
		c.Shipment.CounterpartyCity, c.Shipment.CounterpartyAddress = "Kyiv", "4 Donetska Street"
	}, nil},
	{"chips to Kyrgyzstan", exported, both(goods("85423190", "Microcontrollers for washing machines", "2", "4010", "200"), to("KG")), []string{"068w items[0].commodityCode"}},
	{"chips to China", exported, both(goods("85423190", "Microcontrollers for washing machines", "2", "4010", "200"), to("CN")), nil},
	{"chips to France", exported, both(goods("85423190", "Microcontrollers for washing machines", "2", "4010", "200"), to("FR")), nil},
	{"Indian steel", imported, both(goods("7308909890", "Steel frames for sheds", "2000", "5010", ""), from("IN")), []string{"069i items[0].commodityCode", "104i items[0].commodityCode"}},
	{"American steel", imported, both(goods("7308909890", "Steel frames for sheds", "2000", "5010", ""), from("US")), []string{"104i items[0].commodityCode"}},
}

var controlCases = []scenario{
	{"machine tool without a licence", exported, goods("84571090", "Five-axis machining centre", "900", "190100", "1"), []string{"070b items[0].description"}},
	{"machine tool with a licence", exported, both(goods("84571090", "Five-axis machining centre", "900", "190100", "1"), with("X002")), nil},
	{"machine tool without need of a licence", exported, both(goods("84571090", "Five-axis machining centre", "900", "190100", "1"), with("Y901")), []string{"071w items[0].description"}},
	{"lathe", exported, goods("84581120", "Horizontal lathe for schools", "900", "19010", "1"), nil},
	{"shotguns come in", imported, both(goods("9303209500", "Double-barrelled shotguns for sport", "30", "9010", "10"), from("IT")), []string{"072w items[0].description"}},
	{"shotguns with a licence", imported, both(goods("9303209500", "Double-barrelled shotguns for sport", "30", "9010", "10"), from("IT"), with("9100")), nil},
	{"toy guns come in", imported, both(goods("9503008100", "Plastic toy weapons", "30", "310", "100"), from("CN")), nil},
}

// codes of documents that no rule asks for stand for none.
var licenceCases = []scenario{
	{"crocodile bags", imported, both(goods("4202210000", "Crocodile leather handbags", "30", "9010", "30"), from("SG")), []string{"073w items[0].description"}},
	{"crocodile bags with a permit", imported, both(goods("4202210000", "Crocodile leather handbags", "30", "9010", "30"), from("SG"), with("C400")), nil},
	{"cow leather bags", imported, both(goods("4202210000", "Cow leather handbags", "30", "9010", "30"), from("SG")), nil},
	{"horses", imported, both(goods("0101210000", "Horses kept for pedigree breeding", "1100", "90100", "2"), from("US")), []string{"074w items[0].commodityCode"}},
	{"horses with their document", imported, both(goods("0101210000", "Horses kept for pedigree breeding", "1100", "90100", "2"), from("US"), health("C640")), nil},
	{"Brazilian beef", imported, both(goods("0202309090", "Frozen boneless beef cuts", "20000", "90100", ""), from("BR")), []string{"075w items[0].commodityCode"}},
	{"Irish beef", imported, both(goods("0202309090", "Frozen boneless beef cuts", "20000", "90100", ""), from("IE")), []string{"075i items[0].commodityCode"}},
	{"Brazilian beef with its document", imported, both(goods("0202309090", "Frozen boneless beef cuts", "20000", "90100", ""), from("BR"), health("N853")), nil},
	{"cod", imported, both(goods("0304711000", "Frozen cod fillets", "2000", "9010", ""), from("CN"), health("N853")), []string{"076w items[0].commodityCode"}},
	{"cod with its certificate", imported, both(goods("0304711000", "Frozen cod fillets", "2000", "9010", ""), from("CN"), health("N853"), with("C673")), nil},
	{"trees", imported, both(goods("0602202000", "Young apple trees with bare roots", "200", "910", "100"), from("NL")), []string{"077w items[0].commodityCode"}},
	{"trees with their certificate", imported, both(goods("0602202000", "Young apple trees with bare roots", "200", "910", "100"), from("NL"), with("N851")), nil},
	{"carrots", imported, both(goods("0706100010", "Fresh carrots", "2000", "910", ""), from("NL")), []string{"078i items[0].commodityCode"}},
	{"oranges", imported, both(goods("0805102290", "Navel oranges", "2000", "1910", ""), from("ZA")), nil},
	{"Turkish figs", imported, both(goods("0804209000", "Dried figs", "2000", "7910", ""), from("TR")), []string{"079i items[0].commodityCode"}},
	{"Greek figs", imported, both(goods("0804209000", "Dried figs", "2000", "7910", ""), from("GR")), nil},
	{"organic tea", imported, both(goods("0902400000", "Organic black tea", "2000", "7910", ""), from("KE")), []string{"080w items[0].description"}},
	{"organic tea with its certificate", imported, both(goods("0902400000", "Organic black tea", "2000", "7910", ""), from("KE"), with("C644")), nil},
	{"black tea", imported, both(goods("0902400000", "Black tea", "2000", "7910", ""), from("KE")), nil},
	{"Malaysian beds", imported, both(goods("9403500000", "Teak bedroom furniture", "2000", "7910", ""), from("MY")), nil},
	{"Indonesian beds", imported, both(goods("9403500000", "Teak bedroom furniture", "2000", "7910", ""), from("ID")), []string{"081w items[0].commodityCode"}},
	{"Indonesian beds with their licence", imported, both(goods("9403500000", "Teak bedroom furniture", "2000", "7910", ""), from("ID"), with("C690")), nil},
	{"scrap copper out", exported, goods("74040010", "Copper scrap, bright wire", "2000", "12910", ""), []string{"082w items[0].commodityCode"}},
	{"scrap copper with its form", exported, both(goods("74040010", "Copper scrap, bright wire", "2000", "12910", ""), with("C672")), nil},
	{"fireworks", imported, both(goods("3604100000", "Display fireworks", "2000", "12910", ""), from("CN")), []string{"083w items[0].commodityCode"}},
	{"fireworks with a licence", imported, both(goods("3604100000", "Display fireworks", "2000", "12910", ""), from("CN"), with("9023")), nil},
	{"cannabis flower", imported, both(goods("1211908600", "Dried cannabis flower, 20% THC", "20", "12910", ""), from("PT")), []string{"084w items[0].description"}},
	{"dried mint", imported, both(goods("1211908600", "Dried mint leaves", "20", "110.30", ""), from("PT")), []string{"105i items"}},
	{"HCFC", imported, both(goods("2903710000", "Chlorodifluoromethane in cylinders", "200", "2910", ""), from("CN")), []string{"085w items[0].commodityCode"}},
	{"HCFC with a licence", imported, both(goods("2903710000", "Chlorodifluoromethane in cylinders", "200", "2910", ""), from("CN"), with("L100")), nil},
	{"air conditioners", imported, both(goods("8415109090", "Split air conditioners", "900", "12910", ""), from("TH")), []string{"086w items[0].commodityCode"}},
	{"air conditioners with their declaration", imported, both(goods("8415109090", "Split air conditioners", "900", "12910", ""), from("TH"), with("C057")), nil},
	{"rough diamonds", imported, both(goods("7102310000", "Rough diamonds, unsorted", "0.1", "90100", "500"), from("BW")), []string{"069i items[0].commodityCode", "087w items[0].commodityCode"}},
	{"rough diamonds with their certificate", imported, both(goods("7102310000", "Rough diamonds, unsorted", "0.1", "90100", "500"), from("BW"), with("L116")), []string{"069i items[0].commodityCode"}},
	{"old master out", exported, goods("97012100", "Antique oil painting by an old master, 1650", "20", "490100", ""), []string{"088i items[0].description"}},
	{"old master with a licence", exported, both(goods("97012100", "Antique oil painting by an old master, 1650", "20", "490100", ""), with("E012")), nil},
	{"painting of a student", exported, goods("97019100", "Acrylic painting, new", "20", "910", ""), nil},
	{"medicines", imported, both(goods("3004900000", "Paracetamol tablets", "20", "910", ""), from("IN")), []string{"089i items[0].commodityCode"}},
	{"rabbit fur", imported, both(goods("4302193500", "Dressed rabbit skins", "20", "9910", "100"), from("CN")), []string{"090i items[0].commodityCode"}},
	{"rabbit fur with its statement", imported, both(goods("4302193500", "Dressed rabbit skins", "20", "9910", "100"), from("CN"), with("Y922")), nil},
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

func worth(value string) change {
	return func(c *body) { first(c).CustomsValueGBP = quantity.MustMoney(value) }
}

// parcel is one T-shirt.
var parcel = goods("6109100010", "Men's knitted cotton T-shirt", "0.2", "30.50", "1")

var procedureCases = []scenario{
	{"import under 1040", imported, under("1040"), []string{"091b items[0].procedureCode"}},
	{"export under 4000", exported, under("4000"), []string{"091b items[0].procedureCode"}},
	{"procedure that is none", imported, under("4099"), []string{"091b items[0].procedureCode"}},
	{"returned goods", imported, under("6123", "F01"), nil},
	{"inward processing without authorisation", imported, under("5100"), []string{"092w items[0].procedureCode", "093w items[0].procedureCode"}},
	{"inward processing", imported, both(under("5100"), with("C601")), []string{"092w items[0].procedureCode"}},
	{"authorised use without authorisation", imported, under("4400"), []string{"093w items[0].procedureCode"}},
	{"authorised use", imported, both(under("4400"), with("N990")), nil},
	{"from a warehouse", imported, both(under("4071"), with("C517")), nil},
	{"release and return together", imported, twice(func(i *customs.Item) { i.ProcedureCode, i.NetMassKg = "6123", quantity.MustMass("121") }), []string{"094w items[1].procedureCode"}},
	{"release twice", imported, twice(func(i *customs.Item) { i.ProcedureCode, i.NetMassKg = "4000", quantity.MustMass("121") }), nil},
	{"import with a code of exports", imported, both(parcel, under("", "3LV")), []string{"095w items[0].additionalProcedureCodes[0]", "105i items"}},
	{"export with an unknown code", exported, under("", "9ZZ"), []string{"095w items[0].additionalProcedureCodes[0]"}},
	{"export with a known code", exported, under("", "1CS"), nil},
	{"000 with another", imported, under("", "1SG", "000"), []string{"096b items[0].additionalProcedureCodes[1]"}},
	{"a code twice", exported, under("", "1CS", "1CS"), []string{"096w items[0].additionalProcedureCodes[1]"}},
	{"two reliefs that shut each other out", imported, both(parcel, under("", "C07", "C08")), []string{"096b items[0].additionalProcedureCodes[1]"}},
	{"000 alone", imported, under("", "000"), nil},
	{"negligible above its limit", imported, under("", "C07"), []string{"097b items[0].additionalProcedureCodes[0]"}},
	{"negligible", imported, both(parcel, under("", "C07")), nil},
	{"negligible perfume", imported, both(goods("3303001000", "Perfumes", "0.2", "30.50", ""), from("FR"), under("", "C07")), []string{"097b items[0].additionalProcedureCodes[0]"}},
	{"gift above its limit", imported, both(parcel, worth("40.01"), under("", "C08")), []string{"097b items[0].additionalProcedureCodes[0]"}},
	{"low value export above its limit", exported, under("", "3LV"), []string{"097b items[0].additionalProcedureCodes[0]"}},
	{"low value export", exported, both(goods("84213985", "Dust extraction filters", "20", "873", ""), under("", "3LV")), nil},
	{"unit prices for shirts", imported, under("", "E02"), []string{"098w items[0].additionalProcedureCodes[0]"}},
	{"unit prices for carrots", imported, both(goods("0706100010", "Fresh carrots", "2000", "910", ""), from("NL"), with("N851"), under("", "E02")), nil},
	{"Jersey by way of Toronto", exported, under("", "F75"), []string{"098w items[0].additionalProcedureCodes[0]"}},
	{"to Jersey", exported, both(to("JE"), under("", "F75")), nil},
}

var dutyCases = []scenario{
	{"Chinese bicycles", imported, both(goods("8712003000", "Bicycles", "1400", "21370", "100"), from("CN")), []string{"099w items[0].commodityCode"}},
	{"Japanese bicycles", imported, both(goods("8712003000", "Bicycles", "1400", "21370", "100"), from("JP")), nil},
	{"hot-rolled coil", imported, both(goods("7208370000", "Hot-rolled steel coils", "20000", "11370", ""), from("KR")), []string{"100i items[0].commodityCode", "104i items[0].commodityCode"}},
	{"gin without excise", imported, both(goods("2208501100", "Gin in bottles", "900", "9010", "280"), from("NL")), []string{"101w items[0].commodityCode"}},
	{"tonic water", imported, both(goods("2202100000", "Tonic water in bottles", "900", "910", "890"), from("NL")), nil},
	{"whisky out", exported, goods("22083030", "Single malt Scotch whisky", "900", "9010", "280"), []string{"102i items[0].procedureCode"}},
	{"whisky out of a warehouse", exported, both(goods("22083030", "Single malt Scotch whisky", "900", "9010", "280"), under("1007")), nil},
	{"children's T-shirts", imported, func(c *body) { first(c).Description = "Children's knitted cotton T-shirts" }, []string{"103i items[0].commodityCode"}},
	{"children's books", imported, both(goods("4903000000", "Children's picture books", "900", "9010", ""), from("CN")), nil},
	{"aluminium", imported, both(goods("7606129290", "Aluminium sheets", "900", "4010", ""), from("KR")), []string{"104i items[0].commodityCode"}},
	{"aluminium foil hats", imported, both(goods("6506999000", "Hats of aluminium foil", "9", "410.50", "100"), from("KR")), nil},
	{"a parcel", imported, parcel, []string{"105i items"}},
	{"a parcel out", exported, worth("640"), nil},
	{"100 items", exported, many(100), []string{"106w items"}},
	{"99 items", exported, many(99), nil},
}

// many repeats the item with other masses and values.
func many(n int64) change {
	return func(c *body) {
		for k := int64(1); k < n; k++ {
			i := *first(c)
			i.CustomsValueGBP = i.CustomsValueGBP.Add(quantity.PoundsOf(100 * k))
			c.Declaration.Items = append(c.Declaration.Items, i)
		}
	}
}

func documented(all ...customs.Document) change {
	return func(c *body) { c.Declaration.Documents = append(c.Declaration.Documents, all...) }
}

var documentCases = []scenario{
	{"no invoice", imported, func(c *body) { c.Declaration.Documents = nil }, []string{"107w documents"}},
	{"invoice as N380", imported, func(c *body) { c.Declaration.Documents[0].Type = "N380" }, []string{"107i documents"}},
	{"no invoice out", exported, func(c *body) { c.Declaration.Documents = nil }, []string{"107i documents"}},
	{"code in small letters", imported, documented(customs.Document{Type: "n730", Reference: "CMR-1"}), []string{"108b documents[1].type"}},
	{"code of five", imported, documented(customs.Document{Type: "N7300", Reference: "CMR-1"}), []string{"108b documents[1].type"}},
	{"code that is none", imported, documented(customs.Document{Type: "N999", Reference: "CMR-1"}), []string{"109w documents[1].type"}},
	{"waybill", imported, documented(customs.Document{Type: "N730", Reference: "CMR-1"}), nil},
	{"national document", imported, documented(customs.Document{Type: "9WKS", Reference: "Worksheet 1"}), nil},
	{"status that is none", imported, func(c *body) { c.Declaration.Documents[0].Status = "QQ" }, []string{"110b documents[0].status"}},
	{"status with a reason", imported, func(c *body) { c.Declaration.Documents[0].Status = "UP" }, []string{"111w documents[0].status"}},
	{"attached", imported, func(c *body) { c.Declaration.Documents[0].Status = "AE" }, nil},
	{"invoice to follow", imported, func(c *body) { c.Declaration.Documents[0].Reference = "T.B.C." }, []string{"112w documents[0].reference"}},
	{"invoice 0", imported, func(c *body) { c.Declaration.Documents[0].Reference = "000" }, []string{"112w documents[0].reference"}},
	{"invoice 10", imported, func(c *body) { c.Declaration.Documents[0].Reference = "10" }, nil},
	{"health document without its form", imported, documented(customs.Document{Type: "N853", Reference: "1234567"}), []string{"113w documents[1].reference"}},
	{"health document", imported, documented(customs.Document{Type: "N853", Reference: "GBCHD2026.1234567"}), nil},
	{"reference in Chinese", imported, func(c *body) { c.Declaration.Documents[0].Reference = "发票 12" }, []string{"113w documents[0].reference"}},
	{"invoice twice", imported, documented(customs.Document{Type: "N935", Reference: "inv-2026-0042"}), []string{"114w documents[1]"}},
	{"two invoices", imported, documented(customs.Document{Type: "N935", Reference: "INV-2026-0043"}), nil},
	{"permit and no need of one", imported, with("C400 Y900"), []string{"115w documents[2].type"}},
	{"permit for one item and none for another", imported, both(with("C400 Y900"), twice(func(i *customs.Item) { i.NetMassKg = quantity.MustMass("121") })), nil},
	{"permit and another statement", imported, with("C400 Y929"), nil},
}

func before(age time.Duration, status lifecycle.State, invoice bool) change {
	return func(c *body) {
		c.Earlier = append(c.Earlier, customs.Earlier{ID: "x", LRN: "TWS1", Status: status, CreatedAt: now.Add(-age), Invoice: invoice})
	}
}

const days = 24 * time.Hour

var historyCases = []scenario{
	{"an item twice", imported, twice(func(*customs.Item) {}), []string{"116w items[1]"}},
	{"two lots", imported, twice(func(i *customs.Item) { i.NetMassKg = quantity.MustMass("121") }), nil},
	{"invoice declared before", imported, before(40*days, lifecycle.Submitted, true), []string{"117w documents"}},
	{"invoice declared long before", imported, before(100*days, lifecycle.Submitted, true), nil},
	{"invoice declared and rejected", imported, before(40*days, lifecycle.Rejected, true), nil},
	{"the same goods again", imported, before(3*days, customs.Cleared, false), []string{"118w items"}},
	{"the same goods a month later", imported, before(30*days, customs.Cleared, false), nil},
	{"the same goods, cancelled", imported, before(3*days, lifecycle.Cancelled, false), nil},
}

func postponed(ours, theirs string) change {
	return func(c *body) {
		c.Trader.PostponedVAT, c.Trader.VATNumber, c.Client.VATNumber = true, ours, theirs
	}
}

var settlementCases = []scenario{
	{"postponed under the importer's number", imported, postponed("", "GB123456789"), nil},
	{"postponed under the importer's number, and not the agent's", imported, postponed("GB980780684", "GB 123 4567 89"), nil},
	{"postponed under another's number", imported, postponed("GB123456789", "GB980780684"), []string{"120i client.vatNumber"}},
	{"postponed for somebody without a number", imported, postponed("GB980780684", ""), []string{"119w client.vatNumber"}},
	{"postponed under a number that is none", imported, postponed("", "GB12345"), []string{"119w client.vatNumber", "121w client.vatNumber"}},
	{"postponed for the organisation itself", imported, func(c *body) {
		c.Trader.PostponedVAT, c.Trader.VATNumber, c.Client.VATNumber, c.Trader.EORI = true, "GB123456789", "", c.Client.EORI
	}, nil},
	{"nothing to postpone", exported, postponed("", ""), nil},
	{"VAT number too short", imported, func(c *body) { c.Client.VATNumber = "GB12345" }, []string{"121w client.vatNumber"}},
	{"VAT number of the organisation", imported, func(c *body) { c.Trader.VATNumber = "12" }, []string{"121w organisation.vatNumber"}},
}
