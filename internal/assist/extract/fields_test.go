package extract_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

func extracted(t testing.TB, kind extract.DocumentType, file []byte) extract.Extraction {
	t.Helper()
	a, err := extract.New().Extract(context.Background(), extract.Request{File: file, DocumentType: kind})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// values returns the values of all fields of an invoice in text form, by their names.
func values(t testing.TB, text string) (map[string]documents.Value, extract.Extraction) {
	t.Helper()
	a := extracted(t, extract.Invoice, []byte(text))
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

// Dates are read in British, continental and American notation and in ISO 8601; other texts
// are ignored.
func TestDates(t *testing.T) {
	for written, want := range map[string]string{
		"2026-04-03": "2026-04-03", "2026/4/3": "2026-04-03", "20260403": "2026-04-03", "3 April 2026": "2026-04-03", "3rd April, 2026": "2026-04-03",
		"03-Apr-26": "2026-04-03", "April 3, 2026": "2026-04-03", "Apr 3rd 2026": "2026-04-03", "03.04.2026": "2026-04-03", "3. April 2026": "2026-04-03",
		"3 avril 2026": "2026-04-03", "1er mai 2026": "2026-05-01", "3 de abril de 2026": "2026-04-03", "3 kwietnia 2026": "2026-04-03", "25/12/2026": "2026-12-25",
		"12/25/2026": "2026-12-25", "29.02.2028": "2028-02-29", "2026年4月3日": "2026-04-03",
		"29.02.2026": "", "31/31/2026": "", "soon": "", "2026": "", "13.13.2026": "",
	} {
		found, _ := values(t, "Invoice No: A-1\nInvoice date: "+written+"\n")
		if got := found["invoiceDate"].Text; got != want {
			t.Errorf("%q is read as %q, want %q", written, got, want)
		}
	}
}

// An ambiguous date is decided by the other dates of the document, then by the sender's
// country. In the latter case a note says so and the confidence is lower.
func TestDoubtfulDates(t *testing.T) {
	for _, c := range []struct {
		text, want string
		noted      bool
	}{
		{"Invoice date: 03/04/2026\nDue date: 25/04/2026", "2026-04-03", false},
		{"Invoice date: 03/04/2026\nDue date: 04/25/2026", "2026-03-04", false},
		{"Seller: Mesa LLC\n        Austin, TX 78701\n        USA\n\nInvoice date: 03/04/2026", "2026-03-04", true},
		{"Seller: Mesa Ltd\n        York YO1 8SL\n        United Kingdom\n\nInvoice date: 03/04/2026", "2026-04-03", true},
		{"Invoice date: 04/04/2026", "2026-04-04", false},
	} {
		found, a := values(t, "Invoice No: A-1\n"+c.text+"\n")
		noted := strings.Contains(strings.Join(a.Notes, " "), "other way round")
		if got := found["invoiceDate"]; got.Text != c.want || noted != c.noted || noted == (got.Confidence > 0.8) {
			t.Errorf("%q: %v, notes %q", c.text, got, a.Notes)
		}
	}
}

// Amounts are read in every notation and never rounded.
func TestAmounts(t *testing.T) {
	for written, want := range map[string]string{
		"1,234.56": "1234.56", "1.234,56": "1234.56", "1 234,56": "1234.56", "1'234.56": "1234.56", "12,34,567.50": "1234567.5", "£1,234.56": "1234.56",
		"EUR 1.234,56": "1234.56", "1.234,56 €": "1234.56", "0.10": "0.1", "1234": "1234", "12,5": "12.5", "USD 99": "99", "1.234.567,00": "1234567",
		"n/a": "", "see below": "",
	} {
		found, _ := values(t, "Invoice No: A-1\nGrand total: "+written+"\n")
		if got := found["totals.grand"].Text; got != want {
			t.Errorf("%q is read as %q, want %q", written, got, want)
		}
	}
	// The other numbers of the document decide what 1.234 means.
	for other, want := range map[string]string{"Freight: 12,50": "1234", "Freight: 12.50": "1.234"} {
		found, _ := values(t, "Invoice No: A-1\n"+other+"\nGross weight: 1.234 kg\n")
		if got := found["grossMassKg"].Text; got != want {
			t.Errorf("beside %q 1.234 is read as %q, want %q", other, got, want)
		}
	}
}

// Masses are converted to kilograms from any unit.
func TestMasses(t *testing.T) {
	for written, want := range map[string]string{
		"12.5 kg": "12.5", "12,5 kgs": "12.5", "12500 g": "12.5", "1.5 t": "1500", "2 MT": "2000", "10 lbs": "4.535924", "12.5": "12.5", "0 kg": "",
	} {
		found, _ := values(t, "Invoice No: A-1\nNet weight: "+written+"\n")
		if got := found["netMassKg"].Text; got != want {
			t.Errorf("%q is read as %q, want %q", written, got, want)
		}
	}
}

const table = "Seller: Malt Ltd\n        Leith EH6 6JJ\n        United Kingdom\nBuyer: Vino GmbH\n       Am Markt 3\n       Germany\nCurrency: %s\nInvoice No: A-1\n\n" +
	"Description      HS code       Qty     Unit price     Amount      Net weight kg\n" +
	"Whisky           2208308200    10      20.00          200.00      7.5\n" +
	"Malt extract     1901          2.5     4.00           10.00       \n" +
	"Total                                                 %s\n"

func invoice(currency, total string) string {
	return strings.Replace(strings.Replace(table, "%s", currency, 1), "%s", total, 1)
}

// The draft has the document's values for a declaration, the source of each member, and the
// missing members. Values are in pounds or missing.
func TestDraft(t *testing.T) {
	_, a := values(t, invoice("GBP", "210.00"))
	draft, err := json.Marshal(a.Document.Draft)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"body":{"declarationType":"EXPORT","items":[` +
		`{"commodityCode":"2208308200","description":"Whisky","netMassKg":7.5,"customsValueGbp":200,"quantity":10},` +
		`{"description":"Malt extract","customsValueGbp":10}],"documents":[{"type":"N935","reference":"A-1"}]},` +
		`"sources":[{"field":"declarationType","source":"seller.country","confidence":0.96},` +
		`{"field":"items[0].commodityCode","source":"lineItems[0].commodityCode","confidence":0.97},{"field":"items[0].description","source":"lineItems[0].description","confidence":0.97},` +
		`{"field":"items[0].netMassKg","source":"lineItems[0].netMassKg","confidence":0.97},{"field":"items[0].customsValueGbp","source":"lineItems[0].amount","confidence":0.98},` +
		`{"field":"items[0].quantity","source":"lineItems[0].quantity","confidence":0.98},` +
		`{"field":"items[1].description","source":"lineItems[1].description","confidence":0.97},{"field":"items[1].customsValueGbp","source":"lineItems[1].amount","confidence":0.98},` +
		`{"field":"documents[0].reference","source":"invoiceNumber","confidence":0.97}],` +
		`"missing":["shipmentId","items[1].commodityCode","items[1].netMassKg"]}`
	if string(draft) != want {
		t.Errorf("draft is\n%s\nwant\n%s", draft, want)
	}
	_, a = values(t, invoice("EUR", "210.00"))
	for _, i := range a.Document.Draft.Body.Items {
		if i.CustomsValueGBP != nil {
			t.Errorf("a value of %s pounds out of euros", i.CustomsValueGBP)
		}
	}
	a.Convert(func(string) (duty.Rate, bool) { return duty.Rate{}, false })
	if !strings.Contains(strings.Join(a.Notes, " "), "no exchange rate of EUR") || a.Document.Draft.Conversions != nil {
		t.Errorf("notes %q", a.Notes)
	}
}

// Prices in another currency are converted at the rate of the month, and the draft has the working.
func TestDraftInAnotherCurrency(t *testing.T) {
	_, a := values(t, invoice("EUR", "210.00"))
	a.Convert(func(currency string) (duty.Rate, bool) {
		return duty.Rate{Units: quantity.MustNumber("1.1"), Source: "HMRC_MONTHLY", Period: "2026-11-01/2026-11-30"}, currency == "EUR"
	})
	draft, err := json.Marshal(a.Document.Draft)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"netMassKg":7.5,"customsValueGbp":181.82,"itemPrice":{"amount":200,"currency":"EUR"}`, `"customsValueGbp":9.09,"itemPrice":{"amount":10,"currency":"EUR"}`,
		`"conversions":[{"field":"items[0].customsValueGbp","amount":200,"currency":"EUR","rate":1.1,"source":"HMRC_MONTHLY","period":"2026-11-01/2026-11-30","amountGbp":181.82}`,
		`"missing":["shipmentId","items[1].commodityCode","items[1].netMassKg"]`, `{"field":"items[0].customsValueGbp","source":"lineItems[0].amount","confidence":0.`,
	} {
		if !strings.Contains(string(draft), want) {
			t.Errorf("the draft lacks %s:\n%s", want, draft)
		}
	}
	if !strings.Contains(strings.Join(a.Notes, " "), "converted at HMRC's rate of the month: 1.1 EUR for one pound") {
		t.Errorf("notes %q", a.Notes)
	}
}

// Every member of a draft is a member of a declaration with the same name and format, and
// every source is a field of the document.
func TestDraftsFit(t *testing.T) {
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	engine := extract.New()
	for _, s := range all {
		doc := document(t, read(t, engine, s))
		found, err := documents.Values(doc)
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			Draft struct {
				Body    json.RawMessage
				Sources []struct{ Field, Source string }
			}
		}
		if err := json.Unmarshal(doc, &d); err != nil {
			t.Fatal(err)
		}
		if d.Draft.Body == nil {
			continue
		}
		strict := json.NewDecoder(strings.NewReader(string(d.Draft.Body)))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&customs.Declaration{}); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		for _, source := range d.Draft.Sources {
			if _, ok := found[source.Source]; !ok {
				t.Errorf("%s: %s comes from %s, which is not there", s.Name, source.Field, source.Source)
			}
		}
	}
}

// Numbers that do not add up get a note and less confidence.
func TestTotalsAreChecked(t *testing.T) {
	sound, a := values(t, invoice("GBP", "210.00"))
	wrong, b := values(t, invoice("GBP", "310.00"))
	if sound["totals.grand"].Confidence < 0.9 || wrong["totals.grand"].Confidence > 0.7 || b.Confidence >= a.Confidence {
		t.Errorf("confidence %v and %v, in all %d and %d", sound["totals.grand"], wrong["totals.grand"], a.Confidence, b.Confidence)
	}
	if !strings.Contains(strings.Join(b.Notes, " "), "total is not the sum") {
		t.Errorf("notes %q", b.Notes)
	}
	_, c := values(t, strings.Replace(invoice("GBP", "210.00"), "20.00          200.00", "21.00          200.00", 1))
	if !strings.Contains(strings.Join(c.Notes, " "), "On line 1 quantity times unit price") {
		t.Errorf("notes %q", c.Notes)
	}
}

// Every field has its place and the text there.
func TestPlaces(t *testing.T) {
	_, a := values(t, invoice("GBP", "210.00"))
	want := extract.Place{Page: 1, Line: 8, Cell: 1, Text: "Invoice No: A-1"}
	if got := a.Document.InvoiceNumber.Found; got != want {
		t.Errorf("the number is at %+v", got)
	}
	if got := a.Document.LineItems[1].Quantity.Found; got.Line != 11 || got.Text != "2.5" {
		t.Errorf("the quantity is at %+v", got)
	}
	xml := extracted(t, extract.Invoice, []byte(`<order><invoiceNumber>A-2</invoiceNumber></order>`))
	if got := xml.Document.InvoiceNumber.Found.XPath; got != "/order/invoiceNumber" {
		t.Errorf("the number is at %q", got)
	}
}

// A picture is recognised under any name and answered without confidence.
func TestImages(t *testing.T) {
	for format, file := range map[string]string{"png": "\x89PNG\r\n\x1a\n....", "jpeg": "\xff\xd8\xff\xe0...."} {
		a := extracted(t, extract.BillOfLading, []byte(file))
		if a.Confidence != 0 || a.Document.Format != format || !strings.Contains(a.Notes[0], "provider") {
			t.Errorf("%+v", a)
		}
	}
}

// A document with the title of another type gets a note.
func TestWrongType(t *testing.T) {
	a := extracted(t, extract.PackingList, []byte("BILL OF LADING\nB/L No: X-1\nVessel: ANNA\n"))
	if a.Confidence > 30 || !strings.Contains(strings.Join(a.Notes, " "), "title says a bill of lading") {
		t.Errorf("%d %q", a.Confidence, a.Notes)
	}
	_, err := extract.New().Extract(context.Background(), extract.Request{File: []byte("x"), DocumentType: "letter"})
	if f, ok := apierr.As(err); !ok || f.Code != apierr.InvalidRequest || f.Details[0].Field != "documentType" {
		t.Errorf("got %v", err)
	}
}

// A container with a wrong check digit gets little confidence.
func TestContainerCheckDigit(t *testing.T) {
	a := extracted(t, extract.BillOfLading, []byte("BILL OF LADING\nContainer: CSQU3054383\nContainer: CSQU3054384\n"))
	if len(a.Document.Containers) != 2 || a.Document.Containers[0].Number.Confidence < 90 || a.Document.Containers[1].Number.Confidence > 45 {
		t.Fatalf("%+v", a.Document.Containers)
	}
	if !strings.Contains(strings.Join(a.Notes, " "), "CSQU3054384") {
		t.Errorf("notes %q", a.Notes)
	}
}

func tenPages() []byte {
	var text strings.Builder
	for range 10 {
		text.WriteString("Invoice No: TEN-1     Invoice date: 2026-02-01     Currency: GBP\n\nDescription                     HS code       Qty       Unit price     Amount     Net kg\n")
		text.WriteString(strings.Repeat("Brass hinge, polished           83021000      100       2.50           250.00     12.5\n", 40))
		text.WriteString("\f")
	}
	return documents.PDF(text.String(), documents.Packed)
}

func BenchmarkTenPages(b *testing.B) {
	file, engine := tenPages(), extract.New()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Extract(context.Background(), extract.Request{File: file, DocumentType: extract.Invoice}); err != nil {
			b.Fatal(err)
		}
	}
}

// Any bytes are answered or refused without a panic.
func FuzzExtract(f *testing.F) {
	all, err := documents.All()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range all {
		if len(s.File) < 1<<15 {
			f.Add(s.File, s.Type)
		}
	}
	engine := extract.New()
	f.Fuzz(func(t *testing.T, file []byte, kind string) {
		a, err := engine.Extract(context.Background(), extract.Request{File: file, DocumentType: extract.DocumentType(kind)})
		if err != nil {
			if _, ok := apierr.As(err); !ok {
				t.Fatal(err)
			}
			return
		}
		if a.Confidence < 0 || a.Confidence > 100 {
			t.Errorf("confidence %d", a.Confidence)
		}
		if _, err := json.Marshal(a); err != nil {
			t.Error(err)
		}
	})
}

// A value from a page of a PDF has the edges of its text; two values on one line stand beside each other, and a lower line lies
// lower. A text without pages has none.
func TestBoxes(t *testing.T) {
	const text = "COMMERCIAL INVOICE\n\nInvoice No: A-1          Currency: EUR\nTerms of delivery: CIF Felixstowe\n"
	d := extracted(t, extract.Invoice, documents.PDF(text, documents.Packed)).Document
	if d.InvoiceNumber == nil || d.Currency == nil || d.Incoterm == nil {
		t.Fatalf("%+v", d)
	}
	number, currency, term := d.InvoiceNumber.Found.Box, d.Currency.Found.Box, d.Incoterm.Found.Box
	const left, lower, right, upper = 0, 1, 2, 3
	if number[left] <= 0 || number[left] >= number[right] || number[lower] >= number[upper] {
		t.Errorf("the number stands at %v", number)
	}
	if currency[left] < number[right] || currency[lower] != number[lower] {
		t.Errorf("the currency stands at %v, beside the number at %v", currency, number)
	}
	if term[upper] > number[upper] || term[lower] >= number[lower] {
		t.Errorf("the term stands at %v, below the number at %v", term, number)
	}
	if plain := extracted(t, extract.Invoice, []byte(text)).Document.InvoiceNumber.Found.Box; plain != (extract.Box{}) {
		t.Errorf("a text without pages has the box %v", plain)
	}
}

// The title tells the type of a document that was sent without one; without a title it is read as an invoice.
func TestGuess(t *testing.T) {
	for text, want := range map[string]extract.DocumentType{
		"PACKING LIST to invoice A-1\nGross weight: 12 kg\n": extract.PackingList, "Bill of lading\nB/L No: 7\n": extract.BillOfLading,
		"Handelsrechnung\nRechnung Nr. 7\n": extract.Invoice, "Goods;Amount\nShirts;12\n": extract.Invoice, "Quay Ltd\nPackliste 7\n": extract.PackingList,
	} {
		a, err := extract.New().Extract(t.Context(), extract.Request{File: []byte(text), Guess: true})
		if err != nil || a.Document.DocumentType != want {
			t.Errorf("%q is read as %q (%v), want %q", text, a.Document.DocumentType, err, want)
		}
	}
	if _, err := extract.New().Extract(t.Context(), extract.Request{File: []byte("Invoice")}); err == nil {
		t.Error("a type is not required without Guess")
	}
}
