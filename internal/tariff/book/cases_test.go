package book_test

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

const published = "../../../../shared/tariff/measures"

// recordings reads those of an archive that a filter chooses.
func recordings(t testing.TB, archive string, chosen func(recording.Name) bool) (all []*recording.Recording) {
	t.Helper()
	file, err := os.Open(filepath.Join(published, archive))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the recorded answers are not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for entries := tar.NewReader(unzipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		name, ok := recording.ParseName(filepath.Base(entry.Name))
		if !ok || !chosen(name) {
			continue
		}
		document, err := io.ReadAll(entries)
		if err != nil {
			t.Fatal(err)
		}
		r, err := recording.Read(name, document)
		if err != nil {
			t.Fatalf("%s: %v", entry.Name, err)
		}
		all = append(all, r)
	}
}

func bookOf(t testing.TB, service string, all []*recording.Recording) *book.Book {
	t.Helper()
	c := book.Contents{Holding: duty.Holding{AsOf: "2021-01-01", Source: "recordings"}}
	for _, r := range all {
		if r.Name.Service == service {
			c.Recordings = append(c.Recordings, r)
		}
	}
	b, err := book.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func ask(t testing.TB, text string, editions duty.Editions) duty.Response {
	t.Helper()
	var r duty.Request
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	on, err := measure.ParseDay(r.Date)
	if err != nil {
		t.Fatal(err)
	}
	money := &duty.Money{Table: "T1", Monthly: func(c string) (duty.Rate, bool) {
		return duty.Rate{Units: quantity.MustNumber("1.25"), Source: "HMRC_MONTHLY", Period: "2021-08-01/2021-08-31"}, c == "USD"
	}}
	return duty.Calculate(&r, on, editions, money)
}

// The example of the contract: biodiesel of Canada, with anti-dumping and countervailing duty of another company.
func TestBiodieselOfCanada(t *testing.T) {
	all := recordings(t, "nested.tar.gz", func(n recording.Name) bool { return n.Code == "1516209821" })
	all[0].Name.Day = 0
	uk := bookOf(t, measure.UK, all)
	r := ask(t, `{"date": "2021-08-12", "destination": "GB", "incoterm": "EXW", "vatCosts": [], "lines": [{"ref": "1", "commodityCode": "1516209821",
		"origin": "CA", "price": {"amount": 500, "currency": "GBP"}, "freight": [{"amount": 250, "currency": "GBP"}],
		"insurance": [{"amount": 250, "currency": "GBP"}], "netMassKg": 1000, "quantities": [{"unit": "TNE", "qualifier": "I", "value": 1}],
		"additionalCodes": ["B999"], "vatChoice": "VAT", "facts": {"otherDocuments": "NONE"}}]}`, duty.Editions{ID: 1, UK: uk})
	text, _ := json.MarshalIndent(r, "", " ")
	var lines []string
	for _, o := range r.Lines[0].Options {
		line := o.Kind + " " + o.Status
		for _, c := range o.Charges {
			amount := "?"
			if c.Amount != nil {
				amount = c.Amount.Fixed()
			}
			line += " " + c.TaxType + " " + amount
		}
		lines = append(lines, line)
	}
	t.Log(strings.Join(lines, "\n"))
	_ = os.WriteFile("/work/tmp/lead/answer.json", text, 0o644)
}
