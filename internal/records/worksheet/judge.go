package worksheet

import (
	"encoding/json"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Judge says what is wrong with bodies, as it would be said to a program that sends them.
type Judge struct {
	Client, Shipment, Declaration func(json.RawMessage) []apierr.Detail
}

// unknown stands for a record that is made when the worksheet is saved.
const unknown = "00000000-0000-0000-0000-000000000000"

// Faults are all that keeps a worksheet from being saved, by field.
func (s *Sheet) Faults(j Judge) (all []apierr.Detail) {
	all = append(all, beneath("client", j.Client(s.ClientBody()))...)
	all = append(all, beneath("shipment", j.Shipment(s.ShipmentBody(unknown)))...)
	return append(all, j.Declaration(s.DeclarationBody(unknown))...)
}

func beneath(record string, details []apierr.Detail) []apierr.Detail {
	for i := range details {
		details[i].Field = record + "." + details[i].Field
	}
	return details
}

// FaultsOf are those that belong to a step and, among the goods, to an item.
func FaultsOf(all []apierr.Detail, step Step, item int) (own []apierr.Detail) {
	for _, d := range all {
		if at, n := At(d.Field); at == step && (step != Goods || n == item) {
			own = append(own, d)
		}
	}
	return own
}

// Label is what a field is called where something is said of it.
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
			return f.said()
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

// said is the label of a field in a sentence, without its question mark.
func (f Field) said() string {
	if short, ok := spoken[f.Name]; ok {
		return short
	}
	label, _, _ := strings.Cut(f.Label, " (")
	return "The " + lower(label)
}

// spoken are the names of fields whose label is a question.
var spoken = map[string]string{
	"transportMode": "How the goods cross the border", "expectedArrival": "The arrival", "description": "The description of the goods",
	"portOfEntry": "The UK port or airport", "role": "What the client does", "eori": "The EORI number", "vatNumber": "The VAT registration number",
	"carrierEori": "The EORI number of the carrier", "arrived": "Whether the goods have been presented", "transportId": "The number of the vessel, flight or vehicle",
	"transportNationality": "The country of registration", "reference": "The number or reference", "counterpartyName": "The name of the business abroad",
	"counterpartyCountry": "The country of the business abroad", "counterpartyAddress": "The street of the business abroad",
	"counterpartyCity": "The city of the business abroad", "counterpartyPostcode": "The postcode of the business abroad",
	"declarationType": "Import or export",
}

func lower(label string) string { return strings.ToLower(label[:1]) + label[1:] }
