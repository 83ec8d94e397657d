package notification_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t *testing.T, data []byte) []notification.Notification {
	t.Helper()
	all, err := notification.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// only decodes a message of one response.
func only(t *testing.T, data []byte) notification.Notification {
	t.Helper()
	all := decode(t, data)
	if len(all) != 1 {
		t.Fatalf("%d responses", len(all))
	}
	return all[0]
}

// bare is a response without envelope and namespaces around its contents.
func bare(contents string) []byte { return []byte("<Response>" + contents + "</Response>") }

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

// A rejection gives every error with what it points at, and the text that belongs to it.
func TestRejection(t *testing.T) {
	n := only(t, read(t, "rejected.xml"))
	if n.FunctionCode != "03" || n.Name != "DMSREJ" || n.MessageID != "aa000000000000000000000000000001" {
		t.Errorf("got %s %s %s", n.FunctionCode, n.Name, n.MessageID)
	}
	if n.LRN != "LRN&1" || n.MRN != "26GBAAAAAAAAAAAAA1" || n.VersionID != "1" {
		t.Errorf("got %s %s %s", n.LRN, n.MRN, n.VersionID)
	}
	if !n.IssuedAt.Time.Equal(at("2026-07-14T08:30:05Z")) || n.IssuedAt.Text != "20260714093005+01" {
		t.Errorf("issued at %v", n.IssuedAt)
	}
	if !n.RejectedAt.Time.Equal(at("2026-07-14T08:30:04Z")) || !n.AcceptedAt.Time.IsZero() {
		t.Errorf("rejected at %v, accepted at %v", n.RejectedAt, n.AcceptedAt)
	}
	got := ""
	for _, e := range n.Errors {
		got += e.Code
		for _, p := range e.Pointers {
			got += " " + p.Field()
		}
		got += fmt.Sprintf(" %s%q; ", e.Description, e.Remarks)
	}
	want := `CDS10001 items[1].netMassKg No weight[]; CDS12005 client.eori ["The importer is not registered."]; ` +
		`CDS12056 declarationType organisation.representation []; CDS12046 []; `
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p := n.Errors[3].Pointer(); p != nil {
		t.Errorf("an error that points at nothing has pointer %s", p)
	}
}

// What customs leaves out of a calculation is absent, what it writes is exact,
// and what is no sum in pence keeps its text alone.
func TestTaxes(t *testing.T) {
	n := only(t, read(t, "taxed.xml"))
	show := func(a notification.Amount) string {
		if a.Value == nil {
			return "none:" + a.Text
		}
		return a.Value.Fixed() + a.Currency
	}
	var got []string
	for _, x := range n.Taxes {
		got = append(got, fmt.Sprintf("%d %s %s/%s", x.Item, x.Type, show(x.Assessed), show(x.Payable)))
	}
	want := "1 A00 27.00GBP/0.00GBP, 1 A20 5.00/none:, 3 B00 none:10.005/none:ten pounds, 3 B05 none:7.00/7.00GBP"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	if x := n.Taxes[0]; x.Regime != "100" || x.Rate != "2.70" || show(x.Base) != "1000.00GBP" || show(x.Deducted) != "0.00GBP" {
		t.Errorf("first line %+v", x)
	}
	if b := n.Taxes[1].BaseQuantity; b.Text != "111.110000" || b.Unit != "KGM" {
		t.Errorf("base %+v", b)
	}
	if n.TaxKind() != notification.Provisional || n.Bank.BIC != "BARCGB22" || n.Bank.IBAN != "GB00TEST00000000000000" {
		t.Errorf("%s by %+v", n.TaxKind(), n.Bank)
	}
	p := n.Payments[0]
	if len(n.Payments) != 1 || p.Reference != "PAY1" || p.Account != "1234567" || show(p.Assessed)+show(p.Payable) != "300.00GBP299.99GBP" {
		t.Errorf("payments %+v", n.Payments)
	}
	if !p.DueAt.Time.Equal(at("2026-11-16T00:00:00Z")) {
		t.Errorf("due at %v", p.DueAt)
	}
}

// The corrected declaration inside a DMSRES does not pass for the answer's own,
// wherever it stands and whether or not namespaces have survived.
func TestCorrectedDeclarationStaysOut(t *testing.T) {
	for _, file := range []string{"changed.xml", "changed_stripped.xml"} {
		n := only(t, read(t, file))
		if n.FunctionCode != "07" || n.LRN != "CHANGED" || n.MRN != "26GBAAAAAAAAAAAAA3" || n.VersionID != "2" || len(n.Taxes) != 0 {
			t.Errorf("%s: %+v", file, n)
		}
		if len(n.Amendments) != 2 || n.Amendments[0].Reason != "16" || n.Amendments[1].Pointers[0].Field() != "shipment.goodsLocation" {
			t.Fatalf("%s: amendments %+v", file, n.Amendments)
		}
		if r := n.Amendments[1].Remarks; len(r) != 1 || r[0] != "Place corrected at the border" || n.Amendments[0].Remarks != nil {
			t.Errorf("%s: remarks %q", file, r)
		}
	}
}

// One delivery may tell several things, each in order and by itself.
func TestSeveralResponses(t *testing.T) {
	all := decode(t, read(t, "several.xml"))
	got := ""
	for _, n := range all {
		got += n.FunctionCode + n.Name + " " + n.MessageID[30:] + " "
	}
	if got != "01DMSACC 04 06DMSDOC 05 10DMSINV 06 " {
		t.Fatalf("got %s", got)
	}
	if !all[0].AcceptedAt.Time.Equal(at("2026-11-02T15:11:00Z")) || all[0].LRN != "SEVERAL" {
		t.Errorf("accepted at %v", all[0].AcceptedAt)
	}
	if i := all[1].IssuedAt; !i.Time.IsZero() || i.Text != "Mon Nov 02 10:11:12 UTC 2026" {
		t.Errorf("junk was taken for the date %v", i)
	}
	info := all[1].Information
	if len(info) != 1 || info[0].Code != "ACA" || !info[0].LimitAt.Time.Equal(at("2026-11-30T00:00:00Z")) {
		t.Errorf("information %+v", info)
	}
	if !all[2].CancelledAt.Time.Equal(at("2026-11-02T10:11:13Z")) {
		t.Errorf("cancelled at %v", all[2].CancelledAt)
	}
}

// Every way in which customs has been seen to write a time is read; anything else
// keeps its text and costs nothing more.
func TestInstants(t *testing.T) {
	for text, want := range map[string]string{
		"20260714093005Z":               "2026-07-14T09:30:05Z",
		"20260714093005+01":             "2026-07-14T08:30:05Z",
		"20260714093005-11":             "2026-07-14T20:30:05Z",
		"20260714093005+0100":           "2026-07-14T08:30:05Z",
		"20260714093005":                "2026-07-14T09:30:05Z",
		"20260714":                      "2026-07-14T00:00:00Z",
		"20261314093005Z":               "",
		"20260230":                      "",
		"Wed Nov 13 00:00:00 UTC 2019":  "",
		"20260714093005+99":             "",
		"99999999999999999999999999999": "",
		"":                              "",
	} {
		n := only(t, bare("<IssueDateTime><DateTimeString formatCode='304'> "+text+" </DateTimeString></IssueDateTime>"))
		switch {
		case n.IssuedAt.Text != text:
			t.Errorf("%q: kept %q", text, n.IssuedAt.Text)
		case want == "" && !n.IssuedAt.Time.IsZero():
			t.Errorf("%q was taken for %v", text, n.IssuedAt.Time)
		case want != "" && (!n.IssuedAt.Time.Equal(at(want)) || n.IssuedAt.Time.Location() != time.UTC):
			t.Errorf("%q: got %v, want %s", text, n.IssuedAt.Time, want)
		}
	}
}

// A code is two digits, and one that is in no list is kept without a name.
func TestFunctionCodes(t *testing.T) {
	for written, want := range map[string]string{
		"01": "01 DMSACC", "9": "09 DMSCLE", " 3 ": "03 DMSREJ", "52": "52 DMSDET", "12": "12 ", "99": "99 ", "04": "04 ", "": " ", "007": "007 ", "x": "0x ",
	} {
		n := only(t, bare("<FunctionCode>"+written+"</FunctionCode>"))
		if got := n.FunctionCode + " " + n.Name; got != want {
			t.Errorf("%q: got %q, want %q", written, got, want)
		}
	}
}

// A final calculation outweighs a provisional one, and that an indicative one.
func TestTaxKinds(t *testing.T) {
	kinds := []notification.TaxKind{}
	for _, code := range []string{"99", "67", "115", "4"} {
		kinds = append(kinds, only(t, bare("<FunctionCode>13</FunctionCode><Status><NameCode>"+code+"</NameCode></Status>")).TaxKind())
	}
	for i := 1; i < len(kinds); i++ {
		if kinds[i] <= kinds[i-1] {
			t.Errorf("%s does not outweigh %s", kinds[i], kinds[i-1])
		}
	}
	if k := only(t, bare("<FunctionCode>11</FunctionCode><Status><NameCode>4</NameCode></Status>")).TaxKind(); k != notification.Unstated {
		t.Errorf("no tax message is %s", k)
	}
	if k := only(t, bare("<FunctionCode>13</FunctionCode><Status><NameCode>04</NameCode></Status>")).TaxKind(); k != notification.Final {
		t.Errorf("a padded code is %s", k)
	}
	granted := only(t, bare("<FunctionCode>11</FunctionCode><Status><EffectiveDateTime>20260101</EffectiveDateTime></Status><Status><NameCode>39</NameCode></Status>"))
	if granted.StatusCode() != "39" || granted.Statuses[0].EffectiveAt.Time.IsZero() {
		t.Errorf("statuses %+v", granted.Statuses)
	}
}

// The envelope may be absent, and namespaces may be lost, but not be foreign.
func TestRoots(t *testing.T) {
	const response = `<FunctionCode>09</FunctionCode>`
	for xml, ok := range map[string]bool{
		`<Response>` + response + `</Response>`: true,
		`<x:Response xmlns:x="urn:wco:datamodel:WCO:RES-DMS:2"><x:FunctionCode>09</x:FunctionCode></x:Response>`:                           true,
		`<MetaData><Response>` + response + `</Response></MetaData>`:                                                                       true,
		`<MetaData xmlns="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Response xmlns="">` + response + `</Response></MetaData>`:         true,
		`<MetaData xmlns="urn:other"><Response xmlns="">` + response + `</Response></MetaData>`:                                            false,
		`<Response xmlns="urn:other">` + response + `</Response>`:                                                                          false,
		`<MetaData xmlns="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Declaration xmlns="urn:wco:datamodel:WCO:DEC-DMS:2"/></MetaData>`: false,
		`<MetaData/>`:          false,
		`<errorResponse/>`:     false,
		`<html>sorry</html>`:   false,
		`<x:a xmlns:x="x:y"/>`: false,
	} {
		all, err := notification.Decode([]byte(xml))
		if ok && (err != nil || len(all) != 1 || all[0].FunctionCode != "09") {
			t.Errorf("%s: %v, %v", xml, all, err)
		}
		if !ok && !errors.Is(err, notification.ErrUnknownDocument) {
			t.Errorf("%s: %v, %v", xml, all, err)
		}
	}
	if _, err := notification.Decode(read(t, "uploaded.xml")); !errors.Is(err, notification.ErrUnknownDocument) || !strings.Contains(err.Error(), "hmrc:fileupload") {
		t.Errorf("the outcome of an upload: %v", err)
	}
}

// A rejection without errors, and one with fifty, are both read whole.
func TestNumberOfErrors(t *testing.T) {
	for _, count := range []int{0, 1, 50} {
		var b strings.Builder
		b.WriteString("<FunctionCode>03</FunctionCode>")
		for i := range count {
			fmt.Fprintf(&b, "<AdditionalInformation><StatementDescription>remark %d</StatementDescription>"+
				"<Pointer><DocumentSectionCode>07B</DocumentSectionCode></Pointer>"+
				"<Pointer><SequenceNumeric>%d</SequenceNumeric><DocumentSectionCode>53A</DocumentSectionCode></Pointer></AdditionalInformation>", i, i+1)
			fmt.Fprintf(&b, "<Error><ValidationCode>CDS12%03d</ValidationCode></Error>", i)
		}
		n := only(t, bare(b.String()))
		if len(n.Errors) != count {
			t.Errorf("%d errors instead of %d", len(n.Errors), count)
		}
		for i, e := range n.Errors {
			if e.Code != fmt.Sprintf("CDS12%03d", i) || len(e.Remarks) != 1 || e.Remarks[0] != fmt.Sprintf("remark %d", i) {
				t.Errorf("error %d: %+v", i, e)
			}
		}
	}
}

// A message is read in the encodings that customs and its tools write.
func TestEncodings(t *testing.T) {
	const body = "<Response><FunctionCode>03</FunctionCode><Error><Description>Gew\u00fcrz</Description></Error></Response>"
	latin := strings.NewReplacer("\u00fc", "\xfc").Replace(body)
	for name, data := range map[string]string{
		"utf-8":          body,
		"byte order":     "\xef\xbb\xbf" + body,
		"declared utf-8": `<?xml version="1.0" encoding="utf-8"?>` + body,
		"latin 1":        `<?xml version="1.0" encoding="ISO-8859-1"?>` + latin,
		"cdata":          strings.Replace(body, "Gew\u00fcrz", "<![CDATA[Gew]]><!-- -->&#252;rz", 1),
	} {
		if n := only(t, []byte(data)); n.Errors[0].Description != "Gew\u00fcrz" {
			t.Errorf("%s: %q", name, n.Errors[0].Description)
		}
	}
	for name, data := range map[string]string{
		"utf-16":       "\xff\xfe<\x00R\x00/\x00>\x00",
		"utf-16 big":   "\xfe\xff\x00<\x00R\x00/\x00>",
		"not utf-8":    latin,
		"unknown name": `<?xml version="1.0" encoding="KOI8-R"?>` + body,
	} {
		if _, err := notification.Decode([]byte(data)); !errors.Is(err, safexml.ErrEncoding) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is broken or hostile is refused at once and with a reason.
func TestRefusals(t *testing.T) {
	whole := string(read(t, "rejected.xml"))
	bomb := `<!DOCTYPE Response [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><Response><FunctionCode>&b;</FunctionCode></Response>`
	for name, c := range map[string]struct {
		data string
		want error
	}{
		"empty":           {"", safexml.ErrSyntax},
		"blank":           {" \n ", safexml.ErrSyntax},
		"json":            {`{"a": 1}`, safexml.ErrSyntax},
		"truncated":       {whole[:len(whole)/2], safexml.ErrSyntax},
		"cut in a tag":    {whole[:len(whole)-3], safexml.ErrSyntax},
		"two messages":    {whole + `<Response/>`, safexml.ErrSyntax},
		"entity bomb":     {bomb, safexml.ErrDoctype},
		"external entity": {`<!DOCTYPE Response [<!ENTITY x SYSTEM "file:///etc/passwd">]><Response>&x;</Response>`, safexml.ErrDoctype},
		"unknown entity":  {`<Response><FunctionCode>&x;</FunctionCode></Response>`, safexml.ErrSyntax},
		"deep":            {strings.Repeat("<Response>", 100_000), safexml.ErrTooDeep},
		"long":            {"<Response>" + strings.Repeat(" ", safexml.MaxSize) + "</Response>", safexml.ErrTooLarge},
		"zero byte":       {"<Response>\x00</Response>", safexml.ErrSyntax},
	} {
		if all, err := notification.Decode([]byte(c.data)); !errors.Is(err, c.want) || all != nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	wide := "<Response>" + strings.Repeat("<a/>", 400_000) + "</Response>"
	if _, err := notification.Decode([]byte(wide)); err == nil || !strings.Contains(err.Error(), "elements") {
		t.Errorf("wide: %v", err)
	}
}

// Any prefix of a message, and any byte of it changed, is read or refused, never worse.
func FuzzDecode(f *testing.F) {
	for _, name := range []string{"rejected.xml", "taxed.xml", "changed.xml", "changed_stripped.xml", "several.xml", "uploaded.xml"} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := notification.Decode(data)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d responses and %v", len(all), err)
		}
		for _, r := range notification.Reports("f", data) {
			for _, e := range r.Errors {
				if e.Field == "" {
					t.Fatalf("no field for %q", e.Pointer)
				}
			}
		}
	})
}
