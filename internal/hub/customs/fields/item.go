package fields

import "slices"

// itemRow is the list of items. Members with a short and a full form have both.
func itemRow() row {
	return row{
		Field: Field{Path: "items[]", Label: "Items", Elements: "1/6", Type: List, Section: Goods},
		of:    slices.Concat(goodsRows(), goodsFullRows(), itemParties(), itemDocuments(), itemValuation()),
	}
}

func goodsRows() []row {
	return in(Goods,
		text("description", "Description of goods", "6/8"),
		text("commodityCode", "Commodity code", "6/14 6/15").help("10 digits for an import, 8 for an export"),
		code("procedureCode", "Procedure", "1/10", "procedures").help("Requested and previous procedure, such as 4000"),
		texts("additionalProcedureCodes", "Additional procedures", "1/11").help("Such as 000"),
		country("countryOfOrigin", "Country of origin", "5/15"),
		text("preferentialOrigin", "Country of preferential origin", "5/16").help("A country, or a group of countries such as EU"),
		code("preferenceCode", "Preference", "4/17", "preferences"),
		text("quotaOrderNumber", "Quota order number", "8/1").help("6 digits, such as 094067"),
		number("netMassKg", "Net mass (kg)", "6/1"), number("grossMassKg", "Gross mass (kg)", "6/5"),
		number("quantity", "Quantity", "6/2").help("In the supplementary unit of the commodity or, if it has none, the number of pieces"),
		number("supplementaryUnits", "Supplementary units", "6/2").help("Where the quantity is not a whole number"),
		text("supplementaryUnit", "Unit of the supplementary units", "6/2").help("Only where it must be declared"),
		number("packageCount", "Number of packages", "6/10"), code("packageType", "Type of packages", "6/9", "packages"),
		texts("taricAdditionalCodes", "TARIC additional codes", "6/16"), texts("nationalAdditionalCodes", "National additional codes", "6/17").help("Such as VATZ"),
		text("cusCode", "CUS code", "6/13").help("Of a chemical"), texts("dangerousGoods", "UN Dangerous Goods Codes", "6/12"),
		text("productCode", "Product code", "").own().help("Of a product of the client, which fills in what is empty"),
		number("number", "Goods item number", "1/6").help("Only if it is not the position in the list"),
	)
}

func goodsFullRows() []row {
	return in(Goods,
		list("packages", "Packages", "6/9 6/10 6/11",
			code("type", "Type of packages", "6/9", "packages"),
			number("count", "Number of packages", "6/10").help("0 if the goods share a package with another item"), text("marks", "Shipping marks", "6/11"),
			text("material", "Material", ""), number("length", "Length", ""), number("width", "Width", ""), number("height", "Height", ""),
			measure("volume", "Volume", ""), sequence("")),
		list("classifications", "Classifications in full form", "6/13 6/14 6/15 6/16 6/17", text("id", "Code", "6/14"),
			code("type", "Kind of code", "6/14", "classifications")).help("Instead of the commodity code and the additional codes"),
		list("procedures", "Procedures in full form", "1/10 1/11", text("current", "Requested or additional procedure", "1/10"),
			text("previous", "Previous procedure", "1/10")).help("Instead of the procedure and the additional procedures"),
		list("origins", "Origins in full form", "5/15 5/16", text("country", "Country or group of countries", "5/15"), text("region", "Region", ""),
			code("type", "Kind of origin", "5/15", "origins")).help("Instead of the country of origin and of preferential origin"),
	)
}

func itemParties() []row {
	return slices.Concat(
		in(Parties, trader("seller", "Seller", "3/24", "3/25"), trader("buyer", "Buyer", "3/26", "3/27"), party("consignee", "Consignee", "3/9", "3/10"),
			party("consignor", "Consignor", "", ""),
			roles("supplyChainActors", "Additional supply chain actors", "3/37", "supplyChainRoles"),
			roles("fiscalReferences", "Additional fiscal references", "3/40", "fiscalRoles")),
		in(Transport, country("dispatchCountry", "Country of dispatch or export", "5/14"), destination()),
		in(Containers, list("containers", "Containers", "7/10", text("id", "Container identification number", "7/10"), sequence(""))),
		in(Previous, previousDocuments(), ucr()),
	)
}

func itemDocuments() []row {
	return in(Documents,
		list("documents", "Documents produced, certificates and authorisations", "2/3",
			code("type", "Document code", "2/3", "documentTypes").help("Four characters, such as N935"), text("reference", "Reference", "2/3"),
			text("status", "Status", "2/3").help("Such as AC"),
			text("reason", "Reason", "2/3").help("If the status requires one"),
			text("category", "Category", "2/3").help("Only where the code does not begin with it"), moment("date", "Date of validity", "2/3"),
			group("issuer", "Issuing authority", "2/3", text("name", "Name", "2/3"), text("role", "Role", "")),
			group("writeOff", "Writing-off", "8/7", measure("quantity", "Quantity written off", "8/7"), amount("amount", "Amount written off", "8/7"))),
		statements("Additional information"))
}

func itemValuation() []row {
	return in(Valuation,
		number("customsValueGbp", "Customs value (£)", "").own().help("For the estimate of duty and VAT, and for the values that the service may compute"),
		amount("itemPrice", "Item price", "4/14"), code("valuationMethod", "Valuation method", "4/16", "valuationMethods"),
		text("valuationIndicators", "Valuation indicators", "4/13").help("Four digits 0 or 1, such as 0000"), charges("Additions and deductions", "4/9"),
		amount("customsValue", "Intrinsic value", "4/18"), amount("statisticalValue", "Statistical value", "8/6"), transactionNature(),
		list("taxLines", "Calculation of taxes", "4/3 4/4 4/6 4/7 4/8",
			code("type", "Tax type", "4/3", "taxes"), code("methodOfPayment", "Method of payment", "4/8", "payments"),
			amount("baseAmount", "Tax base, amount", "4/4"), measure("baseQuantity", "Tax base, quantity", "4/4"),
			number("rate", "Tax rate", "4/5"), amount("payable", "Payable tax amount", "4/6"), amount("assessed", "Total", "4/7"), amount("deduction", "Deduction", ""),
			code("preferenceCode", "Preference", "4/17", "preferences").help("Where it is not on the first line"),
			text("quotaOrderNumber", "Quota order number", "8/1").help("Where it is not on the first line")))
}
