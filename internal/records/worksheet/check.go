package worksheet

import (
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Validators holds the checks of bodies that the API uses.
type Validators struct {
	Client, Shipment, Declaration func(json.RawMessage) []apierr.Detail
}

// newRecordID stands for the ID of a record that is created when the worksheet is saved.
const newRecordID = "00000000-0000-0000-0000-000000000000"

// Errors returns all errors that prevent saving, by field.
func (s *Worksheet) Errors(v Validators) (all []apierr.Detail) {
	all = append(all, prefixFields("client", v.Client(s.ClientBody()))...)
	all = append(all, prefixFields("shipment", v.Shipment(s.ShipmentBody(newRecordID)))...)
	return append(all, v.Declaration(s.DeclarationBody(newRecordID))...)
}

func prefixFields(record string, details []apierr.Detail) []apierr.Detail {
	for i := range details {
		details[i].Field = record + "." + details[i].Field
	}
	return details
}

// StepErrors returns the errors of a step and, for goods, of an item.
func StepErrors(all []apierr.Detail, step Step, item int) (own []apierr.Detail) {
	for _, d := range all {
		if at, n := StepOf(d.Field); at == step && (step != StepGoods || n == item) {
			own = append(own, d)
		}
	}
	return own
}

// Label returns the name of a field for the beginning of a sentence.
func Label(path string) string {
	record, rest, nested := strings.Cut(path, ".")
	fields := GeneralFields
	switch {
	case record == "client":
		fields = ClientFields
	case record == "shipment":
		fields = ShipmentFields
	case strings.HasPrefix(record, "items"):
		fields = ItemFields
	case strings.HasPrefix(record, "documents"):
		fields = DocumentFields
	}
	if !nested {
		rest = record
	}
	name, _, _ := strings.Cut(rest, "[")
	for _, f := range fields {
		if f.Name == name {
			return f.phrase()
		}
	}
	switch record {
	case "items":
		return "The list of goods"
	case "documents":
		return "The list of documents"
	}
	return path
}

// phrase returns the label of a field for a sentence.
func (f Field) phrase() string {
	if short, ok := phrases[f.Name]; ok {
		return short
	}
	label, _, _ := strings.Cut(f.Label, " (")
	return "The " + lowerFirst(label)
}

// phrases are the names of fields whose label is a question or needs its context.
var phrases = map[string]string{
	"transportMode": "How the goods cross the border", "expectedArrival": "The arrival", "description": "The description of the goods",
	"portOfEntry": "The UK port or airport", "role": "What the client does", "eori": "The EORI number", "vatNumber": "The VAT registration number",
	"carrierEori": "The EORI number of the carrier", "arrived": "Whether the goods have been presented", "transportId": "The number of the vessel, flight or vehicle",
	"transportNationality": "The country of registration", "reference": "The number or reference", "counterpartyName": "The name of the business abroad",
	"counterpartyCountry": "The country of the business abroad", "counterpartyAddress": "The street of the business abroad",
	"counterpartyCity": "The city of the business abroad", "counterpartyPostcode": "The postcode of the business abroad",
	"declarationType": "Import or export",
}

func lowerFirst(label string) string { return strings.ToLower(label[:1]) + label[1:] }
