package reference_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

var (
	ctx   = context.Background()
	today = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)
)

const (
	places    = "UnLocodeExtendedCode,Name,RDEntryStatus_activeFrom\nGBDVR,Dover,15-02-2021\nFRCQF,\"Calais, France\",05-08-2022\n"
	pairs     = "CnCode,ExciseProductCode,desc_en,activation_date\n22042138,W200,x,01-01-2024\n22042138,I000,x,01-01-2023\n22083030,S200,x,01-01-2022\n"
	emissions = "\uFEFFcountry,cn,direct,indirect,total\r\n" +
		"China,72081000,3.1,,3.1\r\nChina,7208,2.9,0,2.9\r\nChina,25231000,1.2,0.1,1.3\r\nChina,25231000,1.35,0.04,1.39\r\nChina,25232100,,,\r\n" +
		"IN,720810,4.27,,\r\nCôte d'Ivoire,2523,1,,1\r\n_Other Countries and Territorie,7208,2.5,,2.5\r\n_Other Countries and Territorie,25232100,1.44,,1.44\r\n"
)

func load(t *testing.T, s reference.Store, k reference.Kind, text string) reference.Edition {
	t.Helper()
	e, err := reference.Import(ctx, s, k, strings.NewReader(text), time.Time{}, today)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func refreshed(t *testing.T, s reference.Store) *reference.Library {
	t.Helper()
	l := &reference.Library{}
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	return l
}

// An imported table is available to other processes, with its day, until the next import
// replaces it.
func TestImport(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		mine, other := b.Open(t), b.Open(t)
		l := refreshed(t, other)
		if _, _, ok := l.Default("72081000", "CN"); ok || l.Places().Loaded() || l.ExciseProducts().Loaded() || l.Places().Lacks("GBZZZ") {
			t.Error("an empty library has something")
		}
		first := load(t, mine, reference.UNLOCODE, places)
		if first.Version != 1 || first.Rows != 2 || first.Date.Format(time.DateOnly) != "2022-08-05" || first.Publisher != "UNECE" || first.ImportedAt.IsZero() {
			t.Errorf("%+v", first)
		}
		if err := l.Refresh(ctx, other); err != nil || l.Places().Lacks("GBDVR") || !l.Places().Lacks("GBFXT") || l.Places().Edition != "UN/LOCODE list of 5 August 2022" {
			t.Errorf("%v %+v", err, l.Places())
		}
		second := load(t, mine, reference.UNLOCODE, strings.ReplaceAll(places, "GBDVR", "GBFXT"))
		if err := l.Refresh(ctx, other); err != nil || second.Version != 2 || !l.Places().Lacks("GBDVR") || l.Places().Lacks("GBFXT") {
			t.Errorf("%v %+v", err, second)
		}
		if all, err := other.Editions(ctx); err != nil || len(all) != 1 || all[0] != second {
			t.Errorf("%v %+v", err, all)
		}
	})
}

// counted counts how often rows are read.
type counted struct {
	reference.Store
	rows int
}

func (c *counted) Rows(ctx context.Context, k reference.Kind) (reference.Edition, []byte, bool, error) {
	c.rows++
	return c.Store.Rows(ctx, k)
}

// While nothing was imported, a refresh reads only the versions.
func TestRefreshIsIdle(t *testing.T) {
	s := &counted{Store: storetest.SQLite(t).Open(t)}
	load(t, s, reference.UNLOCODE, places)
	l := refreshed(t, s)
	for range 3 {
		if err := l.Refresh(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	load(t, s, reference.ExciseCN, pairs)
	if err := l.Refresh(ctx, s); err != nil || s.rows != 2 {
		t.Errorf("read %d tables, %v", s.rows, err)
	}
}

// corruptedStore returns invalid rows.
type corruptedStore struct{ reference.Store }

func (s corruptedStore) Rows(ctx context.Context, k reference.Kind) (reference.Edition, []byte, bool, error) {
	e, rows, found, err := s.Store.Rows(ctx, k)
	if k == reference.ExciseCN {
		rows = rows[:len(rows)/2]
	}
	return e, rows, found, err
}

// A table that cannot be read stays as it was, and does not affect the others.
func TestCorruptedTable(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, reference.ExciseCN, pairs)
	l := refreshed(t, s)
	load(t, s, reference.ExciseCN, strings.ReplaceAll(pairs, "22083030", "22083090"))
	load(t, s, reference.UNLOCODE, places)
	if err := l.Refresh(ctx, corruptedStore{s}); err == nil || l.ExciseProducts().Lacks("22083030") || !l.Places().Loaded() {
		t.Errorf("%v", err)
	}
	if err := l.Refresh(ctx, s); err != nil || l.ExciseProducts().Lacks("22083090") {
		t.Errorf("%v", err)
	}
}

// memoryStore is a store in memory that never changes.
type memoryStore struct {
	reference.Store
	edition      reference.Edition
	packed       []byte
	looked, read int
}

func (s *memoryStore) Editions(context.Context) ([]reference.Edition, error) {
	s.looked++
	return []reference.Edition{s.edition}, nil
}

func (s *memoryStore) Rows(context.Context, reference.Kind) (reference.Edition, []byte, bool, error) {
	s.read++
	return s.edition, s.packed, true, nil
}

// A running service reads an imported table within a minute, and then only checks the version.
func TestWatch(t *testing.T) {
	store := storetest.SQLite(t).Open(t)
	shelf := memoryStore{edition: load(t, store, reference.UNLOCODE, places)}
	_, shelf.packed, _, _ = store.Rows(ctx, reference.UNLOCODE)
	synctest.Test(t, func(t *testing.T) {
		during, end := context.WithCancel(ctx)
		var l reference.Library
		go l.Watch(during, &shelf, slog.New(slog.DiscardHandler))
		time.Sleep(time.Minute)
		synctest.Wait()
		if l.Places().Lacks("GBDVR") || !l.Places().Loaded() {
			t.Error("not read after a minute")
		}
		time.Sleep(time.Minute)
		end()
		synctest.Wait()
		if shelf.looked < 3 || shelf.looked > 4 || shelf.read != 1 {
			t.Errorf("looked %d times and read %d tables in two minutes", shelf.looked, shelf.read)
		}
	})
}

// A default value is found by the longest prefix of the code, for the country and otherwise
// for all others. Of several values for one code it is the highest.
func TestDefault(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	e, err := reference.Import(ctx, s, reference.CBAMDefaults, strings.NewReader(emissions), time.Date(2026, 4, 27, 0, 0, 0, 0, time.UTC), today)
	if err != nil || e.Rows != 7 {
		t.Fatalf("%+v %v", e, err)
	}
	l := refreshed(t, s)
	for _, c := range []struct{ code, country, want string }{
		{"7208100000", "CN", "3.1"}, {"72081000", "CN", "3.1"}, {"72083900", "CN", "2.9"}, {"25231000", "CN", "1.39"}, {"25232100", "CN", "1.44"},
		{"72081099", "IN", "4.27"}, {"72083900", "IN", "2.5"}, {"25239000", "CI", "1"}, {"72081000", "DE", "2.5"}, {"72081000", "", "2.5"},
		{"76011000", "CN", ""}, {"72", "CN", ""}, {"", "", ""},
	} {
		v, edition, ok := l.Default(c.code, c.country)
		if ok != (c.want != "") || ok && v.String() != c.want || edition != "default values for CBAM of 27 April 2026" {
			t.Errorf("%s from %s: %s %v by the %s, not %s", c.code, c.country, v, ok, edition, c.want)
		}
	}
}

// An excise product is found by its CN codes.
func TestExciseProducts(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	if e := load(t, s, reference.ExciseCN, pairs); e.Rows != 3 || e.String() != "EMCS table E200 of 1 January 2024" {
		t.Errorf("%s: %+v", e, e)
	}
	table := refreshed(t, s).ExciseProducts()
	if found, ok := table.Find("22042138"); !ok || found != "I000 W200" || !table.Lacks("22042190") {
		t.Errorf("%q %v", found, ok)
	}
}

// A file with errors imports nothing, names the invalid lines and leaves the former table.
func TestFaultyFiles(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	before := load(t, s, reference.UNLOCODE, places)
	long := places + "GBFXT," + strings.Repeat("x", 70_000) + ",15-02-2021\n"
	for name, c := range map[string]struct {
		kind  reference.Kind
		text  string
		lines []int
	}{
		"nothing":               {reference.UNLOCODE, "", []int{1}},
		"another table":         {reference.UNLOCODE, pairs, []int{1}},
		"no code, no day":       {reference.UNLOCODE, places + "gbfxt,x,15-02-2021\nGB0XT,x,15-02-2021\nGBFXT,x,30-02-2021\n", []int{4, 5, 6}},
		"twice":                 {reference.UNLOCODE, places + "GBDVR,x,15-02-2021\n", []int{4}},
		"cut off":               {reference.UNLOCODE, places + "GBFX", []int{4}},
		"a cell too many":       {reference.UNLOCODE, places + "GBFXT,x,15-02-2021,y\n", []int{4}},
		"an open quote":         {reference.UNLOCODE, places + "GBFXT,\"x,15-02-2021\n", []int{4}},
		"a line too long":       {reference.UNLOCODE, long, []int{4}},
		"not UTF-8":             {reference.CBAMDefaults, emissions + "C\xf4te,2523,1,,1\n", []int{11}},
		"an unknown country":    {reference.CBAMDefaults, emissions + "Atlantis,2523,1,,1\n", []int{11}},
		"a negative value":      {reference.CBAMDefaults, emissions + "China,2523,1,,-1\nChina,2523,x,,1\nChina,25,1,,1\nChina,2523,1,,1001\nChina,2523,1,1,\n", []int{11, 12, 13, 14, 15}},
		"neither code":          {reference.ExciseCN, pairs + "2204,W200,x,01-01-2024\n22042138,200,x,01-01-2024\n22042138,W200,x,01-01-2024\n", []int{5, 6, 7}},
		"faults without number": {reference.UNLOCODE, places + strings.Repeat("x,y,z\n", 100), []int{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
	} {
		_, err := reference.Import(ctx, s, c.kind, strings.NewReader(c.text), time.Time{}, today)
		var faulty *reference.ImportError
		if !errors.As(err, &faulty) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		lines := []int{}
		for _, f := range faulty.Faults {
			lines = append(lines, f.Line)
		}
		if fmt.Sprint(lines) != fmt.Sprint(c.lines) || faulty.More != (len(lines) == 20) || !strings.Contains(err.Error(), fmt.Sprintf("line %d: ", lines[0])) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := reference.Import(ctx, s, reference.UNLOCODE, strings.NewReader(places[:strings.IndexByte(places, '\n')+1]), time.Time{}, today); err == nil {
		t.Error("a heading alone was imported")
	}
	if all, err := s.Editions(ctx); err != nil || len(all) != 1 || all[0] != before {
		t.Errorf("%v %+v", err, all)
	}
}

// broken fails while it is read.
type broken struct{ io.Reader }

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil {
		err = os.ErrDeadlineExceeded
	}
	return n, err
}

// A file that cannot be read to its end imports nothing.
func TestBrokenFile(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	if _, err := reference.Import(ctx, s, reference.UNLOCODE, broken{strings.NewReader(places)}, time.Time{}, today); err == nil {
		t.Error("half a file was imported")
	}
	if all, _ := s.Editions(ctx); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// endless is a header and rows without end.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	var out bytes.Buffer
	if e.n == 0 {
		out.WriteString("country,cn,direct,indirect,total\n")
	}
	for out.Len() < len(p)-40 {
		fmt.Fprintf(&out, "CN,%08d,1,,1\n", e.n%1000)
		e.n++
	}
	return copy(p, out.Bytes()), nil
}

// A file without an end is refused with little memory.
func TestEndlessFile(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := reference.Import(ctx, nil, reference.CBAMDefaults, &endless{}, time.Time{}, today)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "500000 rows") {
		t.Errorf("%v", err)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("%d bytes are still in use", grown)
	}
}

// A file longer than the limit is refused.
func TestLongFile(t *testing.T) {
	heading, line := "country,cn,direct,indirect,total\n", "CN,25231000,1,,1"+strings.Repeat(" ", 1000)+"\n"
	text := io.MultiReader(strings.NewReader(heading), strings.NewReader(strings.Repeat(line, 66<<20/len(line))))
	if _, err := reference.Import(ctx, nil, reference.CBAMDefaults, text, time.Time{}, today); err == nil || !strings.Contains(err.Error(), "64 MB") {
		t.Errorf("%v", err)
	}
}
