package fields

import "slices"

// shipmentRows are the fields of a shipment: short ones, and those that it shares with declarations.
func shipmentRows() []row {
	short := in(Transport,
		text("clientId", "Client", "").own(), code("transportMode", "Mode of transport at the border", "7/4", "transportModes"),
		text("portOfEntry", "UK port or airport", "").own().help("Its code or name, such as GBFXT for Felixstowe"),
		text("vesselName", "Vessel, flight, vehicle or train", "7/14"),
		moment("expectedArrival", "Expected arrival", "").own(), yesNo("arrived", "The goods have been presented to customs", "").own(),
		text("goodsLocation", "Goods location code", "5/23").help("Such as GBAUFXTFXTFXT; empty means the port"),
		text("transportId", "Number of the vessel, flight or vehicle", "7/9 7/14"),
		country("transportNationality", "Country of registration", "7/15"), country("countryOfDispatch", "Country of dispatch", "5/14"),
		country("countryOfDestination", "Country of destination", "5/8"),
		code("incoterm", "Incoterm", "4/1", "incoterms"), text("incotermLocation", "UN/LOCODE of the delivery terms", "4/1"),
		texts("containers", "Container numbers", "7/10"),
		text("counterpartyName", "Name of the business abroad", "3/1 3/9").help("The exporter of an import, the consignee of an export"),
		text("counterpartyAddress", "Its street", "3/1 3/9"),
		text("counterpartyCity", "Its city", "3/1 3/9"), text("counterpartyPostcode", "Its postcode", "3/1 3/9"),
		country("counterpartyCountry", "Its country", "3/1 3/9"),
		text("carrierEori", "EORI number of the carrier", "3/32").help("Of an export"),
		text("exitOffice", "Customs office of exit", "5/12").help("Of an export, such as GB000060"),
	)
	return slices.Concat(short, journeyRows(), labelRows())
}

func clientRows() []row {
	who := in(Parties,
		text("name", "Name", ""), text("eori", "EORI number", "3/2 3/16").help("GB and 12 digits, such as GB123456789000"),
		text("vatNumber", "VAT registration number", "3/40"),
		text("email", "Email address", ""), text("phone", "Telephone number", ""), text("addressLine1", "Address line 1", ""),
		text("addressLine2", "Address line 2", ""), text("city", "Town or city", ""),
		text("postcode", "Postcode", ""), country("country", "Country", ""), text("contactName", "Name of the contact", ""),
		code("role", "What the client does", "", "clientRoles"),
		text("reference", "Your reference", ""), code("representation", "How you represent the client", "3/21", "representations"))
	return slices.Concat(who, termsRows(), in(Own, yesNo("uniqueReference", "No other record may have this reference", ""),
		row{Field: Field{Path: "metadata", Label: "Metadata", Type: Free}}))
}

func organisationRows() []row {
	who := in(Parties,
		text("eori", "EORI number", "3/18").help("GB and 12 digits, such as GB123456789000"),
		text("vatNumber", "VAT registration number", "").help("GB and 9 digits, such as GB123456789"),
		text("addressLine1", "Address line 1", ""), text("addressLine2", "Address line 2", ""), text("city", "Town or city", ""),
		text("postcode", "Postcode", ""), country("country", "Country", ""),
		text("contactName", "Name of the contact", ""), text("contactEmail", "Email address of the contact", ""),
		code("representation", "How you represent your clients", "3/21", "ownRepresentations"))
	return slices.Concat(who, termsRows(), in(Authorisations,
		yesNo("postponedVat", "Account for import VAT on the VAT return", ""),
		yesNo("guaranteeRequired", "A comprehensive guarantee covers the deferment account", "")))
}

// termsRows are what a client or an organisation agrees on with customs for all declarations.
func termsRows() []row {
	validity := func() []row {
		return []row{text("validFrom", "First day", ""), text("validUntil", "Last day", "").help("Empty if it does not end")}
	}
	guarantee := append([]row{
		code("type", "Guarantee type", "8/2", "guarantees"), text("reference", "Guarantee reference", "8/3"),
		text("otherReference", "Account or other reference", "8/3"), amount("amount", "Amount covered", "8/3"),
		text("accessCode", "Access code", "8/3").help("It is stored encrypted and shown as ****"), text("office", "Office of guarantee", "8/3"),
	}, validity()...)
	authorisation := append([]row{
		code("type", "Type of authorisation", "3/39", "authorisations"), text("number", "Number", "2/3").help("It becomes the reference of the document"),
		text("holder", "EORI number of the holder", "3/39").help("The EORI of this record if it is empty"),
	}, append(validity(),
		text("supervisingOffice", "Supervising customs office", "5/27"),
		group("warehouse", "Warehouse", "2/7", code("type", "Type of warehouse", "2/7", "warehouses"), text("id", "Number", "2/7")),
		text("dischargePeriod", "Period for discharge", "").help("Such as P6M for six months, from the tax point"),
		texts("procedures", "Requested procedures that it covers", "").help("Such as 71; all if it is empty"),
		texts("commodities", "Commodities that it covers", "").help("The first digits of their codes; all if it is empty"))...)
	return slices.Concat(
		in(Parties, text("xiEori", "EORI number for Northern Ireland", "").help("XI and 12 digits"),
			group("representationAuthority", "Written authority for the representation", "", text("from", "First day", ""), text("until", "Last day", "").help("Empty if it does not end"),
				text("reference", "Your reference of it", "")),
			text("ukims", "UK Internal Market Scheme authorisation", "")),
		in(Authorisations,
			code("paymentMethod", "Method of payment", "4/8", "payments"),
			code("vatAccounting", "Import VAT", "", "vatAccounting").help("Postponed accounting needs a VAT number"),
			text("defermentAccount", "Duty deferment account", "2/6").help("7 digits"),
			code("defermentAuthority", "Authority to charge the deferment account", "", "defermentAuthorities"),
			text("vatDefermentAccount", "Deferment account for VAT", "2/6").help("7 digits"), list("guarantees", "Guarantees", "8/2 8/3", guarantee...),
			list("authorisations", "Authorisations held", "3/39", authorisation...)))
}
