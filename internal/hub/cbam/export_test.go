package cbam_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

const schema = "../../../../shared/domain/data/cbam/QReport_reconstructed.xsd"

var submitted = time.Date(2027, 1, 11, 9, 0, 0, 0, time.UTC)

func declarant() cbam.Declarant {
	return cbam.Declarant{
		EORI: "GB123456789000", Name: "Humber Steel Stockists Ltd", AddressLine1: "1 Quay Street", City: "Hull", Postcode: "HU1 1AA", Country: "GB",
		Signatory: "A. Trader", Position: "Customs manager",
	}
}

// export returns the XML of a draft's report.
func export(t testing.TB, d *draft, change func(*cbam.Document)) string {
	t.Helper()
	doc := cbam.Document{Declarant: declarant(), Report: d.report(t), Reference: "CBAM-GB-2026Q4-7K2M9QX", SubmittedAt: submitted}
	change(&doc)
	var out bytes.Buffer
	if err := cbam.Export(&out, doc, entriesOf(d.imports...)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func same(*cbam.Document) {}

// valid fails the test for each document that is invalid against the schema.
func valid(t *testing.T, documents map[string]string) {
	t.Helper()
	if _, err := os.Stat(schema); err != nil {
		t.Skip("the schema is not available")
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("no xmllint here; make deps installs it")
	}
	folder, args := t.TempDir(), []string{"--noout", "--huge", "--schema", schema}
	for name, text := range documents {
		file := filepath.Join(folder, strings.ReplaceAll(name, "/", " ")+".xml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	if out, err := exec.Command("xmllint", args...).CombinedOutput(); err != nil {
		lines := strings.Split(string(out), "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasSuffix(l, "validates") })
		t.Errorf("%v: %s", err, strings.Join(lines[:min(20, len(lines))], "\n"))
	}
}

// Each value is in its element.
func TestExport(t *testing.T) {
	d := good()
	d.imports = d.imports[1:2]
	got := strings.Join(strings.Fields(export(t, d, same)), " ")
	const want = `<?xml version="1.0" encoding="UTF-8"?> <QReport xmlns="http://xmlns.ec.eu/BusinessObjects/CBAM/Types/V1"> <SubmissionDate>2027-01-11T09:00:00Z</SubmissionDate> ` +
		`<ReportId>CBAM-GB-2026Q4-7K2M9QX</ReportId> <ReportingPeriod>Q4</ReportingPeriod> <Year>2026</Year> ` +
		`<Declarant><IdentificationNumber>GB123456789000</IdentificationNumber> <Name>Humber Steel Stockists Ltd</Name> <Role>01</Role> ` +
		`<ActorAddress><Country>GB</Country> <City>Hull</City> <Street>1 Quay Street</Street> <Postcode>HU1 1AA</Postcode> </ActorAddress> </Declarant> ` +
		`<Signatures><ReportConfirmation><GlobalDataConfirmation>true</GlobalDataConfirmation> <UseOfDataConfirmation>true</UseOfDataConfirmation> <SignaturePlace>Hull</SignaturePlace> ` +
		`<Signature>A. Trader</Signature> <PositionOfPersonSending>Customs manager</PositionOfPersonSending> </ReportConfirmation> </Signatures> ` +
		`<Remarks><AdditionalInformation>1 imports as at 2027-01-11T09:00:00.000Z: 12000 kg, 22800 kg CO2e; certificates would cost GBP 1494.77 at GBP 65.56 per tonne, without free allocation and carbon prices paid abroad.</AdditionalInformation> </Remarks> ` +
		`<ImportedGood><ItemNumber>1</ItemNumber> <CommodityCode><HsCode>760120</HsCode> <CnCode>76012080</CnCode> <CommodityDetails><Description>unwrought aluminium</Description> </CommodityDetails> </CommodityCode> ` +
		`<OriginCountry><Country>CA</Country> </OriginCountry> <ImportedQuantity><SequenceNumber>1</SequenceNumber> <Procedure><RequestedProc>40</RequestedProc> <PreviousProc>00</PreviousProc> </Procedure> ` +
		`<ImportArea><ImportArea>GB</ImportArea> </ImportArea> <MeasureProcedureImported><Indicator>0</Indicator> <NetMass>12.000000</NetMass> <MeasurementUnit>01</MeasurementUnit> </MeasureProcedureImported> </ImportedQuantity> ` +
		`<MeasureImported><NetMass>12.000000</NetMass> <MeasurementUnit>01</MeasurementUnit> </MeasureImported> <Remarks><AdditionalInformation>Installation 2, verification report 2026/2</AdditionalInformation> </Remarks> ` +
		`<GoodsEmissions><SequenceNumber>1</SequenceNumber> <ProductionCountry>CA</ProductionCountry> <ProducedMeasure><NetMass>12.000000</NetMass> <MeasurementUnit>01</MeasurementUnit> </ProducedMeasure> ` +
		`<DirectEmissions><DeterminationType>01</DeterminationType> <ApplicableReportingTypeMethodology>TOM01</ApplicableReportingTypeMethodology> <SpecificEmbeddedEmissions>1.900000</SpecificEmbeddedEmissions> ` +
		`<MeasurementUnit>EMU1</MeasurementUnit> </DirectEmissions> </GoodsEmissions> </ImportedGood> </QReport>`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// hostile lists texts that would break the document or the schema if they were not escaped and cut.
var hostile = []string{
	`</Name><Evil/>`, `]]><![CDATA[ &amp; &#0; &bogus;`, "\x00\x01\x1b\x7f\u0085\u2028\ufffe\uffff", "\xff\xfe broken \xc3", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>&e;",
	strings.Repeat("ä", 3000), strings.Repeat("𝔘", 600), "\t \r\n ", "", "日本製鉄 株式会社", "مرحبا\u202e", `"'<>&`, strings.Repeat("x ", 400), "\ufffd",
}

// Every report is valid against the schema, with any text in the free fields.
func TestExportsFitTheSchema(t *testing.T) {
	documents := map[string]string{}
	for name, example := range goodExamples {
		documents[name] = export(t, example(), same)
		documents[name+" draft"] = export(t, example(), func(d *cbam.Document) { d.Reference, d.SubmittedAt = "", time.Time{} })
	}
	for _, c := range suite.Cases {
		documents[c.Name] = export(t, c.Example(), same)
	}
	for n, text := range hostile {
		d := good()
		for i := range d.imports {
			d.imports[i].CommodityCode, d.imports[i].Notes, d.imports[i].CountryOfOrigin = text, text, []string{"TR", text, "xi"}[i]
		}
		documents[fmt.Sprintf("hostile %d", n)] = export(t, d, func(doc *cbam.Document) {
			doc.Declarant = cbam.Declarant{text, text, text, text, text, text, text, text, text}
			doc.Reference = text
		})
	}
	extremes := good()
	for n, mass := range []string{"0", "0.000001", "99999999999.999999"} {
		for m, emissions := range []string{"0", "0.000001", "99999999999.999999", "2664000000000"} {
			for _, category := range []cbam.Category{cbam.IronSteel, cbam.Electricity} {
				e := supplied(n*10+m, category, "72085120", "KR", mass, emissions, "1")
				e.Source, e.Basis = []cbam.Source{cbam.Supplier, cbam.EstimatedDefault}[m%2], []cbam.Basis{cbam.OnDefaultValue, cbam.OnSector}[n%2]
				extremes.imports = append(extremes.imports, e)
			}
		}
	}
	documents["extremes"] = export(t, extremes, same)
	valid(t, documents)
}

// items parses a document and counts its lines.
func items(t *testing.T, document string) (n int) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "ImportedGood" {
			n++
		}
	}
}

// A report without imports has one line that says so.
func TestExportOfNothing(t *testing.T) {
	d := good()
	d.imports = nil
	document := export(t, d, same)
	if items(t, document) != 1 || !strings.Contains(document, "No goods were imported in the quarter.") || strings.Contains(document, "as recorded") {
		t.Errorf("%s", document)
	}
}

// A draft contains no confirmation.
func TestExportOfDraft(t *testing.T) {
	document := export(t, good(), func(d *cbam.Document) { d.Reference, d.SubmittedAt = "", time.Time{} })
	for text, want := range map[string]bool{"<SubmissionDate>": false, "<ReportId>": false, "Confirmation>true<": false, "Draft, not submitted.": true} {
		if strings.Contains(document, text) != want {
			t.Errorf("%s: %s", text, document)
		}
	}
	if items(t, document) != 3 {
		t.Errorf("%d lines", items(t, document))
	}
}

// Up to the limit of the schema each import has its own line, and written imports are not held in memory.
func TestExportStreams(t *testing.T) {
	discard := &peak{}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	err := cbam.Export(discard, cbam.Document{Declarant: declarant(), Report: &cbam.Report{Quarter: "2026-Q4", TotalImportsCount: 99_999}}, func(yield func(cbam.Entry, error) bool) {
		n := 0
		for e := range many {
			if n++; n > 99_999 || !yield(e, nil) {
				return
			}
		}
	})
	if err != nil || discard.goods != 99_999 {
		t.Errorf("%d lines, %v", discard.goods, err)
	}
	if held := int64(discard.heap) - int64(before.HeapAlloc); held > 4<<20 {
		t.Errorf("%d bytes in use", held)
	}
}

// peak counts the lines that are written and measures the heap.
type peak struct {
	goods, written int
	last           []byte // end of the last write, to find a line across two writes
	heap           uint64
}

func (p *peak) Write(b []byte) (int, error) {
	const line = "<ImportedGood>"
	p.goods += bytes.Count(append(p.last, b...), []byte(line))
	p.last = append([]byte(nil), b[max(0, len(b)-len(line)+1):]...)
	if before := p.written; before>>24 != (before+len(b))>>24 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		p.heap = max(p.heap, stats.HeapAlloc)
	}
	p.written += len(b)
	return len(b), nil
}

// More imports than the schema allows are summed by sort, and no import is lost.
func TestExportCondenses(t *testing.T) {
	var out bytes.Buffer
	err := cbam.Export(&out, cbam.Document{Declarant: declarant(), Report: &cbam.Report{Quarter: "2026-Q4", TotalImportsCount: 100_000}}, many)
	if err != nil {
		t.Fatal(err)
	}
	document := out.String()
	var q struct {
		Goods []struct {
			NetMass string `xml:"MeasureImported>NetMass"`
			Remark  string `xml:"Remarks>AdditionalInformation"`
		} `xml:"ImportedGood"`
	}
	if err := xml.Unmarshal([]byte(document), &q); err != nil {
		t.Fatal(err)
	}
	imports, mass := 0, quantity.Total{}
	for _, g := range q.Goods {
		var n int
		_, _ = fmt.Sscanf(g.Remark, "%d imports", &n)
		imports += n
		mass = mass.Add(quantity.MustTotal(g.NetMass))
	}
	if len(q.Goods) != 10 || imports != 100_000 || mass.Fixed(0) != "35036650" {
		t.Errorf("%d lines of %d imports, %s t", len(q.Goods), imports, mass)
	}
	valid(t, map[string]string{"condensed": document})
}

// More sorts than the schema allows are an error, and so is an invalid quarter.
func TestExportErrors(t *testing.T) {
	report := &cbam.Report{Quarter: "2026-Q4", TotalImportsCount: math.MaxInt64}
	err := cbam.Export(io.Discard, cbam.Document{Report: report}, func(yield func(cbam.Entry, error) bool) {
		e := plates(1)
		for n := range 100_000 {
			e.CommodityCode = fmt.Sprintf("%08d", n)
			if !yield(e, nil) {
				return
			}
		}
	})
	if !errors.Is(err, cbam.ErrTooManyGoods) {
		t.Errorf("%v", err)
	}
	if err := cbam.Export(io.Discard, cbam.Document{Report: &cbam.Report{}}, entriesOf()); err == nil {
		t.Error("a report of no quarter was written")
	}
}

// A read or write error ends the export.
func TestExportFails(t *testing.T) {
	broken := errors.New("broken")
	failing := func(yield func(cbam.Entry, error) bool) { yield(cbam.Entry{}, broken) }
	for _, imports := range []int64{1, 100_000} {
		if err := cbam.Export(io.Discard, cbam.Document{Report: &cbam.Report{Quarter: "2026-Q4", TotalImportsCount: imports}}, failing); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	}
	reader, writer := io.Pipe()
	reader.CloseWithError(broken)
	if err := cbam.Export(writer, cbam.Document{Report: &cbam.Report{Quarter: "2026-Q4"}}, many); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// The export of 100,000 imports should take less than a second.
func BenchmarkExport(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := cbam.Export(io.Discard, cbam.Document{Declarant: declarant(), Report: &cbam.Report{Quarter: "2026-Q4", TotalImportsCount: 1}}, func(yield func(cbam.Entry, error) bool) {
			n := 0
			for e := range many {
				if n++; n > 99_999 || !yield(e, nil) {
					return
				}
			}
		}); err != nil {
			b.Fatal(err)
		}
	}
}
