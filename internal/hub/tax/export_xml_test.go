package tax_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func export(t *testing.T, r tax.Return) string {
	t.Helper()
	var out bytes.Buffer
	if err := tax.Export(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func exported(b *returnCase) tax.Return {
	r, err := tax.Compute(b.ReturnRequest, period(b.key), b.Ledger)
	if err != nil {
		panic(err)
	}
	return r
}

// The export of a return matches the golden file.
func TestExportGolden(t *testing.T) {
	const golden = "testdata/importer.xml"
	got := export(t, exported(importer()))
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s\nis not\n%s", got, want)
	}
}

// hostile are unusual VAT numbers.
var hostile = []string{
	"", "GB 123 4567 82", "</Key><x/>", `"&<>'`, "&amp;&#x41;", "]]>", "<!-- --", "\x00\x01\uFFFE\xff", "\t\r\n", "１２３", "\u202edrow", strings.Repeat("<", 14),
}

// The export is valid for any input, which it contains as text.
func TestExportValidates(t *testing.T) {
	folder := t.TempDir()
	var files []string
	add := func(text string) {
		file := filepath.Join(folder, fmt.Sprintf("%d.xml", len(files)))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for _, number := range hostile {
		b := importer()
		b.Trader.VATNumber = number
		text := export(t, exported(b))
		add(text)
		var read struct {
			Key string `xml:"IRheader>Keys>Key"`
		}
		if err := xml.Unmarshal([]byte(text), &read); err != nil {
			t.Errorf("%q: %v", number, err)
		}
		if want := legible(number); read.Key != want {
			t.Errorf("%q came out as %q", number, read.Key)
		}
	}
	for _, example := range goodExamples {
		for _, key := range []string{"2026-Q1", "2026-Q2", "2026-Q3", "2026-Q4"} {
			b := example()
			b.key = key
			add(export(t, exported(b)))
		}
	}
	extreme := shop()
	extreme.ReturnRequest = tax.ReturnRequest{Box1VATDueSales: money("-99999999999"), Box6TotalSales: money("-99999999999"), Box9TotalAcquisitionsEU: money("99999999999")}
	add(export(t, exported(extreme)))
	add(export(t, exported(&returnCase{key: "2026-Q4"})))
	lint(t, files)
}

// legible is what XML can hold of a text. A number in good order is its nine digits.
func legible(text string) string {
	if text == "GB 123 4567 82" {
		return "123456782"
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t' || c == '\r' || c == '\n':
			return ' '
		case c < ' ' || c == '\uFFFE':
			return '\uFFFD'
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

func lint(t *testing.T, files []string) {
	t.Helper()
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("xmllint is not installed")
	}
	output, err := exec.Command("xmllint", append([]string{"--noout", "--nonet", "--schema", "testdata/vatdeclaration.xsd"}, files...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

// The mark is the digest of the canonical body without it, as another program computes it.
func TestMark(t *testing.T) {
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("xmllint is not installed")
	}
	b := importer()
	b.Trader.VATNumber = `"&<>' é`
	text := export(t, exported(b))
	_, body, _ := strings.Cut(text, "\n")
	element := regexp.MustCompile(`<IRmark Type="generic">([^<]*)</IRmark>`)
	mark := element.FindStringSubmatch(body)
	file := filepath.Join(t.TempDir(), "body.xml")
	bare := `<?xml version="1.0"?><Body xmlns='http://www.govtalk.gov.uk/CM/envelope'>` + element.ReplaceAllString(strings.TrimSpace(body), "") + `</Body>`
	if err := os.WriteFile(file, []byte(bare), 0o600); err != nil {
		t.Fatal(err)
	}
	canonical, err := exec.Command("xmllint", "--c14n", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	digest := sha1.Sum(bytes.TrimSpace(canonical))
	if want := base64.StdEncoding.EncodeToString(digest[:]); len(mark) != 2 || mark[1] != want {
		t.Errorf("the mark is %v, not %s", mark, want)
	}
}

// The boxes are in HMRC's order, those of VAT with pence and those of values without.
func TestExportBoxes(t *testing.T) {
	text := export(t, exported(belfastShop()))
	want := "<VATDueOnOutputs>8420.50</VATDueOnOutputs><VATDueOnECAcquisitions>640.20</VATDueOnECAcquisitions><TotalVAT>9060.70</TotalVAT>" +
		"<VATReclaimedOnInputs>2950.95</VATReclaimedOnInputs><NetVAT>6109.75</NetVAT><NetSalesAndOutputs>46780</NetSalesAndOutputs>" +
		"<NetPurchasesAndInputs>19340</NetPurchasesAndInputs><NetECSupplies>0</NetECSupplies><NetECAcquisitions>3201</NetECAcquisitions>"
	if !strings.Contains(text, want) {
		t.Error(text)
	}
	for _, part := range []string{"<PeriodID>2026-09</PeriodID>", "<PeriodStart>2026-07-01</PeriodStart>", "<PeriodEnd>2026-09-30</PeriodEnd>"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s", part)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A return that cannot be exported or written is an error.
func TestExportFails(t *testing.T) {
	if err := tax.Export(&bytes.Buffer{}, tax.Return{PeriodKey: "2026-Q9"}); err == nil {
		t.Error("a period that is none was exported")
	}
	if err := tax.Export(full{}, exported(shop())); err == nil {
		t.Error("a failed write returned no error")
	}
}
