package wco_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

func encode(t testing.TB, d wco.Declaration) []byte {
	t.Helper()
	document, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// Every kind of declaration that the service makes is valid against HMRC's schema,
// whatever prose is in it.
func TestEncodedIsValid(t *testing.T) {
	var documents [][]byte
	for _, d := range examples() {
		documents = append(documents, encode(t, d))
	}
	for seed := range uint64(40) {
		documents = append(documents, encode(t, generated(seed)))
	}
	documents = append(documents, encode(t, withItems(999)))
	mustBeValid(t, submitSchema, documents)
}

// What is written is read back as it was, with the places filled in that were left empty.
func TestEncodedIsReadBack(t *testing.T) {
	for name, want := range examples() {
		t.Run(name, func(t *testing.T) {
			got, err := wco.Decode(encode(t, want))
			if err != nil {
				t.Fatal(err)
			}
			for i := range want.Consignment.Itinerary {
				want.Consignment.Itinerary[i].SequenceNumeric = wco.Count(i + 1)
			}
			item := &want.GoodsShipment.GovernmentAgencyGoodsItem[0]
			item.SequenceNumeric, item.Packaging[0].SequenceNumeric = "1", "1"
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// The same declaration is the same bytes, and Append leaves what is in the buffer.
func TestEncodeIsDeterministic(t *testing.T) {
	d := generated(7)
	first := encode(t, d)
	appended, err := d.Append([]byte("before"))
	if err != nil || string(appended) != "before"+string(first) {
		t.Errorf("appended %.80s, %v", appended, err)
	}
	if !bytes.Equal(first, encode(t, d)) {
		t.Error("a second time it is other bytes")
	}
}

// The envelope is the one that CDS knows.
func TestEnvelope(t *testing.T) {
	document := string(encode(t, wco.Declaration{FunctionCode: wco.FunctionOriginal}))
	want := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<md:MetaData xmlns:md="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2" xmlns="urn:wco:datamodel:WCO:DEC-DMS:2">` +
		`<md:WCODataModelVersionCode>3.6</md:WCODataModelVersionCode><md:WCOTypeName>DEC</md:WCOTypeName>` +
		`<md:ResponsibleCountryCode>GB</md:ResponsibleCountryCode><md:ResponsibleAgencyName>HMRC</md:ResponsibleAgencyName>` +
		`<md:AgencyAssignedCustomizationVersionCode>v2.1</md:AgencyAssignedCustomizationVersionCode>` +
		`<Declaration><FunctionCode>9</FunctionCode></Declaration></md:MetaData>` + "\n"
	if document != want {
		t.Errorf("got %s", document)
	}
}

// Prose loses what XML cannot hold, has single spaces and ends at the schema's
// length; nothing empty is written.
func TestProse(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"markup":          {`a < b && "c" > 'd'`, `<Description>a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'</Description>`},
		"white space":     {" a\r\n\tb\u00a0 c\u2028", `<Description>a b c</Description>`},
		"controls":        {"a\x00b\x1bc\uFFFEd", `<Description>abcd</Description>`},
		"broken UTF-8":    {"a\xffb\xed\xa0\x80c", `<Description>abc</Description>`},
		"replacement":     {"a\uFFFDb", "<Description>a\uFFFDb</Description>"},
		"nothing":         {" \n\x01 ", ``},
		"exactly 512":     {strings.Repeat("é", 512), "<Description>" + strings.Repeat("é", 512) + "</Description>"},
		"cut at 512":      {strings.Repeat("é", 513), "<Description>" + strings.Repeat("é", 512) + "</Description>"},
		"cut at a space":  {strings.Repeat("a", 511) + " b", "<Description>" + strings.Repeat("a", 511) + "</Description>"},
		"cut, then short": {strings.Repeat("&", 600), "<Description>" + strings.Repeat("&amp;", 512) + "</Description>"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := wco.Declaration{FunctionCode: wco.FunctionOriginal}
			d.GoodsShipment.GovernmentAgencyGoodsItem = []wco.GovernmentAgencyGoodsItem{{Commodity: wco.Commodity{Description: test.text}}}
			_, rest, _ := strings.Cut(string(encode(t, d)), "<SequenceNumeric>1</SequenceNumeric>")
			got, _, _ := strings.Cut(rest, "</GovernmentAgencyGoodsItem>")
			got = strings.TrimSuffix(strings.TrimPrefix(got, "<Commodity>"), "</Commodity>")
			if got != test.want {
				t.Errorf("got %.100q, want %.100q", got, test.want)
			}
		})
	}
}

// What the schema cannot hold is an error that names the field, never invalid XML.
func TestEncodeNamesTheField(t *testing.T) {
	const item = "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/"
	tests := map[string]struct {
		path   string
		reason error
		spoil  func(d *wco.Declaration, item *wco.GovernmentAgencyGoodsItem)
	}{
		"no function": {"Declaration/FunctionCode", wco.ErrMissing,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) { d.FunctionCode = " " }},
		"function unheard of": {"Declaration/FunctionCode", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) { d.FunctionCode = "8" }},
		"reference too long": {"Declaration/FunctionalReferenceID", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
				d.FunctionalReferenceID = strings.Repeat("A", 36)
			}},
		"EORI too long": {"Declaration/AuthorisationHolder[2]/ID", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
				d.AuthorisationHolder[1].ID = "GB2393550530001234"
			}},
		"country": {"Declaration/Exporter/Address/CountryCode", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) { d.Exporter.Address.CountryCode = "NOR" }},
		"country of digits": {"Declaration/GoodsShipment/Destination/CountryCode", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
				d.GoodsShipment.Destination.CountryCode = "44"
			}},
		"currency": {item + "Commodity/InvoiceLine/ItemChargeAmount@currencyID", wco.ErrInvalid,
			func(_ *wco.Declaration, item *wco.GovernmentAgencyGoodsItem) {
				item.Commodity.InvoiceLine.ItemChargeAmount.Currency = "£"
			}},
		"no number": {item + "Commodity/GoodsMeasure/GrossMassMeasure", wco.ErrInvalid,
			func(_ *wco.Declaration, item *wco.GovernmentAgencyGoodsItem) {
				item.Commodity.GoodsMeasure.GrossMassMeasure.Value = "1e3"
			}},
		"too fine": {item + "Commodity/GoodsMeasure/NetNetWeightMeasure", wco.ErrInvalid,
			func(_ *wco.Declaration, item *wco.GovernmentAgencyGoodsItem) {
				item.Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "0.0000001"
			}},
		"too large": {item + "StatisticalValueAmount", wco.ErrInvalid,
			func(_ *wco.Declaration, item *wco.GovernmentAgencyGoodsItem) {
				item.StatisticalValueAmount.Value = "12345678901234.567"
			}},
		"half a package": {item + "Packaging[1]/QuantityQuantity", wco.ErrInvalid,
			func(_ *wco.Declaration, item *wco.GovernmentAgencyGoodsItem) {
				item.Packaging[0].QuantityQuantity = "1.5"
			}},
		"method of payment": {item + "Commodity/DutyTaxFee[2]/Payment/MethodCode", wco.ErrInvalid,
			func(_ *wco.Declaration, item *wco.GovernmentAgencyGoodsItem) {
				item.Commodity.DutyTaxFee[1].Payment.MethodCode = "EE"
			}},
		"container": {"Declaration/GoodsShipment/Consignment/ContainerCode", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
				d.GoodsShipment.Consignment.ContainerCode = "2"
			}},
		"date without format": {"Declaration/AcceptanceDateTime/DateTimeString@formatCode", wco.ErrMissing,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
				d.AcceptanceDateTime.Value = "20261121093000Z"
			}},
		"date": {"Declaration/AcceptanceDateTime/DateTimeString", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
				d.AcceptanceDateTime = wco.DateTime{Value: "21 November 2026", Format: "304"}
			}},
		"too many items": {"Declaration/GoodsShipment/GovernmentAgencyGoodsItem", wco.ErrInvalid,
			func(d *wco.Declaration, _ *wco.GovernmentAgencyGoodsItem) {
				d.GoodsShipment.GovernmentAgencyGoodsItem = make([]wco.GovernmentAgencyGoodsItem, 1000)
			}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := withItems(2)
			test.spoil(&d, &d.GoodsShipment.GovernmentAgencyGoodsItem[1])
			document, err := d.Encode()
			var fault *wco.ElementError
			if !errors.As(err, &fault) {
				t.Fatalf("got %.200s, %v", document, err)
			}
			if fault.Path != test.path || !errors.Is(err, test.reason) || fault.Line != 0 {
				t.Errorf("got %v, want %s: %v", err, test.path, test.reason)
			}
		})
	}
}

// A request to cancel is valid against the schema that HMRC has for nothing else.
func TestCancellationIsValid(t *testing.T) {
	d := wco.Cancellation("TW26NOV0000000003", "26GBA4ZYBWXU1BSA00", wco.CancelDuplicate, "Entered twice & in error")
	document := encode(t, d)
	got, err := wco.Decode(document)
	if err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("read back as %+v, %v", got, err)
	}
	mustBeValid(t, cancelSchema, [][]byte{document})
	mustBeValid(t, submitSchema, [][]byte{document})
}
