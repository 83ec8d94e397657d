package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	commands "github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const importPath = declarationsPath + "/import"

// originals are the original submissions that HMRC publishes, by file name.
func originals(t *testing.T) map[string]wco.Declaration {
	t.Helper()
	files, _ := filepath.Glob("../../../shared/customs/submissions/*.xml")
	if files == nil {
		t.Skip("the published samples are not here")
	}
	all := map[string]wco.Declaration{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := wco.Decode(raw); err == nil && d.FunctionCode == wco.FunctionOriginal {
			all[file] = d
		}
	}
	return all
}

// comparable returns a document without what the service assigns and what does not count.
func comparable(t *testing.T, d wco.Declaration) string {
	t.Helper()
	d.FunctionalReferenceID, d.IssueDateTime, d.Declarant = "", wco.DateTime{}, wco.Trader{}
	for i := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		item := &d.GoodsShipment.GovernmentAgencyGoodsItem[i]
		slices.SortStableFunc(item.Commodity.Classification, func(a, b wco.Classification) int {
			return cmp.Or(cmp.Compare(a.IdentificationTypeCode, b.IdentificationTypeCode), cmp.Compare(a.ID, b.ID))
		})
		slices.SortStableFunc(item.Origin, func(a, b wco.Origin) int { return cmp.Compare(a.TypeCode, b.TypeCode) })
	}
	raw, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`>(\d+)\.(\d*?)0*<`).ReplaceAllString(string(raw), ">$1.$2<")
	return strings.ReplaceAll(strings.ReplaceAll(text, ".<", "<"), ` unitCode="KGM"`, "")
}

// Each original submission can be imported and comes out equal; posted again as it is answered, it makes the same declaration,
// also in full form.
func TestImportOfSamples(t *testing.T) {
	samples := originals(t)
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		same, every := 0, 1
		if strings.HasSuffix(t.Name(), "postgres") {
			every = 8 // the mapping does not depend on the database
		}
		for n, file := range slices.Sorted(func(yield func(string) bool) {
			for file := range samples {
				if !yield(file) {
					return
				}
			}
		}) {
			if n%every != 0 {
				same++
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := comparable(t, samples[file])
			a := c.call("POST", importPath, string(raw), "Content-Type", "application/xml")
			if a.status != 201 {
				t.Errorf("%s: %d %s", filepath.Base(file), a.status, a.text)
				continue
			}
			ids := []string{a.id()}
			if n%8 == 0 { // the rest is the same for all
				again := c.call("POST", declarationsPath, a.body)
				full := c.call("GET", declarationsPath+"/"+a.id()+"?form=full", nil).want(t, 200)
				fully := c.call("POST", declarationsPath, full.in("declaration"))
				if again.status != 201 || fully.status != 201 {
					t.Errorf("%s: posted again: %s, in full form: %s", filepath.Base(file), again.text, fully.text)
					continue
				}
				ids = append(ids, again.id(), fully.id())
			}
			for _, id := range ids {
				d, err := wco.Decode([]byte(c.call("GET", declarationsPath+"/"+id+"/declaration.xml", nil).want(t, 200).text))
				if err != nil {
					t.Fatal(err)
				}
				if got := comparable(t, d); got != want {
					t.Errorf("%s:\nwas %s\nis  %s", filepath.Base(file), want, got)
					continue
				}
			}
			same++
		}
		if same < 160 {
			t.Errorf("%d of %d come out equal", same, len(samples))
		}
	})
}

// An import uses the client and the shipment that the caller names, or makes them, and says what it assumed. A dry run stores
// nothing, and a repeated key imports once.
func TestImportRecords(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		send := func(query string, headers ...string) answer {
			return c.call("POST", importPath+query, minimalXML("IMA", "9"), append([]string{"Content-Type", "text/xml"}, headers...)...)
		}
		try := send("?dryRun=true").want(t, 200)
		if try.in("declaration", "shipmentId") != nil || strings.Contains(fmt.Sprint(try.in("notes")), "was created") || !strings.Contains(fmt.Sprint(try.in("notes")), "would be created") {
			t.Errorf("the dry run names what it did not store: %s", try.text)
		}
		if try.in("declaration", "id") != nil || len(try.in("notes").([]any)) == 0 || len(c.call("GET", "/api/clients", nil).in("clients").([]any)) != 0 {
			t.Errorf("the dry run: %s", try.text)
		}
		made := send("", "Idempotency-Key", "import-1").want(t, 201)
		if again := send("", "Idempotency-Key", "import-1").want(t, 201); again.id() != made.id() {
			t.Error("a repeated key imported twice")
		}
		if made.in("fill") != "NONE" || made.in("importedFrom", "lrn") != "LRN-1" || made.in("importedFrom", "sha256") == nil || made.in("lrn") == "LRN-1" {
			t.Errorf("made %s", made.text)
		}
		notes := fmt.Sprint(made.in("notes"))
		for _, words := range []string{"client Acme Ltd was created", "shipment", "declarant GB999999999000 was left out"} {
			if !strings.Contains(notes, words) {
				t.Errorf("%q is not in %s", words, notes)
			}
		}
		amended := strings.Replace(minimalXML("IMA", "9"), "<Declarant>", "<Amendment><ChangeReasonCode>32</ChangeReasonCode></Amendment><Declarant>", 1)
		amended = strings.Replace(amended, "<TypeCode>", "<ID>26GB1A2B3C4D5E6F71</ID><TypeCode>", 1)
		if notes := c.call("POST", importPath+"?dryRun=true", amended, "Content-Type", "text/xml").want(t, 200).text; !strings.Contains(notes, "MRN 26GB1A2B3C4D5E6F71 was left out") || !strings.Contains(notes, "Amendment was left out") {
			t.Errorf("parts of requests: %s", notes)
		}
		clients := c.call("GET", "/api/clients", nil).in("clients").([]any)
		second := send("").want(t, 201)
		if shipment := second.in("shipmentId"); send("?dryRun=true&shipmentId="+shipment.(string)).want(t, 200).in("declaration", "shipmentId") != shipment {
			t.Error("the dry run leaves out the shipment that the caller named")
		}
		if len(clients) != 1 || len(c.call("GET", "/api/clients", nil).in("clients").([]any)) != 1 {
			t.Errorf("the second import made another client: %s", second.text)
		}
		shipment := c.shipment()
		if third := send("?shipmentId="+shipment).want(t, 201); third.in("shipmentId") != shipment {
			t.Errorf("another shipment: %s", third.text)
		}
		if send("?shipmentId="+shipment+"&clientId="+clients[0].(map[string]any)["id"].(string)).status != 400 {
			t.Error("a shipment of another client is accepted")
		}
		if other := p.organisation("B").call("POST", importPath+"?shipmentId="+shipment, minimalXML("IMA", "9"), "Content-Type", "text/xml"); other.status != 400 {
			t.Errorf("another organisation's shipment: %d", other.status)
		}
	})
}

// A document that cannot be imported is a 400 that names the element; nothing is stored.
func TestImportRefusals(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		valid := minimalXML("IMA", "9")
		for want, document := range map[string]string{
			"body":         "",
			"body:":        "{}",
			"FunctionCode": minimalXML("INV", "13"),
			"cancellation": minimalXML("INV", "13"),
			"TypeCode":     minimalXML("IM", "9"),
			"Nothing":      strings.Replace(valid, "<TypeCode>", "<Nothing>1</Nothing><TypeCode>", 1),
			"body: ":       strings.Replace(valid, "<?xml", `<!DOCTYPE a [<!ENTITY b "c">]><?xml`, 1),
			"namespace":    strings.Replace(valid, "<TypeCode>", `<TypeCode xmlns="urn:other">`, 1),
			"amount":       strings.Replace(valid, "<Description>", "<Description></Description><Description>", 1),
		} {
			if a := c.call("POST", importPath, document, "Content-Type", "application/xml"); a.status != 400 {
				t.Errorf("%s: %d %s", want, a.status, a.text)
			} else if w := strings.Trim(want, ": "); w != "amount" && !strings.Contains(a.text, w) {
				t.Errorf("%q is not in %s", w, a.text)
			}
		}
		if a := c.call("POST", importPath+"?zzz=1", "", "Content-Type", "text/xml"); a.status != 400 || !strings.Contains(a.text, `"zzz"`) || !strings.Contains(a.text, `"body"`) {
			t.Errorf("an unknown parameter and no document: %d %s", a.status, a.text)
		}
		if a := c.call("POST", importPath, valid, "Content-Type", "application/json"); a.status != 415 {
			t.Errorf("as JSON: %d", a.status)
		}
		if a := c.call("POST", importPath, strings.Repeat(" ", 20<<20+1), "Content-Type", "application/xml"); a.status != 413 {
			t.Errorf("20 MB and 1 byte: %d", a.status)
		}
		if n := len(c.call("GET", "/api/clients", nil).in("clients").([]any)); n != 0 {
			t.Errorf("%d clients were made", n)
		}
	})
}

// Members that only answers have are ignored in a creation; an unknown one is not.
func TestCreationIgnoresAnswers(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		made := c.call("GET", declarationsPath+"/"+c.declaration("INV-1"), nil).want(t, 200).in("declaration").(map[string]any)
		again := c.call("POST", declarationsPath, made).want(t, 201)
		if again.id() == made["id"] || again.in("lrn") == made["lrn"] {
			t.Errorf("made %s", again.text)
		}
		made["nothing"] = 1
		text, _ := json.Marshal(made)
		if a := c.call("POST", declarationsPath, json.RawMessage(text)); a.status != 400 || !strings.Contains(a.text, `"nothing"`) {
			t.Errorf("an unknown member: %d %s", a.status, a.text)
		}
	})
}

// minimalXML is a declaration with one item.
func minimalXML(kind, function string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><md:MetaData xmlns="urn:wco:datamodel:WCO:DEC-DMS:2" xmlns:md="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Declaration>` +
		`<FunctionCode>` + function + `</FunctionCode><FunctionalReferenceID>LRN-1</FunctionalReferenceID><TypeCode>` + kind + `</TypeCode>` +
		`<Declarant><ID>GB999999999000</ID></Declarant><GoodsShipment><GovernmentAgencyGoodsItem><SequenceNumeric>1</SequenceNumeric>` +
		`<Commodity><Description>Toys</Description></Commodity></GovernmentAgencyGoodsItem><Importer><Name>Acme Ltd</Name><ID>GB888888888000</ID></Importer></GoodsShipment>` +
		`</Declaration></md:MetaData>`
}

// The operator imports files and folders beside the running service: one outcome for each file, in order. A file that is not a
// declaration stops nothing.
func TestImportOfFiles(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		var files []commands.DocumentFile
		for _, f := range [][2]string{{"x/a.xml", minimalXML("IMA", "9")}, {"x/b.xml", "<a/>"}, {"x/c.xml", minimalXML("IMD", "9")}} {
			files = append(files, commands.DocumentFile{Name: f[0], Read: func() ([]byte, error) { return []byte(f[1]), nil }})
		}
		run := func(dry bool) (all []commands.ImportedFile) {
			err := p.operator.ImportDeclarations(t.Context(), tenant.ID(c.org), files, importer.Options{}, dry, func(f commands.ImportedFile) error {
				all = append(all, f)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		for n, f := range run(true) {
			if f.DeclarationID != "" || (f.Status == commands.FileCreated) != (n != 1) {
				t.Errorf("dry run: %+v", f)
			}
		}
		if n := len(c.call("GET", declarationsPath, nil).in("declarations").([]any)); n != 0 {
			t.Errorf("the dry run stored %d declarations", n)
		}
		done := run(false)
		if len(done) != 3 || done[0].Status != commands.FileCreated || done[1].Status != commands.FileRejected || done[1].Details == nil || done[2].DeclarationID == "" {
			t.Fatalf("%+v", done)
		}
		one := c.call("GET", declarationsPath+"/"+done[0].DeclarationID, nil).want(t, 200)
		if one.in("declaration", "importedFrom", "fileName") != "a.xml" || one.in("declaration", "additionalType") != "A" {
			t.Errorf("imported %s", one.text)
		}
	})
}
