package rates_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// memory is a store of imports in the order in which they came.
type memory struct{ imports []rates.Import }

const (
	heading = "Country/Territories ,Currency,Currency Code,Currency Units per \xa31,Start Date,End Date \n"
	january = heading + "Eurozone,Euro ,EUR,1.19,01/01/2026,31/01/2026\nFrance,Euro,EUR,1.190,01/01/2026,31/01/2026\nUSA,Dollar,USD,1.3102,01/01/2026,31/01/2026\n"
	spring  = `<?xml version="1.0" encoding="ISO-8859-1"?><exchangeRateMonthList Period="01/May/2026 to 31/May/2026">` +
		`<exchangeRate><countryName>USA</countryName><currencyCode>USD</currencyCode><rateNew>1.2901</rateNew></exchangeRate></exchangeRateMonthList>`
	autumn = `{"data":{"type":"exchange_rate_collection","attributes":{"type":"monthly"}},"included":[{"type":"exchange_rate_file","attributes":{}},` +
		`{"type":"exchange_rate","attributes":{"currency_code":"USD","rate":"1.2801","validity_start_date":"2026-09-01","validity_end_date":"2026-09-30"}}]}`
	euro = `[{"attributes":{"child_monetary_unit_code":"GBP","exchange_rate":"0.85765","validity_start_date":"2026-02-01T00:00:00.000Z"}},` +
		`{"child_monetary_unit_code":"GBP","exchange_rate":"0.86","validity_start_date":"2026-03-01T00:00:00.000Z"}]`
	week = "Country,Currency,Currency Code,Currency units per £1,Start Date,End Date\nTurkey,Lira,TRY,41.5,14/01/2026,31/01/2026\n"
)

// run imports texts as files that are named a, b, c.
func run(to rates.Store, texts ...string) (rates.Report, error) {
	var files []rates.File
	for n, text := range texts {
		files = append(files, rates.File{Name: string(rune('a' + n)), Reader: strings.NewReader(text)})
	}
	return rates.Run(context.Background(), to, files)
}

// A file that must have the rates of a month is refused with those of another month, or of a part of it.
func TestMonthOfFile(t *testing.T) {
	for month, text := range map[string]string{"2026-01": january, "2026-02": january, "2026-05": spring, "2026-1": week} {
		s := &memory{}
		_, err := rates.Run(t.Context(), s, []rates.File{{Name: "file", Reader: strings.NewReader(text), Month: month}})
		if fits := month == "2026-01" || month == "2026-05"; (err == nil) != fits || (len(s.imports) > 0) != fits {
			t.Errorf("%s: %v, %d imports", month, err, len(s.imports))
		}
	}
	if _, err := rates.Run(t.Context(), &memory{}, []rates.File{{Name: "file", Reader: strings.NewReader(week), Month: "2026-01"}}); err == nil || !strings.Contains(err.Error(), "has no rates of 2026-01") {
		t.Errorf("a part of the month: %v", err)
	}
}

// Every published form is read: with countries that share a currency, in Latin-1 and UTF-8, as CSV, XML and JSON.
func TestForms(t *testing.T) {
	s := &memory{}
	if _, err := run(s, january, spring, autumn, euro, week, "USD,2026-06-01,2026-06-30,1.33\n"); err != nil {
		t.Fatal(err)
	}
	var l rates.Library
	if err := l.Refresh(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ series, currency, day, want string }{
		{rates.Monthly, "EUR", "2026-01-01", "1.19"}, {rates.Monthly, "USD", "2026-01-31", "1.3102"}, {rates.Monthly, "USD", "2026-02-01", ""},
		{rates.Monthly, "USD", "2026-05-15", "1.2901"}, {rates.Monthly, "USD", "2026-09-30", "1.2801"}, {rates.Monthly, "USD", "2026-06-03", "1.33"},
		{rates.Monthly, "TRY", "2026-01-20", ""}, {rates.Weekly, "TRY", "2026-01-20", "41.5"}, {rates.Weekly, "TRY", "2026-01-13", ""},
		{rates.Euro, "EUR", "2026-02-28", "0.85765"}, {rates.Euro, "EUR", "2026-03-31", "0.86"}, {rates.Euro, "EUR", "2026-04-01", ""},
	} {
		r, ok := l.Find(c.series, c.currency, c.day)
		if got := r.Value.String(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s of %s on %s: %s, not %s", c.series, c.currency, c.day, got, c.want)
		}
	}
	if r, _ := l.Find(rates.Monthly, "EUR", "2026-01-15"); r.From != "2026-01-01" || r.To != "2026-01-31" || r.Source != "HMRC, a" {
		t.Errorf("period and source: %+v", r)
	}
}

// A corrupt file is refused as a whole, with the others of the same import, and the rows are named.
func TestRefusal(t *testing.T) {
	const rest = "USA,Dollar,USD,1.3,01/01/2026,31/01/2026\n"
	for text, want := range map[string]string{
		heading + rest + "Japan,Yen,JPY,no,01/01/2026,31/01/2026\n":   "row 3",
		heading + rest + "Japan,Yen,JPY,0,01/01/2026,31/01/2026\n":    "row 3",
		heading + rest + "Japan,Yen,JPY,-1,01/01/2026,31/01/2026\n":   "row 3",
		heading + rest + "Japan,Yen,JP,187,01/01/2026,31/01/2026\n":   "row 3",
		heading + rest + "Japan,Yen,JPY,187,32/01/2026,31/01/2026\n":  "row 3",
		heading + rest + "Japan,Yen,JPY,187,31/01/2026,01/01/2026\n":  "row 3",
		heading + rest + "Guam,Dollar,USD,1.31,01/01/2026,31/01/2026": "row 3",
		heading + rest + "Japan,Yen,JPY,187":                          "cut short",
		heading:                                                       "has no rates",
		"":                                                            "has no rates",
		"%PDF-1.7":                                                    "is not a list of exchange rates",
		"Country,Unit Of Currency,Sterling value of Currency Unit":    "are for accounts",
		spring[:len(spring)-10]:                                       "XML syntax error",
		strings.Replace(spring, "to", "-", 1):                         "",
		strings.Replace(autumn, "monthly", "spot", 1):                 "are for accounts",
		strings.Replace(autumn, "exchange_rate_c", "c", 1):            "is not a list of exchange rates",
		autumn[:len(autumn)-5]:                                        "unexpected end",
		strings.Replace(euro, "GBP", "XXX", 1):                        "row 1",
		strings.Replace(euro, "2026-03-01", "2026-03-02", 1):          "row 2",
		strings.Repeat(" ", 9<<20):                                    "longer than",
		strings.Replace(january, "1.3102", "1.31020001", 1):           "row 4",
	} {
		s := &memory{}
		_, err := run(s, january, text)
		var faulty *importerr.Error
		if !errors.As(err, &faulty) || !strings.Contains(err.Error(), want) || len(s.imports) != 0 || faulty.Faults[0].File != "b" {
			t.Errorf("%.60q: %v, not %s; %d imports", text, err, want, len(s.imports))
		}
	}
}

// A period replaces the one of the same days as a whole, and the others stay. The same content again changes nothing.
func TestReplacement(t *testing.T) {
	s := &memory{}
	corrected := strings.Replace(heading+"USA,Dollar,USD,1.3102,01/01/2026,31/01/2026\n", "1.3102", "1.4", 1)
	for n, c := range []struct {
		text, change string
		version      int64
	}{{january, rates.Added, 1}, {january, rates.Unchanged, 1}, {corrected, rates.Replaced, 2}, {spring, rates.Added, 3}} {
		r, err := run(s, c.text)
		if err != nil || r.Version != c.version || r.Periods[0].Change != c.change {
			t.Fatalf("import %d: %+v %v", n, r, err)
		}
	}
	var l rates.Library
	if err := l.Refresh(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	_, old := l.Find(rates.Monthly, "EUR", "2026-01-15")
	if usd, _ := l.Find(rates.Monthly, "USD", "2026-01-15"); old || usd.Value.String() != "1.4" || l.Current().Version != 3 || len(l.Current().Periods(rates.Monthly)) != 2 {
		t.Errorf("EUR is held: %v, USD %s, %+v", old, usd.Value, l.Current())
	}
}

// Two files that contradict each other are refused; two that agree are joined.
func TestTwoFiles(t *testing.T) {
	s := &memory{}
	if _, err := run(s, january, strings.Replace(january, "1.3102", "1.4", 1)); err == nil || !strings.Contains(err.Error(), "1.4, but 1.3102") {
		t.Errorf("a contradiction: %v", err)
	}
	if r, err := run(s, january, strings.Replace(january, "USD", "AUD", 1)); err != nil || len(r.Periods) != 1 || r.Periods[0].Currencies != 3 {
		t.Errorf("two halves: %+v %v", r, err)
	}
}

// HMRC's monthly files of 2020 to 2023 are read, and CSV and XML say the same. Average and spot rates are refused.
func TestFilesOfHMRC(t *testing.T) {
	packed, err := os.Open("../../../../shared/tariff/measures/reference/exchange_rates_2020_2023.tar.gz")
	if err != nil {
		t.Skip("HMRC's files are not beside the project:", err)
	}
	defer packed.Close()
	zip, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var monthly []rates.File
	for files := tar.NewReader(zip); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		content, failed := io.ReadAll(files)
		if err = errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		file := rates.File{Name: header.Name, Reader: bytes.NewReader(content)}
		switch {
		case strings.Contains(header.Name, "monthly"):
			monthly = append(monthly, file)
		case strings.Contains(header.Name, "_rates_"):
			if _, err := rates.Run(t.Context(), &memory{}, []rates.File{file}); err == nil || !strings.Contains(err.Error(), "for accounts") {
				t.Errorf("%s: %v", header.Name, err)
			}
		}
	}
	s := &memory{}
	r, err := rates.Run(t.Context(), s, monthly)
	if err != nil || len(r.Periods) != 42 || r.Periods[0].From != "2020-01-01" || r.Periods[41].To != "2023-06-30" || len(monthly) < 80 {
		t.Fatalf("%d files, %d periods: %v", len(monthly), len(r.Periods), err)
	}
	var l rates.Library
	if err := l.Refresh(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if r, _ := l.Find(rates.Monthly, "AED", "2022-01-31"); r.Value.String() != "4.8542" {
		t.Errorf("%+v", r)
	}
}

func (m *memory) RatesStamp(context.Context) (int64, time.Time, error) {
	if m.imports == nil {
		return 0, time.Time{}, nil
	}
	last := m.imports[len(m.imports)-1]
	return last.Version, last.ImportedAt, nil
}

func (m *memory) RateImports(context.Context) (all []rates.Import, err error) {
	for _, i := range m.imports {
		packed, err := rates.Pack(i.Periods)
		if err != nil {
			return nil, err
		}
		if i.Periods, err = rates.Unpack(packed); err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, nil
}

func (m *memory) AddRates(_ context.Context, was int64, i rates.Import) (rates.Import, error) {
	i.Version, i.ImportedAt = was+1, time.Unix(was, 0)
	m.imports = append(m.imports, i)
	return i, nil
}
