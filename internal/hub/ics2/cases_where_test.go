package ics2_test

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
)

var modeCases = []scenario{
	{"mode of twelve", deepSea, func(f body) { f.ModeOfTransport = "12" }, []string{"001 blocker modeOfTransport"}},
	{"mode of a pipeline", deepSea, func(f body) { f.ModeOfTransport = "7" }, []string{"001 blocker modeOfTransport"}},
	{"mode with a space", deepSea, func(f body) { f.ModeOfTransport = " 1" }, nil},
	{"mode in a word", deepSea, func(f body) { f.ModeOfTransport = "sea" }, []string{"002 warning modeOfTransport"}},
	{"mode with a nought", deepSea, func(f body) { f.ModeOfTransport = "01" }, []string{"002 warning modeOfTransport"}},
	{"sea by air", deepSea, func(f body) { f.ModeOfTransport = "4" }, []string{"003 blocker modeOfTransport"}},
	{"air by a word for the road", longHaul, func(f body) { f.ModeOfTransport, f.PortOfLoading = "ROAD", "BEBRU" }, []string{"002 warning modeOfTransport", "003 blocker modeOfTransport"}},
	{"rail by post", train, func(f body) { f.ModeOfTransport = "5" }, []string{"003 blocker modeOfTransport"}},
	{"lorry on a ship", ferry, func(f body) { f.ModeOfTransport = "1" }, []string{"003 warning modeOfTransport"}},
	{"trailer on a ferry as sea", ferry, func(f body) { f.FilingType, f.ModeOfTransport = ics2.Sea, "11" }, nil},
	{"barge as sea", ore, func(f body) { f.ModeOfTransport, f.TotalGrossMassKg = "8", mass("2000000") }, nil},
	{"post by air", parcel, func(f body) { f.ModeOfTransport = "4" }, nil},
	{"GB's ferry code for Belfast", belfast, func(f body) { f.ModeOfTransport = "10" }, []string{"004 warning modeOfTransport"}},
	{"GB's ferry code for Rotterdam", ferry, func(f body) {
		f.PortOfLoading, f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "GBIMM", "NLRTM", "NL123456789", "NL987654321"
	}, []string{"004 warning modeOfTransport"}},
	{"by road from New York", tunnel, func(f body) { f.PortOfLoading = "USNYC" }, []string{"005 warning modeOfTransport"}},
	{"by road from Dublin", tunnel, func(f body) { f.PortOfLoading = "IEDUB" }, []string{"005 info modeOfTransport"}},
	{"by road from Reykjavik", tunnel, func(f body) { f.PortOfLoading = "ISREY" }, []string{"005 warning modeOfTransport"}},
	{"by road to Belfast", belfast, func(f body) { f.FilingType, f.ModeOfTransport = ics2.Road, "3" }, []string{"005 info modeOfTransport"}},
	{"by road from Dublin to Belfast", belfast, func(f body) { f.FilingType, f.ModeOfTransport, f.PortOfLoading = ics2.Road, "3", "IEDUB" }, []string{"008 warning portOfLoading"}},
	{"by road to Dover", ferry, func(f body) { f.ModeOfTransport = "3" }, []string{"005 info modeOfTransport"}},
	{"by rail from Tokyo", train, func(f body) { f.PortOfLoading = "JPTYO" }, []string{"005 warning modeOfTransport"}},
	{"by rail from China", train, func(f body) { f.PortOfLoading, f.ConsignorEORI = "CNXIY", "" }, nil},
	{"by road from Istanbul", tunnel, func(f body) { f.PortOfLoading = "TRIST" }, nil},
	{"by sea from Prague's neighbour Vaduz", deepSea, func(f body) { f.PortOfLoading = "LIVDZ" }, []string{"005 warning modeOfTransport"}},
	{"by sea from Basel", deepSea, func(f body) { f.PortOfLoading = "CHBSL" }, nil},
}

var routeCases = []scenario{
	{"port that is not listed", deepSea, func(f body) { f.PortOfLoading = "KRZZZ" }, []string{"052 warning portOfLoading"}},
	{"port by name", deepSea, func(f body) { f.PortOfLoading = "Busan" }, []string{"006 warning portOfLoading"}},
	{"ports by names like codes", ferry, func(f body) {
		f.PortOfLoading, f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "PARIS", "Dover", "GB123456789000", ""
	},
		[]string{"006 warning portOfLoading", "006 warning portOfUnloading", "013 warning consigneeEori"}},
	{"country and name into Great Britain", ferry, func(f body) { f.PortOfLoading = "FR Calais" }, []string{"006 info portOfLoading"}},
	{"code and name into Great Britain", ferry, func(f body) { f.PortOfUnloading = "GBDVR Dover" }, []string{"006 info portOfUnloading"}},
	{"country and name into the Union", ore, func(f body) { f.PortOfLoading = "BR Santos" }, []string{"006 warning portOfLoading"}},
	{"Belfast under XI", belfast, func(f body) { f.PortOfUnloading = "XIBEL" }, []string{"006 warning portOfUnloading"}},
	{"code with a space", deepSea, func(f body) { f.PortOfLoading = "kr pus" }, nil},
	{"code of no country", deepSea, func(f body) { f.PortOfLoading = "ZZPUS" }, []string{"006 warning portOfLoading"}},
	{"one place", deepSea, func(f body) { f.PortOfLoading = "gbfxt" }, []string{"007 blocker portOfUnloading"}},
	{"Belfast to Liverpool", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "GBBEL", "GBLIV" }, []string{"008 warning portOfLoading"}},
	{"Jersey to Portsmouth", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "JESTH", "GBPME" }, []string{"008 warning portOfLoading"}},
	{"Oslo to Rotterdam", ore, func(f body) { f.PortOfLoading = "NOOSL" }, []string{"008 warning portOfLoading"}},
	{"Dublin to Larne", belfast, func(f body) { f.PortOfLoading, f.PortOfUnloading = "IEDUB", "GBLAR" }, []string{"008 warning portOfLoading"}},
	{"Oslo to Immingham", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "NOOSL", "GBIMM" }, nil},
	{"Felixstowe to Busan", deepSea, func(f body) { f.PortOfLoading, f.PortOfUnloading = "GBFXT", "KRPUS" }, []string{"009 warning portOfUnloading"}},
	{"on board to New York", deepSea, func(f body) { f.PortOfUnloading = "USNYC" }, []string{"009 info portOfUnloading"}},
	{"Busan to Le Havre", deepSea, func(f body) {
		f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "FRLEH", "FR12345678901234", "FR98765432109876"
	}, nil},
}

var eoriCases = []scenario{
	{"three malformed numbers", ferry, func(f body) { f.CarrierEORI, f.ConsignorEORI, f.ConsigneeEORI = "12", "FR", "GB12345" },
		[]string{"010 blocker carrierEori", "010 blocker consignorEori", "010 blocker consigneeEori"}},
	{"number of no country", ferry, func(f body) { f.CarrierEORI = "ZZ123456" }, []string{"010 blocker carrierEori"}},
	{"number with spaces", ferry, func(f body) { f.ConsigneeEORI = "gb 980 780 684 000" }, nil},
	{"number of America", longHaul, func(f body) { f.CarrierEORI = "US123456789" }, []string{"011 warning carrierEori"}},
	{"number of China", longHaul, func(f body) { f.ConsignorEORI = "CN1234567890" }, []string{"011 warning consignorEori"}},
	{"number of Switzerland", train, func(f body) { f.CarrierEORI = "CH1234567890" }, nil},
	{"no carrier's number at sea", deepSea, func(f body) { f.CarrierEORI = "" }, []string{"012 blocker carrierEori"}},
	{"no carrier's number on the ferry", ferry, func(f body) { f.CarrierEORI = "" }, []string{"012 blocker carrierEori"}},
	{"no carrier's number on the road", tunnel, func(f body) { f.CarrierEORI = "" }, []string{"012 warning carrierEori"}},
	{"no carrier's number on the road to the Union", tunnel, func(f body) {
		f.PortOfLoading, f.PortOfUnloading, f.CarrierEORI, f.ConsigneeEORI = "TRIST", "BGSOF", "", "BG123456789"
	}, []string{"012 blocker carrierEori"}},
	{"no company's number", deepSea, func(f body) { f.ConsigneeEORI = "" }, []string{"013 warning consigneeEori"}},
	{"no number of a Spanish company", deepSea, func(f body) { f.ConsigneeEORI, f.ConsigneeName = "", "Muebles Ortega S.A." }, []string{"013 warning consigneeEori"}},
	{"no person's number", deepSea, func(f body) { f.ConsigneeEORI, f.ConsigneeName = "", "Sa Nguyen" }, []string{"013 info consigneeEori"}},
	{"no company's number in the post", parcel, func(f body) { f.ConsigneeName = "Harbour Kitchens Ltd" }, nil},
	{"no number of an exporter in France", ferry, func(f body) { f.ConsignorEORI = "" }, []string{"014 info consignorEori"}},
	{"no number of a person in France", ferry, func(f body) { f.ConsignorEORI, f.ConsignorName = "", "Camille Petit" }, nil},
	{"GB numbers to Belfast", belfast, func(f body) {
		f.CarrierEORI, f.ConsignorEORI, f.ConsigneeEORI = "GB234567889000", "GB345678912000", "GB123456789000"
	},
		[]string{"015 warning carrierEori", "015 info consignorEori", "015 warning consigneeEori"}},
	{"Irish numbers to Belfast", belfast, func(f body) { f.CarrierEORI, f.ConsigneeEORI = "IE1234567WA", "IE7654321T" }, nil},
	{"French consignee in Dover", ferry, func(f body) { f.ConsigneeEORI = "FR55555555501234" }, []string{"015 info consigneeEori"}},
	{"XI consignee in Dover", ferry, func(f body) { f.ConsigneeEORI = "XI980780684000" }, nil},
}

var partyCases = []scenario{
	{"sent to itself", ferry, func(f body) { f.ConsigneeName = "ATELIERS DU NORD S.A.S." }, []string{"016 warning consigneeName"}},
	{"own stock moved", ferry, func(f body) {
		f.ConsignorName, f.ConsignorEORI, f.ConsigneeEORI = "Kentish Bathrooms PLC", "XI980780684000", "GB980780684000"
	}, []string{"016 info consigneeName"}},
	{"one name under two GB numbers", ferry, func(f body) { f.ConsignorName, f.ConsignorEORI = "Kentish Bathrooms PLC", "GB123456789000" }, []string{"016 warning consigneeName"}},
	{"names that resemble", ferry, func(f body) { f.ConsigneeName = "Ateliers du Nord (UK) SAS" }, nil},
	{"two names under one number", ferry, func(f body) { f.ConsigneeEORI = "FR98765432109876" }, []string{"015 info consigneeEori", "017 warning consigneeEori"}},
	{"carrier and consignor under one number", ferry, func(f body) { f.ConsignorEORI = "FR12345678901234" }, []string{"017 warning consignorEori"}},
	{"own lorry", ferry, func(f body) { f.CarrierName, f.CarrierEORI = f.ConsignorName, f.ConsignorEORI }, nil},
	{"names to be confirmed", deepSea, func(f body) { f.CarrierName, f.ConsignorName, f.ConsigneeName = "T.B.C.", "---", "Unknown" },
		[]string{"018 warning carrierName", "018 warning consignorName", "018 warning consigneeName"}},
	{"names like placeholders", deepSea, func(f body) { f.ConsignorName, f.ConsigneeName = "Various Artists Co.", "Same Day Couriers Ltd" }, nil},
	{"to order at sea", deepSea, func(f body) { f.ConsigneeName, f.ConsigneeEORI = "To order", "" }, []string{"019 warning consigneeName"}},
	{"to the order of a bank", deepSea, func(f body) { f.ConsigneeName, f.ConsigneeEORI = "TO THE ORDER OF Borough Bank plc", "" }, []string{"019 warning consigneeName"}},
	{"to order in the air", longHaul, func(f body) { f.ConsigneeName = "To Order" }, []string{"019 warning consigneeName"}},
	{"made to order", deepSea, func(f body) { f.ConsigneeName = "Made To Order Kitchens Ltd" }, nil},
	{"line is its own consignee", deepSea, func(f body) { f.CarrierName, f.CarrierEORI = f.ConsigneeName, f.ConsigneeEORI }, []string{"020 info consigneeName"}},
	{"haulier is its own consignee", ferry, func(f body) { f.CarrierName, f.CarrierEORI = f.ConsigneeName, f.ConsigneeEORI }, nil},
	{"name of 36", ferry, func(f body) { f.ConsignorName = strings.Repeat("é", 32) + " SAS" }, []string{"021 info consignorName"}},
	{"name of 35", ferry, func(f body) { f.ConsignorName = strings.Repeat("é", 31) + " SAS" }, nil},
	{"name of 36 under a GB number", ferry, func(f body) { f.ConsigneeName = strings.Repeat("é", 32) + " plc" }, nil},
	{"name of 70 to the Union", ore, func(f body) { f.ConsignorName = strings.Repeat("é", 70) }, nil},
	{"name of 71 to the Union", ore, func(f body) { f.ConsignorName = strings.Repeat("é", 71) }, []string{"021 info consignorName"}},
}
