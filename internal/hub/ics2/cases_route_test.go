package ics2_test

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
)

var modeCases = []testCase{
	check("mode of twelve", deepSea, func(f body) { f.ModeOfTransport = "12" }, "ICS2-001 blocker modeOfTransport"),
	check("mode of a pipeline", deepSea, func(f body) { f.ModeOfTransport = "7" }, "ICS2-001 blocker modeOfTransport"),
	check("mode with a space", deepSea, func(f body) { f.ModeOfTransport = " 1" }),
	check("mode in a word", deepSea, func(f body) { f.ModeOfTransport = "sea" }, "ICS2-002 warning modeOfTransport"),
	check("mode with a leading zero", deepSea, func(f body) { f.ModeOfTransport = "01" }, "ICS2-002 warning modeOfTransport"),
	check("sea by air", deepSea, func(f body) { f.ModeOfTransport = "4" }, "ICS2-003 blocker modeOfTransport"),
	check("air by a word for the road", longHaul, func(f body) { f.ModeOfTransport, f.PortOfLoading = "ROAD", "BEBRU" }, "ICS2-002 warning modeOfTransport", "ICS2-003 blocker modeOfTransport"),
	check("rail by post", train, func(f body) { f.ModeOfTransport = "5" }, "ICS2-003 blocker modeOfTransport"),
	check("lorry on a ship", ferry, func(f body) { f.ModeOfTransport = "1" }, "ICS2-003 warning modeOfTransport"),
	check("trailer on a ferry as sea", ferry, func(f body) { f.FilingType, f.ModeOfTransport = ics2.Sea, "11" }),
	check("barge as sea", ore, func(f body) { f.ModeOfTransport, f.TotalGrossMassKg = "8", mass("2000000") }),
	check("post by air", parcel, func(f body) { f.ModeOfTransport = "4" }),
	check("GB's ferry code for Belfast", belfast, func(f body) { f.ModeOfTransport = "10" }, "ICS2-004 warning modeOfTransport"),
	check("GB's ferry code for Rotterdam", ferry, func(f body) {
		f.PortOfLoading, f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "GBIMM", "NLRTM", "NL123456789", "NL987654321"
	}, "ICS2-004 warning modeOfTransport"),
	check("by road from New York", tunnel, func(f body) { f.PortOfLoading = "USNYC" }, "ICS2-005 warning modeOfTransport"),
	check("by road from Dublin", tunnel, func(f body) { f.PortOfLoading = "IEDUB" }, "ICS2-005 info modeOfTransport"),
	check("by road from Reykjavik", tunnel, func(f body) { f.PortOfLoading = "ISREY" }, "ICS2-005 warning modeOfTransport"),
	check("by road to Belfast", belfast, func(f body) { f.FilingType, f.ModeOfTransport = ics2.Road, "3" }, "ICS2-005 info modeOfTransport"),
	check("by road from Dublin to Belfast", belfast, func(f body) { f.FilingType, f.ModeOfTransport, f.PortOfLoading = ics2.Road, "3", "IEDUB" }, "ICS2-008 warning portOfLoading"),
	check("by road to Dover", ferry, func(f body) { f.ModeOfTransport = "3" }, "ICS2-005 info modeOfTransport"),
	check("by rail from Tokyo", train, func(f body) { f.PortOfLoading = "JPTYO" }, "ICS2-005 warning modeOfTransport"),
	check("by rail from China", train, func(f body) { f.PortOfLoading, f.ConsignorEORI = "CNXIY", "" }),
	check("by road from Istanbul", tunnel, func(f body) { f.PortOfLoading = "TRIST" }),
	check("by sea from Prague's neighbour Vaduz", deepSea, func(f body) { f.PortOfLoading = "LIVDZ" }, "ICS2-005 warning modeOfTransport"),
	check("by sea from Basel", deepSea, func(f body) { f.PortOfLoading = "CHBSL" }),
}

var routeCases = []testCase{
	check("port that is not listed", deepSea, func(f body) { f.PortOfLoading = "KRZZZ" }, "ICS2-052 warning portOfLoading"),
	check("port by name", deepSea, func(f body) { f.PortOfLoading = "Busan" }, "ICS2-006 warning portOfLoading"),
	check("ports by names like codes", ferry, func(f body) {
		f.PortOfLoading, f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "PARIS", "Dover", "GB123456789000", ""
	},
		"ICS2-006 warning portOfLoading", "ICS2-006 warning portOfUnloading", "ICS2-013 warning consigneeEori"),
	check("country and name into Great Britain", ferry, func(f body) { f.PortOfLoading = "FR Calais" }, "ICS2-006 info portOfLoading"),
	check("code and name into Great Britain", ferry, func(f body) { f.PortOfUnloading = "GBDVR Dover" }, "ICS2-006 info portOfUnloading"),
	check("country and name into the Union", ore, func(f body) { f.PortOfLoading = "BR Santos" }, "ICS2-006 warning portOfLoading"),
	check("Belfast under XI", belfast, func(f body) { f.PortOfUnloading = "XIBEL" }, "ICS2-006 warning portOfUnloading"),
	check("code with a space", deepSea, func(f body) { f.PortOfLoading = "kr pus" }),
	check("code of no country", deepSea, func(f body) { f.PortOfLoading = "ZZPUS" }, "ICS2-006 warning portOfLoading"),
	check("one place", deepSea, func(f body) { f.PortOfLoading = "gbfxt" }, "ICS2-007 blocker portOfUnloading"),
	check("Belfast to Liverpool", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "GBBEL", "GBLIV" }, "ICS2-008 warning portOfLoading"),
	check("Jersey to Portsmouth", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "JESTH", "GBPME" }, "ICS2-008 warning portOfLoading"),
	check("Oslo to Rotterdam", ore, func(f body) { f.PortOfLoading = "NOOSL" }, "ICS2-008 warning portOfLoading"),
	check("Dublin to Larne", belfast, func(f body) { f.PortOfLoading, f.PortOfUnloading = "IEDUB", "GBLAR" }, "ICS2-008 warning portOfLoading"),
	check("Oslo to Immingham", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "NOOSL", "GBIMM" }),
	check("Felixstowe to Busan", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "GBFXT", "KRPUS" }, "ICS2-009 warning portOfUnloading"),
	check("on board to New York", deepSea, func(f body) { f.PortOfUnloading = "USNYC" }, "ICS2-009 info portOfUnloading"),
	check("Busan to Le Havre", deepSea, func(f body) {
		f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "FRLEH", "FR12345678901234", "FR98765432109876"
	}),
}

var eoriCases = []testCase{
	check("three malformed numbers", ferry, func(f body) { f.CarrierEORI, f.ConsignorEORI, f.ConsigneeEORI = "12", "FR", "GB12345" },
		"ICS2-010 blocker carrierEori", "ICS2-010 blocker consignorEori", "ICS2-010 blocker consigneeEori"),
	check("number of no country", ferry, func(f body) { f.CarrierEORI = "ZZ123456" }, "ICS2-010 blocker carrierEori"),
	check("number with spaces", ferry, func(f body) { f.ConsigneeEORI = "gb 980 780 684 000" }),
	check("number of America", longHaul, func(f body) { f.CarrierEORI = "US123456789" }, "ICS2-011 warning carrierEori"),
	check("number of China", longHaul, func(f body) { f.ConsignorEORI = "CN1234567890" }, "ICS2-011 warning consignorEori"),
	check("number of Switzerland", train, func(f body) { f.CarrierEORI = "CH1234567890" }),
	check("no carrier's number at sea", deepSea, func(f body) { f.CarrierEORI = "" }, "ICS2-012 blocker carrierEori"),
	check("no carrier's number on the ferry", ferry, func(f body) { f.CarrierEORI = "" }, "ICS2-012 blocker carrierEori"),
	check("no carrier's number on the road", tunnel, func(f body) { f.CarrierEORI = "" }, "ICS2-012 warning carrierEori"),
	check("no carrier's number on the road to the Union", tunnel, func(f body) {
		f.PortOfLoading, f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "TRIST", "BGSOF", "", "BG123456789"
	}, "ICS2-012 blocker carrierEori"),
	check("no company's number", deepSea, func(f body) { f.ConsigneeEORI = "" }, "ICS2-013 warning consigneeEori"),
	check("no number of a Spanish company", deepSea, func(f body) { f.ConsigneeEORI, f.ConsigneeName = "", "Muebles Ortega S.A." }, "ICS2-013 warning consigneeEori"),
	check("no person's number", deepSea, func(f body) { f.ConsigneeEORI, f.ConsigneeName = "", "Sa Nguyen" }, "ICS2-013 info consigneeEori"),
	check("no company's number in the post", parcel, func(f body) { f.ConsigneeName = "Harbour Kitchens Ltd" }),
	check("no number of an exporter in France", ferry, func(f body) { f.ConsignorEORI = "" }, "ICS2-014 info consignorEori"),
	check("no number of a person in France", ferry, func(f body) { f.ConsignorEORI, f.ConsignorName = "", "Camille Petit" }),
	check("GB numbers to Belfast", belfast, func(f body) {
		f.CarrierEORI, f.ConsignorEORI, f.ConsigneeEORI = "GB234567889000", "GB345678912000", "GB123456789000"
	},
		"ICS2-015 warning carrierEori", "ICS2-015 info consignorEori", "ICS2-015 warning consigneeEori"),
	check("Irish numbers to Belfast", belfast, func(f body) { f.CarrierEORI, f.ConsigneeEORI = "IE1234567WA", "IE7654321T" }),
	check("French consignee in Dover", ferry, func(f body) { f.ConsigneeEORI = "FR55555555501234" }, "ICS2-015 info consigneeEori"),
	check("XI consignee in Dover", ferry, func(f body) { f.ConsigneeEORI = "XI980780684000" }),
}

var partyCases = []testCase{
	check("sent to itself", ferry, func(f body) { f.ConsigneeName = "ATELIERS DU NORD S.A.S." }, "ICS2-016 warning consigneeName"),
	check("own stock moved", ferry, func(f body) {
		f.ConsignorName, f.ConsignorEORI, f.ConsigneeEORI = "Kentish Bathrooms PLC", "XI980780684000", "GB980780684000"
	}, "ICS2-016 info consigneeName"),
	check("one name under two GB numbers", ferry, func(f body) { f.ConsignorName, f.ConsignorEORI = "Kentish Bathrooms PLC", "GB123456789000" }, "ICS2-016 warning consigneeName"),
	check("names that resemble", ferry, func(f body) { f.ConsigneeName = "Ateliers du Nord (UK) SAS" }),
	check("two names under one number", ferry, func(f body) { f.ConsigneeEORI = "FR98765432109876" }, "ICS2-015 info consigneeEori", "ICS2-017 warning consigneeEori"),
	check("carrier and consignor under one number", ferry, func(f body) { f.ConsignorEORI = "FR12345678901234" }, "ICS2-017 warning consignorEori"),
	check("own lorry", ferry, func(f body) { f.CarrierName, f.CarrierEORI = f.ConsignorName, f.ConsignorEORI }),
	check("names to be confirmed", deepSea, func(f body) { f.CarrierName, f.ConsignorName, f.ConsigneeName = "T.B.C.", "---", "Unknown" },
		"ICS2-018 warning carrierName", "ICS2-018 warning consignorName", "ICS2-018 warning consigneeName"),
	check("names like placeholders", deepSea, func(f body) { f.ConsignorName, f.ConsigneeName = "Various Artists Co.", "Same Day Couriers Ltd" }),
	check("to order at sea", deepSea, func(f body) { f.ConsigneeName, f.ConsigneeEORI = "To order", "" }, "ICS2-019 warning consigneeName"),
	check("to the order of a bank", deepSea, func(f body) { f.ConsigneeName, f.ConsigneeEORI = "TO THE ORDER OF Borough Bank plc", "" }, "ICS2-019 warning consigneeName"),
	check("to order in the air", longHaul, func(f body) { f.ConsigneeName = "To Order" }, "ICS2-019 warning consigneeName"),
	check("made to order", deepSea, func(f body) { f.ConsigneeName = "Made To Order Kitchens Ltd" }),
	check("line is its own consignee", deepSea, func(f body) { f.CarrierName, f.CarrierEORI = f.ConsigneeName, f.ConsigneeEORI }, "ICS2-020 info consigneeName"),
	check("haulier is its own consignee", ferry, func(f body) { f.CarrierName, f.CarrierEORI = f.ConsigneeName, f.ConsigneeEORI }),
	check("name of 36", ferry, func(f body) { f.ConsignorName = strings.Repeat("é", 32) + " SAS" }, "ICS2-021 info consignorName"),
	check("name of 35", ferry, func(f body) { f.ConsignorName = strings.Repeat("é", 31) + " SAS" }),
	check("name of 36 under a GB number", ferry, func(f body) { f.ConsigneeName = strings.Repeat("é", 32) + " plc" }),
	check("name of 70 to the Union", ore, func(f body) { f.ConsignorName = strings.Repeat("é", 70) }),
	check("name of 71 to the Union", ore, func(f body) { f.ConsignorName = strings.Repeat("é", 71) }, "ICS2-021 info consignorName"),
}
