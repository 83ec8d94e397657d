package book_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
)

// recordings reads those of an archive that a filter chooses.
func recordings(t testing.TB, archive string, chosen func(recording.Name) bool) (all []*recording.Recording) {
	t.Helper()
	recordingtest.Each(t, filepath.Join(recordingtest.Published, archive), func(file string, document []byte) {
		name, ok := recording.ParseName(file)
		if !ok || !chosen(name) {
			return
		}
		r, err := recording.Read(name, document)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, r)
	})
	return all
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
	third := r.Lines[0].Options[1]
	want := []string{"A00 103 109.00", "A30 552 144.10", "A40 554 198.33", "B00 305 290.28"}
	if got := charges(third); !slices.Equal(got, want) || third.Status != duty.Available || third.Totals.Total.Fixed() != "741.71" {
		t.Errorf("%v, %s, %v", got, third.Status, third.Totals.Total)
	}
	if base := third.Charges[3].Base.Amount.Fixed(); base != "1451.43" {
		t.Errorf("VAT is on %s", base)
	}
}

// charges writes the charges of an option: tax type, measure type, amount.
func charges(o duty.Option) (all []string) {
	for _, c := range o.Charges {
		amount := "null"
		if c.Amount != nil {
			amount = c.Amount.Fixed()
		}
		all = append(all, c.TaxType+" "+*c.TypeID+" "+amount)
	}
	return all
}
