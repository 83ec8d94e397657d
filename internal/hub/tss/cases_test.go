package tss_test

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var partyCases = []testCase{
	check("trader's EORI too short", fromGB, func(d body) { d.TraderEORI = "GB12345" }, "TSS-001 blocker traderEori"),
	check("trader's EORI with spaces", fromGB, func(d body) { d.TraderEORI = "xi 123456789 000" }),
	check("GB trader brings in goods at risk", imported, func(d body) { d.TraderEORI = "GB345678912000" }, "TSS-002 warning traderEori"),
	check("GB trader brings in goods not at risk", fromGB, func(d body) { d.TraderEORI = "GB123456789000" }, "TSS-002 info traderEori"),
	check("GB trader takes goods out", fromNI, func(d body) { d.TraderEORI = "GB980780684000" }),
	check("both parties' EORI malformed", fromGB, func(d body) { d.ConsignorEORI, d.ConsigneeEORI = "123", "XI9" },
		"TSS-003 blocker consignorEori", "TSS-003 blocker consigneeEori"),
	check("consignor abroad has an EORI", imported, func(d body) { d.ConsignorEORI = "DE1234567" }),
	check("GB consignor's EORI", fromGB, func(d body) { d.ConsignorEORI = "GB980780684000" }, "TSS-004 info consignorEori"),
	check("two names under one EORI", fromNI, func(d body) { d.ConsigneeEORI = "GB234567889000" }, "TSS-005 warning consigneeEori"),
	check("own stock moved", fromNI, func(d body) { d.ConsigneeEORI, d.ConsigneeName = "GB234567889000", "LISBURN LINEN MILL LTD" }, "TSS-005 info consigneeEori"),
	check("same digits in another country", fromNI, func(d body) { d.ConsigneeEORI = "FR234567889000" }),
	check("names to be confirmed", fromGB, func(d body) { d.ConsignorName, d.ConsigneeName = "T.B.C.", "---" },
		"TSS-006 warning consignorName", "TSS-006 warning consigneeName"),
	check("names like placeholders", fromGB, func(d body) { d.ConsignorName, d.ConsigneeName = "Various Artists Ltd", "3 Unknown Roads" }),
	check("sent from where it goes", fromGB, func(d body) { d.ConsignorCountry = "XI" }, "TSS-007 blocker consignorCountry"),
	check("sent from France", fromGB, func(d body) { d.ConsignorCountry = "FR" }, "TSS-007 warning consignorCountry"),
	check("imported from Great Britain", imported, func(d body) { d.ConsignorCountry = "GB" }, "TSS-007 blocker consignorCountry"),
	check("Northern Irish consignor written as GB", fromNI, func(d body) { d.ConsignorCountry = "GB" }),
	check("sent to where it comes from", fromNI, func(d body) { d.ConsigneeCountry = "XI" }, "TSS-008 blocker consigneeCountry"),
	check("sent on to Ireland at risk", imported, func(d body) { d.ConsigneeCountry = "IE" }, "TSS-008 warning consigneeCountry"),
	check("sent on to France on the way out", fromNI, func(d body) { d.ConsigneeCountry, d.RiskCategorisation = "FR", tss.NotAtRisk },
		"TSS-008 warning consigneeCountry", "TSS-020 info riskCategorisation"),
	check("Northern Irish consignee written as GB", fromGB, func(d body) { d.ConsigneeCountry = "GB" }),
	check("imported from the Union", imported, func(d body) { d.ConsignorCountry = "IE" }, "TSS-009 warning consignorCountry"),
	check("imported from Norway", imported, func(d body) { d.ConsignorCountry = "NO" }),
	check("no countries given", fromGB, func(d body) { d.ConsignorCountry, d.ConsigneeCountry = "", "" }),
}

var schemeCases = []testCase{
	check("not at risk without authorisation", fromGB, func(d body) { d.UKIMSNumber = "" }, "TSS-010 blocker ukimsAuthNumber"),
	check("UK origin without authorisation", fromGB, func(d body) { d.UKIMSNumber, d.NotAtRiskReason = "", tss.UKOrigin }, "TSS-010 warning ukimsAuthNumber"),
	check("neither authorisation nor claim", fromGB, func(d body) { d.UKIMSNumber, d.RiskCategorisation, d.NotAtRiskReason = "", "", "" }, "TSS-010 warning ukimsAuthNumber"),
	check("at risk without authorisation", fromGB, func(d body) { d.UKIMSNumber, d.RiskCategorisation, d.NotAtRiskReason = "", tss.AtRisk, "" }),
	check("malformed authorisation", fromGB, func(d body) { d.UKIMSNumber = "UKIM123" }, "TSS-011 blocker ukimsAuthNumber"),
	check("authorisation of a thirteenth month", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM12345678900020241303090000" }, "TSS-011 blocker ukimsAuthNumber"),
	check("authorisation of tomorrow", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM12345678900020261122120000" }, "TSS-012 blocker ukimsAuthNumber"),
	check("authorisation of this second", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM12345678900020261121120000" }),
	check("authorisation of another", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM98078068400020240603090000" }, "TSS-013 warning ukimsAuthNumber"),
	check("GB authorisation of the same trader", fromGB, func(d body) { d.UKIMSNumber = "GBUKIM12345678900020240603090000" }),
}

var riskCases = []testCase{
	check("Chinese hot-rolled steel", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "7208510000", "CN" }, "TSS-014 blocker commodityCode"),
	check("Chinese bicycles", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "CN" }, "TSS-014 blocker commodityCode"),
	check("Chinese bicycles at risk", fromGB, func(d body) {
		d.CommodityCode, d.CountryOfOrigin, d.RiskCategorisation, d.NotAtRiskReason = "8712003000", "CN", tss.AtRisk, ""
	}),
	check("Chinese bicycles going to Great Britain", fromNI, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "CN" }),
	check("Chinese motorcycles", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8711201000", "CN" }),
	check("Japanese bicycles", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "JP" }),
	check("Chinese furniture", fromGB, func(d body) { d.CountryOfOrigin = "CN" }),
	check("Chinese PET", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "3907610000", "CN" }, "TSS-014 blocker commodityCode"),
	check("Korean PET", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "3907610000", "KR" }),
	check("Chinese aerial lifts, or fork-lift trucks", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8427101000", "CN" }, "TSS-014 warning commodityCode"),
	check("British steel under quota", fromGB, func(d body) { d.CommodityCode = "7208510000" }, "TSS-014 warning commodityCode"),
	check("Northern Irish steel", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "7208510000", "XI" }),
	check("Norwegian steel", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "7208510000", "NO" }),
	check("bicycles of unknown origin", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "" },
		"TSS-014 warning commodityCode", "TSS-027 warning countryOfOrigin"),
	check("Chinese bicycles without a claim", fromGB, func(d body) {
		d.CommodityCode, d.CountryOfOrigin, d.RiskCategorisation, d.NotAtRiskReason = "8712003000", "CN", tss.Unclaimed, ""
	}, "TSS-014 info commodityCode", "TSS-021 info riskCategorisation"),
	check("not at risk without reason", fromGB, func(d body) { d.NotAtRiskReason = "" }, "TSS-015 blocker notAtRiskReason"),
	check("reason without claim", imported, func(d body) { d.NotAtRiskReason = tss.NoProcessing }, "TSS-016 warning notAtRiskReason"),
	check("not at risk for Ireland", fromGB, func(d body) { d.ConsigneeCountry = "IE" }, "TSS-017 blocker consigneeCountry"),
	check("UK origin made in Vietnam", fromGB, func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.UKOrigin, "VN" }, "TSS-018 blocker notAtRiskReason"),
	check("UK origin made nowhere", fromGB, func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.UKOrigin, "" }, "TSS-018 warning countryOfOrigin"),
	check("UK origin made in Great Britain", fromGB, func(d body) { d.NotAtRiskReason = tss.UKOrigin }),
	check("domestic goods made in Vietnam", fromGB, func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.DomesticGoods, "VN" }),
	check("domestic goods imported", imported, func(d body) { authorise(d, tss.DomesticGoods) }, "TSS-019 blocker notAtRiskReason"),
	check("British goods imported", imported, func(d body) { authorise(d, tss.UKOrigin); d.CountryOfOrigin = "GB" }, "TSS-019 warning notAtRiskReason"),
	check("unprocessed goods imported", imported, func(d body) { authorise(d, tss.NoProcessing) }),
	check("risk on the way out", fromNI, func(d body) { d.RiskCategorisation = tss.AtRisk }, "TSS-020 info riskCategorisation"),
	check("a reason on the way out", fromNI, func(d body) { d.NotAtRiskReason = tss.NoProcessing }, "TSS-020 info riskCategorisation"),
	check("no claim on the way out", fromNI, func(d body) { d.RiskCategorisation = tss.Unclaimed }),
	check("authorisation unused", fromGB, func(d body) { d.RiskCategorisation, d.NotAtRiskReason = tss.Unclaimed, "" }, "TSS-021 info riskCategorisation"),
}

func authorise(d body, reason tss.Reason) {
	d.UKIMSNumber, d.RiskCategorisation, d.NotAtRiskReason = "XIUKIM34567891200020240603090000", tss.NotAtRisk, reason
}

func goodsOf(code, description string) func(body) {
	return func(d body) { d.CommodityCode, d.GoodsDescription = code, description }
}

var goodsCases = []testCase{
	check("code of letters", fromGB, func(d body) { d.CommodityCode = "kitchen" }, "TSS-022 blocker commodityCode"),
	check("code of four digits", fromGB, func(d body) { d.CommodityCode = "9403" }, "TSS-022 blocker commodityCode"),
	check("code of nine digits", fromGB, func(d body) { d.CommodityCode = "940340900" }, "TSS-022 blocker commodityCode"),
	check("code of six digits", fromGB, func(d body) { d.CommodityCode = "940340" }, "TSS-022 warning commodityCode"),
	check("code of eight digits", fromGB, func(d body) { d.CommodityCode = "94034090" }, "TSS-022 info commodityCode"),
	check("code with spaces", fromGB, func(d body) { d.CommodityCode = "9403 40 90 00" }),
	check("chapter 77", fromGB, func(d body) { d.CommodityCode = "7701000000" }, "TSS-023 blocker commodityCode"),
	check("chapter 00", fromGB, func(d body) { d.CommodityCode = "0001000000" }, "TSS-023 blocker commodityCode"),
	check("chapter 99", fromGB, func(d body) { d.CommodityCode = "9905000000" }, "TSS-023 warning commodityCode"),
	check("heading 9407", fromGB, func(d body) { d.CommodityCode = "9407000000" }, "TSS-023 blocker commodityCode"),
	check("heading 8469", fromGB, func(d body) { d.CommodityCode = "8469000000" }, "TSS-023 blocker commodityCode"),
	check("heading 8470", fromGB, func(d body) { d.CommodityCode = "8470100000" }),
	check("vague on the way in", fromGB, func(d body) { d.GoodsDescription = "Goods" }, "TSS-024 blocker goodsDescription"),
	check("vague on the way out", fromNI, func(d body) { d.GoodsDescription = "spare parts" }, "TSS-024 warning goodsDescription"),
	check("partly vague", fromGB, func(d body) { d.GoodsDescription = "Cupboards, hinges etc." }, "TSS-024 warning goodsDescription"),
	check("short", fromGB, func(d body) { d.GoodsDescription = "Oak" }, "TSS-024 info goodsDescription"),
	check("one specific word", fromGB, func(d body) { d.GoodsDescription = "Cupboards" }),
	check("255 characters", fromGB, func(d body) { d.GoodsDescription = "Cupboards " + strings.Repeat("é", 245) }, "TSS-025 warning goodsDescription"),
	check("254 characters", fromGB, func(d body) { d.GoodsDescription = "Cupboards " + strings.Repeat("é", 244) }),
	check("cheese on the way in", fromGB, func(d body) { d.CommodityCode = "0406902100" }, "TSS-026 info commodityCode"),
	check("whisky on the way in", fromGB, func(d body) { d.CommodityCode = "2208308200" }, "TSS-026 info commodityCode"),
	check("mineral water on the way in", fromGB, func(d body) { d.CommodityCode = "2201101900" }),
	check("shotguns", fromGB, goodsOf("9303200000", "Shotguns"), "TSS-037 warning commodityCode"),
	check("hunting rifles by name", fromGB, goodsOf("7326909890", "Bolt action hunting rifles"), "TSS-037 warning goodsDescription"),
	check("ivory", fromGB, goodsOf("9601100000", "Carved ivory figures"), "TSS-037 warning commodityCode"),
	check("handbags of python", fromGB, goodsOf("4202210000", "Handbags of python skin"), "TSS-037 warning goodsDescription"),
	check("cocaine", fromGB, goodsOf("2939720000", "Cocaine hydrochloride"), "TSS-037 warning commodityCode"),
	check("diazepam by name", fromGB, goodsOf("2933910000", "Diazepam tablets"), "TSS-037 warning goodsDescription"),
	check("uranium", fromGB, goodsOf("2844100000", "Natural uranium"), "TSS-037 warning commodityCode"),
	check("scrap of copper", fromGB, goodsOf("7404001000", "Copper scrap"), "TSS-037 warning commodityCode"),
	check("waste by name", fromGB, goodsOf("3926909790", "Mixed plastic waste in bales"), "TSS-037 warning goodsDescription"),
	check("fireworks", fromGB, goodsOf("3604100000", "Fireworks, category F2"), "TSS-037 warning commodityCode"),
	check("flares", imported, goodsOf("3604900000", "Signalling flares"), "TSS-037 warning commodityCode"),
	check("fireworks by name", fromGB, goodsOf("9505900000", "Fireworks for garden parties"), "TSS-037 warning goodsDescription"),
	check("matches", fromGB, goodsOf("3605000000", "Matches, in boxes")),
	check("fireworks on the way out", fromNI, goodsOf("3604100000", "Fireworks, category F2")),
	check("rifles on the way out", fromNI, goodsOf("9303300000", "Hunting rifles")),
	check("bins", fromGB, goodsOf("3924900090", "Waste bins of plastics")),
	check("toy guns", fromGB, goodsOf("9503007500", "Toy guns of plastics")),
	check("a soap like a grenade", fromGB, goodsOf("3401110000", "Grenade-shaped soap")),
	check("cheese on the way out", fromNI, func(d body) { d.CommodityCode = "0406902100" }),
}

var originCases = []testCase{
	check("no origin on the way in", imported, func(d body) { d.CountryOfOrigin = "" }, "TSS-027 warning countryOfOrigin"),
	check("no origin on the way out", fromNI, func(d body) { d.CountryOfOrigin = "" }),
	check("made in Russia", fromNI, func(d body) { d.CountryOfOrigin = "RU" }, "TSS-028 blocker countryOfOrigin"),
	check("made in and sent from North Korea", imported, func(d body) { d.CountryOfOrigin, d.ConsignorCountry = "KP", "KP" },
		"TSS-028 blocker countryOfOrigin", "TSS-028 blocker consignorCountry"),
	check("furniture from Belarus", fromGB, func(d body) { d.CountryOfOrigin = "BY" }, "TSS-028 warning countryOfOrigin"),
	check("plywood from Belarus", fromGB, func(d body) { d.CountryOfOrigin, d.CommodityCode = "BY", "4412330000" }, "TSS-028 blocker countryOfOrigin"),
	check("carpets from Iran", imported, func(d body) { d.CountryOfOrigin, d.CommodityCode = "IR", "5701109000" }, "TSS-028 warning countryOfOrigin"),
	check("made in Ukraine", imported, func(d body) { d.CountryOfOrigin = "UA" }),
}

var valueCases = []testCase{
	check("no mass", fromGB, func(d body) { d.NetMassKg = quantity.Mass{} }, "TSS-029 blocker netMassKg"),
	check("a milligram", fromGB, func(d body) { d.NetMassKg, d.CustomsValueGBP = quantity.MustMass("0.000001"), money("0.01") }),
	check("31 tonnes on a lorry", fromGB, func(d body) { d.NetMassKg = quantity.MustMass("31000") }, "TSS-030 warning netMassKg"),
	check("30 tonnes on a lorry", fromGB, func(d body) { d.NetMassKg = quantity.MustMass("30000") }),
	check("31 tonnes in a ship", imported, func(d body) { d.NetMassKg = quantity.MustMass("31000") }),
	check("more than a ship", imported, func(d body) {
		d.NetMassKg, d.CustomsValueGBP = quantity.MustMass("200000000"), money("90000000")
	}, "TSS-030 warning netMassKg"),
	check("no value at risk", imported, func(d body) { d.CustomsValueGBP = nil }, "TSS-031 warning customsValueGbp"),
	check("no value imported not at risk", imported, func(d body) { authorise(d, tss.NoProcessing); d.CustomsValueGBP = nil }, "TSS-031 warning customsValueGbp"),
	check("worth nothing", fromNI, func(d body) { d.CustomsValueGBP = money("0") }, "TSS-031 warning customsValueGbp"),
	check("no value not at risk", fromGB, func(d body) { d.CustomsValueGBP = nil }),
	check("no value on the way out", fromNI, func(d body) { d.CustomsValueGBP = nil }),
	check("pence for a tonne", fromGB, func(d body) { d.CustomsValueGBP = money("1.25") }, "TSS-032 warning customsValueGbp"),
	check("furniture of platinum", fromGB, func(d body) { d.CustomsValueGBP = money("70000000") }, "TSS-032 warning customsValueGbp"),
	check("gold", fromGB, func(d body) { d.CommodityCode, d.CustomsValueGBP = "7108120000", money("70000000") }),
	check("gravel", fromGB, func(d body) { d.CommodityCode, d.CustomsValueGBP = "2517101000", money("12.60") }),
}

var movementCases = []testCase{
	check("no transport document on the way in", imported, func(d body) { d.TransportDocNumber = "" }, "TSS-033 info transportDocNumber"),
	check("no transport document but a placeholder", imported, func(d body) { d.TransportDocNumber = "n/a" }, "TSS-033 warning transportDocNumber"),
	check("transport document in letters alone", imported, func(d body) { d.TransportDocNumber = "MAEUABCD" }),
	check("no transport document on the way out", fromNI, func(d body) { d.TransportDocNumber = "" }),
	check("transport document too long", fromNI, func(d body) { d.TransportDocNumber = strings.Repeat("7", 36) }, "TSS-033 warning transportDocNumber"),
	check("transport document of 35", fromNI, func(d body) { d.TransportDocNumber = strings.Repeat("7", 35) }),
	check("no vehicle on the ferry", fromGB, func(d body) { d.VehicleReg = "" }, "TSS-034 info vehicleReg"),
	check("no vehicle from overseas", imported, func(d body) { d.VehicleReg = "" }),
	check("vehicle to be confirmed", fromGB, func(d body) { d.VehicleReg = "TBC" }, "TSS-034 warning vehicleReg"),
	check("vehicle with marks", fromNI, func(d body) { d.VehicleReg = "AB24_CDE!" }, "TSS-034 warning vehicleReg"),
	check("Irish trailer in small letters", fromGB, func(d body) { d.VehicleReg = "221-d-10482" }),
	check("dispatch in an hour", fromGB, func(d body) { d.ScheduledDispatchAt = hence(time.Hour) }, "TSS-035 warning scheduledDispatchAt"),
	check("dispatch in two hours", fromGB, func(d body) { d.ScheduledDispatchAt = hence(2 * time.Hour) }),
	check("dispatch in an hour on the way out", fromNI, func(d body) { d.ScheduledDispatchAt = hence(time.Hour) }),
	check("dispatch yesterday on the way out", fromNI, func(d body) { d.ScheduledDispatchAt = hence(-24 * time.Hour) }, "TSS-035 warning scheduledDispatchAt"),
	check("dispatch in two years", fromGB, func(d body) { d.ScheduledDispatchAt = hence(2 * 365 * 24 * time.Hour) }, "TSS-035 warning scheduledDispatchAt"),
	check("no dispatch", fromGB, func(d body) { d.ScheduledDispatchAt = nil }),
	check("dispatched last week", fromGB, func(d body) { d.ScheduledDispatchAt = hence(-7 * 24 * time.Hour) },
		"TSS-035 warning scheduledDispatchAt", "TSS-036 info scheduledDispatchAt"),
	check("dispatched in October", fromGB, func(d body) { d.ScheduledDispatchAt = hence(-30 * 24 * time.Hour) },
		"TSS-035 warning scheduledDispatchAt", "TSS-036 warning scheduledDispatchAt"),
}

var declaredCases = []testCase{
	check("MRN and DUCR", fromGB, func(d body) { d.Declarations = []string{"26GB3TTI2CQ1C7FGR4", "6GB205672212000-7"} }),
	check("number of nothing", fromGB, func(d body) { d.Declarations = []string{"26GB3TTI2CQ1C7FGR4", "HK-1042"} }, "TSS-038 warning customsDeclarations[1]"),
	check("number listed twice", fromGB, func(d body) { d.Declarations = []string{"26GB3TTI2CQ1C7FGR4", "26GB3TTI2CQ1C7FGR4"} }, "TSS-039 info customsDeclarations[1]"),
}
