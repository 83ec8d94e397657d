package trade_test

import (
	"time"
)

var partyCases = []testCase{
	check("EORI too short", machine, func(l body) { l.ExporterEORI = "GB12345" }, "TRD-001 blocker exporterEori"),
	check("EORI with spaces", machine, func(l body) { l.ExporterEORI = "gb 205672212 000" }),
	check("no EORI", machine, func(l body) { l.ExporterEORI = "" }, "TRD-002 info exporterEori"),
	check("German exporter", machine, func(l body) { l.ExporterEORI = "DE1234567" }, "TRD-003 warning exporterEori"),
	check("exporter in Northern Ireland", machine, func(l body) { l.ExporterEORI = "XI205672212000" }, "TRD-003 info exporterEori"),
	check("cheese from Northern Ireland", cheese, func(l body) { l.ExporterEORI = "XI205672212000" }),
	check("end user to be confirmed", machine, func(l body) { l.EndUserName = "TBC" }, "TRD-004 blocker endUserName"),
	check("buyer of cheese to be confirmed", cheese, func(l body) { l.EndUserName = "TBC" }, "TRD-004 warning endUserName"),
	check("exporter unknown", machine, func(l body) { l.ExporterName = "Unknown" }, "TRD-004 warning exporterName"),
	check("names like placeholders", machine, func(l body) { l.EndUserName = "Various Turbines Ltd" }),
	check("own use abroad", machine, func(l body) { l.EndUserName = "PENNINE MACHINE TOOLS, LTD" }, "TRD-005 info endUserName"),
	check("affiliate abroad", machine, func(l body) { l.EndUserName = "Pennine Machine Tools Korea Ltd" }),
	check("end user is an authority with logistics", machine, func(l body) { l.EndUserName = "Port Authority of Busan, Logistics Department" }),
	check("end user is a forwarder", machine, func(l body) { l.EndUserName = "Busan Freight Services" }, "TRD-006 warning endUserName"),
	check("buyer of cheese is a logistics firm", cheese, func(l body) { l.EndUserName = "Minato Cold Logistics K.K." }),
	check("end user carries by sea", machine, func(l body) { l.EndUserName = "Hanjin Shipyard Co., Ltd." }),
	check("no address", machine, func(l body) { l.EndUserAddress = "" }, "TRD-007 warning endUserAddress"),
	check("no address of the buyer of cheese", cheese, func(l body) { l.EndUserAddress = "" }, "TRD-007 info endUserAddress"),
	check("no address under an open licence", cameras, func(l body) { l.EndUserAddress = "" }),
	check("address to be advised", machine, func(l body) { l.EndUserAddress = "N/A" }, "TRD-008 warning endUserAddress"),
	check("post box", machine, func(l body) { l.EndUserAddress = "P.O. Box 772, Seoul, Korea" }, "TRD-008 warning endUserAddress"),
	check("post box and street", machine, func(l body) { l.EndUserAddress = "P.O. Box 772, 41 Jangan Road, Changwon, Korea" }),
	check("a street of boxes", machine, func(l body) { l.EndUserAddress = "7 Box Lane, Seoul" }),
	check("address in Russia", machine, func(l body) { l.EndUserAddress = "Nevsky Prospekt 12, St Petersburg 191186, Russia" }, "TRD-009 blocker endUserAddress"),
	check("address in China", machine, func(l body) { l.EndUserAddress = "88 Harbour Road, Dalian 116001, P.R. China" }, "TRD-009 warning endUserAddress"),
	check("a road named after Russia", machine, func(l body) { l.EndUserAddress = "5 Russia Street, Seoul" }),
	check("address in the Crimea", machine, func(l body) { l.EndUserAddress, l.EndUserCountry = "Lenina 4, Sevastopol", "UA" }, "TRD-009 blocker endUserAddress"),
	check("address in Kyiv", machine, func(l body) { l.EndUserAddress, l.EndUserCountry = "Khreshchatyk 4, Kyiv, Ukraine", "UA" }),
}

var destinationCases = []testCase{
	check("machine for North Korea", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "KP", "Potonggang 3, Pyongyang" }, "TRD-010 blocker endUserCountry"),
	check("machine for Russia", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "RU", "Tverskaya 1, Moscow" }, "TRD-010 blocker endUserCountry"),
	check("cheese for Belarus", cheese, func(l body) { l.EndUserCountry, l.EndUserAddress = "BY", "Lenina 1, Minsk" }, "TRD-010 warning endUserCountry"),
	check("cheese for North Korea", cheese, func(l body) { l.EndUserCountry, l.EndUserAddress = "KP", "Potonggang 3, Pyongyang" }, "TRD-010 blocker endUserCountry"),
	check("machine for Bosnia", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "BA", "Titova 1, Sarajevo" }, "TRD-010 info endUserCountry"),
	check("machine for Serbia", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "RS", "Knez Mihailova 1, Beograd" }),
	check("sights for Sudan", optics, func(l body) {
		l.EndUserCountry, l.EndUserName, l.EndUserAddress = "SD", "Wildlife Rescue", "Nile Street, Khartoum"
	}, "TRD-011 blocker endUserCountry"),
	check("machine for China", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "CN", "88 Harbour Road, Dalian" }, "TRD-011 info endUserCountry"),
	check("cheese for Hong Kong", cheese, func(l body) { l.EndUserCountry, l.EndUserAddress = "HK", "8 Nathan Road, Kowloon" }),
	check("end user in Leeds", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "GB", "3 Mill Lane, Leeds" }, "TRD-012 warning endUserCountry"),
	check("end user in Belfast", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "XI", "3 Lagan Road, Belfast, UK" }, "TRD-012 warning endUserCountry"),
	check("orchids for Belfast", orchids, func(l body) { l.EndUserCountry, l.EndUserAddress = "XI", "3 Lagan Road, Belfast, Northern Ireland" }),
	check("chips for Armenia", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.ProductCode, l.ProductDescription = "AM", "Abovyan 2, Yerevan", "8542310090", "Microcontrollers, 32 bit, for washing machines"
	}, "TRD-013 warning endUserCountry", "TRD-023 info productCode"),
	check("chips for Korea", machine, func(l body) {
		l.ProductCode, l.ProductDescription = "8542310090", "Microcontrollers, 32 bit, for washing machines"
	}, "TRD-023 info productCode"),
	check("open general licence for Myanmar", chemicals, func(l body) { l.EndUserCountry, l.EndUserAddress = "MM", "Pyay Road, Yangon" }, "TRD-011 warning endUserCountry", "TRD-014 warning endUserCountry"),
	check("open general licence for Japan", chemicals, func(l body) { l.EndUserCountry, l.EndUserAddress = "JP", "2-4 Kaigan, Tokyo, Japan" }),
	check("machine for Germany", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "DE", "Werkstr. 1, Essen, Germany" }, "TRD-015 info licenceType"),
	check("toxin for Germany", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.ProductCode, l.ProductDescription, l.EndUse = "DE", "Werkstr. 1, Essen, Germany", "1C351.d", "Ricin, purified, 2 mg vials", "Calibration of assays in a food laboratory"
	}),
}

var useCases = []testCase{
	check("no end use", machine, func(l body) { l.EndUse = "" }, "TRD-016 warning endUse"),
	check("no end use of cheese", cheese, func(l body) { l.EndUse = "" }),
	check("general use", machine, func(l body) { l.EndUse = "General industrial use" }, "TRD-017 warning endUse"),
	check("resale", machine, func(l body) { l.EndUse = "For resale to customers" }, "TRD-017 warning endUse"),
	check("end use to be confirmed", machine, func(l body) { l.EndUse = "TBC" }, "TRD-017 warning endUse"),
	check("short but specific", machine, func(l body) { l.EndUse = "Milling turbine blades" }),
	check("orchids for sale", orchids, func(l body) { l.EndUse = "Retail" }),
	check("enrichment", machine, func(l body) { l.EndUse = "Enrichment of uranium by lasers, at the works in Changwon" }, "TRD-018 blocker endUse"),
	check("missiles", machine, func(l body) { l.EndUse = "Machining of bodies for ballistic missiles" }, "TRD-018 blocker endUse"),
	check("missiles of an ally", optics, func(l body) { l.EndUse = "Upkeep of cruise missiles" }, "TRD-018 warning endUse"),
	check("no missiles", machine, func(l body) {
		l.EndUse = "Machining of pump bodies; not for use in ballistic missiles, nor for any military use"
	}),
	check("army in Myanmar", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.EndUse = "MM", "Pyay Road, Yangon", "Workshop of the army engineers"
	}, "TRD-011 warning endUserCountry", "TRD-019 blocker endUse"),
	check("air force of China", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.EndUserName = "CN", "88 Harbour Road, Dalian", "People's Liberation Army Air Force Plant 5"
	}, "TRD-011 info endUserCountry", "TRD-019 blocker endUse"),
	check("rifles for China", optics, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.ProductCode = "CN", "88 Harbour Road, Dalian", "ML1.a"
	}, "TRD-011 blocker endUserCountry", "TRD-019 blocker endUse"),
	check("army of Korea", machine, func(l body) { l.EndUse = "Milling of transmission parts for army trucks" }, "TRD-019 info endUse"),
	check("fire brigade", machine, func(l body) { l.EndUse = "Milling of couplings for a fire brigade" }),
}

var productCases = []testCase{
	check("unknown code", machine, func(l body) { l.ProductCode = "XY-7" }, "TRD-020 blocker productCode"),
	check("four digits", machine, func(l body) { l.ProductCode = "8457" }, "TRD-020 blocker productCode"),
	check("cheese with a vague code", cheese, func(l body) { l.ProductCode = "CHEDDAR" }, "TRD-020 warning productCode"),
	check("cheese by its certificate", cheese, func(l body) { l.ProductCode = "8360EHC" }),
	check("orchid by its name", orchids, func(l body) { l.ProductCode = "Paphiopedilum delenatii" }),
	check("entry in another spelling", machine, func(l body) { l.ProductCode = "2b001 b 2" }),
	check("military entry in another spelling", optics, func(l body) { l.ProductCode = "ML 5 (a)" }),
	check("entry of the United States' list", machine, func(l body) { l.ProductCode = "2B999" }, "TRD-021 warning productCode"),
	check("military entry that does not exist", optics, func(l body) { l.ProductCode = "ML23" }, "TRD-021 warning productCode"),
	check("dual-use entry that does not exist", machine, func(l body) { l.ProductCode = "8A017" }, "TRD-021 warning productCode"),
	check("heading that does not exist", machine, func(l body) { l.ProductCode = "8469000000" }, "TRD-022 warning productCode", "TRD-023 info productCode"),
	check("commodity code", machine, func(l body) { l.ProductCode = "8457.10.10" }, "TRD-023 info productCode"),
	check("commodity code of cheese", cheese, func(l body) { l.ProductCode = "04069021" }),
	check("military goods under a dual-use licence", machine, func(l body) { l.ProductCode = "ML18.a" }, "TRD-024 blocker licenceType"),
	check("dual-use goods under a military licence", optics, func(l body) { l.ProductCode = "6A002" }, "TRD-024 warning licenceType"),
	check("control entry under a certificate", cheese, func(l body) { l.ProductCode = "1C351" }, "TRD-024 blocker licenceType"),
	check("security goods under a military licence", optics, func(l body) { l.ProductCode = "PL5001" }),
	check("machine under a certificate", cheese, func(l body) { l.ProductCode = "8457101000" }, "TRD-025 warning productCode"),
	check("steel under a permit", orchids, func(l body) { l.ProductCode = "7208510000" }, "TRD-025 warning productCode"),
	check("guitar under a permit", orchids, func(l body) {
		l.ProductCode, l.ProductDescription, l.UnitOfMeasure = "9202903000", "Guitar with a body of Brazilian rosewood", "units"
	}),
	check("spare parts", machine, func(l body) { l.ProductDescription = "Spare parts" }, "TRD-026 warning productDescription"),
	check("parts and more", machine, func(l body) { l.ProductDescription = "Spindles, tool holders etc." }, "TRD-026 warning productDescription"),
	check("spindles", machine, func(l body) { l.ProductDescription = "Spindles" }),
}

var paperCases = []testCase{
	check("body armour by its dual-use entry", machine, func(l body) { l.ProductCode, l.ProductDescription = "1A005", "Soft body armour, NIJ IIIA" }),
	check("mines", optics, func(l body) { l.ProductCode, l.ProductDescription = "ML4.a", "Anti-personnel mines" }, "TRD-027 blocker productDescription"),
	check("anti-tank mines", optics, func(l body) { l.ProductCode, l.ProductDescription = "ML4.a", "Anti-tank mines, inert, for training" }),
	check("leg irons", optics, func(l body) { l.ProductCode, l.ProductDescription = "PL5001", "Leg irons for prisoners" }, "TRD-027 blocker productDescription"),
	check("ivory", orchids, func(l body) {
		l.ProductCode, l.ProductDescription, l.UnitOfMeasure = "9705290000", "Ivory figure of a horse", "pieces"
	}, "TRD-027 warning productDescription"),
	check("ivory that is registered", orchids, func(l body) {
		l.ProductCode, l.ProductDescription, l.UnitOfMeasure = "9705290000", "Piano of 1912 with ivory keys, Ivory Act registration 7F2K9QX1", "pieces"
	}),
	check("rifles under a dual-use licence", machine, func(l body) { l.ProductCode, l.ProductDescription = "9303309000", "Bolt-action sporting rifles" },
		"TRD-023 info productCode", "TRD-028 warning licenceType"),
	check("cheese under a dual-use licence", machine, func(l body) {
		l.ProductCode, l.ProductDescription, l.EndUse = "0406902100", "Mature Cheddar cheese", "Sale in delicatessen shops in Seoul"
	}, "TRD-023 info productCode", "TRD-028 warning licenceType"),
	check("caviar under a certificate", cheese, func(l body) { l.ProductCode, l.ProductDescription = "1604310000", "Sturgeon caviar in tins" }, "TRD-028 info licenceType"),
	check("weapon sight rated as a camera", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "6A003.b.4", "Thermal imaging weapon sights"
	}, "TRD-028 warning licenceType"),
	check("camera rated otherwise", cameras, func(l body) { l.ProductCode = "6A002" }),
	check("encryption", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "5A002.a", "Radio links with encrypted channel"
	}, "TRD-029 info productDescription"),
	check("encryption with its figures", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "5A002.a", "Radio links with encrypted channel, AES-256, sold to utilities"
	}),
	check("technology", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "6E001", "Technology for the assembly of thermal cameras"
	}, "TRD-030 info productDescription"),
	check("machine with software", machine, func(l body) { l.ProductDescription += ", with its control software" }),
}

var amountCases = []testCase{
	check("no quantity", machine, func(l body) { l.Quantity, l.UnitOfMeasure = nil, "" }, "TRD-031 warning quantity"),
	check("no quantity under an open licence", cameras, func(l body) {}),
	check("zero", machine, func(l body) { l.Quantity = number("0") }, "TRD-032 blocker quantity"),
	check("one in a million", cheese, func(l body) { l.Quantity = number("0.000001") }),
	check("no unit", machine, func(l body) { l.UnitOfMeasure = "" }, "TRD-033 warning unitOfMeasure"),
	check("unit of nothing", cameras, func(l body) { l.UnitOfMeasure = "units" }, "TRD-033 info unitOfMeasure"),
	check("unit to be confirmed", machine, func(l body) { l.UnitOfMeasure = "TBC" }, "TRD-033 warning unitOfMeasure"),
	check("unit of its own", machine, func(l body) { l.UnitOfMeasure = "crates of 2" }),
	check("half a machine", machine, func(l body) { l.Quantity = number("1.5") }, "TRD-034 warning quantity"),
	check("half a kilogram", cheese, func(l body) { l.Quantity = number("0.5") }),
	check("ends before it begins", machine, func(l body) { l.ValidUntil = on("2026-12-14") }, "TRD-035 blocker validUntil"),
	check("ends as it begins", machine, func(l body) { l.ValidUntil = l.ValidFrom }, "TRD-035 blocker validUntil"),
	check("expired", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2024-11-20"), on("2026-11-20") }, "TRD-036 blocker validUntil"),
	check("expires today", cheese, func(l body) { l.ValidUntil = hence(time.Hour) }),
	check("two years and a day", machine, func(l body) { l.ValidUntil = on("2028-12-17") }, "TRD-037 warning validUntil"),
	check("two years to the day", machine, func(l body) { l.ValidUntil = on("2028-12-16") }),
	check("open licence for six years", cameras, func(l body) { l.ValidUntil = on("2032-11-20") }, "TRD-037 warning validUntil"),
	check("permit for a year", orchids, func(l body) { l.ValidUntil = on("2027-11-30") }, "TRD-037 warning validUntil"),
	check("certificate for a year", cheese, func(l body) { l.ValidUntil = on("2027-11-30") }),
	check("certificate for two years", cheese, func(l body) { l.ValidUntil = on("2028-11-30") }, "TRD-037 warning validUntil"),
	check("ends in a fortnight", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2024-12-06"), on("2026-12-05") }, "TRD-038 info validUntil"),
	check("ends in five weeks", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2024-12-27"), on("2026-12-26") }),
	check("begins in two years", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2028-11-21"), on("2029-11-21") }, "TRD-039 warning validFrom"),
	check("began in 2006", cameras, func(l body) { l.ValidFrom, l.ValidUntil = on("2006-12-01"), on("2027-01-31") }, "TRD-037 warning validUntil", "TRD-039 warning validFrom"),
	check("begins in eleven months", machine, func(l body) { l.ValidFrom = on("2027-10-21") }),
	check("no days", machine, func(l body) { l.ValidFrom, l.ValidUntil = nil, nil }),
}

func hence(d time.Duration) *time.Time {
	t := now.Add(d)
	return &t
}
