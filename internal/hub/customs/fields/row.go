package fields

// The functions below make rows. Their order of arguments is path, label, data elements.

func text(path, label, elements string) row {
	return row{Field: Field{Path: path, Label: label, Elements: elements, Type: Text}}
}

func number(path, label, elements string) row { return text(path, label, elements).as(Number) }
func yesNo(path, label, elements string) row  { return text(path, label, elements).as(YesNo) }
func moment(path, label, elements string) row { return text(path, label, elements).as(Moment) }
func texts(path, label, elements string) row  { return text(path, label, elements).as(Texts) }

// code is a text with a list of its values.
func code(path, label, elements, list string) row {
	r := text(path, label, elements)
	r.List = list
	return r
}

func group(path, label, elements string, of ...row) row {
	r := text(path, label, elements).as(Group)
	r.of = of
	return r
}

func list(path, label, elements string, of ...row) row {
	r := text(path+"[]", label, elements).as(List)
	r.of = of
	return r
}

// entryLabels are the labels of entries of lists, by the name of the list.
var entryLabels = map[string]string{
	"items": "Item", "equipment": "Container", "seals": "Seal", "itinerary": "Country of routing", "documents": "Document", "previousDocuments": "Previous document",
	"authorisations": "Authorisation", "deferredPayments": "Deferment account", "guarantees": "Guarantee", "exchangeRates": "Exchange rate",
	"valuationAdjustments": "Addition or deduction", "supplyChainActors": "Supply chain actor", "fiscalReferences": "Fiscal reference", "additionalInformation": "Statement",
	"packages": "Kind of packages", "classifications": "Classification", "procedures": "Procedure", "origins": "Origin", "containers": "Container", "taxLines": "Tax line",
}

func (r row) as(t Type) row {
	r.Type = t
	return r
}

func (r row) help(text string) row {
	r.Help = text
	return r
}

// own marks a row as one that customs does not receive as it stands.
func (r row) own() row {
	r.Service = true
	return r
}

// in sets the section of rows.
func in(s Section, rows ...row) []row {
	for i := range rows {
		rows[i].Section = s
	}
	return rows
}

// sequence is the number of an entry in its list.
func sequence(elements string) row {
	return number("number", "Sequence number", elements).help("Only if it is not the position in the list")
}

func country(path, label, elements string) row { return code(path, label, elements, "countries") }

func amount(path, label, elements string) row {
	return group(path, label, elements, number("amount", "Amount", elements), code("currency", "Currency", elements, "currencies").help("Three letters, such as GBP"))
}

func measure(path, label, elements string) row {
	return group(path, label, elements, number("value", "Quantity", elements), text("unit", "Unit", elements).help("With its qualifier if it has one, such as KGM#G"))
}

func addressRows(elements string) []row {
	return []row{
		text("line", "Street and number", elements), text("city", "Town or city", elements), text("postcode", "Postcode", elements),
		country("country", "Country", elements),
		text("subdivisionCode", "Code of the region", ""), text("subdivisionName", "Name of the region", ""),
	}
}

// party is a person by EORI, or by name and address.
func party(path, label, name, eori string) row {
	return group(path, label, both(name, eori),
		text("eori", "EORI number", eori).help("It stands for name and address"), text("name", "Name", name), group("address", "Address", name, addressRows(name)...))
}

// trader is a party with contact data, which no data set of the United Kingdom has.
func trader(path, label, name, eori string) row {
	r := party(path, label, name, eori)
	r.of = append(r.of, text("contactName", "Name of the contact", ""), communication())
	return r
}

// communication is a way to reach a person, which no data set of the United Kingdom has.
func communication() row {
	return group("communication", "Telephone or other contact", "", text("id", "Number or address", ""), text("type", "Kind of contact", "").help("TE for telephone"))
}

// safetyParty is a party of safety and security data.
func safetyParty(path, label, elements string) row {
	return group(path, label, elements,
		text("eori", "EORI number", elements), text("name", "Name", elements), group("address", "Address", elements, append(addressRows(elements),
			text("type", "Type of the address", ""))...))
}

// both joins data elements.
func both(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + " " + b
}

func roles(path, label, element, list string) row {
	id := "EORI number"
	if list == "fiscalRoles" {
		id = "VAT number"
	}
	return rowsOf(path, label, element, text("id", id, element), code("role", "Role", element, list))
}

// rowsOf is list, for use where a parameter has its name.
func rowsOf(path, label, elements string, of ...row) row { return list(path, label, elements, of...) }

func charges(label, elements string) row {
	return list("valuationAdjustments", label, elements, code("code", "Type of addition or deduction", elements, "charges"), amount("amount", "Amount", elements))
}

func statements(label string) row {
	const element = "2/2"
	return list("additionalInformation", label, element, text("code", "Code", element).help("Such as 00500 or NIREM"), text("text", "Text", element),
		text("type", "Type of the statement", ""))
}

func previousDocuments() row {
	const element = "2/1"
	return list("previousDocuments", "Previous documents", element,
		code("category", "Category", element, "previousCategories"),
		text("type", "Type", element).help("DCR for a DUCR, MCR for a MUCR, SDE for a simplified declaration"),
		text("reference", "Reference", element).help("Such as the DUCR, or the MRN of a simplified declaration"), number("goodsItem", "Item of that document", element))
}

func ucr() row {
	const element = "2/4"
	return group("ucr", "Reference number (UCR)", element, text("reference", "Unique consignment reference", element),
		text("traderReference", "Your own reference", element))
}

func destination() row {
	const element = "5/8"
	return group("destination", "Country of destination", element, country("country", "Country", element), text("region", "Region", ""))
}

func transactionNature() row {
	return code("transactionNature", "Nature of transaction", "8/5", "transactions")
}
