package fields

import "slices"

func declarationRows() []row {
	return slices.Concat(kindRows(), headerParties(), journeyRows(), headerDocuments(), headerPayment(), headerOffices(), labelRows(), []row{itemRow()})
}

func kindRows() []row {
	return in(Kind,
		code("declarationType", "Import or export", "1/1", "directions").own(),
		code("dataSet", "Data set", "", "dataSets").own().help("What the declaration must contain when you submit it"),
		code("additionalType", "Additional declaration type", "1/2", "additionalTypes"),
		code("declarationCode", "Declaration type", "1/1", "declarationTypes").help("IM or EX by the direction if it is empty"),
		code("fill", "What the service may add", "", "fills").own().help("Known values with a data set, usual ones without"),
		text("shipmentId", "Shipment", "").own(),
		text("supplements", "The simplified declaration that this one completes", "").own().help("Its id. The service adds its MRN and its acceptance"),
		texts("without", "Members that the service must not add", "").own().help("Such as seller or items[].taxLines"),
		moment("taxPointAt", "Date of acceptance", "5/31").own().help("The tax point of a supplementary declaration: a date, or a date and time such as 2025-03-26T11:22:00Z"),
		number("goodsItemCount", "Total number of items", "1/9"),
		text("specificCircumstances", "Specific circumstance indicator", "1/7"),
		group("authentication", "Signature", "1/8", text("text", "Signature", "1/8"), text("name", "Name of the signatory", "1/8")),
		text("issueLocation", "Place of issue", ""),
		number("loadingListCount", "Number of loading lists", ""),
		number("totalGrossMassKg", "Total gross mass (kg)", "6/5").help("Instead of the gross mass of each item"),
		number("totalPackages", "Total packages", "6/18"),
	)
}

func headerParties() []row {
	return in(Parties,
		trader("importer", "Importer", "3/15", "3/16"),
		trader("declarant", "Declarant", "3/17", "3/18"),
		group("representation", "Representative", "3/19 3/20 3/21",
			code("type", "Representative status", "3/21", "representations"), text("name", "Name", "3/19").help("Only of a representative who is not the declarant"),
			text("eori", "EORI number", "3/20").help("Only of a representative who is not the declarant"),
			group("address", "Address", "3/19", addressRows("3/19")...)),
		roles("supplyChainActors", "Additional supply chain actors", "3/37", "supplyChainRoles"),
		roles("fiscalReferences", "Additional fiscal references", "3/40", "fiscalRoles"),
		party("submitter", "Submitter", "", ""),
		party("payer", "Payer", "", ""),
		party("surety", "Surety", "", ""),
	)
}

// journeyRows are the fields that a shipment and a declaration have in common.
func journeyRows() []row {
	return slices.Concat(
		in(Parties,
			trader("exporter", "Exporter", "3/1", "3/2"), trader("seller", "Seller", "3/24", "3/25"), trader("buyer", "Buyer", "3/26", "3/27"),
			party("consignee", "Consignee", "3/9", "3/10"), party("consignor", "Consignor", "", "")),
		in(Transport, transportRow(), locationRow(),
			group("loadingPlace", "Place of loading", "5/21", text("code", "Code of the place", "5/21").help("UN/LOCODE or airport, such as CNSHA"),
				text("name", "Name of the place", "5/21")),
			country("dispatchCountry", "Country of dispatch or export", "5/14"), destination()),
		in(Containers, list("equipment", "Containers and seals", "7/10 7/18",
			text("container", "Container identification number", "7/10"), list("seals", "Seals", "7/18", text("id", "Seal number", "7/18"), sequence("")),
			sequence(""))),
		in(Valuation, deliveryRow()),
		in(Previous, ucr()),
		in(Safety, safetyRow()),
	)
}

func transportRow() row {
	means := func(path, label, element string) row {
		return group(path, label, both(element, "7/5"),
			code("idType", "Type of identification", element, "meansTypes"),
			text("id", "Identification", element).help("Such as the IMO number, the flight or the registration"),
			code("inlandMode", "Inland mode of transport", "7/5", "modes"), text("name", "Name", ""), text("type", "Type of vehicle", ""))
	}
	return group("transport", "Transport", "7/4 7/5 7/7 7/9 7/14 7/15",
		group("border", "At the border", "7/4 7/14 7/15",
			code("mode", "Mode of transport at the border", "7/4", "modes"), code("idType", "Type of identification", "7/14", "meansTypes"),
			text("id", "Identity of active means of transport crossing the border", "7/14"),
			country("nationality", "Nationality of active means of transport crossing the border", "7/15"),
			text("name", "Name", ""), text("type", "Type of vehicle", "")),
		means("arrival", "On arrival", "7/9"), means("departure", "On departure", "7/7"))
}

func locationRow() row {
	const element = "5/23"
	return group("location", "Location of goods", element,
		country("country", "Country", element), code("type", "Type of location", element, "locationTypes"),
		code("qualifier", "Qualifier of identification", element, "locationQualifiers"),
		text("name", "Identification of location", element).help("The code or authorisation after the first four characters"),
		text("id", "Additional identifier", element),
		text("line", "Street and number", element), text("city", "Town or city", element), text("postcode", "Postcode", element))
}

func deliveryRow() row {
	const element = "4/1"
	return group("deliveryTerms", "Delivery terms", element,
		code("incoterm", "Incoterm", element, "incoterms"), text("place", "UN/LOCODE of the place", element),
		text("placeName", "Place in words", element).help("With the country, where there is no UN/LOCODE"),
		text("relationship", "Relationship code", ""), text("description", "Terms in words", ""))
}

func safetyRow() row {
	carrier := party("carrier", "Carrier", "3/31", "3/32")
	carrier.of = append(carrier.of, communication())
	charges := func() row {
		return code("transportCharges", "Transport charges method of payment", "4/2", "transportCharges")
	}
	return group("security", "Safety and security", "3/7 3/31 3/32 4/2 5/18",
		carrier, safetyParty("consignor", "Consignor", "3/7"), charges(),
		list("itinerary", "Countries of routing", "5/18", country("country", "Country", "5/18"), sequence("")),
		list("items", "Data of single items", "3/7 4/2", safetyParty("consignor", "Consignor", "3/7"), charges(), sequence("")))
}

func headerDocuments() []row {
	documents := list("documents", "Documents for all items", "2/3",
		code("type", "Document code", "2/3", "documentTypes"), text("reference", "Reference", "2/3"), text("status", "Status", "2/3").help("Such as AC"))
	return slices.Concat(
		in(Documents, documents, statements("Additional information").help("Customs allows only RRS01 for the whole declaration"),
			group("invoice", "Invoice of the shipment", "", text("number", "Number", ""), moment("issuedAt", "Date", ""))),
		in(Previous, previousDocuments()))
}

func headerPayment() []row {
	authorisations := list("authorisations", "Holder of the authorisation", "3/39", code("type", "Type of authorisation", "3/39", "authorisations"),
		text("holder", "EORI number of the holder", "3/39"))
	deferment := list("deferredPayments", "Deferred payment", "2/6",
		text("account", "Account number", "2/6").help("7 digits of a deferment account"), text("type", "Kind of account", "2/6").help("DAN"),
		text("category", "Category", "2/6").help("1"))
	guarantees := list("guarantees", "Guarantees", "8/2 8/3",
		code("type", "Guarantee type", "8/2", "guarantees"), text("reference", "Guarantee reference", "8/3").help("Or Guaranteenotrequired"),
		text("otherReference", "Account or other reference", "8/3"),
		amount("amount", "Amount covered", "8/3"), text("accessCode", "Access code", "8/3"), text("office", "Office of guarantee", "8/3"))
	rates := list("exchangeRates", "Exchange rates", "4/15",
		code("currency", "Currency", "4/15", "currencies"), number("rate", "Units of the currency for one pound", "4/15"),
		code("source", "Source", "", "rateSources").own().help("Only a rate of a contract is declared"),
		text("on", "Day of the rate", "").own(), text("evidence", "Document that fixes the rate", "").own())
	return slices.Concat(
		in(Authorisations, authorisations, deferment, guarantees),
		in(Valuation, amount("invoiceTotal", "Total amount invoiced", "4/10 4/11"), rates, charges("Additions and deductions", "4/9"),
			amount("freightCharge", "Postal or freight charge", "4/19"), transactionNature()))
}

func headerOffices() []row {
	return slices.Concat(
		in(Offices, group("warehouse", "Identification of warehouse", "2/7", code("type", "Type of warehouse", "2/7", "warehouses"), text("id", "Number", "2/7")),
			text("presentationOffice", "Customs office of presentation", "5/26"),
			text("supervisingOffice", "Supervising customs office", "5/27").help("Such as GBLBA001"),
			text("exitOffice", "Customs office of exit", "5/12").help("Such as GB000060"), moment("exitAt", "When the goods leave", ""),
			text("declarationOffice", "Office of declaration", "")),
		in(Containers, yesNo("containerised", "Container", "7/2").help("Whether the goods are in containers")))
}

// labelRows are the caller's own reference and metadata.
func labelRows() []row {
	return in(Own, text("reference", "Your reference", "").own(), yesNo("uniqueReference", "No other record may have this reference", "").own(),
		row{Field: Field{Path: "metadata", Label: "Metadata", Type: Free}}.own())
}
