package trade_test

import (
	"time"
)

var partyCases = []scenario{
	{"EORI too short", machine, func(l body) { l.ExporterEORI = "GB12345" }, []string{"TRD-001 " + blocker + " exporterEori"}},
	{"EORI with spaces", machine, func(l body) { l.ExporterEORI = "gb 205672212 000" }, nil},
	{"no EORI", machine, func(l body) { l.ExporterEORI = "" }, []string{"TRD-002 " + info + " exporterEori"}},
	{"German exporter", machine, func(l body) { l.ExporterEORI = "DE1234567" }, []string{"TRD-003 " + warning + " exporterEori"}},
	{"exporter in Northern Ireland", machine, func(l body) { l.ExporterEORI = "XI205672212000" }, []string{"TRD-003 " + info + " exporterEori"}},
	{"cheese from Northern Ireland", cheese, func(l body) { l.ExporterEORI = "XI205672212000" }, nil},
	{"end user to be confirmed", machine, func(l body) { l.EndUserName = "TBC" }, []string{"TRD-004 " + blocker + " endUserName"}},
	{"buyer of cheese to be confirmed", cheese, func(l body) { l.EndUserName = "TBC" }, []string{"TRD-004 " + warning + " endUserName"}},
	{"exporter unknown", machine, func(l body) { l.ExporterName = "Unknown" }, []string{"TRD-004 " + warning + " exporterName"}},
	{"names like placeholders", machine, func(l body) { l.EndUserName = "Various Turbines Ltd" }, nil},
	{"own use abroad", machine, func(l body) { l.EndUserName = "PENNINE MACHINE TOOLS, LTD" }, []string{"TRD-005 " + info + " endUserName"}},
	{"affiliate abroad", machine, func(l body) { l.EndUserName = "Pennine Machine Tools Korea Ltd" }, nil},
	{"end user is an authority with logistics", machine, func(l body) { l.EndUserName = "Port Authority of Busan, Logistics Department" }, nil},
	{"end user is a forwarder", machine, func(l body) { l.EndUserName = "Busan Freight Services" }, []string{"TRD-006 " + warning + " endUserName"}},
	{"buyer of cheese is a logistics firm", cheese, func(l body) { l.EndUserName = "Minato Cold Logistics K.K." }, nil},
	{"end user carries by sea", machine, func(l body) { l.EndUserName = "Hanjin Shipyard Co., Ltd." }, nil},
	{"no address", machine, func(l body) { l.EndUserAddress = "" }, []string{"TRD-007 " + warning + " endUserAddress"}},
	{"no address of the buyer of cheese", cheese, func(l body) { l.EndUserAddress = "" }, []string{"TRD-007 " + info + " endUserAddress"}},
	{"no address under an open licence", cameras, func(l body) { l.EndUserAddress = "" }, nil},
	{"address to be advised", machine, func(l body) { l.EndUserAddress = "N/A" }, []string{"TRD-008 " + warning + " endUserAddress"}},
	{"post box", machine, func(l body) { l.EndUserAddress = "P.O. Box 772, Seoul, Korea" }, []string{"TRD-008 " + warning + " endUserAddress"}},
	{"post box beside a street", machine, func(l body) { l.EndUserAddress = "P.O. Box 772, 41 Jangan Road, Changwon, Korea" }, nil},
	{"a street of boxes", machine, func(l body) { l.EndUserAddress = "7 Box Lane, Seoul" }, nil},
	{"address in Russia", machine, func(l body) { l.EndUserAddress = "Nevsky Prospekt 12, St Petersburg 191186, Russia" }, []string{"TRD-009 " + blocker + " endUserAddress"}},
	{"address in China", machine, func(l body) { l.EndUserAddress = "88 Harbour Road, Dalian 116001, P.R. China" }, []string{"TRD-009 " + warning + " endUserAddress"}},
	{"a road named after Russia", machine, func(l body) { l.EndUserAddress = "5 Russia Street, Seoul" }, nil},
	{"address in the Crimea", machine, func(l body) { l.EndUserAddress, l.EndUserCountry = "Lenina 4, Sevastopol", "UA" }, []string{"TRD-009 " + blocker + " endUserAddress"}},
	{"address in Kyiv", machine, func(l body) { l.EndUserAddress, l.EndUserCountry = "Khreshchatyk 4, Kyiv, Ukraine", "UA" }, nil},
}

var destinationCases = []scenario{
	{"machine for North Korea", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "KP", "Potonggang 3, Pyongyang" }, []string{"TRD-010 " + blocker + " endUserCountry"}},
	{"machine for Russia", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "RU", "Tverskaya 1, Moscow" }, []string{"TRD-010 " + blocker + " endUserCountry"}},
	{"cheese for Belarus", cheese, func(l body) { l.EndUserCountry, l.EndUserAddress = "BY", "Lenina 1, Minsk" }, []string{"TRD-010 " + warning + " endUserCountry"}},
	{"cheese for North Korea", cheese, func(l body) { l.EndUserCountry, l.EndUserAddress = "KP", "Potonggang 3, Pyongyang" }, []string{"TRD-010 " + blocker + " endUserCountry"}},
	{"machine for Bosnia", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "BA", "Titova 1, Sarajevo" }, []string{"TRD-010 " + info + " endUserCountry"}},
	{"machine for Serbia", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "RS", "Knez Mihailova 1, Beograd" }, nil},
	{"sights for Sudan", optics, func(l body) {
		l.EndUserCountry, l.EndUserName, l.EndUserAddress = "SD", "Wildlife Rescue", "Nile Street, Khartoum"
	}, []string{"TRD-011 " + blocker + " endUserCountry"}},
	{"machine for China", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "CN", "88 Harbour Road, Dalian" }, []string{"TRD-011 " + info + " endUserCountry"}},
	{"cheese for Hong Kong", cheese, func(l body) { l.EndUserCountry, l.EndUserAddress = "HK", "8 Nathan Road, Kowloon" }, nil},
	{"end user in Leeds", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "GB", "3 Mill Lane, Leeds" }, []string{"TRD-012 " + warning + " endUserCountry"}},
	{"end user in Belfast", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "XI", "3 Lagan Road, Belfast, UK" }, []string{"TRD-012 " + warning + " endUserCountry"}},
	{"orchids for Belfast", orchids, func(l body) { l.EndUserCountry, l.EndUserAddress = "XI", "3 Lagan Road, Belfast, Northern Ireland" }, nil},
	{"chips for Armenia", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.ProductCode, l.ProductDescription = "AM", "Abovyan 2, Yerevan", "8542310090", "Microcontrollers, 32 bit, for washing machines"
	}, []string{"TRD-013 " + warning + " endUserCountry", "TRD-023 " + info + " productCode"}},
	{"chips for Korea", machine, func(l body) {
		l.ProductCode, l.ProductDescription = "8542310090", "Microcontrollers, 32 bit, for washing machines"
	}, []string{"TRD-023 " + info + " productCode"}},
	{"open general licence for Myanmar", chemicals, func(l body) { l.EndUserCountry, l.EndUserAddress = "MM", "Pyay Road, Yangon" }, []string{"TRD-011 " + warning + " endUserCountry", "TRD-014 " + warning + " endUserCountry"}},
	{"open general licence for Japan", chemicals, func(l body) { l.EndUserCountry, l.EndUserAddress = "JP", "2-4 Kaigan, Tokyo, Japan" }, nil},
	{"machine for Germany", machine, func(l body) { l.EndUserCountry, l.EndUserAddress = "DE", "Werkstr. 1, Essen, Germany" }, []string{"TRD-015 " + info + " licenceType"}},
	{"toxin for Germany", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.ProductCode, l.ProductDescription, l.EndUse = "DE", "Werkstr. 1, Essen, Germany", "1C351.d", "Ricin, purified, 2 mg vials", "Calibration of assays in a food laboratory"
	}, nil},
}

var useCases = []scenario{
	{"no end use", machine, func(l body) { l.EndUse = "" }, []string{"TRD-016 " + warning + " endUse"}},
	{"no end use of cheese", cheese, func(l body) { l.EndUse = "" }, nil},
	{"general use", machine, func(l body) { l.EndUse = "General industrial use" }, []string{"TRD-017 " + warning + " endUse"}},
	{"resale", machine, func(l body) { l.EndUse = "For resale to customers" }, []string{"TRD-017 " + warning + " endUse"}},
	{"end use to be confirmed", machine, func(l body) { l.EndUse = "TBC" }, []string{"TRD-017 " + warning + " endUse"}},
	{"short but telling", machine, func(l body) { l.EndUse = "Milling turbine blades" }, nil},
	{"orchids for sale", orchids, func(l body) { l.EndUse = "Retail" }, nil},
	{"enrichment", machine, func(l body) { l.EndUse = "Enrichment of uranium by lasers, at the works in Changwon" }, []string{"TRD-018 " + blocker + " endUse"}},
	{"missiles", machine, func(l body) { l.EndUse = "Machining of bodies for ballistic missiles" }, []string{"TRD-018 " + blocker + " endUse"}},
	{"missiles of an ally", optics, func(l body) { l.EndUse = "Upkeep of cruise missiles" }, []string{"TRD-018 " + warning + " endUse"}},
	{"no missiles", machine, func(l body) {
		l.EndUse = "Machining of pump bodies; not for use in ballistic missiles, nor for any military use"
	}, nil},
	{"army in Myanmar", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.EndUse = "MM", "Pyay Road, Yangon", "Workshop of the army engineers"
	}, []string{"TRD-011 " + warning + " endUserCountry", "TRD-019 " + blocker + " endUse"}},
	{"air force of China", machine, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.EndUserName = "CN", "88 Harbour Road, Dalian", "People's Liberation Army Air Force Plant 5"
	}, []string{"TRD-011 " + info + " endUserCountry", "TRD-019 " + blocker + " endUse"}},
	{"rifles for China", optics, func(l body) {
		l.EndUserCountry, l.EndUserAddress, l.ProductCode = "CN", "88 Harbour Road, Dalian", "ML1.a"
	}, []string{"TRD-011 " + blocker + " endUserCountry", "TRD-019 " + blocker + " endUse"}},
	{"army of Korea", machine, func(l body) { l.EndUse = "Milling of transmission parts for army trucks" }, []string{"TRD-019 " + info + " endUse"}},
	{"fire brigade", machine, func(l body) { l.EndUse = "Milling of couplings for a fire brigade" }, nil},
}

var productCases = []scenario{
	{"code of nothing", machine, func(l body) { l.ProductCode = "XY-7" }, []string{"TRD-020 " + blocker + " productCode"}},
	{"four digits", machine, func(l body) { l.ProductCode = "8457" }, []string{"TRD-020 " + blocker + " productCode"}},
	{"cheese of nothing", cheese, func(l body) { l.ProductCode = "CHEDDAR" }, []string{"TRD-020 " + warning + " productCode"}},
	{"cheese by its certificate", cheese, func(l body) { l.ProductCode = "8360EHC" }, nil},
	{"orchid by its name", orchids, func(l body) { l.ProductCode = "Paphiopedilum delenatii" }, nil},
	{"entry in another spelling", machine, func(l body) { l.ProductCode = "2b001 b 2" }, nil},
	{"military entry in another spelling", optics, func(l body) { l.ProductCode = "ML 5 (a)" }, nil},
	{"entry of the United States' list", machine, func(l body) { l.ProductCode = "2B999" }, []string{"TRD-021 " + warning + " productCode"}},
	{"military entry that is none", optics, func(l body) { l.ProductCode = "ML23" }, []string{"TRD-021 " + warning + " productCode"}},
	{"dual-use entry that is none", machine, func(l body) { l.ProductCode = "8A017" }, []string{"TRD-021 " + warning + " productCode"}},
	{"heading that is none", machine, func(l body) { l.ProductCode = "8469000000" }, []string{"TRD-022 " + warning + " productCode", "TRD-023 " + info + " productCode"}},
	{"tariff code", machine, func(l body) { l.ProductCode = "8457.10.10" }, []string{"TRD-023 " + info + " productCode"}},
	{"tariff code of cheese", cheese, func(l body) { l.ProductCode = "04069021" }, nil},
	{"military goods under a dual-use licence", machine, func(l body) { l.ProductCode = "ML18.a" }, []string{"TRD-024 " + blocker + " licenceType"}},
	{"dual-use goods under a military licence", optics, func(l body) { l.ProductCode = "6A002" }, []string{"TRD-024 " + warning + " licenceType"}},
	{"control entry under a certificate", cheese, func(l body) { l.ProductCode = "1C351" }, []string{"TRD-024 " + blocker + " licenceType"}},
	{"security goods under a military licence", optics, func(l body) { l.ProductCode = "PL5001" }, nil},
	{"machine under a certificate", cheese, func(l body) { l.ProductCode = "8457101000" }, []string{"TRD-025 " + warning + " productCode"}},
	{"steel under a permit", orchids, func(l body) { l.ProductCode = "7208510000" }, []string{"TRD-025 " + warning + " productCode"}},
	{"guitar under a permit", orchids, func(l body) {
		l.ProductCode, l.ProductDescription, l.UnitOfMeasure = "9202903000", "Guitar with a body of Brazilian rosewood", "units"
	}, nil},
	{"spare parts", machine, func(l body) { l.ProductDescription = "Spare parts" }, []string{"TRD-026 " + warning + " productDescription"}},
	{"parts and more", machine, func(l body) { l.ProductDescription = "Spindles, tool holders etc." }, []string{"TRD-026 " + warning + " productDescription"}},
	{"spindles", machine, func(l body) { l.ProductDescription = "Spindles" }, nil},
}

var paperCases = []scenario{
	{"body armour by its dual-use entry", machine, func(l body) { l.ProductCode, l.ProductDescription = "1A005", "Soft body armour, NIJ IIIA" }, nil},
	{"mines", optics, func(l body) { l.ProductCode, l.ProductDescription = "ML4.a", "Anti-personnel mines" }, []string{"TRD-027 " + blocker + " productDescription"}},
	{"anti-tank mines", optics, func(l body) { l.ProductCode, l.ProductDescription = "ML4.a", "Anti-tank mines, inert, for training" }, nil},
	{"leg irons", optics, func(l body) { l.ProductCode, l.ProductDescription = "PL5001", "Leg irons for prisoners" }, []string{"TRD-027 " + blocker + " productDescription"}},
	{"ivory", orchids, func(l body) {
		l.ProductCode, l.ProductDescription, l.UnitOfMeasure = "9705290000", "Ivory figure of a horse", "pieces"
	}, []string{"TRD-027 " + warning + " productDescription"}},
	{"ivory that is registered", orchids, func(l body) {
		l.ProductCode, l.ProductDescription, l.UnitOfMeasure = "9705290000", "Piano of 1912 with ivory keys, Ivory Act registration 7F2K9QX1", "pieces"
	}, nil},
	{"rifles under a dual-use licence", machine, func(l body) { l.ProductCode, l.ProductDescription = "9303309000", "Bolt-action sporting rifles" },
		[]string{"TRD-023 " + info + " productCode", "TRD-028 " + warning + " licenceType"}},
	{"cheese under a dual-use licence", machine, func(l body) {
		l.ProductCode, l.ProductDescription, l.EndUse = "0406902100", "Mature Cheddar cheese", "Sale in delicatessen shops in Seoul"
	}, []string{"TRD-023 " + info + " productCode", "TRD-028 " + warning + " licenceType"}},
	{"caviar under a certificate", cheese, func(l body) { l.ProductCode, l.ProductDescription = "1604310000", "Sturgeon caviar in tins" }, []string{"TRD-028 " + info + " licenceType"}},
	{"weapon sight rated as a camera", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "6A003.b.4", "Thermal imaging weapon sights"
	}, []string{"TRD-028 " + warning + " licenceType"}},
	{"camera rated otherwise", cameras, func(l body) { l.ProductCode = "6A002" }, nil},
	{"encryption", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "5A002.a", "Radio links with encrypted channel"
	}, []string{"TRD-029 " + info + " productDescription"}},
	{"encryption with its figures", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "5A002.a", "Radio links with encrypted channel, AES-256, sold to utilities"
	}, nil},
	{"technology", cameras, func(l body) {
		l.ProductCode, l.ProductDescription = "6E001", "Technology for the assembly of thermal cameras"
	}, []string{"TRD-030 " + info + " productDescription"}},
	{"machine with software", machine, func(l body) { l.ProductDescription += ", with its control software" }, nil},
}

var amountCases = []scenario{
	{"no quantity", machine, func(l body) { l.Quantity, l.UnitOfMeasure = nil, "" }, []string{"TRD-031 " + warning + " quantity"}},
	{"no quantity under an open licence", cameras, func(l body) {}, nil},
	{"nought", machine, func(l body) { l.Quantity = number("0") }, []string{"TRD-032 " + blocker + " quantity"}},
	{"one in a million", cheese, func(l body) { l.Quantity = number("0.000001") }, nil},
	{"no unit", machine, func(l body) { l.UnitOfMeasure = "" }, []string{"TRD-033 " + warning + " unitOfMeasure"}},
	{"unit of nothing", cameras, func(l body) { l.UnitOfMeasure = "units" }, []string{"TRD-033 " + info + " unitOfMeasure"}},
	{"unit to be confirmed", machine, func(l body) { l.UnitOfMeasure = "TBC" }, []string{"TRD-033 " + warning + " unitOfMeasure"}},
	{"unit of its own", machine, func(l body) { l.UnitOfMeasure = "crates of 2" }, nil},
	{"half a machine", machine, func(l body) { l.Quantity = number("1.5") }, []string{"TRD-034 " + warning + " quantity"}},
	{"half a kilogram", cheese, func(l body) { l.Quantity = number("0.5") }, nil},
	{"ends before it begins", machine, func(l body) { l.ValidUntil = on("2026-12-14") }, []string{"TRD-035 " + blocker + " validUntil"}},
	{"ends as it begins", machine, func(l body) { l.ValidUntil = l.ValidFrom }, []string{"TRD-035 " + blocker + " validUntil"}},
	{"expired", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2024-11-20"), on("2026-11-20") }, []string{"TRD-036 " + blocker + " validUntil"}},
	{"expires today", cheese, func(l body) { l.ValidUntil = hence(time.Hour) }, nil},
	{"two years and a day", machine, func(l body) { l.ValidUntil = on("2028-12-17") }, []string{"TRD-037 " + warning + " validUntil"}},
	{"two years to the day", machine, func(l body) { l.ValidUntil = on("2028-12-16") }, nil},
	{"open licence for six years", cameras, func(l body) { l.ValidUntil = on("2032-11-20") }, []string{"TRD-037 " + warning + " validUntil"}},
	{"permit for a year", orchids, func(l body) { l.ValidUntil = on("2027-11-30") }, []string{"TRD-037 " + warning + " validUntil"}},
	{"certificate for a year", cheese, func(l body) { l.ValidUntil = on("2027-11-30") }, nil},
	{"certificate for two years", cheese, func(l body) { l.ValidUntil = on("2028-11-30") }, []string{"TRD-037 " + warning + " validUntil"}},
	{"ends in a fortnight", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2024-12-06"), on("2026-12-05") }, []string{"TRD-038 " + info + " validUntil"}},
	{"ends in five weeks", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2024-12-27"), on("2026-12-26") }, nil},
	{"begins in two years", machine, func(l body) { l.ValidFrom, l.ValidUntil = on("2028-11-21"), on("2029-11-21") }, []string{"TRD-039 " + warning + " validFrom"}},
	{"began in 2006", cameras, func(l body) { l.ValidFrom, l.ValidUntil = on("2006-12-01"), on("2027-01-31") }, []string{"TRD-037 " + warning + " validUntil", "TRD-039 " + warning + " validFrom"}},
	{"begins in eleven months", machine, func(l body) { l.ValidFrom = on("2027-10-21") }, nil},
	{"no days", machine, func(l body) { l.ValidFrom, l.ValidUntil = nil, nil }, nil},
}

func hence(d time.Duration) *time.Time {
	t := now.Add(d)
	return &t
}
