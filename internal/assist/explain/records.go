package explain

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Records are the records of a stored declaration as JSON, and the document that was sent to
// CDS.
type Records struct {
	DeclarationID, ShipmentID, ClientID         string
	Declaration, Shipment, Client, Organisation []byte
	Assigned                                    []byte // what the service added to the declaration, such as its LRN
	Document                                    []byte // XML; nil for none
}

// inputs are the fields that a caller fills in; all others follow from them.
var inputs = []string{
	"declarationType", "documents", "documents[]", "documents[].reference", "documents[].status", "documents[].type",
	"items", "items[]", "items[].additionalProcedureCodes[]", "items[].commodityCode", "items[].countryOfOrigin", "items[].customsValueGbp",
	"items[].description", "items[].grossMassKg", "items[].netMassKg", "items[].packageCount", "items[].packageType",
	"items[].preferenceCode", "items[].procedureCode", "items[].quantity", "items[].supplementaryUnits",
	"items[].additionalInformation[]", "items[].additionalInformation[].code", "items[].additionalInformation[].text", "items[].quotaOrderNumber",
	"items[].valuationIndicators", "items[].valuationMethod",
	"shipment.carrierEori", "shipment.containers[]", "shipment.counterpartyAddress", "shipment.counterpartyCity", "shipment.counterpartyCountry",
	"shipment.counterpartyName", "shipment.counterpartyPostcode", "shipment.countryOfDestination", "shipment.countryOfDispatch", "shipment.exitOffice",
	"shipment.goodsLocation", "shipment.incoterm", "shipment.incotermLocation", "shipment.portOfEntry", "shipment.transportId",
	"shipment.transportMode", "shipment.transportNationality", "shipment.vesselName", "shipment",
	"client", "client.addressLine1", "client.city", "client.country", "client.eori", "client.name", "client.postcode", "client.vatNumber",
	"organisation", "organisation.addressLine1", "organisation.city", "organisation.country", "organisation.defermentAccount", "organisation.eori",
	"organisation.postcode", "organisation.representation", "organisation.vatNumber",
}

// IsInput reports whether a caller fills a field in.
func IsInput(field string) bool { return slices.Contains(inputs, skeleton(field)) }

// request is the API request that changes a field of a stored declaration.
func (r *Records) request(field string) string {
	if r == nil || !IsInput(field) {
		return ""
	}
	record, _, _ := strings.Cut(field, ".")
	switch record {
	case "organisation":
		return "PATCH /api/organisation"
	case "client":
		return "PATCH /api/clients/" + r.ClientID
	case "shipment":
		return "PATCH /api/shipments/" + r.ShipmentID
	}
	return "PATCH /api/declarations/" + r.DeclarationID
}

// fill sets the current values: from the records, and from the document for values that the
// service added.
func (r *Records) fill(cases []explainedError) {
	if r == nil {
		return
	}
	read := map[string]any{}
	wanted := map[string]string{}
	each(cases, func(s *place) {
		if s.at == nil {
			return
		}
		s.Value = r.value(read, s.Field)
		s.readable = s.Value != nil || s.at[len(s.at)-1].Tag != ""
		if s.readable && s.Value == nil {
			wanted[inDocument(s.at)] = ""
		}
	})
	if len(wanted) == 0 {
		return
	}
	readTexts(r.Document, wanted)
	each(cases, func(s *place) {
		if s.readable && s.Value == nil && wanted[inDocument(s.at)] != "" {
			value := oneLine(wanted[inDocument(s.at)], maxValue)
			s.Value = &value
		}
	})
}

func each(cases []explainedError, do func(*place)) {
	for i := range cases {
		for n := range cases[i].places {
			do(&cases[i].places[n])
		}
	}
}

// value returns a field's value; nil for none.
func (r *Records) value(read map[string]any, path string) *string {
	record, rest, _ := strings.Cut(path, ".")
	source := r.Declaration
	switch record {
	case "organisation":
		source = r.Organisation
	case "client":
		source = r.Client
	case "shipment":
		source = r.Shipment
	case "lrn", "mrn", "ducr":
		source, rest = r.Assigned, path
	default:
		record, rest = "declaration", path
	}
	if _, done := read[record]; !done {
		read[record] = decoded(source)
	}
	return valueText(walk(read[record], rest))
}

// walk follows a path such as items[1].netMassKg.
func walk(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		name, index, indexed := strings.Cut(name, "[")
		object, _ := v.(map[string]any)
		v = object[name]
		if indexed {
			list, _ := v.([]any)
			n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
			if err != nil || n < 0 || n >= len(list) {
				return nil
			}
			v = list[n]
		}
	}
	return v
}

// valueText returns a value as text; for a list its length.
func valueText(v any) *string {
	var text string
	switch v := v.(type) {
	case string:
		text = oneLine(v, maxValue)
	case json.Number:
		text = oneLine(v.String(), maxValue)
	case bool:
		text = strconv.FormatBool(v)
	case []any:
		text = strconv.Itoa(len(v))
	default:
		return nil
	}
	return &text
}
