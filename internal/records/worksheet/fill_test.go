package worksheet_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// read extracts a document of the labelled set.
func read(t *testing.T, name string) extract.Extraction {
	t.Helper()
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range all {
		if strings.HasSuffix(sample.Name, name) {
			x, err := extract.New().Extract(t.Context(), extract.Request{File: sample.File, DocumentType: extract.DocumentType(sample.Type)})
			if err != nil {
				t.Fatal(err)
			}
			x.Convert(func(string) (duty.Rate, bool) { return duty.Rate{}, false }) // no rates are imported
			return x
		}
	}
	t.Fatalf("document %s not found", name)
	return extract.Extraction{}
}

// An invoice fills in goods, seller, buyer and port, each value with its position and confidence.
func TestFill(t *testing.T) {
	s := worksheet.NewImport("x")
	s.Fill(read(t, "inv-in"), "")
	if !s.Imports() || len(s.Items) != 2 || s.Document != "invoice" || len(s.Notes) == 0 {
		t.Fatalf("%+v", s)
	}
	for _, c := range []struct {
		part        *worksheet.Part
		name, value string
		where       bool
	}{
		{&s.Items[0], "description", "Black pepper, whole", true},
		{&s.Items[0], "commodityCode", "09041110", true},
		{&s.Items[1], "countryOfOrigin", "IN", true},
		{&s.Shipment, "counterpartyName", "Malabar Spice Traders Pvt Ltd", true},
		{&s.Shipment, "counterpartyCountry", "IN", true},
		{&s.Shipment, "counterpartyCity", "Kochi", true},
		{&s.Shipment, "counterpartyPostcode", "682002", true},
		{&s.Shipment, "counterpartyAddress", "Door 14/220, Bazaar Road", true},
		{&s.Shipment, "incoterm", "CIF", true},
		{&s.Client, "name", "Hearth & Sons Foods Ltd", true},
		{&s.Client, "postcode", "BS1 6UT", true},
		{&s.Documents[0], "type", "N935", false},
		{&s.Documents[0], "reference", "MST/EXP/0912", true},
	} {
		f := c.part.Found[c.name]
		if c.part.Get(c.name) != c.value || c.where && (f.Value != c.value || f.Text == "" || f.Location == "" || f.Confidence <= 0 || f.Confidence > 100) {
			t.Errorf("%s is %q, found %+v", c.name, c.part.Get(c.name), f)
		}
	}
	value := s.Items[0].Found["customsValueGbp"]
	if s.Items[0].Get("customsValueGbp") != "" || value.Text != "USD 61000" || value.Location == "" {
		t.Errorf("an amount in dollars is %q, found %+v", s.Items[0].Get("customsValueGbp"), value)
	}
}

// Values that were typed before stay; the document's values are kept beside them.
func TestFillKeepsWhatWasTyped(t *testing.T) {
	s := worksheet.NewImport("x")
	s.Shipment.Set("incoterm", "FOB")
	s.Items[0].Set("description", "Pepper")
	s.Fill(read(t, "inv-in"), "")
	if s.Shipment.Get("incoterm") != "FOB" || s.Shipment.Found["incoterm"].Value != "CIF" || len(s.Items) != 3 || s.Items[0].Get("description") != "Pepper" {
		t.Errorf("%+v", s)
	}
}

// A port in a document becomes its code. The port of the voyage has priority over the place of the
// delivery term.
func TestFillPort(t *testing.T) {
	text := func(value string) *extract.Text {
		return &extract.Text{Value: value, Confidence: 90, Found: extract.Place{Page: 1, Line: 2, Text: value}}
	}
	for _, c := range []struct {
		port, place *extract.Text
		want        string
		sure        int
	}{
		{text("FELIXSTOWE, UK"), nil, "GBFXT", 90},
		{text("Ipswich"), nil, "Ipswich", 90},
		{nil, text("Dover"), "GBDVR", 45},
		{text("Hull"), text("Dover"), "GBHUL", 90},
		{nil, text("Ningbo"), "", 0},
	} {
		s := worksheet.NewImport("x")
		s.Fill(extract.Extraction{Document: extract.TradeDocument{DocumentType: extract.Invoice, PortOfDischarge: c.port, IncotermPlace: c.place}}, "")
		if got := s.Shipment.Get("portOfEntry"); got != c.want || s.Shipment.Found["portOfEntry"].Confidence != c.sure {
			t.Errorf("%v and %v: %q, %+v", c.port, c.place, got, s.Shipment.Found["portOfEntry"])
		}
	}
}

// A document without values leaves the worksheet unchanged.
func TestFillWithNothing(t *testing.T) {
	s := worksheet.NewImport("x")
	x, err := extract.New().Extract(t.Context(), extract.Request{File: []byte("no values\n"), DocumentType: extract.Invoice})
	if err != nil {
		t.Fatal(err)
	}
	s.Fill(x, "")
	if len(s.Items) != 1 || !s.Items[0].Empty() || !s.Client.Empty() {
		t.Errorf("%+v", s)
	}
}

// Every document of the labelled set fills in a valid worksheet.
func TestFillOfEveryDocument(t *testing.T) {
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range all {
		x, err := extract.New().Extract(t.Context(), extract.Request{File: sample.File, DocumentType: extract.DocumentType(sample.Type)})
		if err != nil {
			continue // not readable; rejected earlier
		}
		s := worksheet.NewImport("x")
		s.Fill(x, "")
		written, err := s.Encode()
		if err != nil {
			t.Errorf("%s: %v", sample.Name, err)
			continue
		}
		if _, err := worksheet.Decode(written); err != nil || len(s.Items) == 0 {
			t.Errorf("%s: %v, %d items", sample.Name, err, len(s.Items))
		}
	}
}
