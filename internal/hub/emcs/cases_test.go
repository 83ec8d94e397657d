package emcs_test

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

var traderCases = []scenario{
	{"dispatcher's number too short", whisky, func(m body) { m.DispatcherNumber = "GBWK123" }, []string{"EMCS-001 " + blocker + " dispatcherExciseNumber"}},
	{"dispatcher's number of no member state", wine, func(m body) { m.DispatcherNumber = "CH00001234567" }, []string{"EMCS-001 " + blocker + " dispatcherExciseNumber"}},
	{"dispatcher's number of Greece by its ISO code", wine, func(m body) { m.DispatcherNumber = "GR00001234567" }, []string{"EMCS-001 " + blocker + " dispatcherExciseNumber"}},
	{"dispatcher's number of Greece", wine, func(m body) { m.DispatcherNumber = "EL00001234567" }, nil},
	{"dispatcher's number with spaces", whisky, func(m body) { m.DispatcherNumber = "gbwk 0022 81023" }, nil},
	{"warehouse in place of its keeper", whisky, func(m body) { m.DispatcherNumber = "GB00002281023" }, []string{"EMCS-002 " + blocker + " dispatcherExciseNumber"}},
	{"certified consignor dispatches", whisky, func(m body) { m.DispatcherNumber = "XIPA000612157" }, []string{"EMCS-002 " + blocker + " dispatcherExciseNumber"}},
	{"unknown role dispatches", whisky, func(m body) { m.DispatcherNumber = "GBXX000612157" }, []string{"EMCS-002 " + blocker + " dispatcherExciseNumber"}},
	{"registered consignor dispatches goods from overseas", whisky, func(m body) { m.DispatcherNumber = "GBRC000612157" }, nil},
	{"French dispatcher at home", whisky, func(m body) { m.DispatcherNumber = "FR012345E0678" }, []string{"EMCS-003 " + blocker + " dispatcherExciseNumber"}},
	{"Irish dispatcher exports", tobacco, func(m body) { m.DispatcherNumber = "IE00000602078" }, []string{"EMCS-003 " + blocker + " dispatcherExciseNumber"}},
	{"warehousekeeper dispatches an import", wine, func(m body) { m.DispatcherNumber = "GBWK002281023" }, []string{"EMCS-003 " + blocker + " dispatcherExciseNumber"}},
	{"French dispatcher to Great Britain", wine, func(m body) { m.ConsigneeNumber, m.ConsigneeCountry = "GBWK240176600", "GB" }, []string{"EMCS-003 " + info + " dispatcherExciseNumber"}},
	{"consignee's number too long", whisky, func(m body) { m.ConsigneeNumber = "GBWK2401766001" }, []string{"EMCS-004 " + blocker + " consigneeExciseNumber"}},
	{"consignee abroad with a licence", tobacco, func(m body) { m.ConsigneeNumber = "CHE-123" }, []string{"EMCS-004 " + warning + " consigneeExciseNumber"}},
	{"warehouse receives", whisky, func(m body) { m.ConsigneeNumber = "GB00240176601" }, []string{"EMCS-005 " + blocker + " consigneeExciseNumber"}},
	{"registered consignor receives", wine, func(m body) { m.ConsigneeNumber = "XIRC000467015" }, []string{"EMCS-005 " + blocker + " consigneeExciseNumber"}},
	{"certified consignee receives", wine, func(m body) { m.ConsigneeNumber = "XIPB000467015" }, []string{"EMCS-005 " + blocker + " consigneeExciseNumber"}},
	{"registered consignee receives from home", whisky, func(m body) { m.ConsigneeNumber, m.ConsigneeCountry = "XIRE000467015", "XI" }, []string{"EMCS-005 " + blocker + " consigneeExciseNumber"}},
	{"no consignee's number", whisky, func(m body) { m.ConsigneeNumber = "" }, []string{"EMCS-006 " + blocker + " consigneeExciseNumber"}},
	{"no consignee's number for an import of oils", wine, func(m body) { toFuel(m); m.ConsigneeNumber = "" }, []string{"EMCS-006 " + info + " consigneeExciseNumber"}},
	{"no consignee's number in Ireland", tobacco, func(m body) { m.DispatcherNumber, m.ConsigneeCountry, m.JourneyDays = "XIWK000467015", "IE", count(2) },
		[]string{"EMCS-006 " + warning + " consigneeExciseNumber", "EMCS-014 " + info + " movementType"}},
	{"no consignee's number for an export", tobacco, func(m body) { m.ConsigneeCountry = "FR" }, nil},
	{"German consignee at home", whisky, func(m body) { m.ConsigneeNumber = "DE00000602078" }, []string{"EMCS-007 " + blocker + " consigneeExciseNumber"}},
	{"British consignee abroad", tobacco, func(m body) { m.ConsigneeNumber = "GBWK240176600" }, []string{"EMCS-007 " + warning + " consigneeExciseNumber"}},
	{"German consignee of an export", tobacco, func(m body) { m.ConsigneeNumber, m.ConsigneeCountry = "DE00000602078", "DE" }, []string{"EMCS-007 " + info + " consigneeExciseNumber"}},
	{"German consignee in France", tobacco, func(m body) {
		m.ConsigneeNumber, m.ConsigneeCountry, m.DispatcherNumber = "DE00000602078", "FR", "XIWK000467015"
	},
		[]string{"EMCS-008 " + warning + " consigneeCountry", "EMCS-014 " + info + " movementType"}},
	{"British number in Northern Ireland", whisky, func(m body) { m.ConsigneeCountry = "XI" }, []string{"EMCS-008 " + warning + " consigneeCountry"}},
	{"Northern Irish consignee written as GB", wine, func(m body) { m.ConsigneeCountry = "GB" }, nil},
	{"Greek consignee in Greece", tobacco, func(m body) {
		m.ConsigneeNumber, m.ConsigneeCountry, m.DispatcherNumber = "EL00000602078", "GR", "XIWK000467015"
	},
		[]string{"EMCS-014 " + info + " movementType"}},
	{"two names under one number", whisky, func(m body) { m.ConsigneeNumber = "gbwk002281023" }, []string{"EMCS-009 " + warning + " consigneeExciseNumber"}},
	{"own warehouses", whisky, func(m body) { m.ConsigneeNumber, m.ConsigneeName = "GBWK002281023", "SPEYSIDE BONDED STORES LTD" }, []string{"EMCS-009 " + info + " consigneeExciseNumber"}},
	{"one name under two numbers", whisky, func(m body) { m.ConsigneeName = m.DispatcherName }, nil},
	{"names to be confirmed", whisky, func(m body) { m.DispatcherName, m.ConsigneeName = "T.B.C.", "---" },
		[]string{"EMCS-010 " + warning + " dispatcherName", "EMCS-010 " + warning + " consigneeName"}},
	{"name like a placeholder", whisky, func(m body) { m.ConsigneeName = "Unknown Pleasures Wine Ltd" }, nil},
}

// toFuel turns an import into one of gas oil by ship.
func toFuel(m body) {
	m.Category, m.ProductCode, m.ProductDescription, m.Strength = emcs.EnergyOils, "E430", "Diesel, 10 ppm sulphur", nil
	m.Litres, m.PackageType, m.Packages, m.VehicleReg = n("36000"), "VL", nil, ""
}

var routeCases = []scenario{
	{"export to Northern Ireland", tobacco, func(m body) { m.ConsigneeCountry = "XI" }, []string{"EMCS-011 " + blocker + " consigneeCountry"}},
	{"export to the Isle of Man", tobacco, func(m body) { m.ConsigneeCountry = "IM" }, []string{"EMCS-011 " + blocker + " consigneeCountry"}},
	{"domestic to France", whisky, func(m body) { m.ConsigneeCountry = "FR" }, []string{"EMCS-011 " + blocker + " consigneeCountry"}},
	{"domestic to Guernsey", whisky, func(m body) { m.ConsigneeCountry = "GG" }, []string{"EMCS-011 " + blocker + " consigneeCountry"}},
	{"import to Ireland", wine, func(m body) { m.ConsigneeCountry = "IE" }, []string{"EMCS-011 " + blocker + " consigneeCountry"}},
	{"domestic without a country", whisky, func(m body) { m.ConsigneeCountry = "" }, nil},
	{"export without a country", tobacco, func(m body) { m.ConsigneeCountry = "" }, []string{"EMCS-012 " + warning + " consigneeCountry"}},
	{"to Russia", tobacco, func(m body) { m.ConsigneeCountry = "RU" }, []string{"EMCS-013 " + blocker + " consigneeCountry"}},
	{"to North Korea", tobacco, func(m body) { m.ConsigneeCountry = "KP" }, []string{"EMCS-013 " + blocker + " consigneeCountry"}},
	{"to Iran", tobacco, func(m body) { m.ConsigneeCountry = "IR" }, []string{"EMCS-013 " + blocker + " consigneeCountry"}},
	{"to Syria", tobacco, func(m body) { m.ConsigneeCountry = "SY" }, []string{"EMCS-013 " + warning + " consigneeCountry"}},
	{"to Nicaragua", tobacco, func(m body) { m.ConsigneeCountry = "NI" }, []string{"EMCS-013 " + info + " consigneeCountry"}},
	{"to Georgia", tobacco, func(m body) { m.ConsigneeCountry = "GE" }, []string{"EMCS-013 " + info + " consigneeCountry"}},
	{"to Hong Kong", tobacco, func(m body) { m.ConsigneeCountry = "HK" }, nil},
	{"from Northern Ireland to Norway", tobacco, func(m body) { m.ConsigneeCountry, m.DispatcherNumber = "NO", "XIWK000467015" }, nil},
	{"oils at home", fuel, func(m body) {
		m.Route, m.ConsigneeNumber, m.ConsigneeCountry = emcs.Domestic, "GBWK240176600", "GB"
	}, []string{"EMCS-015 " + info + " movementType"}},
	{"oils imported", wine, toFuel, nil},
}

var productCases = []scenario{
	{"code of no product", whisky, func(m body) { m.ProductCode = "S250" }, []string{"EMCS-016 " + blocker + " productCode"}},
	{"code in words", whisky, func(m body) { m.ProductCode = "whisky" }, []string{"EMCS-016 " + blocker + " productCode"}},
	{"tariff code of furniture", whisky, func(m body) { m.ProductCode = "9403409000" }, []string{"EMCS-016 " + blocker + " productCode"}},
	{"vaping products", tobacco, func(m body) { m.ProductCode = "V000" }, []string{"EMCS-016 " + warning + " productCode"}},
	{"code in small letters", whisky, func(m body) { m.ProductCode = " s200 " }, nil},
	{"tariff code of whisky", whisky, func(m body) { m.ProductCode = "2208 30 30" }, []string{"EMCS-017 " + info + " productCode"}},
	{"tariff code without an excise product", whisky, func(m body) { m.ProductCode = "22083099" }, []string{"EMCS-017 " + info + " productCode", "EMCS-045 " + warning + " productCode"}},
	{"tariff code of still wine", wine, func(m body) { m.ProductCode = "22042138" }, []string{"EMCS-017 " + info + " productCode"}},
	{"spirits as tobacco", whisky, func(m body) { m.Category = emcs.Tobacco }, []string{"EMCS-018 " + blocker + " productCode"}},
	{"tariff code of cigars as alcohol", tobacco, func(m body) {
		m.Category, m.ProductCode, m.ProductDescription = emcs.Alcohol, "24021000", "Havana cigars"
	},
		[]string{"EMCS-017 " + info + " productCode", "EMCS-018 " + blocker + " productCode", "EMCS-032 " + info + " quantityKg"}},
	{"completely denatured", whisky, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "S600", "Denatured ethanol", n("95") },
		[]string{"EMCS-019 " + blocker + " productCode", "EMCS-035 " + info + " quantityLitres"}},
	{"partly denatured", whisky, func(m body) { m.ProductCode, m.ProductDescription = "S400", "Denatured ethanol" }, nil},
	{"vague description", whisky, func(m body) { m.ProductDescription = "Alcohol" }, []string{"EMCS-020 " + warning + " productDescription"}},
	{"partly vague description", whisky, func(m body) { m.ProductDescription = "Scotch whisky, gin etc." }, []string{"EMCS-020 " + warning + " productDescription"}},
	{"description in one word", whisky, func(m body) { m.ProductDescription = "Absinthe" }, nil},
	{"beer described as whisky", whisky, func(m body) { m.ProductCode, m.Strength = "B000", n("5") }, []string{"EMCS-021 " + warning + " productDescription"}},
	{"diesel described as petrol", fuel, func(m body) { m.ProductDescription = "Unleaded petrol" }, []string{"EMCS-021 " + warning + " productDescription"}},
	{"cigars described as tobacco", tobacco, func(m body) { m.ProductDescription = "Cigars" }, []string{"EMCS-021 " + warning + " productDescription"}},
	{"beer from whisky barrels", whisky, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength = "B000", "Whisky barrel aged stout", n("9")
	}, nil},
	{"white spirit", fuel, func(m body) {
		m.ProductCode, m.ProductDescription, m.Kilograms = "E480", "White spirit", nil
	}, nil},
	{"351 characters", whisky, func(m body) { m.ProductDescription = "Whisky " + strings.Repeat("é", 344) }, []string{"EMCS-022 " + warning + " productDescription"}},
	{"350 characters", whisky, func(m body) { m.ProductDescription = "Whisky " + strings.Repeat("é", 343) }, nil},
}

var strengthCases = []scenario{
	{"no strength", whisky, func(m body) { m.Strength = nil }, []string{"EMCS-023 " + blocker + " alcoholAbv"}},
	{"no strength of tobacco", tobacco, func(m body) { m.Strength = nil }, nil},
	{"strength of 0", whisky, func(m body) { m.Strength = n("0") }, []string{"EMCS-024 " + blocker + " alcoholAbv"}},
	{"strength as a fraction", whisky, func(m body) { m.Strength = n("0.4") }, []string{"EMCS-024 " + blocker + " alcoholAbv"}},
	{"strength above 100", whisky, func(m body) { m.Strength = n("100.01") }, []string{"EMCS-024 " + blocker + " alcoholAbv"}},
	{"weak beer", whisky, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "B000", "Table beer", n("0.5") }, nil},
	{"strong beer", whisky, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "B000", "Ice beer", n("32") }, []string{"EMCS-025 " + warning + " alcoholAbv"}},
	{"wine as strong as port", wine, func(m body) { m.Strength = n("20") }, []string{"EMCS-025 " + warning + " alcoholAbv"}},
	{"strong wine", wine, func(m body) { m.Strength = n("16.5") }, nil},
	{"intermediate as strong as spirits", wine, func(m body) { m.ProductCode, m.ProductDescription, m.Strength = "I000", "Cream sherry", n("23") }, []string{"EMCS-025 " + warning + " alcoholAbv"}},
	{"canned cocktail", whisky, func(m body) { m.ProductDescription, m.Strength = "Gin and tonic in cans", n("5") }, nil},
	{"rectified spirit", whisky, func(m body) {
		m.ProductDescription, m.Strength, m.Litres, m.Kilograms, m.Packages = "Polish spirit", n("96"), n("900"), nil, count(100)
	}, nil},
	{"tariff code of many strengths", wine, func(m body) { m.ProductCode, m.Strength = "22042190", n("22") }, []string{"EMCS-017 " + info + " productCode"}},
	{"strength of diesel", fuel, func(m body) { m.Strength = n("5") }, []string{"EMCS-026 " + warning + " alcoholAbv"}},
	{"no strength of diesel, in figures", fuel, func(m body) { m.Strength = n("0") }, nil},
	{"three decimal places of strength", whisky, func(m body) { m.Strength = n("40.125") }, []string{"EMCS-027 " + warning + " alcoholAbv"}},
	{"two decimal places of strength", whisky, func(m body) { m.Strength = n("40.25") }, nil},
}

var amountCases = []scenario{
	{"no quantity", whisky, func(m body) { m.Litres, m.Kilograms = nil, nil }, []string{"EMCS-028 " + blocker + " quantityLitres"}},
	{"no quantity of tobacco", tobacco, func(m body) { m.Kilograms = nil }, []string{"EMCS-028 " + blocker + " quantityKg"}},
	{"nothing of tobacco", tobacco, func(m body) { m.Kilograms = kg("0") }, []string{"EMCS-028 " + blocker + " quantityKg"}},
	{"nothing in litres", whisky, func(m body) { m.Litres, m.Kilograms = n("0"), nil }, []string{"EMCS-028 " + blocker + " quantityLitres"}},
	{"kilograms of whisky", whisky, func(m body) { m.Litres = nil }, []string{"EMCS-029 " + warning + " quantityLitres"}},
	{"litres of propane", fuel, func(m body) {
		m.ProductCode, m.ProductDescription, m.Litres, m.Kilograms, m.PackageType = "E500", "Propane", n("30000"), nil, "VQ"
	}, []string{"EMCS-029 " + warning + " quantityKg"}},
	{"litres of tobacco", tobacco, func(m body) { m.Litres = n("400") }, []string{"EMCS-029 " + warning + " quantityLitres"}},
	{"litres of whisky alone", whisky, func(m body) { m.Kilograms = nil }, nil},
	{"four decimal places of litres", whisky, func(m body) { m.Litres = n("6300.0001") }, []string{"EMCS-030 " + warning + " quantityLitres"}},
	{"four decimal places of net mass", whisky, func(m body) { m.Kilograms = kg("5985.1234") }, nil},
	{"whisky with its bottles", whisky, func(m body) { m.Kilograms = kg("11000") }, []string{"EMCS-031 " + info + " quantityKg"}},
	{"whisky like a feather", whisky, func(m body) { m.Kilograms = kg("600") }, []string{"EMCS-031 " + warning + " quantityKg"}},
	{"whisky like lead", whisky, func(m body) { m.Kilograms = kg("31000") }, []string{"EMCS-031 " + warning + " quantityKg"}},
	{"diesel like water", fuel, func(m body) { m.Kilograms = kg("4200000") }, []string{"EMCS-031 " + warning + " quantityKg"}},
	{"cigarettes by mass", tobacco, func(m body) { m.ProductCode, m.ProductDescription = "T200", "Cigarettes, king size" }, []string{"EMCS-032 " + info + " quantityKg"}},
}

var sizeCases = []scenario{
	{"a lake of wine", wine, func(m body) { m.Litres, m.PackageType, m.Packages, m.VehicleReg = n("200000"), "VL", nil, "" },
		[]string{"EMCS-033 " + warning + " quantityLitres", "EMCS-035 " + info + " quantityLitres", "EMCS-042 " + info + " vehicleReg"}},
	{"a ship of tobacco", tobacco, func(m body) { m.Kilograms, m.VehicleReg, m.Packages = kg("30000"), "", count(3000) },
		[]string{"EMCS-033 " + warning + " quantityKg", "EMCS-035 " + info + " quantityKg"}},
	{"an ocean of oil", fuel, func(m body) { m.Litres, m.Kilograms = n("300000000"), nil }, []string{"EMCS-033 " + warning + " quantityLitres"}},
	{"a tanker of ethanol", whisky, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength, m.Litres, m.Kilograms = "S300", "Ethanol", n("96"), n("5000000"), nil
		m.Route, m.ConsigneeNumber, m.ConsigneeCountry, m.PackageType, m.Packages, m.VehicleReg = emcs.Export, "", "NO", "VL", nil, ""
	}, []string{"EMCS-035 " + info + " quantityLitres"}},
	{"a container of cigarettes", tobacco, func(m body) {
		m.ProductCode, m.ProductDescription, m.Kilograms, m.Packages = "T200", "Cigarettes", kg("9600"), count(960)
	}, []string{"EMCS-032 " + info + " quantityKg", "EMCS-035 " + info + " quantityKg"}},
	{"more than a tank of wine", wine, func(m body) { m.Litres, m.PackageType, m.Packages = n("48000"), "VL", nil },
		[]string{"EMCS-034 " + warning + " vehicleReg", "EMCS-035 " + info + " quantityLitres"}},
	{"more than a tank, in a ship", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "MT Thames Fisher", n("46000"), nil }, []string{"EMCS-042 " + info + " vehicleReg"}},
	{"more than a tank, on plates like a ship", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "MS 12345", n("46000"), nil }, []string{"EMCS-034 " + warning + " vehicleReg"}},
	{"more than a tank of diesel", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "AB24 CDE", n("46000"), nil }, []string{"EMCS-034 " + warning + " vehicleReg"}},
	{"more than a load of tobacco", tobacco, func(m body) { m.Kilograms, m.Packages = kg("33000"), count(3300) },
		[]string{"EMCS-033 " + warning + " quantityKg", "EMCS-034 " + warning + " vehicleReg", "EMCS-035 " + info + " quantityKg"}},
	{"a tank of diesel", fuel, func(m body) { m.VehicleReg, m.Litres, m.Kilograms = "AB24 CDE", n("42000"), nil }, nil},
	{"a lorry of whisky", whisky, func(m body) { m.Litres, m.Kilograms, m.Packages = n("12600"), nil, count(3000) }, []string{"EMCS-035 " + info + " quantityLitres"}},
	{"a lorry of wine at home", whisky, func(m body) {
		m.ProductCode, m.ProductDescription, m.Strength, m.Litres, m.Kilograms, m.Packages = "W200", "Merlot", n("14"), n("24000"), nil, count(2700)
	}, nil},
	{"a tank of diesel for the road", wine, func(m body) { toFuel(m); m.Litres = n("240000") }, []string{"EMCS-035 " + info + " quantityLitres"}},
}

var packageCases = []scenario{
	{"code of no package", whisky, func(m body) { m.PackageType = "QT" }, []string{"EMCS-036 " + warning + " packageType"}},
	{"package in words", whisky, func(m body) { m.PackageType = "Cartons" }, []string{"EMCS-036 " + info + " packageType"}},
	{"package in other words", whisky, func(m body) { m.PackageType = "Thingummies" }, []string{"EMCS-036 " + info + " packageType"}},
	{"package in small letters", whisky, func(m body) { m.PackageType = "ct" }, nil},
	{"no packages", whisky, func(m body) { m.PackageType, m.Packages = "", nil }, []string{"EMCS-037 " + info + " packageType"}},
	{"no kind of packages", whisky, func(m body) { m.PackageType = "" }, []string{"EMCS-037 " + warning + " packageType"}},
	{"no number of cartons", whisky, func(m body) { m.Packages = nil }, []string{"EMCS-037 " + warning + " numberOfPackages"}},
	{"0 cartons", whisky, func(m body) { m.Packages = count(0) }, []string{"EMCS-037 " + warning + " numberOfPackages"}},
	{"many liquids in bulk", whisky, func(m body) { m.PackageType = "VL" }, []string{"EMCS-037 " + info + " numberOfPackages"}},
	{"one liquid in bulk", whisky, func(m body) { m.PackageType, m.Packages = "VL", count(1) }, nil},
	{"no packages of oil", fuel, func(m body) { m.PackageType = "" }, nil},
	{"bottles like barrels", whisky, func(m body) { m.PackageType, m.Packages = "BO", count(100) }, []string{"EMCS-038 " + warning + " numberOfPackages"}},
	{"cartons like tanks", whisky, func(m body) { m.Packages = count(20) }, []string{"EMCS-038 " + warning + " numberOfPackages"}},
	{"cartons like thimbles", whisky, func(m body) { m.Packages = count(9_000_000) }, []string{"EMCS-038 " + warning + " numberOfPackages"}},
	{"butts of whisky", whisky, func(m body) { m.PackageType, m.Packages = "CK", count(13) }, nil},
	{"pallets of whisky", whisky, func(m body) { m.PackageType, m.Packages = "PX", count(10) }, nil},
	{"miniatures", whisky, func(m body) { m.PackageType, m.Packages = "BO", count(126_000) }, nil},
}

var journeyCases = []scenario{
	{"no journey", whisky, func(m body) { m.JourneyDays = nil }, []string{"EMCS-039 " + warning + " expectedJourneyTime"}},
	{"journey of hours", whisky, func(m body) { m.JourneyDays = count(0) }, []string{"EMCS-039 " + info + " expectedJourneyTime"}},
	{"journey of 46 days", tobacco, func(m body) { m.JourneyDays = count(46) }, []string{"EMCS-040 " + blocker + " expectedJourneyTime"}},
	{"journey of centuries", whisky, func(m body) { m.JourneyDays = count(999_999) }, []string{"EMCS-040 " + blocker + " expectedJourneyTime"}},
	{"six days at home", whisky, func(m body) { m.JourneyDays = count(6) }, []string{"EMCS-041 " + warning + " expectedJourneyTime"}},
	{"five days at home", whisky, func(m body) { m.JourneyDays = count(5) }, nil},
	{"eleven days from the Union", wine, func(m body) { m.JourneyDays = count(11) }, []string{"EMCS-041 " + warning + " expectedJourneyTime"}},
	{"ten days from the Union", wine, func(m body) { m.JourneyDays = count(10) }, nil},
	{"six days to Ireland", tobacco, func(m body) { m.ConsigneeCountry, m.JourneyDays = "IE", count(6) }, []string{"EMCS-041 " + warning + " expectedJourneyTime"}},
	{"four days from Belfast to Dublin", tobacco, func(m body) {
		m.DispatcherNumber, m.ConsigneeNumber, m.ConsigneeCountry, m.JourneyDays = "XIWK000467015", "IE00000602078", "IE", count(4)
	}, []string{"EMCS-014 " + info + " movementType", "EMCS-041 " + warning + " expectedJourneyTime"}},
	{"twelve days to Switzerland", tobacco, func(m body) { m.JourneyDays = count(12) }, []string{"EMCS-041 " + warning + " expectedJourneyTime"}},
	{"forty days to Australia", tobacco, func(m body) { m.ConsigneeCountry, m.JourneyDays = "AU", count(40) }, []string{"EMCS-041 " + info + " expectedJourneyTime"}},
	{"thirty days to Australia", tobacco, func(m body) { m.ConsigneeCountry, m.JourneyDays = "AU", count(30) }, nil},
	{"no vehicle at home", whisky, func(m body) { m.VehicleReg = "" }, []string{"EMCS-042 " + info + " vehicleReg"}},
	{"no vehicle abroad", tobacco, func(m body) { m.VehicleReg = "" }, nil},
	{"vehicle to be confirmed", whisky, func(m body) { m.VehicleReg = "TBC" }, []string{"EMCS-042 " + warning + " vehicleReg"}},
	{"too many vehicles", whisky, func(m body) { m.VehicleReg = strings.Repeat("AB24 CDE ", 4) + "X" }, []string{"EMCS-042 " + warning + " vehicleReg"}},
	{"vehicle without digits", whisky, func(m body) { m.VehicleReg = "Orkney Maid" }, []string{"EMCS-042 " + info + " vehicleReg"}},
	{"tractor and trailer", whisky, func(m body) { m.VehicleReg = "AB24 CDE / C123456" }, nil},
	{"no dispatch", whisky, func(m body) { m.DispatchAt = nil }, []string{"EMCS-043 " + info + " scheduledDispatchAt"}},
	{"dispatch yesterday", whisky, func(m body) { m.DispatchAt = hence(-24 * time.Hour) }, []string{"EMCS-043 " + warning + " scheduledDispatchAt"}},
	{"dispatch this morning", whisky, func(m body) { m.DispatchAt = hence(-5 * time.Hour) }, nil},
	{"dispatch in seven days", whisky, func(m body) { m.DispatchAt = hence(7 * 24 * time.Hour) }, nil},
	{"dispatch in eight days", whisky, func(m body) { m.DispatchAt = hence(8 * 24 * time.Hour) }, []string{"EMCS-043 " + info + " scheduledDispatchAt"}},
	{"dispatch in two years", whisky, func(m body) { m.DispatchAt = hence(2 * 365 * 24 * time.Hour) }, []string{"EMCS-043 " + warning + " scheduledDispatchAt"}},
	{"arrived last week", whisky, func(m body) { m.DispatchAt = hence(-7 * 24 * time.Hour) },
		[]string{"EMCS-043 " + warning + " scheduledDispatchAt", "EMCS-044 " + info + " expectedJourneyTime"}},
	{"arrived last month", whisky, func(m body) { m.DispatchAt = hence(-30 * 24 * time.Hour) },
		[]string{"EMCS-043 " + warning + " scheduledDispatchAt", "EMCS-044 " + warning + " expectedJourneyTime"}},
}
