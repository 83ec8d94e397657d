package ics2_test

import (
	"strings"
	"time"
)

var goodsCases = []scenario{
	{"neither words nor codes", deepSea, func(f body) { f.GoodsDescription, f.CommodityCodes = " ", nil }, []string{"022 blocker goodsDescription"}},
	{"codes alone to the Union", belfast, func(f body) { f.GoodsDescription = "" }, []string{"022 blocker goodsDescription"}},
	{"codes alone to Great Britain", deepSea, func(f body) { f.GoodsDescription = "" }, []string{"022 info goodsDescription"}},
	{"vague beside a code in Great Britain", deepSea, func(f body) { f.GoodsDescription = "Spare parts" }, []string{"023 warning goodsDescription"}},
	{"vague without a code", deepSea, func(f body) { f.GoodsDescription, f.CommodityCodes = "General cargo", nil }, []string{"023 blocker goodsDescription", "028 info commodityCodes"}},
	{"vague to the Union", belfast, func(f body) { f.GoodsDescription = "Machinery" }, []string{"023 blocker goodsDescription"}},
	{"vague and hedged", belfast, func(f body) { f.GoodsDescription = "Various goods" }, []string{"023 blocker goodsDescription"}},
	{"a telling word", deepSea, func(f body) { f.GoodsDescription, f.CommodityCodes = "Wardrobes", []string{"940350"} }, nil},
	{"hedged", deepSea, func(f body) { f.GoodsDescription = "Espresso machines, grinders etc." }, []string{"024 warning goodsDescription"}},
	{"etched", deepSea, func(f body) { f.GoodsDescription = "Etched steel espresso machines" }, nil},
	{"short", parcel, func(f body) { f.GoodsDescription = "Hat" }, []string{"025 info goodsDescription"}},
	{"five letters", parcel, func(f body) { f.GoodsDescription = "Scarf" }, nil},
	{"281 characters to Great Britain", deepSea, func(f body) { f.GoodsDescription = "Espresso machines " + strings.Repeat("é", 263) }, []string{"026 warning goodsDescription"}},
	{"281 characters to the Union", belfast, func(f body) { f.GoodsDescription = "Water pumps " + strings.Repeat("é", 269) }, nil},
	{"513 characters to the Union", belfast, func(f body) { f.GoodsDescription = "Water pumps " + strings.Repeat("é", 501) }, []string{"026 warning goodsDescription"}},
	{"flammable without number", belfast, func(f body) { f.GoodsDescription = "Flammable cleaning solvent" }, []string{"027 warning goodsDescription"}},
	{"flammable with number", belfast, func(f body) { f.GoodsDescription = "Flammable cleaning solvent, UN 1993" }, nil},
	{"not flammable", belfast, func(f body) { f.GoodsDescription = "Non-flammable cleaning solvent" }, nil},
	{"lithium cells", longHaul, func(f body) {
		f.GoodsDescription, f.CommodityCodes = "Lithium ion cells for bicycles", []string{"850760"}
	}, []string{"027 info goodsDescription"}},
	{"lithium cells with number", longHaul, func(f body) {
		f.GoodsDescription, f.CommodityCodes = "Lithium ion cells for bicycles UN3480", []string{"850760"}
	}, nil},
}

var codeCases = []scenario{
	{"no codes to the Union", belfast, func(f body) { f.CommodityCodes = nil }, []string{"028 blocker commodityCodes"}},
	{"no codes to Great Britain", deepSea, func(f body) { f.CommodityCodes = nil }, []string{"028 info commodityCodes"}},
	{"no codes to nobody knows where", deepSea, func(f body) { f.CommodityCodes, f.PortOfUnloading = nil, "the quay" },
		[]string{"006 warning portOfUnloading", "028 warning commodityCodes"}},
	{"codes of letters", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "coffee", ""} }, []string{"029 blocker commodityCodes[1]", "029 blocker commodityCodes[2]"}},
	{"codes of two and twelve", deepSea, func(f body) { f.CommodityCodes = []string{"85", "851671000000"} }, []string{"029 blocker commodityCodes[0]", "029 blocker commodityCodes[1]"}},
	{"code of seven", deepSea, func(f body) { f.CommodityCodes = []string{"8516710"} }, []string{"029 blocker commodityCodes[0]"}},
	{"code of four to Great Britain", deepSea, func(f body) { f.CommodityCodes = []string{"8516"} }, []string{"029 info commodityCodes[0]"}},
	{"code of four to the Union", belfast, func(f body) { f.CommodityCodes = []string{"8413"} }, []string{"029 blocker commodityCodes[0]"}},
	{"codes with dots and spaces", belfast, func(f body) { f.CommodityCodes = []string{"8413.70", "8413 81 00 00"} }, nil},
	{"chapter 77", deepSea, func(f body) { f.CommodityCodes = []string{"770100"} }, []string{"030 blocker commodityCodes[0]"}},
	{"heading 8469", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "846900"} }, []string{"030 blocker commodityCodes[1]"}},
	{"chapter 99", deepSea, func(f body) { f.CommodityCodes = []string{"9905000000"} }, []string{"030 warning commodityCodes[0]"}},
	{"listed twice", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "8516.71"} }, []string{"031 info commodityCodes[1]"}},
	{"listed once and deeper", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "85167100"} }, nil},
}

var riskCases = []scenario{
	{"shotguns", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"930320"}, "Sporting shotguns" }, []string{"032 warning commodityCodes[0]"}},
	{"swords", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"930700"}, "Ceremonial swords" }, nil},
	{"matches", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"360500"}, "Safety matches in boxes" }, nil},
	{"uranium and acetic anhydride", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "284410", "29152400"} },
		[]string{"032 warning commodityCodes[1]", "032 warning commodityCodes[2]"}},
	{"rough diamonds", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"710231"}, "Rough diamonds" }, []string{"032 warning commodityCodes[0]"}},
	{"cut diamonds", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"710239"}, "Cut diamonds" }, nil},
	{"beef", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"020130"}, "Chilled boneless beef" }, []string{"033 info commodityCodes[0]"}},
	{"cigarettes", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"240220"}, "Cigarettes" }, []string{"033 info commodityCodes[0]"}},
	{"bananas", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"080390"}, "Fresh bananas" }, nil},
	{"processors", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"854231"}, "Processors for laptops" }, []string{"034 info commodityCodes[0]"}},
	{"processors on board to Turkey", longHaul, func(f body) {
		f.CommodityCodes, f.GoodsDescription, f.PortOfUnloading = []string{"854231"}, "Processors for laptops", "TRIST"
	}, []string{"009 info portOfUnloading", "034 warning commodityCodes[0]"}},
	{"laptops", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"847130"}, "Laptop computers" }, nil},
	{"one word for a chemical", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"290511"}, "Alkanol" }, []string{"035 info goodsDescription"}},
	{"one word for a chair", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"940161"}, "Armchairs" }, nil},
}

var sanctionCases = []scenario{
	{"from Vladivostok", deepSea, func(f body) { f.PortOfLoading = "RUVVO" }, []string{"036 blocker portOfLoading"}},
	{"from St Petersburg by name", deepSea, func(f body) { f.PortOfLoading = "Saint Petersburg" }, []string{"006 warning portOfLoading", "036 blocker portOfLoading"}},
	{"from Saint Petersburg in Florida", deepSea, func(f body) { f.PortOfLoading = "US Saint Petersburg" }, []string{"006 info portOfLoading"}},
	{"carpets from Iran", deepSea, func(f body) {
		f.PortOfLoading, f.CommodityCodes, f.GoodsDescription = "IRBND", []string{"570110"}, "Woollen carpets"
	}, []string{"036 warning portOfLoading"}},
	{"plywood from Belarus", train, func(f body) { f.PortOfLoading, f.CommodityCodes, f.ConsignorEORI = "BYMSQ", []string{"441233"}, "" }, []string{"036 blocker portOfLoading"}},
	{"on board to Iran", deepSea, func(f body) { f.PortOfUnloading = "IRBND" }, []string{"009 info portOfUnloading", "036 blocker portOfUnloading"}},
	{"shirts from Myanmar", longHaul, func(f body) { f.PortOfLoading = "MMRGN" }, []string{"036 warning portOfLoading"}},
	{"rifles from Libya", longHaul, func(f body) {
		f.PortOfLoading, f.CommodityCodes, f.GoodsDescription = "LYTIP", []string{"930190"}, "Military rifles"
	}, []string{"032 warning commodityCodes[0]", "036 blocker portOfLoading"}},
	{"from Nicaragua", deepSea, func(f body) { f.PortOfLoading = "NICIO" }, []string{"036 info portOfLoading"}},
	{"from Hong Kong", longHaul, func(f body) { f.PortOfLoading = "HKHKG" }, nil},
	{"from Turkey", deepSea, func(f body) { f.PortOfLoading = "TRIST" }, nil},
	{"Russian number", longHaul, func(f body) { f.ConsignorEORI = "RU7712345678" }, []string{"011 warning consignorEori", "037 blocker consignorEori"}},
	{"Syrian number", longHaul, func(f body) { f.CarrierEORI = "SY123456" }, []string{"011 warning carrierEori", "037 warning carrierEori"}},
	{"Romanian number", longHaul, func(f body) { f.CarrierEORI = "RO1234567" }, nil},
	{"from Sevastopol", deepSea, func(f body) { f.PortOfLoading = "UASVP" }, []string{"038 blocker portOfLoading"}},
	{"from Mariupol by name", deepSea, func(f body) { f.PortOfLoading = "Port of Mariupol" }, []string{"006 warning portOfLoading", "038 blocker portOfLoading"}},
	{"from Odesa", deepSea, func(f body) { f.PortOfLoading = "UAODS" }, nil},
}

var loadCases = []scenario{
	{"no mass", deepSea, func(f body) { f.TotalGrossMassKg = nil }, []string{"039 blocker totalGrossMassKg"}},
	{"mass of nought", deepSea, func(f body) { f.TotalGrossMassKg = mass("0") }, []string{"039 blocker totalGrossMassKg"}},
	{"45 tonnes on a lorry", tunnel, func(f body) { f.TotalGrossMassKg = mass("45000") }, []string{"040 warning totalGrossMassKg"}},
	{"44 tonnes on a lorry", tunnel, func(f body) { f.TotalGrossMassKg = mass("44000") }, nil},
	{"45 tonnes in a ship", deepSea, func(f body) { f.TotalGrossMassKg = mass("45000") }, nil},
	{"200 tonnes in the air", longHaul, func(f body) { f.TotalGrossMassKg = mass("200000") }, []string{"040 warning totalGrossMassKg"}},
	{"four decimals to Great Britain", deepSea, func(f body) { f.TotalGrossMassKg = mass("3150.5001") }, []string{"041 info totalGrossMassKg"}},
	{"four decimals to the Union", belfast, func(f body) { f.TotalGrossMassKg = mass("1800.1251") }, nil},
	{"no packages", deepSea, func(f body) { f.TotalPackages = nil }, []string{"042 info totalPackages"}},
	{"no packages at all", deepSea, func(f body) { f.TotalPackages = packages(0) }, []string{"042 warning totalPackages"}},
	{"ore as one package", ore, func(f body) { f.TotalPackages = packages(1) }, nil},
	{"oil said to be in bulk", ore, func(f body) {
		f.CommodityCodes, f.GoodsDescription, f.TotalPackages = []string{"380210"}, "Activated carbon in bulk", packages(0)
	}, nil},
	{"crumbs in each", deepSea, func(f body) { f.TotalGrossMassKg = mass("0.042") }, []string{"043 warning totalPackages"}},
	{"a locomotive in each", deepSea, func(f body) { f.TotalGrossMassKg = mass("252000000") }, []string{"043 warning totalPackages"}},
	{"one heavy machine", deepSea, func(f body) { f.TotalPackages, f.TotalGrossMassKg = packages(1), mass("180000") }, nil},
	{"51 kg in a parcel", parcel, func(f body) { f.TotalGrossMassKg = mass("51") }, []string{"043 warning totalPackages"}},
	{"30 kg in a parcel", parcel, func(f body) { f.TotalGrossMassKg = mass("30") }, nil},
	{"ten million packages", deepSea, func(f body) { f.TotalPackages = packages(10_000_000) }, []string{"043 warning totalPackages"}},
}

var documentCases = []scenario{
	{"number to be confirmed", deepSea, func(f body) { f.TransportDocNumber = "T.B.C." }, []string{"044 warning transportDocNumber"}},
	{"number of noughts", deepSea, func(f body) { f.TransportDocNumber = "000-000" }, []string{"044 warning transportDocNumber"}},
	{"number without letters", deepSea, func(f body) { f.TransportDocNumber = "2604119" }, nil},
	{"number without digits", ferry, func(f body) { f.TransportDocNumber = "CALAISXTRA" }, nil},
	{"number of 36", ferry, func(f body) { f.TransportDocNumber = strings.Repeat("7", 36) }, []string{"045 warning transportDocNumber"}},
	{"number of 36 to the Union", ore, func(f body) { f.TransportDocNumber = strings.Repeat("7", 36) }, nil},
	{"air waybill with a wrong digit", longHaul, func(f body) { f.TransportDocNumber = "125-12345678" }, []string{"046 warning transportDocNumber"}},
	{"air waybill without dash and wrong", longHaul, func(f body) { f.TransportDocNumber = "12512345674" }, []string{"046 warning transportDocNumber"}},
	{"air waybill of ten digits", longHaul, func(f body) { f.TransportDocNumber = "125-1234567" }, []string{"046 warning transportDocNumber"}},
	{"air waybill in two parts", longHaul, func(f body) { f.TransportDocNumber = "125-1234 5675" }, nil},
	{"courier's waybill", longHaul, func(f body) { f.TransportDocNumber = "1234567890" }, nil},
	{"house waybill", longHaul, func(f body) { f.TransportDocNumber = "SHA-0042871" }, nil},
	{"eleven digits at sea", deepSea, func(f body) { f.TransportDocNumber = "12512345678" }, nil},
	{"postal item with a wrong digit", parcel, func(f body) { f.TransportDocNumber = "RR473124828JP" }, []string{"047 warning transportDocNumber"}},
	{"postal item with spaces", parcel, func(f body) { f.TransportDocNumber = "rr 473 124 829 jp" }, nil},
	{"postal bag", parcel, func(f body) { f.TransportDocNumber = "JPTYOAGBLONAAUN60042001100042" }, nil},
	{"container", deepSea, func(f body) { f.TransportDocNumber = "CSQU3054383" }, []string{"048 warning transportDocNumber"}},
	{"bill like a container", deepSea, func(f body) { f.TransportDocNumber = "CSQU3054384" }, nil},
	{"MRN", ferry, func(f body) { f.TransportDocNumber = "26GB1234567890ABC6" }, []string{"048 warning transportDocNumber"}},
}

var arrivalCases = []scenario{
	{"no arrival", deepSea, func(f body) { f.EstimatedArrival = nil }, []string{"049 warning estimatedArrival"}},
	{"arrived", deepSea, func(f body) { f.EstimatedArrival = hence(-time.Minute) }, []string{"050 blocker estimatedArrival"}},
	{"arriving now", tunnel, func(f body) { f.EstimatedArrival = hence(0) }, []string{"050 blocker estimatedArrival"}},
	{"tunnel in 59 minutes", tunnel, in(59 * time.Minute), []string{"050 blocker estimatedArrival"}},
	{"tunnel in an hour", tunnel, in(time.Hour), []string{"050 info estimatedArrival"}},
	{"tunnel in two hours", tunnel, in(2 * time.Hour), nil},
	{"ferry in 119 minutes", ferry, in(119 * time.Minute), []string{"050 blocker estimatedArrival"}},
	{"ferry in two hours", ferry, in(2 * time.Hour), []string{"050 info estimatedArrival"}},
	{"ferry in four hours", ferry, in(4 * time.Hour), nil},
	{"Belfast in 119 minutes", belfast, in(119 * time.Minute), []string{"050 blocker estimatedArrival"}},
	{"train in 59 minutes", train, in(59 * time.Minute), []string{"050 blocker estimatedArrival"}},
	{"train in 90 minutes", train, in(90 * time.Minute), []string{"050 warning estimatedArrival"}},
	{"train in three hours", train, in(3 * time.Hour), []string{"050 info estimatedArrival"}},
	{"train in four hours", train, in(4 * time.Hour), nil},
	{"long flight in 239 minutes", longHaul, in(239 * time.Minute), []string{"050 blocker estimatedArrival"}},
	{"long flight in eight hours", longHaul, in(8 * time.Hour), nil},
	{"flight from Paris in 20 minutes", longHaul, flying("FRCDG", 20*time.Minute), []string{"050 blocker estimatedArrival"}},
	{"flight from Paris in 50 minutes", longHaul, flying("FRCDG", 50*time.Minute), []string{"050 warning estimatedArrival"}},
	{"flight from Paris in two hours", longHaul, flying("FRCDG", 2*time.Hour), []string{"050 info estimatedArrival"}},
	{"flight from Paris in four hours", longHaul, flying("FRCDG", 4*time.Hour), nil},
	{"flight from nobody knows where in three hours", longHaul, flying("Xanadu", 3*time.Hour), []string{"006 warning portOfLoading", "050 warning estimatedArrival"}},
	{"ore in 239 minutes", ore, in(239 * time.Minute), []string{"050 blocker estimatedArrival"}},
	{"ore in eight hours", ore, in(8 * time.Hour), nil},
	{"deep sea in three hours", deepSea, in(3 * time.Hour), []string{"050 blocker estimatedArrival"}},
	{"deep sea in 23 hours", deepSea, in(23 * time.Hour), []string{"050 warning estimatedArrival"}},
	{"deep sea in three days", deepSea, in(3 * aDay), []string{"050 info estimatedArrival"}},
	{"deep sea in five days", deepSea, in(5 * aDay), nil},
	{"full container in four days", deepSea, func(f body) { f.GoodsDescription, f.EstimatedArrival = "Espresso machines, FCL", hence(4*aDay) }, []string{"050 warning estimatedArrival"}},
	{"food containers in six days", deepSea, func(f body) { f.GoodsDescription, f.EstimatedArrival = "Plastic food containers", hence(6*aDay) }, nil},
	{"post in three hours", parcel, in(3 * time.Hour), []string{"050 warning estimatedArrival"}},
	{"post in ten hours", parcel, in(10 * time.Hour), nil},
	{"in 201 days", deepSea, in(201 * aDay), []string{"051 warning estimatedArrival"}},
	{"in 200 days", deepSea, in(200 * aDay), nil},
}

func in(d time.Duration) change { return func(f body) { f.EstimatedArrival = hence(d) } }

func flying(from string, d time.Duration) change {
	return func(f body) { f.PortOfLoading, f.EstimatedArrival = from, hence(d) }
}
