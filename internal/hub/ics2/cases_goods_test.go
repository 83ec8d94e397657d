package ics2_test

import (
	"strings"
	"time"
)

var goodsCases = []testCase{
	check("neither words nor codes", deepSea, func(f body) { f.GoodsDescription, f.CommodityCodes = " ", nil }, "ICS2-022 blocker goodsDescription"),
	check("codes alone to the Union", belfast, func(f body) { f.GoodsDescription = "" }, "ICS2-022 blocker goodsDescription"),
	check("codes alone to Great Britain", deepSea, func(f body) { f.GoodsDescription = "" }, "ICS2-022 info goodsDescription"),
	check("vague with a code in Great Britain", deepSea, func(f body) { f.GoodsDescription = "Spare parts" }, "ICS2-023 warning goodsDescription"),
	check("vague without a code", deepSea, func(f body) { f.GoodsDescription, f.CommodityCodes = "General cargo", nil }, "ICS2-023 blocker goodsDescription", "ICS2-028 info commodityCodes"),
	check("vague to the Union", belfast, func(f body) { f.GoodsDescription = "Machinery" }, "ICS2-023 blocker goodsDescription"),
	check("vague and hedged", belfast, func(f body) { f.GoodsDescription = "Various goods" }, "ICS2-023 blocker goodsDescription"),
	check("a specific word", deepSea, func(f body) { f.GoodsDescription, f.CommodityCodes = "Wardrobes", []string{"940350"} }),
	check("hedged", deepSea, func(f body) { f.GoodsDescription = "Espresso machines, grinders etc." }, "ICS2-024 warning goodsDescription"),
	check("etched", deepSea, func(f body) { f.GoodsDescription = "Etched steel espresso machines" }),
	check("short", parcel, func(f body) { f.GoodsDescription = "Hat" }, "ICS2-025 info goodsDescription"),
	check("five letters", parcel, func(f body) { f.GoodsDescription = "Scarf" }),
	check("281 characters to Great Britain", deepSea, func(f body) { f.GoodsDescription = "Espresso machines " + strings.Repeat("é", 263) }, "ICS2-026 warning goodsDescription"),
	check("281 characters to the Union", belfast, func(f body) { f.GoodsDescription = "Water pumps " + strings.Repeat("é", 269) }),
	check("513 characters to the Union", belfast, func(f body) { f.GoodsDescription = "Water pumps " + strings.Repeat("é", 501) }, "ICS2-026 warning goodsDescription"),
	check("flammable without number", belfast, func(f body) { f.GoodsDescription = "Flammable cleaning solvent" }, "ICS2-027 warning goodsDescription"),
	check("flammable with number", belfast, func(f body) { f.GoodsDescription = "Flammable cleaning solvent, UN 1993" }),
	check("not flammable", belfast, func(f body) { f.GoodsDescription = "Non-flammable cleaning solvent" }),
	check("lithium cells", longHaul, func(f body) {
		f.GoodsDescription, f.CommodityCodes = "Lithium ion cells for bicycles", []string{"850760"}
	}, "ICS2-027 info goodsDescription"),
	check("lithium cells with number", longHaul, func(f body) {
		f.GoodsDescription, f.CommodityCodes = "Lithium ion cells for bicycles UN3480", []string{"850760"}
	}),
}

var codeCases = []testCase{
	check("no codes to the Union", belfast, func(f body) { f.CommodityCodes = nil }, "ICS2-028 blocker commodityCodes"),
	check("no codes to Great Britain", deepSea, func(f body) { f.CommodityCodes = nil }, "ICS2-028 info commodityCodes"),
	check("no codes to an unknown place", deepSea, func(f body) { f.CommodityCodes, f.PortOfUnloading = nil, "the quay" },
		"ICS2-006 warning portOfUnloading", "ICS2-028 warning commodityCodes"),
	check("codes of letters", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "coffee", ""} }, "ICS2-029 blocker commodityCodes[1]", "ICS2-029 blocker commodityCodes[2]"),
	check("codes of two and twelve", deepSea, func(f body) { f.CommodityCodes = []string{"85", "851671000000"} }, "ICS2-029 blocker commodityCodes[0]", "ICS2-029 blocker commodityCodes[1]"),
	check("code of seven", deepSea, func(f body) { f.CommodityCodes = []string{"8516710"} }, "ICS2-029 blocker commodityCodes[0]"),
	check("code of four to Great Britain", deepSea, func(f body) { f.CommodityCodes = []string{"8516"} }, "ICS2-029 info commodityCodes[0]"),
	check("code of four to the Union", belfast, func(f body) { f.CommodityCodes = []string{"8413"} }, "ICS2-029 blocker commodityCodes[0]"),
	check("codes with dots and spaces", belfast, func(f body) { f.CommodityCodes = []string{"8413.70", "8413 81 00 00"} }),
	check("chapter 77", deepSea, func(f body) { f.CommodityCodes = []string{"770100"} }, "ICS2-030 blocker commodityCodes[0]"),
	check("heading 8469", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "846900"} }, "ICS2-030 blocker commodityCodes[1]"),
	check("chapter 99", deepSea, func(f body) { f.CommodityCodes = []string{"9905000000"} }, "ICS2-030 warning commodityCodes[0]"),
	check("listed twice", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "8516.71"} }, "ICS2-031 info commodityCodes[1]"),
	check("listed once and deeper", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "85167100"} }),
}

var riskCases = []testCase{
	check("shotguns", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"930320"}, "Sporting shotguns" }, "ICS2-032 warning commodityCodes[0]"),
	check("swords", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"930700"}, "Ceremonial swords" }),
	check("matches", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"360500"}, "Safety matches in boxes" }),
	check("uranium and acetic anhydride", deepSea, func(f body) { f.CommodityCodes = []string{"851671", "284410", "29152400"} },
		"ICS2-032 warning commodityCodes[1]", "ICS2-032 warning commodityCodes[2]"),
	check("rough diamonds", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"710231"}, "Rough diamonds" }, "ICS2-032 warning commodityCodes[0]"),
	check("cut diamonds", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"710239"}, "Cut diamonds" }),
	check("beef", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"020130"}, "Chilled boneless beef" }, "ICS2-033 info commodityCodes[0]"),
	check("cigarettes", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"240220"}, "Cigarettes" }, "ICS2-033 info commodityCodes[0]"),
	check("bananas", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"080390"}, "Fresh bananas" }),
	check("processors", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"854231"}, "Processors for laptops" }, "ICS2-034 info commodityCodes[0]"),
	check("processors on board to Turkey", longHaul, func(f body) {
		f.CommodityCodes, f.GoodsDescription, f.PortOfUnloading = []string{"854231"}, "Processors for laptops", "TRIST"
	}, "ICS2-009 info portOfUnloading", "ICS2-034 warning commodityCodes[0]"),
	check("laptops", longHaul, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"847130"}, "Laptop computers" }),
	check("one word for a chemical", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"290511"}, "Alkanol" }, "ICS2-035 info goodsDescription"),
	check("one word for a chair", deepSea, func(f body) { f.CommodityCodes, f.GoodsDescription = []string{"940161"}, "Armchairs" }),
}

var sanctionCases = []testCase{
	check("from Vladivostok", deepSea, func(f body) { f.PortOfLoading = "RUVVO" }, "ICS2-036 blocker portOfLoading"),
	check("from St Petersburg by name", deepSea, func(f body) { f.PortOfLoading = "Saint Petersburg" }, "ICS2-006 warning portOfLoading", "ICS2-036 blocker portOfLoading"),
	check("from Saint Petersburg in Florida", deepSea, func(f body) { f.PortOfLoading = "US Saint Petersburg" }, "ICS2-006 info portOfLoading"),
	check("carpets from Iran", deepSea, func(f body) {
		f.PortOfLoading, f.CommodityCodes, f.GoodsDescription = "IRBND", []string{"570110"}, "Woollen carpets"
	}, "ICS2-036 warning portOfLoading"),
	check("plywood from Belarus", train, func(f body) { f.PortOfLoading, f.CommodityCodes, f.ConsignorEORI = "BYMSQ", []string{"441233"}, "" }, "ICS2-036 blocker portOfLoading"),
	check("on board to Iran", deepSea, func(f body) { f.PortOfUnloading = "IRBND" }, "ICS2-009 info portOfUnloading", "ICS2-036 blocker portOfUnloading"),
	check("shirts from Myanmar", longHaul, func(f body) { f.PortOfLoading = "MMRGN" }, "ICS2-036 warning portOfLoading"),
	check("rifles from Libya", longHaul, func(f body) {
		f.PortOfLoading, f.CommodityCodes, f.GoodsDescription = "LYTIP", []string{"930190"}, "Military rifles"
	}, "ICS2-032 warning commodityCodes[0]", "ICS2-036 blocker portOfLoading"),
	check("from Nicaragua", deepSea, func(f body) { f.PortOfLoading = "NICIO" }, "ICS2-036 info portOfLoading"),
	check("from Hong Kong", longHaul, func(f body) { f.PortOfLoading = "HKHKG" }),
	check("from Turkey", deepSea, func(f body) { f.PortOfLoading = "TRIST" }),
	check("Russian number", longHaul, func(f body) { f.ConsignorEORI = "RU7712345678" }, "ICS2-011 warning consignorEori", "ICS2-037 blocker consignorEori"),
	check("Syrian number", longHaul, func(f body) { f.CarrierEORI = "SY123456" }, "ICS2-011 warning carrierEori", "ICS2-037 warning carrierEori"),
	check("Romanian number", longHaul, func(f body) { f.CarrierEORI = "RO1234567" }),
	check("from Sevastopol", deepSea, func(f body) { f.PortOfLoading = "UASVP" }, "ICS2-038 blocker portOfLoading"),
	check("from Mariupol by name", deepSea, func(f body) { f.PortOfLoading = "Port of Mariupol" }, "ICS2-006 warning portOfLoading", "ICS2-038 blocker portOfLoading"),
	check("from Odesa", deepSea, func(f body) { f.PortOfLoading = "UAODS" }),
}

var loadCases = []testCase{
	check("no mass", deepSea, func(f body) { f.TotalGrossMassKg = nil }, "ICS2-039 blocker totalGrossMassKg"),
	check("mass of zero", deepSea, func(f body) { f.TotalGrossMassKg = mass("0") }, "ICS2-039 blocker totalGrossMassKg"),
	check("45 tonnes on a lorry", tunnel, func(f body) { f.TotalGrossMassKg = mass("45000") }, "ICS2-040 warning totalGrossMassKg"),
	check("44 tonnes on a lorry", tunnel, func(f body) { f.TotalGrossMassKg = mass("44000") }),
	check("45 tonnes in a ship", deepSea, func(f body) { f.TotalGrossMassKg = mass("45000") }),
	check("200 tonnes in the air", longHaul, func(f body) { f.TotalGrossMassKg = mass("200000") }, "ICS2-040 warning totalGrossMassKg"),
	check("four decimals to Great Britain", deepSea, func(f body) { f.TotalGrossMassKg = mass("3150.5001") }, "ICS2-041 info totalGrossMassKg"),
	check("four decimals to the Union", belfast, func(f body) { f.TotalGrossMassKg = mass("1800.1251") }),
	check("no packages", deepSea, func(f body) { f.TotalPackages = nil }, "ICS2-042 info totalPackages"),
	check("no packages at all", deepSea, func(f body) { f.TotalPackages = packages(0) }, "ICS2-042 warning totalPackages"),
	check("ore as one package", ore, func(f body) { f.TotalPackages = packages(1) }),
	check("oil said to be in bulk", ore, func(f body) {
		f.CommodityCodes, f.GoodsDescription, f.TotalPackages = []string{"380210"}, "Activated carbon in bulk", packages(0)
	}),
	check("crumbs in each", deepSea, func(f body) { f.TotalGrossMassKg = mass("0.042") }, "ICS2-043 warning totalPackages"),
	check("a locomotive in each", deepSea, func(f body) { f.TotalGrossMassKg = mass("252000000") }, "ICS2-043 warning totalPackages"),
	check("one heavy machine", deepSea, func(f body) { f.TotalPackages, f.TotalGrossMassKg = packages(1), mass("180000") }),
	check("51 kg in a parcel", parcel, func(f body) { f.TotalGrossMassKg = mass("51") }, "ICS2-043 warning totalPackages"),
	check("30 kg in a parcel", parcel, func(f body) { f.TotalGrossMassKg = mass("30") }),
	check("ten million packages", deepSea, func(f body) { f.TotalPackages = packages(10_000_000) }, "ICS2-043 warning totalPackages"),
}

var documentCases = []testCase{
	check("number to be confirmed", deepSea, func(f body) { f.TransportDocNumber = "T.B.C." }, "ICS2-044 warning transportDocNumber"),
	check("number of zeros", deepSea, func(f body) { f.TransportDocNumber = "000-000" }, "ICS2-044 warning transportDocNumber"),
	check("number without letters", deepSea, func(f body) { f.TransportDocNumber = "2604119" }),
	check("number without digits", ferry, func(f body) { f.TransportDocNumber = "CALAISXTRA" }),
	check("number of 36", ferry, func(f body) { f.TransportDocNumber = strings.Repeat("7", 36) }, "ICS2-045 warning transportDocNumber"),
	check("number of 36 to the Union", ore, func(f body) { f.TransportDocNumber = strings.Repeat("7", 36) }),
	check("air waybill with a wrong digit", longHaul, func(f body) { f.TransportDocNumber = "125-12345678" }, "ICS2-046 warning transportDocNumber"),
	check("air waybill without dash and wrong", longHaul, func(f body) { f.TransportDocNumber = "12512345674" }, "ICS2-046 warning transportDocNumber"),
	check("air waybill of ten digits", longHaul, func(f body) { f.TransportDocNumber = "125-1234567" }, "ICS2-046 warning transportDocNumber"),
	check("air waybill in two parts", longHaul, func(f body) { f.TransportDocNumber = "125-1234 5675" }),
	check("courier's waybill", longHaul, func(f body) { f.TransportDocNumber = "1234567890" }),
	check("house waybill", longHaul, func(f body) { f.TransportDocNumber = "SHA-0042871" }),
	check("eleven digits at sea", deepSea, func(f body) { f.TransportDocNumber = "12512345678" }),
	check("postal item with a wrong digit", parcel, func(f body) { f.TransportDocNumber = "RR473124828JP" }, "ICS2-047 warning transportDocNumber"),
	check("postal item with spaces", parcel, func(f body) { f.TransportDocNumber = "rr 473 124 829 jp" }),
	check("postal bag", parcel, func(f body) { f.TransportDocNumber = "JPTYOAGBLONAAUN60042001100042" }),
	check("container", deepSea, func(f body) { f.TransportDocNumber = "CSQU3054383" }, "ICS2-048 warning transportDocNumber"),
	check("bill like a container", deepSea, func(f body) { f.TransportDocNumber = "CSQU3054384" }),
	check("MRN", ferry, func(f body) { f.TransportDocNumber = "26GB1234567890ABC6" }, "ICS2-048 warning transportDocNumber"),
}

var arrivalCases = []testCase{
	check("no arrival", deepSea, func(f body) { f.EstimatedArrival = nil }, "ICS2-049 warning estimatedArrival"),
	check("arrived", deepSea, func(f body) { f.EstimatedArrival = hence(-time.Minute) }, "ICS2-050 blocker estimatedArrival"),
	check("arriving now", tunnel, func(f body) { f.EstimatedArrival = hence(0) }, "ICS2-050 blocker estimatedArrival"),
	check("tunnel in 59 minutes", tunnel, in(59*time.Minute), "ICS2-050 blocker estimatedArrival"),
	check("tunnel in an hour", tunnel, in(time.Hour), "ICS2-050 info estimatedArrival"),
	check("tunnel in two hours", tunnel, in(2*time.Hour)),
	check("ferry in 119 minutes", ferry, in(119*time.Minute), "ICS2-050 blocker estimatedArrival"),
	check("ferry in two hours", ferry, in(2*time.Hour), "ICS2-050 info estimatedArrival"),
	check("ferry in four hours", ferry, in(4*time.Hour)),
	check("Belfast in 119 minutes", belfast, in(119*time.Minute), "ICS2-050 blocker estimatedArrival"),
	check("train in 59 minutes", train, in(59*time.Minute), "ICS2-050 blocker estimatedArrival"),
	check("train in 90 minutes", train, in(90*time.Minute), "ICS2-050 warning estimatedArrival"),
	check("train in three hours", train, in(3*time.Hour), "ICS2-050 info estimatedArrival"),
	check("train in four hours", train, in(4*time.Hour)),
	check("long flight in 239 minutes", longHaul, in(239*time.Minute), "ICS2-050 blocker estimatedArrival"),
	check("long flight in eight hours", longHaul, in(8*time.Hour)),
	check("flight from Paris in 20 minutes", longHaul, flying("FRCDG", 20*time.Minute), "ICS2-050 blocker estimatedArrival"),
	check("flight from Paris in 50 minutes", longHaul, flying("FRCDG", 50*time.Minute), "ICS2-050 warning estimatedArrival"),
	check("flight from Paris in two hours", longHaul, flying("FRCDG", 2*time.Hour), "ICS2-050 info estimatedArrival"),
	check("flight from Paris in four hours", longHaul, flying("FRCDG", 4*time.Hour)),
	check("flight from an unknown place in three hours", longHaul, flying("Xanadu", 3*time.Hour), "ICS2-006 warning portOfLoading", "ICS2-050 warning estimatedArrival"),
	check("ore in 239 minutes", ore, in(239*time.Minute), "ICS2-050 blocker estimatedArrival"),
	check("ore in eight hours", ore, in(8*time.Hour)),
	check("deep sea in three hours", deepSea, in(3*time.Hour), "ICS2-050 blocker estimatedArrival"),
	check("deep sea in 23 hours", deepSea, in(23*time.Hour), "ICS2-050 warning estimatedArrival"),
	check("deep sea in three days", deepSea, in(3*aDay), "ICS2-050 info estimatedArrival"),
	check("deep sea in five days", deepSea, in(5*aDay)),
	check("full container in four days", deepSea, func(f body) { f.GoodsDescription, f.EstimatedArrival = "Espresso machines, FCL", hence(4*aDay) }, "ICS2-050 warning estimatedArrival"),
	check("food containers in six days", deepSea, func(f body) { f.GoodsDescription, f.EstimatedArrival = "Plastic food containers", hence(6*aDay) }),
	check("post in three hours", parcel, in(3*time.Hour), "ICS2-050 warning estimatedArrival"),
	check("post in ten hours", parcel, in(10*time.Hour)),
	check("in 201 days", deepSea, in(201*aDay), "ICS2-051 warning estimatedArrival"),
	check("in 200 days", deepSea, in(200*aDay)),
}

func in(d time.Duration) change { return func(f body) { f.EstimatedArrival = hence(d) } }

func flying(from string, d time.Duration) change {
	return func(f body) { f.PortOfLoading, f.EstimatedArrival = from, hence(d) }
}
