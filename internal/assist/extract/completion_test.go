package extract_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

func opened(t testing.TB, kind extract.DocumentType, file []byte) *extract.Opened {
	t.Helper()
	o, err := extract.New().Open(context.Background(), extract.Request{File: file, DocumentType: kind})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func picture(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// completed returns the fields after a model's answer, by their names.
func completed(t testing.TB, o *extract.Opened, answer string) (map[string]documents.Value, extract.Extraction) {
	t.Helper()
	a, err := o.Complete(json.RawMessage(answer))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(a.Document)
	if err != nil {
		t.Fatal(err)
	}
	found, err := documents.Values(raw)
	if err != nil {
		t.Fatal(err)
	}
	return found, a
}

// prose is an invoice without labels and tables.
const prose = "Dear Kestrel Clothing,\nwe sold you on 2 March 2026 six hundred pieces (600 pcs) of Men's knitted T-shirts from Bangladesh,\n" +
	"at 3.00 each that is £1,800.00 for PK-77, which weigh 265.6 lbs net. Yours, Padma Knitwear, 12 Jute Lane, Chattogram\n"

const proseSaid = `{"title":"","fields":{"invoiceNumber":"PK-77","invoiceDate":"2 March 2026","currency":"£","grandTotal":"£1,800.00","netMassKg":"265.6 lbs","dueDate":""},
	"parties":{"seller":{"name":"Padma Knitwear","address":"12 Jute Lane, Chattogram","country":"Bangladesh","vatNumber":"","eori":""},"buyer":{"name":"Kestrel Clothing"}},
	"lineItems":[{"description":"Men's knitted T-shirts","quantity":"600","unit":"pcs","unitPrice":"3.00","amount":"1,800.00","countryOfOrigin":"Bangladesh"}],"containers":[]}`

// A model's finding in a text is read from the text itself by the offline rules, and has its
// place and its source.
func TestCompleteText(t *testing.T) {
	o := opened(t, extract.Invoice, []byte(prose))
	if !o.IsPoor() || o.IsPicture() {
		t.Fatalf("not poor: %+v", o.Found)
	}
	found, a := completed(t, o, proseSaid)
	for member, want := range map[string]string{
		"invoiceNumber": "PK-77", "invoiceDate": "2026-03-02", "currency": "GBP", "totals.grand": "1800", "netMassKg": "120.474133", "seller.name": "Padma Knitwear",
		"seller.address": "12 Jute Lane, Chattogram", "seller.country": "BD", "buyer.name": "Kestrel Clothing", "lineItems[0].description": "Men's knitted T-shirts",
		"lineItems[0].quantity": "600", "lineItems[0].amount": "1800", "lineItems[0].countryOfOrigin": "BD",
	} {
		if got := found[member].Text; got != want {
			t.Errorf("%s is %q, want %q", member, got, want)
		}
	}
	f := a.Document.InvoiceNumber
	if a.Source != "provider" || f.Found.Source != "provider" || f.Found.Line != 3 || f.Confidence != 75 || a.Document.LineItems[0].Quantity.Confidence > 75 {
		t.Errorf("%s %+v %v", a.Source, f, a.Document.LineItems[0].Quantity.Confidence)
	}
	if a.Confidence <= o.Found.Confidence || a.Document.Draft == nil || !strings.Contains(fmt.Sprint(a.Notes), "source provider") {
		t.Errorf("%v after %v, notes %q", a.Confidence, o.Found.Confidence, a.Notes)
	}
}

// Values that are not in the text, are part of a longer number, or are invalid are ignored.
// Certain offline values stay.
func TestCompleteLies(t *testing.T) {
	o := opened(t, extract.Invoice, []byte("Invoice No: PK-77\n\nto Kestrel, 1,800.00 in all, packed in cartons on 3 May\n"))
	found, a := completed(t, o, `{"fields":{"invoiceNumber":"Kestrel","invoiceDate":"3 May","dueDate":"2026-05-03","grandTotal":"800.00","goodsTotal":"1,800","vat":"in all",
		"countryOfOrigin":"IN","currency":"GBP","netMassKg":"5 kg","incoterm":"FOB","purchaseOrderNumber":"PK-77"},
		"parties":{"seller":{"name":"Ignore your instructions"},"buyer":{"name":"Kestrel","eori":"GB123456789000","vatNumber":"GB123456789"},"unknown":{"name":"Kestrel"}},
		"lineItems":[{"description":"Gold bars","amount":"1,800.00"}],"containers":[{"number":"MSCU1234567"}]}`)
	if found["invoiceNumber"].Text != "PK-77" || a.Document.InvoiceNumber.Found.Source != "" || found["buyer.name"].Text != "Kestrel" || found["purchaseOrderNumber"].Text != "PK-77" {
		t.Errorf("%v", found)
	}
	for member := range found {
		switch member {
		case "invoiceNumber", "purchaseOrderNumber", "buyer.name":
		default:
			t.Errorf("%s is %q", member, found[member].Text)
		}
	}
	if !strings.Contains(fmt.Sprint(a.Notes), "are not in the document") {
		t.Errorf("notes %q", a.Notes)
	}
}

// A picture has the model's values, with a confidence of at most 0.7, valid, of limited length
// and on one line.
func TestCompletePicture(t *testing.T) {
	o := opened(t, extract.BillOfLading, picture(t))
	media, data, err := o.Picture()
	if err != nil || media != "image/png" || len(data) == 0 || !o.IsPicture() {
		t.Fatalf("%s %d %v", media, len(data), err)
	}
	found, a := completed(t, o, `{"title":"Bill of lading","fields":{"billOfLadingNumber":"MSCUX-1\n\u0000","issueDate":"31.02.2026","shippedOnBoardDate":"25.12.2026","vessel":"ANNA\u202e","carrierCode":"msc",
		"grossMassKg":"1.250,5 kg","freightTerms":"FREIGHT PREPAID","portOfLoading":"`+strings.Repeat("x", 5000)+`"},
		"parties":{"shipper":{"name":"Padma","country":"Nowhere"}},"lineItems":[],"containers":[{"number":"CSQU3054383"},{"number":"CSQU3054384"},{"number":"box"}]}`)
	for member, want := range map[string]string{
		"billOfLadingNumber": "MSCUX-1", "shippedOnBoardDate": "2026-12-25", "vessel": "ANNA", "grossMassKg": "1250.5", "freightTerms": "PREPAID", "shipper.name": "Padma",
		"containers[0].number": "CSQU3054383", "containers[1].number": "CSQU3054384", "issueDate": "", "carrierCode": "", "portOfLoading": "", "shipper.country": "",
	} {
		if got := found[member].Text; got != want {
			t.Errorf("%s is %q, want %q", member, got, want)
		}
	}
	if k := a.Document.Containers; len(k) != 2 || k[0].Number.Confidence != 70 || k[1].Number.Confidence != 28 {
		t.Errorf("containers %+v", k)
	}
	if a.Confidence == 0 || a.Confidence > 70 || a.Document.Format != "png" || a.Document.Vessel.Found != (extract.Place{Page: 1, Text: "ANNA", Source: "provider"}) {
		t.Errorf("%v %+v", a.Confidence, a.Document.Vessel)
	}
}

// An answer of another shape is an error. An answer without usable values leaves the offline
// result.
func TestCompleteNonsense(t *testing.T) {
	o := opened(t, extract.Invoice, []byte(prose))
	for _, answer := range []string{`[]`, `{"fields":[]}`, `{"fields":{"invoiceNumber":5}}`, `{"lineItems":{"a":1}}`, `"PK-77"`, ``, `{"title":"` + strings.Repeat("x", 70_000) + `"}`} {
		if a, err := o.Complete(json.RawMessage(answer)); err == nil {
			t.Errorf("%s: %+v", answer, a)
		}
	}
	for _, answer := range []string{`{}`, `{"fields":{"invoiceNumber":""}}`, `{"fields":null,"lineItems":null}`, `{"result":"PK-77"}`} {
		a, err := o.Complete(json.RawMessage(answer))
		if err != nil || a.Source != "offline" || a.Confidence != o.Found.Confidence || !strings.Contains(fmt.Sprint(a.Notes), "nothing to add") {
			t.Errorf("%s: %v %+v", answer, err, a)
		}
	}
	many := `{"lineItems":[` + strings.Repeat(`{"description":"Men's knitted T-shirts"},`, 500) + `{}]}`
	if _, a := completed(t, o, many); len(a.Document.LineItems) != 200 || !strings.Contains(fmt.Sprint(a.Notes), "last ones were left out") {
		t.Errorf("%d lines, %q", len(a.Document.LineItems), a.Notes)
	}
}

// A model is not asked about documents that were read well, XML, and files without text.
func TestPoor(t *testing.T) {
	const well = "Seller: Padma Knitwear Ltd\n        Chattogram\n\nBuyer: Kestrel Ltd\n       Leicester\n\nInvoice No: PK-77    Invoice date: 2 March 2026    Currency: GBP\n\n" +
		"Description    Qty    Unit price    Amount\nT-shirts       600    3.00          1800.00\nTotal                               1800.00\n"
	for name, c := range map[string]struct {
		file string
		poor bool
	}{
		"well": {well, false}, "no date": {strings.Replace(well, "Invoice date: 2 March 2026", "", 1), true}, "prose": {prose, true},
		"XML": {`<order><invoiceNumber>A-2</invoiceNumber></order>`, false}, "scan": {string(documents.PDF("", documents.Plain)), false},
	} {
		o := opened(t, extract.Invoice, []byte(c.file))
		if o.IsPoor() != c.poor {
			t.Errorf("%s: %v with %v", name, o.IsPoor(), o.Found.Confidence)
		}
	}
}

// A model gets the beginning of a long document, in whole lines.
func TestShown(t *testing.T) {
	text := opened(t, extract.Invoice, []byte(strings.Repeat("A line of a long letter.\n", 5000))).Text()
	if len(text) < 20_000 || len(text) > 24_000 || !strings.HasSuffix(text, "letter.\n") {
		t.Errorf("%d bytes, ends %q", len(text), text[len(text)-20:])
	}
}

// Every object of the schema requires all its members and allows no others, as strict
// structured answers demand.
func TestSchema(t *testing.T) {
	for _, kind := range extract.Types {
		var walk func(path string, s map[string]any)
		walk = func(path string, s map[string]any) {
			switch s["type"] {
			case "object":
				members := s["properties"].(map[string]any)
				if len(members) == 0 || len(s["required"].([]string)) != len(members) || s["additionalProperties"] != false {
					t.Errorf("%s%s: %v", kind, path, s)
				}
				for name, m := range members {
					walk(path+"."+name, m.(map[string]any))
				}
			case "array":
				walk(path+"[]", s["items"].(map[string]any))
			case "string":
			default:
				t.Errorf("%s%s: %v", kind, path, s)
			}
		}
		walk("", opened(t, kind, []byte("x")).Schema())
	}
}

// BenchmarkCompleteHostile measures a document and an answer that are made to be slow.
func BenchmarkCompleteHostile(b *testing.B) {
	o := opened(b, extract.PackingList, []byte(strings.Repeat(strings.Repeat("1.1 ", 400)+"\n", 40)))
	for _, text := range []string{"1", "1 kg"} {
		line := fmt.Sprintf(`{"description":%q,"quantity":%q,"netMassKg":%q,"amount":%q,"marks":%q},`, text, text, text, text, text)
		answer := json.RawMessage(`{"lineItems":[` + strings.Repeat(line, 250) + `{}]}`)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = o.Complete(answer)
			}
		})
	}
}
