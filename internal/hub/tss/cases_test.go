package tss_test

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var partyCases = []scenario{
	{"trader's EORI too short", fromGB, func(d body) { d.TraderEORI = "GB12345" }, []string{"TSS-001 " + blocker + " traderEori"}},
	{"trader's EORI with spaces", fromGB, func(d body) { d.TraderEORI = "xi 123456789 000" }, nil},
	{"GB trader brings in goods at risk", imported, func(d body) { d.TraderEORI = "GB345678912000" }, []string{"TSS-002 " + warning + " traderEori"}},
	{"GB trader brings in goods not at risk", fromGB, func(d body) { d.TraderEORI = "GB123456789000" }, []string{"TSS-002 " + info + " traderEori"}},
	{"GB trader takes goods out", fromNI, func(d body) { d.TraderEORI = "GB980780684000" }, nil},
	{"both parties' EORI malformed", fromGB, func(d body) { d.ConsignorEORI, d.ConsigneeEORI = "123", "XI9" },
		[]string{"TSS-003 " + blocker + " consignorEori", "TSS-003 " + blocker + " consigneeEori"}},
	{"consignor abroad has an EORI", imported, func(d body) { d.ConsignorEORI = "DE1234567" }, nil},
	{"GB consignor's EORI", fromGB, func(d body) { d.ConsignorEORI = "GB980780684000" }, []string{"TSS-004 " + info + " consignorEori"}},
	{"two names under one EORI", fromNI, func(d body) { d.ConsigneeEORI = "GB234567889000" }, []string{"TSS-005 " + warning + " consigneeEori"}},
	{"own stock moved", fromNI, func(d body) { d.ConsigneeEORI, d.ConsigneeName = "GB234567889000", "LISBURN LINEN MILL LTD" }, []string{"TSS-005 " + info + " consigneeEori"}},
	{"same digits in another country", fromNI, func(d body) { d.ConsigneeEORI = "FR234567889000" }, nil},
	{"names to be confirmed", fromGB, func(d body) { d.ConsignorName, d.ConsigneeName = "T.B.C.", "---" },
		[]string{"TSS-006 " + warning + " consignorName", "TSS-006 " + warning + " consigneeName"}},
	{"names like placeholders", fromGB, func(d body) { d.ConsignorName, d.ConsigneeName = "Various Artists Ltd", "3 Unknown Roads" }, nil},
	{"sent from where it goes", fromGB, func(d body) { d.ConsignorCountry = "XI" }, []string{"TSS-007 " + blocker + " consignorCountry"}},
	{"sent from France", fromGB, func(d body) { d.ConsignorCountry = "FR" }, []string{"TSS-007 " + warning + " consignorCountry"}},
	{"imported from Great Britain", imported, func(d body) { d.ConsignorCountry = "GB" }, []string{"TSS-007 " + blocker + " consignorCountry"}},
	{"Northern Irish consignor written as GB", fromNI, func(d body) { d.ConsignorCountry = "GB" }, nil},
	{"sent to where it comes from", fromNI, func(d body) { d.ConsigneeCountry = "XI" }, []string{"TSS-008 " + blocker + " consigneeCountry"}},
	{"sent on to Ireland at risk", imported, func(d body) { d.ConsigneeCountry = "IE" }, []string{"TSS-008 " + warning + " consigneeCountry"}},
	{"sent on to France on the way out", fromNI, func(d body) { d.ConsigneeCountry, d.RiskCategorisation = "FR", tss.NotAtRisk },
		[]string{"TSS-008 " + warning + " consigneeCountry", "TSS-020 " + info + " riskCategorisation"}},
	{"Northern Irish consignee written as GB", fromGB, func(d body) { d.ConsigneeCountry = "GB" }, nil},
	{"imported from the Union", imported, func(d body) { d.ConsignorCountry = "IE" }, []string{"TSS-009 " + warning + " consignorCountry"}},
	{"imported from Norway", imported, func(d body) { d.ConsignorCountry = "NO" }, nil},
	{"no countries given", fromGB, func(d body) { d.ConsignorCountry, d.ConsigneeCountry = "", "" }, nil},
}

var schemeCases = []scenario{
	{"not at risk without authorisation", fromGB, func(d body) { d.UKIMSNumber = "" }, []string{"TSS-010 " + blocker + " ukimsAuthNumber"}},
	{"UK origin without authorisation", fromGB, func(d body) { d.UKIMSNumber, d.NotAtRiskReason = "", tss.UKOrigin }, []string{"TSS-010 " + warning + " ukimsAuthNumber"}},
	{"neither authorisation nor claim", fromGB, func(d body) { d.UKIMSNumber, d.RiskCategorisation, d.NotAtRiskReason = "", "", "" }, []string{"TSS-010 " + warning + " ukimsAuthNumber"}},
	{"at risk without authorisation", fromGB, func(d body) { d.UKIMSNumber, d.RiskCategorisation, d.NotAtRiskReason = "", tss.AtRisk, "" }, nil},
	{"malformed authorisation", fromGB, func(d body) { d.UKIMSNumber = "UKIM123" }, []string{"TSS-011 " + blocker + " ukimsAuthNumber"}},
	{"authorisation of a thirteenth month", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM12345678900020241303090000" }, []string{"TSS-011 " + blocker + " ukimsAuthNumber"}},
	{"authorisation of tomorrow", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM12345678900020261122120000" }, []string{"TSS-012 " + blocker + " ukimsAuthNumber"}},
	{"authorisation of this second", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM12345678900020261121120000" }, nil},
	{"authorisation of another", fromGB, func(d body) { d.UKIMSNumber = "XIUKIM98078068400020240603090000" }, []string{"TSS-013 " + warning + " ukimsAuthNumber"}},
	{"GB authorisation of the same trader", fromGB, func(d body) { d.UKIMSNumber = "GBUKIM12345678900020240603090000" }, nil},
}

var riskCases = []scenario{
	{"Chinese hot-rolled steel", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "7208510000", "CN" }, []string{"TSS-014 " + blocker + " commodityCode"}},
	{"Chinese bicycles", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "CN" }, []string{"TSS-014 " + blocker + " commodityCode"}},
	{"Chinese bicycles at risk", fromGB, func(d body) {
		d.CommodityCode, d.CountryOfOrigin, d.RiskCategorisation, d.NotAtRiskReason = "8712003000", "CN", tss.AtRisk, ""
	}, nil},
	{"Chinese bicycles going to Great Britain", fromNI, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "CN" }, nil},
	{"Chinese motorcycles", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8711201000", "CN" }, nil},
	{"Japanese bicycles", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "JP" }, nil},
	{"Chinese furniture", fromGB, func(d body) { d.CountryOfOrigin = "CN" }, nil},
	{"Chinese PET", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "3907610000", "CN" }, []string{"TSS-014 " + blocker + " commodityCode"}},
	{"Korean PET", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "3907610000", "KR" }, nil},
	{"Chinese aerial lifts, or fork-lift trucks", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8427101000", "CN" }, []string{"TSS-014 " + warning + " commodityCode"}},
	{"British steel under quota", fromGB, func(d body) { d.CommodityCode = "7208510000" }, []string{"TSS-014 " + warning + " commodityCode"}},
	{"Northern Irish steel", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "7208510000", "XI" }, nil},
	{"Norwegian steel", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "7208510000", "NO" }, nil},
	{"bicycles of unknown origin", fromGB, func(d body) { d.CommodityCode, d.CountryOfOrigin = "8712003000", "" },
		[]string{"TSS-014 " + warning + " commodityCode", "TSS-027 " + warning + " countryOfOrigin"}},
	{"Chinese bicycles without a claim", fromGB, func(d body) {
		d.CommodityCode, d.CountryOfOrigin, d.RiskCategorisation, d.NotAtRiskReason = "8712003000", "CN", tss.Unclaimed, ""
	}, []string{"TSS-014 " + info + " commodityCode", "TSS-021 " + info + " riskCategorisation"}},
	{"not at risk without reason", fromGB, func(d body) { d.NotAtRiskReason = "" }, []string{"TSS-015 " + blocker + " notAtRiskReason"}},
	{"reason without claim", imported, func(d body) { d.NotAtRiskReason = tss.NoProcessing }, []string{"TSS-016 " + warning + " notAtRiskReason"}},
	{"not at risk for Ireland", fromGB, func(d body) { d.ConsigneeCountry = "IE" }, []string{"TSS-017 " + blocker + " consigneeCountry"}},
	{"UK origin made in Vietnam", fromGB, func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.UKOrigin, "VN" }, []string{"TSS-018 " + blocker + " notAtRiskReason"}},
	{"UK origin made nowhere", fromGB, func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.UKOrigin, "" }, []string{"TSS-018 " + warning + " countryOfOrigin"}},
	{"UK origin made in Great Britain", fromGB, func(d body) { d.NotAtRiskReason = tss.UKOrigin }, nil},
	{"domestic goods made in Vietnam", fromGB, func(d body) { d.NotAtRiskReason, d.CountryOfOrigin = tss.DomesticGoods, "VN" }, nil},
	{"domestic goods imported", imported, func(d body) { authorise(d, tss.DomesticGoods) }, []string{"TSS-019 " + blocker + " notAtRiskReason"}},
	{"British goods imported", imported, func(d body) { authorise(d, tss.UKOrigin); d.CountryOfOrigin = "GB" }, []string{"TSS-019 " + warning + " notAtRiskReason"}},
	{"unprocessed goods imported", imported, func(d body) { authorise(d, tss.NoProcessing) }, nil},
	{"risk on the way out", fromNI, func(d body) { d.RiskCategorisation = tss.AtRisk }, []string{"TSS-020 " + info + " riskCategorisation"}},
	{"a reason on the way out", fromNI, func(d body) { d.NotAtRiskReason = tss.NoProcessing }, []string{"TSS-020 " + info + " riskCategorisation"}},
	{"no claim on the way out", fromNI, func(d body) { d.RiskCategorisation = tss.Unclaimed }, nil},
	{"authorisation unused", fromGB, func(d body) { d.RiskCategorisation, d.NotAtRiskReason = tss.Unclaimed, "" }, []string{"TSS-021 " + info + " riskCategorisation"}},
}

func authorise(d body, reason tss.Reason) {
	d.UKIMSNumber, d.RiskCategorisation, d.NotAtRiskReason = "XIUKIM34567891200020240603090000", tss.NotAtRisk, reason
}

var goodsCases = []scenario{
	{"code of letters", fromGB, func(d body) { d.CommodityCode = "kitchen" }, []string{"TSS-022 " + blocker + " commodityCode"}},
	{"code of four digits", fromGB, func(d body) { d.CommodityCode = "9403" }, []string{"TSS-022 " + blocker + " commodityCode"}},
	{"code of nine digits", fromGB, func(d body) { d.CommodityCode = "940340900" }, []string{"TSS-022 " + blocker + " commodityCode"}},
	{"code of six digits", fromGB, func(d body) { d.CommodityCode = "940340" }, []string{"TSS-022 " + warning + " commodityCode"}},
	{"code of eight digits", fromGB, func(d body) { d.CommodityCode = "94034090" }, []string{"TSS-022 " + info + " commodityCode"}},
	{"code with spaces", fromGB, func(d body) { d.CommodityCode = "9403 40 90 00" }, nil},
	{"chapter 77", fromGB, func(d body) { d.CommodityCode = "7701000000" }, []string{"TSS-023 " + blocker + " commodityCode"}},
	{"chapter 00", fromGB, func(d body) { d.CommodityCode = "0001000000" }, []string{"TSS-023 " + blocker + " commodityCode"}},
	{"chapter 99", fromGB, func(d body) { d.CommodityCode = "9905000000" }, []string{"TSS-023 " + warning + " commodityCode"}},
	{"heading 9407", fromGB, func(d body) { d.CommodityCode = "9407000000" }, []string{"TSS-023 " + blocker + " commodityCode"}},
	{"heading 8469", fromGB, func(d body) { d.CommodityCode = "8469000000" }, []string{"TSS-023 " + blocker + " commodityCode"}},
	{"heading 8470", fromGB, func(d body) { d.CommodityCode = "8470100000" }, nil},
	{"vague on the way in", fromGB, func(d body) { d.GoodsDescription = "Goods" }, []string{"TSS-024 " + blocker + " goodsDescription"}},
	{"vague on the way out", fromNI, func(d body) { d.GoodsDescription = "spare parts" }, []string{"TSS-024 " + warning + " goodsDescription"}},
	{"partly vague", fromGB, func(d body) { d.GoodsDescription = "Cupboards, hinges etc." }, []string{"TSS-024 " + warning + " goodsDescription"}},
	{"short", fromGB, func(d body) { d.GoodsDescription = "Oak" }, []string{"TSS-024 " + info + " goodsDescription"}},
	{"one telling word", fromGB, func(d body) { d.GoodsDescription = "Cupboards" }, nil},
	{"255 characters", fromGB, func(d body) { d.GoodsDescription = "Cupboards " + strings.Repeat("é", 245) }, []string{"TSS-025 " + warning + " goodsDescription"}},
	{"254 characters", fromGB, func(d body) { d.GoodsDescription = "Cupboards " + strings.Repeat("é", 244) }, nil},
	{"cheese on the way in", fromGB, func(d body) { d.CommodityCode = "0406902100" }, []string{"TSS-026 " + info + " commodityCode"}},
	{"whisky on the way in", fromGB, func(d body) { d.CommodityCode = "2208308200" }, []string{"TSS-026 " + info + " commodityCode"}},
	{"mineral water on the way in", fromGB, func(d body) { d.CommodityCode = "2201101900" }, nil},
	{"cheese on the way out", fromNI, func(d body) { d.CommodityCode = "0406902100" }, nil},
}

var originCases = []scenario{
	{"no origin on the way in", imported, func(d body) { d.CountryOfOrigin = "" }, []string{"TSS-027 " + warning + " countryOfOrigin"}},
	{"no origin on the way out", fromNI, func(d body) { d.CountryOfOrigin = "" }, nil},
	{"made in Russia", fromNI, func(d body) { d.CountryOfOrigin = "RU" }, []string{"TSS-028 " + blocker + " countryOfOrigin"}},
	{"made in and sent from North Korea", imported, func(d body) { d.CountryOfOrigin, d.ConsignorCountry = "KP", "KP" },
		[]string{"TSS-028 " + blocker + " countryOfOrigin", "TSS-028 " + blocker + " consignorCountry"}},
	{"furniture from Belarus", fromGB, func(d body) { d.CountryOfOrigin = "BY" }, []string{"TSS-028 " + warning + " countryOfOrigin"}},
	{"plywood from Belarus", fromGB, func(d body) { d.CountryOfOrigin, d.CommodityCode = "BY", "4412330000" }, []string{"TSS-028 " + blocker + " countryOfOrigin"}},
	{"carpets from Iran", imported, func(d body) { d.CountryOfOrigin, d.CommodityCode = "IR", "5701109000" }, []string{"TSS-028 " + warning + " countryOfOrigin"}},
	{"made in Ukraine", imported, func(d body) { d.CountryOfOrigin = "UA" }, nil},
}

var worthCases = []scenario{
	{"no mass", fromGB, func(d body) { d.NetMassKg = quantity.Mass{} }, []string{"TSS-029 " + blocker + " netMassKg"}},
	{"a milligram", fromGB, func(d body) { d.NetMassKg, d.CustomsValueGBP = quantity.MustMass("0.000001"), money("0.01") }, nil},
	{"31 tonnes on a lorry", fromGB, func(d body) { d.NetMassKg = quantity.MustMass("31000") }, []string{"TSS-030 " + warning + " netMassKg"}},
	{"30 tonnes on a lorry", fromGB, func(d body) { d.NetMassKg = quantity.MustMass("30000") }, nil},
	{"31 tonnes in a ship", imported, func(d body) { d.NetMassKg = quantity.MustMass("31000") }, nil},
	{"more than a ship", imported, func(d body) {
		d.NetMassKg, d.CustomsValueGBP = quantity.MustMass("200000000"), money("90000000")
	}, []string{"TSS-030 " + warning + " netMassKg"}},
	{"no value at risk", imported, func(d body) { d.CustomsValueGBP = nil }, []string{"TSS-031 " + warning + " customsValueGbp"}},
	{"no value imported not at risk", imported, func(d body) { authorise(d, tss.NoProcessing); d.CustomsValueGBP = nil }, []string{"TSS-031 " + warning + " customsValueGbp"}},
	{"worth nothing", fromNI, func(d body) { d.CustomsValueGBP = money("0") }, []string{"TSS-031 " + warning + " customsValueGbp"}},
	{"no value not at risk", fromGB, func(d body) { d.CustomsValueGBP = nil }, nil},
	{"no value on the way out", fromNI, func(d body) { d.CustomsValueGBP = nil }, nil},
	{"pence for a tonne", fromGB, func(d body) { d.CustomsValueGBP = money("1.25") }, []string{"TSS-032 " + warning + " customsValueGbp"}},
	{"furniture of platinum", fromGB, func(d body) { d.CustomsValueGBP = money("70000000") }, []string{"TSS-032 " + warning + " customsValueGbp"}},
	{"gold", fromGB, func(d body) { d.CommodityCode, d.CustomsValueGBP = "7108120000", money("70000000") }, nil},
	{"gravel", fromGB, func(d body) { d.CommodityCode, d.CustomsValueGBP = "2517101000", money("12.60") }, nil},
}

var movementCases = []scenario{
	{"no transport document on the way in", imported, func(d body) { d.TransportDocNumber = "" }, []string{"TSS-033 " + info + " transportDocNumber"}},
	{"no transport document but a placeholder", imported, func(d body) { d.TransportDocNumber = "n/a" }, []string{"TSS-033 " + warning + " transportDocNumber"}},
	{"transport document in letters alone", imported, func(d body) { d.TransportDocNumber = "MAEUABCD" }, nil},
	{"no transport document on the way out", fromNI, func(d body) { d.TransportDocNumber = "" }, nil},
	{"transport document too long", fromNI, func(d body) { d.TransportDocNumber = strings.Repeat("7", 36) }, []string{"TSS-033 " + warning + " transportDocNumber"}},
	{"transport document of 35", fromNI, func(d body) { d.TransportDocNumber = strings.Repeat("7", 35) }, nil},
	{"no vehicle on the ferry", fromGB, func(d body) { d.VehicleReg = "" }, []string{"TSS-034 " + info + " vehicleReg"}},
	{"no vehicle from overseas", imported, func(d body) { d.VehicleReg = "" }, nil},
	{"vehicle to be confirmed", fromGB, func(d body) { d.VehicleReg = "TBC" }, []string{"TSS-034 " + warning + " vehicleReg"}},
	{"vehicle with marks", fromNI, func(d body) { d.VehicleReg = "AB24_CDE!" }, []string{"TSS-034 " + warning + " vehicleReg"}},
	{"Irish trailer in small letters", fromGB, func(d body) { d.VehicleReg = "221-d-10482" }, nil},
	{"dispatch in an hour", fromGB, func(d body) { d.ScheduledDispatchAt = hence(time.Hour) }, []string{"TSS-035 " + warning + " scheduledDispatchAt"}},
	{"dispatch in two hours", fromGB, func(d body) { d.ScheduledDispatchAt = hence(2 * time.Hour) }, nil},
	{"dispatch in an hour on the way out", fromNI, func(d body) { d.ScheduledDispatchAt = hence(time.Hour) }, nil},
	{"dispatch yesterday on the way out", fromNI, func(d body) { d.ScheduledDispatchAt = hence(-24 * time.Hour) }, []string{"TSS-035 " + warning + " scheduledDispatchAt"}},
	{"dispatch in two years", fromGB, func(d body) { d.ScheduledDispatchAt = hence(2 * 365 * 24 * time.Hour) }, []string{"TSS-035 " + warning + " scheduledDispatchAt"}},
	{"no dispatch", fromGB, func(d body) { d.ScheduledDispatchAt = nil }, nil},
	{"dispatched last week", fromGB, func(d body) { d.ScheduledDispatchAt = hence(-7 * 24 * time.Hour) },
		[]string{"TSS-035 " + warning + " scheduledDispatchAt", "TSS-036 " + info + " scheduledDispatchAt"}},
	{"dispatched in October", fromGB, func(d body) { d.ScheduledDispatchAt = hence(-30 * 24 * time.Hour) },
		[]string{"TSS-035 " + warning + " scheduledDispatchAt", "TSS-036 " + warning + " scheduledDispatchAt"}},
}
