package emcs_test

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

var traderCases = []testCase{
	check("dispatcher's number too short", whisky, func(m body) { m.DispatcherNumber = "GBWK123" }, "EMCS-001 blocker dispatcherExciseNumber"),
	check("dispatcher's number of no member state", wine, func(m body) { m.DispatcherNumber = "CH00001234567" }, "EMCS-001 blocker dispatcherExciseNumber"),
	check("dispatcher's number of Greece by its ISO code", wine, func(m body) { m.DispatcherNumber = "GR00001234567" }, "EMCS-001 blocker dispatcherExciseNumber"),
	check("dispatcher's number of Greece", wine, func(m body) { m.DispatcherNumber = "EL00001234567" }),
	check("dispatcher's number with spaces", whisky, func(m body) { m.DispatcherNumber = "gbwk 0022 81023" }),
	check("warehouse in place of its keeper", whisky, func(m body) { m.DispatcherNumber = "GB00002281023" }, "EMCS-002 blocker dispatcherExciseNumber"),
	check("certified consignor dispatches", whisky, func(m body) { m.DispatcherNumber = "XIPA000612157" }, "EMCS-002 blocker dispatcherExciseNumber"),
	check("unknown role dispatches", whisky, func(m body) { m.DispatcherNumber = "GBXX000612157" }, "EMCS-002 blocker dispatcherExciseNumber"),
	check("registered consignor dispatches goods from overseas", whisky, func(m body) { m.DispatcherNumber = "GBRC000612157" }),
	check("French dispatcher at home", whisky, func(m body) { m.DispatcherNumber = "FR012345E0678" }, "EMCS-003 blocker dispatcherExciseNumber"),
	check("Irish dispatcher exports", tobacco, func(m body) { m.DispatcherNumber = "IE00000602078" }, "EMCS-003 blocker dispatcherExciseNumber"),
	check("warehousekeeper dispatches an import", wine, func(m body) { m.DispatcherNumber = "GBWK002281023" }, "EMCS-003 blocker dispatcherExciseNumber"),
	check("French dispatcher to Great Britain", wine, func(m body) { m.ConsigneeNumber, m.ConsigneeCountry = "GBWK240176600", "GB" }, "EMCS-003 info dispatcherExciseNumber"),
	check("consignee's number too long", whisky, func(m body) { m.ConsigneeNumber = "GBWK2401766001" }, "EMCS-004 blocker consigneeExciseNumber"),
	check("consignee abroad with a licence", tobacco, func(m body) { m.ConsigneeNumber = "CHE-123" }, "EMCS-004 warning consigneeExciseNumber"),
	check("warehouse receives", whisky, func(m body) { m.ConsigneeNumber = "GB00240176601" }, "EMCS-005 blocker consigneeExciseNumber"),
	check("registered consignor receives", wine, func(m body) { m.ConsigneeNumber = "XIRC000467015" }, "EMCS-005 blocker consigneeExciseNumber"),
	check("certified consignee receives", wine, func(m body) { m.ConsigneeNumber = "XIPB000467015" }, "EMCS-005 blocker consigneeExciseNumber"),
	check("registered consignee receives from home", whisky, func(m body) { m.ConsigneeNumber, m.ConsigneeCountry = "XIRE000467015", "XI" }, "EMCS-005 blocker consigneeExciseNumber"),
	check("no consignee's number", whisky, func(m body) { m.ConsigneeNumber = "" }, "EMCS-006 blocker consigneeExciseNumber"),
	check("no consignee's number for an import of oils", wine, func(m body) { toFuel(m); m.ConsigneeNumber = "" }, "EMCS-006 info consigneeExciseNumber"),
	check("no consignee's number in Ireland", tobacco, func(m body) { m.DispatcherNumber, m.ConsigneeCountry, m.JourneyDays = "XIWK000467015", "IE", count(2) },
		"EMCS-006 warning consigneeExciseNumber", "EMCS-014 info movementType"),
	check("no consignee's number for an export", tobacco, func(m body) { m.ConsigneeCountry = "FR" }),
	check("German consignee at home", whisky, func(m body) { m.ConsigneeNumber = "DE00000602078" }, "EMCS-007 blocker consigneeExciseNumber"),
	check("British consignee abroad", tobacco, func(m body) { m.ConsigneeNumber = "GBWK240176600" }, "EMCS-007 warning consigneeExciseNumber"),
	check("German consignee of an export", tobacco, func(m body) { m.ConsigneeNumber, m.ConsigneeCountry = "DE00000602078", "DE" }, "EMCS-007 info consigneeExciseNumber"),
	check("German consignee in France", tobacco, func(m body) {
		m.ConsigneeNumber, m.ConsigneeCountry, m.DispatcherNumber = "DE00000602078", "FR", "XIWK000467015"
	},
		"EMCS-008 warning consigneeCountry", "EMCS-014 info movementType"),
	check("British number in Northern Ireland", whisky, func(m body) { m.ConsigneeCountry = "XI" }, "EMCS-008 warning consigneeCountry"),
	check("Northern Irish consignee written as GB", wine, func(m body) { m.ConsigneeCountry = "GB" }),
	check("Greek consignee in Greece", tobacco, func(m body) {
		m.ConsigneeNumber, m.ConsigneeCountry, m.DispatcherNumber = "EL00000602078", "GR", "XIWK000467015"
	},
		"EMCS-014 info movementType"),
	check("two names under one number", whisky, func(m body) { m.ConsigneeNumber = "gbwk002281023" }, "EMCS-009 warning consigneeExciseNumber"),
	check("own warehouses", whisky, func(m body) { m.ConsigneeNumber, m.ConsigneeName = "GBWK002281023", "SPEYSIDE BONDED STORES LTD" }, "EMCS-009 info consigneeExciseNumber"),
	check("one name under two numbers", whisky, func(m body) { m.ConsigneeName = m.DispatcherName }),
	check("names to be confirmed", whisky, func(m body) { m.DispatcherName, m.ConsigneeName = "T.B.C.", "---" },
		"EMCS-010 warning dispatcherName", "EMCS-010 warning consigneeName"),
	check("name like a placeholder", whisky, func(m body) { m.ConsigneeName = "Unknown Pleasures Wine Ltd" }),
}

// toFuel changes an import to gas oil by ship.
func toFuel(m body) {
	m.Category, m.ProductCode, m.ProductDescription, m.Strength = emcs.EnergyOils, "E430", "Diesel, 10 ppm sulphur", nil
	m.Litres, m.PackageType, m.Packages, m.VehicleReg = n("36000"), "VL", nil, ""
}

var routeCases = []testCase{
	check("export to Northern Ireland", tobacco, func(m body) { m.ConsigneeCountry = "XI" }, "EMCS-011 blocker consigneeCountry"),
	check("export to the Isle of Man", tobacco, func(m body) { m.ConsigneeCountry = "IM" }, "EMCS-011 blocker consigneeCountry"),
	check("domestic to France", whisky, func(m body) { m.ConsigneeCountry = "FR" }, "EMCS-011 blocker consigneeCountry"),
	check("domestic to Guernsey", whisky, func(m body) { m.ConsigneeCountry = "GG" }, "EMCS-011 blocker consigneeCountry"),
	check("import to Ireland", wine, func(m body) { m.ConsigneeCountry = "IE" }, "EMCS-011 blocker consigneeCountry"),
	check("domestic without a country", whisky, func(m body) { m.ConsigneeCountry = "" }),
	check("export without a country", tobacco, func(m body) { m.ConsigneeCountry = "" }, "EMCS-012 warning consigneeCountry"),
	check("to Russia", tobacco, func(m body) { m.ConsigneeCountry = "RU" }, "EMCS-013 blocker consigneeCountry"),
	check("to North Korea", tobacco, func(m body) { m.ConsigneeCountry = "KP" }, "EMCS-013 blocker consigneeCountry"),
	check("to Iran", tobacco, func(m body) { m.ConsigneeCountry = "IR" }, "EMCS-013 blocker consigneeCountry"),
	check("to Syria", tobacco, func(m body) { m.ConsigneeCountry = "SY" }, "EMCS-013 warning consigneeCountry"),
	check("to Nicaragua", tobacco, func(m body) { m.ConsigneeCountry = "NI" }, "EMCS-013 info consigneeCountry"),
	check("to Georgia", tobacco, func(m body) { m.ConsigneeCountry = "GE" }, "EMCS-013 info consigneeCountry"),
	check("to Hong Kong", tobacco, func(m body) { m.ConsigneeCountry = "HK" }),
	check("from Northern Ireland to Norway", tobacco, func(m body) { m.ConsigneeCountry, m.DispatcherNumber = "NO", "XIWK000467015" }),
	check("domestic oils", fuel, func(m body) {
		m.Route, m.ConsigneeNumber, m.ConsigneeCountry = emcs.Domestic, "GBWK240176600", "GB"
	}, "EMCS-015 info movementType"),
	check("oils imported", wine, toFuel),
}

var productCases = []testCase{
	check("code of no product", whisky, func(m body) { m.ProductCode = "S250" }, "EMCS-016 blocker productCode"),
	check("code in words", whisky, func(m body) { m.ProductCode = "whisky" }, "EMCS-016 blocker productCode"),
	check("commodity code of furniture", whisky, func(m body) { m.ProductCode = "9403409000" }, "EMCS-016 blocker productCode"),
	check("vaping products", tobacco, func(m body) { m.ProductCode = "V000" }, "EMCS-016 warning productCode"),
	check("code in small letters", whisky, func(m body) { m.ProductCode = " s200 " }),
	check("commodity code of whisky", whisky, func(m body) { m.ProductCode = "2208 30 30" }, "EMCS-017 info productCode"),
	check("commodity code without an excise product", whisky, func(m body) { m.ProductCode = "22083099" }, "EMCS-017 info productCode", "EMCS-045 warning productCode"),
	check("commodity code of still wine", wine, func(m body) { m.ProductCode = "22042138" }, "EMCS-017 info productCode"),
	check("spirits as tobacco", whisky, func(m body) { m.Category = emcs.Tobacco }, "EMCS-018 blocker productCode"),
	check("commodity code of cigars as alcohol", tobacco, func(m body) {
		m.Category, m.ProductCode, m.ProductDescription = emcs.Alcohol, "24021000", "Havana cigars"
	},
		"EMCS-017 info productCode", "EMCS-018 blocker productCode", "EMCS-032 info quantityKg"),
	check("completely denatured", whisky, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "S600", "Denatured ethanol", n("95") },
		"EMCS-019 blocker productCode", "EMCS-035 info quantityLitres"),
	check("partly denatured", whisky, func(m body) { m.ProductCode, m.ProductDescription = "S400", "Denatured ethanol" }),
	check("vague description", whisky, func(m body) { m.ProductDescription = "Alcohol" }, "EMCS-020 warning productDescription"),
	check("partly vague description", whisky, func(m body) { m.ProductDescription = "Scotch whisky, gin etc." }, "EMCS-020 warning productDescription"),
	check("description in one word", whisky, func(m body) { m.ProductDescription = "Absinthe" }),
	check("beer described as whisky", whisky, func(m body) { m.ProductCode, m.Strength = "B000", n("5") }, "EMCS-021 warning productDescription"),
	check("diesel described as petrol", fuel, func(m body) { m.ProductDescription = "Unleaded petrol" }, "EMCS-021 warning productDescription"),
	check("cigars described as tobacco", tobacco, func(m body) { m.ProductDescription = "Cigars" }, "EMCS-021 warning productDescription"),
	check("beer from whisky barrels", whisky, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength = "B000", "Whisky barrel aged stout", n("9")
	}),
	check("white spirit", fuel, func(m body) {
		m.ProductCode, m.ProductDescription, m.Kilograms = "E480", "White spirit", nil
	}),
	check("351 characters", whisky, func(m body) { m.ProductDescription = "Whisky " + strings.Repeat("é", 344) }, "EMCS-022 warning productDescription"),
	check("350 characters", whisky, func(m body) { m.ProductDescription = "Whisky " + strings.Repeat("é", 343) }),
}

var strengthCases = []testCase{
	check("no strength", whisky, func(m body) { m.Strength = nil }, "EMCS-023 blocker alcoholAbv"),
	check("no strength of tobacco", tobacco, func(m body) { m.Strength = nil }),
	check("strength of 0", whisky, func(m body) { m.Strength = n("0") }, "EMCS-024 blocker alcoholAbv"),
	check("strength as a fraction", whisky, func(m body) { m.Strength = n("0.4") }, "EMCS-024 blocker alcoholAbv"),
	check("strength above 100", whisky, func(m body) { m.Strength = n("100.01") }, "EMCS-024 blocker alcoholAbv"),
	check("weak beer", whisky, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "B000", "Table beer", n("0.5") }),
	check("strong beer", whisky, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "B000", "Ice beer", n("32") }, "EMCS-025 warning alcoholAbv"),
	check("wine as strong as port", wine, func(m body) { m.Strength = n("20") }, "EMCS-025 warning alcoholAbv"),
	check("strong wine", wine, func(m body) { m.Strength = n("16.5") }),
	check("intermediate as strong as spirits", wine, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "I000", "Cream sherry", n("23") }, "EMCS-025 warning alcoholAbv"),
	check("canned cocktail", whisky, func(m body) { m.ProductDescription, m.Strength = "Gin and tonic in cans", n("5") }),
	check("rectified spirit", whisky, func(m body) {
		m.ProductDescription, m.Strength, m.Litres, m.Kilograms, m.Packages = "Polish spirit", n("96"), n("900"), nil, count(100)
	}),
	check("commodity code of many strengths", wine, func(m body) { m.ProductCode, m.Strength = "22042190", n("22") }, "EMCS-017 info productCode"),
	check("strength of diesel", fuel, func(m body) { m.Strength = n("5") }, "EMCS-026 warning alcoholAbv"),
	check("no strength of diesel, in figures", fuel, func(m body) { m.Strength = n("0") }),
	check("three decimal places of strength", whisky, func(m body) { m.Strength = n("40.125") }, "EMCS-027 warning alcoholAbv"),
	check("two decimal places of strength", whisky, func(m body) { m.Strength = n("40.25") }),
}

var amountCases = []testCase{
	check("no quantity", whisky, func(m body) { m.Litres, m.Kilograms = nil, nil }, "EMCS-028 blocker quantityLitres"),
	check("no quantity of tobacco", tobacco, func(m body) { m.Kilograms = nil }, "EMCS-028 blocker quantityKg"),
	check("zero kilograms of tobacco", tobacco, func(m body) { m.Kilograms = kg("0") }, "EMCS-028 blocker quantityKg"),
	check("zero litres", whisky, func(m body) { m.Litres, m.Kilograms = n("0"), nil }, "EMCS-028 blocker quantityLitres"),
	check("kilograms of whisky", whisky, func(m body) { m.Litres = nil }, "EMCS-029 warning quantityLitres"),
	check("litres of propane", fuel, func(m body) {
		m.ProductCode, m.ProductDescription, m.Litres, m.Kilograms, m.PackageType = "E500", "Propane", n("30000"), nil, "VQ"
	}, "EMCS-029 warning quantityKg"),
	check("litres of tobacco", tobacco, func(m body) { m.Litres = n("400") }, "EMCS-029 warning quantityLitres"),
	check("litres of whisky alone", whisky, func(m body) { m.Kilograms = nil }),
	check("four decimal places of litres", whisky, func(m body) { m.Litres = n("6300.0001") }, "EMCS-030 warning quantityLitres"),
	check("four decimal places of net mass", whisky, func(m body) { m.Kilograms = kg("5985.1234") }),
	check("whisky with its bottles", whisky, func(m body) { m.Kilograms = kg("11000") }, "EMCS-031 info quantityKg"),
	check("whisky in bulk as heavy as in bottles", whisky, func(m body) { m.Kilograms, m.PackageType, m.Packages = kg("11000"), "VL", nil }, "EMCS-031 warning quantityKg"),
	check("pallets with two litres each", whisky, func(m body) { m.PackageType, m.Packages = "PX", count(4000) }, "EMCS-038 warning numberOfPackages"),
	check("whisky like a feather", whisky, func(m body) { m.Kilograms = kg("600") }, "EMCS-031 warning quantityKg"),
	check("whisky like lead", whisky, func(m body) { m.Kilograms = kg("31000") }, "EMCS-031 warning quantityKg"),
	check("diesel like water", fuel, func(m body) { m.Kilograms = kg("4200000") }, "EMCS-031 warning quantityKg"),
	check("cigarettes by mass", tobacco, func(m body) { m.ProductCode, m.ProductDescription = "T200", "Cigarettes, king size" }, "EMCS-032 info quantityKg"),
}

var sizeCases = []testCase{
	check("a lake of wine", wine, func(m body) { m.Litres, m.PackageType, m.Packages, m.VehicleReg = n("200000"), "VL", nil, "" },
		"EMCS-033 warning quantityLitres", "EMCS-035 info quantityLitres", "EMCS-042 info vehicleReg"),
	check("a ship of tobacco", tobacco, func(m body) { m.Kilograms, m.VehicleReg, m.Packages = kg("30000"), "", count(3000) },
		"EMCS-033 warning quantityKg", "EMCS-035 info quantityKg"),
	check("an ocean of oil", fuel, func(m body) { m.Litres, m.Kilograms = n("300000000"), nil }, "EMCS-033 warning quantityLitres"),
	check("a tanker of ethanol", whisky, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength, m.Litres, m.Kilograms = "S300", "Ethanol", n("96"), n("5000000"), nil
		m.Route, m.ConsigneeNumber, m.ConsigneeCountry, m.PackageType, m.Packages, m.VehicleReg = emcs.Export, "", "NO", "VL", nil, ""
	}, "EMCS-035 info quantityLitres"),
	check("a container of cigarettes", tobacco, func(m body) {
		m.ProductCode, m.ProductDescription, m.Kilograms, m.Packages = "T200", "Cigarettes", kg("9600"), count(960)
	}, "EMCS-032 info quantityKg", "EMCS-035 info quantityKg"),
	check("more than a tank of wine", wine, func(m body) { m.Litres, m.PackageType, m.Packages = n("48000"), "VL", nil },
		"EMCS-034 warning vehicleReg", "EMCS-035 info quantityLitres"),
	check("more than a tank, in a ship", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "MT Thames Fisher", n("46000"), nil }, "EMCS-042 info vehicleReg"),
	check("more than a tank, on plates like a ship", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "MS 12345", n("46000"), nil }, "EMCS-034 warning vehicleReg"),
	check("more than a tank of diesel", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "AB24 CDE", n("46000"), nil }, "EMCS-034 warning vehicleReg"),
	check("more than a load of tobacco", tobacco, func(m body) { m.Kilograms, m.Packages = kg("33000"), count(3300) },
		"EMCS-033 warning quantityKg", "EMCS-034 warning vehicleReg", "EMCS-035 info quantityKg"),
	check("a tank of diesel", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "AB24 CDE", n("42000"), nil }),
	check("a lorry of whisky", whisky, func(m body) { m.Litres, m.Kilograms, m.Packages = n("12600"), nil, count(3000) }, "EMCS-035 info quantityLitres"),
	check("a lorry of wine at home", whisky, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength, m.Litres, m.Kilograms, m.Packages = "W200", "Merlot", n("14"), n("24000"), nil, count(2700)
	}),
	check("a tank of diesel for the road", wine, func(m body) { toFuel(m); m.Litres = n("240000") }, "EMCS-035 info quantityLitres"),
}

var packageCases = []testCase{
	check("code of no package", whisky, func(m body) { m.PackageType = "QT" }, "EMCS-036 warning packageType"),
	check("package in words", whisky, func(m body) { m.PackageType = "Cartons" }, "EMCS-036 info packageType"),
	check("package in other words", whisky, func(m body) { m.PackageType = "Thingummies" }, "EMCS-036 info packageType"),
	check("package in small letters", whisky, func(m body) { m.PackageType = "ct" }),
	check("no packages", whisky, func(m body) { m.PackageType, m.Packages = "", nil }, "EMCS-037 info packageType"),
	check("no kind of packages", whisky, func(m body) { m.PackageType = "" }, "EMCS-037 warning packageType"),
	check("no number of cartons", whisky, func(m body) { m.Packages = nil }, "EMCS-037 warning numberOfPackages"),
	check("0 cartons", whisky, func(m body) { m.Packages = count(0) }, "EMCS-037 warning numberOfPackages"),
	check("many liquids in bulk", whisky, func(m body) { m.PackageType = "VL" }, "EMCS-037 info numberOfPackages"),
	check("one liquid in bulk", whisky, func(m body) { m.PackageType, m.Packages = "VL", count(1) }),
	check("no packages of oil", fuel, func(m body) { m.PackageType = "" }),
	check("bottles like barrels", whisky, func(m body) { m.PackageType, m.Packages = "BO", count(100) }, "EMCS-038 warning numberOfPackages"),
	check("cartons like tanks", whisky, func(m body) { m.Packages = count(20) }, "EMCS-038 warning numberOfPackages"),
	check("cartons like thimbles", whisky, func(m body) { m.Packages = count(9_000_000) }, "EMCS-038 warning numberOfPackages"),
	check("butts of whisky", whisky, func(m body) { m.PackageType, m.Packages = "CK", count(13) }),
	check("pallets of whisky", whisky, func(m body) { m.PackageType, m.Packages = "PX", count(10) }),
	check("miniatures", whisky, func(m body) { m.PackageType, m.Packages = "BO", count(126_000) }),
}

var journeyCases = []testCase{
	check("no journey", whisky, func(m body) { m.JourneyDays = nil }, "EMCS-039 warning expectedJourneyTime"),
	check("journey of hours", whisky, func(m body) { m.JourneyDays = count(0) }, "EMCS-039 info expectedJourneyTime"),
	check("journey of 46 days", tobacco, func(m body) { m.JourneyDays = count(46) }, "EMCS-040 blocker expectedJourneyTime"),
	check("journey of centuries", whisky, func(m body) { m.JourneyDays = count(999_999) }, "EMCS-040 blocker expectedJourneyTime"),
	check("six days at home", whisky, func(m body) { m.JourneyDays = count(6) }, "EMCS-041 warning expectedJourneyTime"),
	check("five days at home", whisky, func(m body) { m.JourneyDays = count(5) }),
	check("eleven days from the Union", wine, func(m body) { m.JourneyDays = count(11) }, "EMCS-041 warning expectedJourneyTime"),
	check("ten days from the Union", wine, func(m body) { m.JourneyDays = count(10) }),
	check("six days to Ireland", tobacco, func(m body) { m.ConsigneeCountry, m.JourneyDays = "IE", count(6) }, "EMCS-041 warning expectedJourneyTime"),
	check("four days from Belfast to Dublin", tobacco, func(m body) {
		m.DispatcherNumber, m.ConsigneeNumber, m.ConsigneeCountry, m.JourneyDays = "XIWK000467015", "IE00000602078", "IE", count(4)
	}, "EMCS-014 info movementType", "EMCS-041 warning expectedJourneyTime"),
	check("twelve days to Switzerland", tobacco, func(m body) { m.JourneyDays = count(12) }, "EMCS-041 warning expectedJourneyTime"),
	check("forty days to Australia", tobacco, func(m body) { m.ConsigneeCountry, m.JourneyDays = "AU", count(40) }, "EMCS-041 info expectedJourneyTime"),
	check("thirty days to Australia", tobacco, func(m body) { m.ConsigneeCountry, m.JourneyDays = "AU", count(30) }),
	check("no vehicle at home", whisky, func(m body) { m.VehicleReg = "" }, "EMCS-042 info vehicleReg"),
	check("no vehicle abroad", tobacco, func(m body) { m.VehicleReg = "" }),
	check("vehicle to be confirmed", whisky, func(m body) { m.VehicleReg = "TBC" }, "EMCS-042 warning vehicleReg"),
	check("too many vehicles", whisky, func(m body) { m.VehicleReg = strings.Repeat("AB24 CDE ", 4) + "X" }, "EMCS-042 warning vehicleReg"),
	check("vehicle without digits", whisky, func(m body) { m.VehicleReg = "Orkney Maid" }, "EMCS-042 info vehicleReg"),
	check("tractor and trailer", whisky, func(m body) { m.VehicleReg = "AB24 CDE / C123456" }),
	check("no dispatch", whisky, func(m body) { m.DispatchAt = nil }, "EMCS-043 info scheduledDispatchAt"),
	check("dispatch yesterday", whisky, func(m body) { m.DispatchAt = hence(-24 * time.Hour) }, "EMCS-043 warning scheduledDispatchAt"),
	check("dispatch this morning", whisky, func(m body) { m.DispatchAt = hence(-5 * time.Hour) }),
	check("dispatch in seven days", whisky, func(m body) { m.DispatchAt = hence(7 * 24 * time.Hour) }),
	check("dispatch in eight days", whisky, func(m body) { m.DispatchAt = hence(8 * 24 * time.Hour) }, "EMCS-043 warning scheduledDispatchAt"),
	check("dispatch in two years", whisky, func(m body) { m.DispatchAt = hence(2 * 365 * 24 * time.Hour) }, "EMCS-043 warning scheduledDispatchAt"),
	check("arrived last week", whisky, func(m body) { m.DispatchAt = hence(-7 * 24 * time.Hour) },
		"EMCS-043 warning scheduledDispatchAt", "EMCS-044 info expectedJourneyTime"),
	check("arrived last month", whisky, func(m body) { m.DispatchAt = hence(-30 * 24 * time.Hour) },
		"EMCS-043 warning scheduledDispatchAt", "EMCS-044 warning expectedJourneyTime"),
}
