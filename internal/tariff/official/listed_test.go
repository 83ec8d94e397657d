package official_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// Rows of the publisher's tables: number, type, area, days, duty.
const (
	onEachCode = "6109100010,11,103,1011,2021-01-01,,12.00%,,,\n6109100010,12,142,BD,2021-01-01,,0.00%,,,\n6109100090,12,142,BD,2021-01-01,,0.00%,,,\n" +
		"6109900000,12,142,BD,2021-01-01,,0.00%,,,\n" +
		"6109100090,13,103,1011,2021-01-01,,10.00%,,,\n6109100010,14,305,1011,2021-01-01,,20.00%,,,\n0101210000,15,103,1011,2021-01-01,,5.00%,,,\n"
	whereDefined = "6109100010,11,103,1011,2021-01-01,,12.00%,,,\n6109000000,12,142,BD,2021-01-01,,0.00%,,,\n6109100090,13,103,1011,2021-01-01,,10.00%,,,\n" +
		"6109100010,14,305,1011,2021-01-01,,20.00%,,,\n0101210000,15,103,1011,2021-01-01,,5.00%,,,\n"
)

// loadOn imports files of a service as of a day.
func loadOn(t *testing.T, s official.Store, service, day string, files ...official.File) int64 {
	t.Helper()
	how := importing()
	how.Service, how.AsOf = service, day
	r, err := official.Import(ctx, s, files, how)
	if err != nil {
		t.Fatal(err)
	}
	return r.Version
}

// Measures of the publisher's tables are compared on the codes that they stand on: where they are defined, or in a report on each
// declarable code, also when a report replaces the other table. A table counts before older recorded answers, and after newer ones.
func TestDiffOfTables(t *testing.T) {
	preferences := strings.NewReplacer(",12,142,BD,2021-01-01,,0.00%", ",12,142,BD,2021-01-01,,3.00%")
	each := func(rows string) official.File { return file("measures-on-declarable-commodities", reportHead+rows) }
	defined := func(rows string) official.File { return file("measures-as-defined", reportHead+rows) }
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		load(t, s, file("report", report), file("units", units), each(onEachCode)) // 1
		for _, next := range []struct {
			day   string
			files []official.File
		}{
			{"2026-01-01", []official.File{each(preferences.Replace(onEachCode))}},
			{"2026-01-02", []official.File{file("report", report), defined(preferences.Replace(whereDefined))}},
			{"2026-01-02", []official.File{defined(whereDefined)}},
			{"2026-01-02", []official.File{file("6109100010_2026-01-02_uk.json", recorded("6109100010", 7))}},
			{"2026-01-03", []official.File{defined(strings.Replace(whereDefined, ",10.00%", ",10.50%", 1))}},
			{"2026-01-04", []official.File{each(onEachCode + "6109100010,16,143,KE,2026-02-01,,1.00%,,,\n")}},
		} {
			loadOn(t, s, measure.UK, next.day, next.files...) // 2 to 7
		}
		xi := func(rows string) { loadOn(t, s, measure.XI, "2026-01-01", file("xi-as-defined", reportHead+rows)) }
		xi("6109000000,21,103,1011,2021-01-01,,9.00%,,,\n")                                              // 8
		xi("6109000000,21,103,1011,2021-01-01,,9.00%,,KE,\n6109000000,22,695,US,2025-01-01,,4.00%,,,\n") // 9
		preference := []string{"CHANGED UK 6109100010 142 12 was 0.00 % is 3.00 %", "CHANGED UK 6109100090 142 12 was 0.00 % is 3.00 %", "CHANGED UK 6109900000 142 12 was 0.00 % is 3.00 %"}
		for _, c := range []struct {
			from, to int64
			filter   official.Filter
			want     []string
		}{
			{1, 2, official.Filter{}, preference},
			{1, 2, official.Filter{Code: "6109100090"}, preference[1:2]},
			{1, 2, official.Filter{Day: "2020-12-31"}, nil},
			{2, 3, official.Filter{}, nil},
			{3, 4, official.Filter{}, []string{"CHANGED UK 6109000000 142 12 was 3.00 % is 0.00 %"}},
			{4, 5, official.Filter{}, []string{
				"ENDED UK 6109100010 103 11 was 12.00 %", "ADDED UK 6109100010 103 20000001 is 7.00 %", "ENDED UK 6109100010 142 12 was 0.00 %",
				"ADDED UK 6109100010 305 -1 is 20.00 %", "ENDED UK 6109100010 305 14 was 20.00 %",
			}},
			{5, 6, official.Filter{}, []string{
				"ADDED UK 6109100010 103 11 is 12.00 %", "ENDED UK 6109100010 103 20000001 was 7.00 %", "ADDED UK 6109100010 142 12 is 0.00 %",
				"ENDED UK 6109100010 305 -1 was 20.00 %", "ADDED UK 6109100010 305 14 is 20.00 %", "CHANGED UK 6109100090 103 13 was 10.00 % is 10.50 %",
			}},
			{6, 7, official.Filter{}, []string{"ADDED UK 6109100010 143 16 is 1.00 %", "CHANGED UK 6109100090 103 13 was 10.50 % is 10.00 %"}},
			{6, 7, official.Filter{Day: "2026-01-31"}, []string{"CHANGED UK 6109100090 103 13 was 10.50 % is 10.00 %"}},
			{3, 7, official.Filter{Type: "143"}, []string{"ADDED UK 6109100010 143 16 is 1.00 %"}},
			{8, 9, official.Filter{}, []string{"CHANGED XI 6109000000 103 21 was 9.00 % is 9.00 %", "ADDED XI 6109000000 695 22 is 4.00 %"}},
			{7, 8, official.Filter{}, []string{"ADDED XI 6109000000 103 21 is 9.00 %"}},
		} {
			got, _ := changesOf(t, s, c.from, c.to, c.filter)
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%d to %d, %+v:\n%s\nnot\n%s", c.from, c.to, c.filter, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		}
	})
}

// A comparison of the publisher's tables reads the chapters that differ only, each once, and its pages have all changes.
func TestDiffOfTablesReadsChapters(t *testing.T) {
	s := &frugalStore{Store: storetest.SQLite(t).Open(t)}
	lines, rows, _ := generated(t, 400)
	load(t, s.Store, file("commodities-report", lines), file("measures-on-declarable-commodities", rows))
	load(t, s.Store, file("measures-on-declarable-commodities", chapter02(rows)))
	all, summary := changesOf(t, s, 1, 2, official.Filter{})
	if summary.Changed == 0 || summary.Changed != len(all) || summary.Codes != 13*13 {
		t.Errorf("%+v", summary)
	}
	want := "table/measures/02 table/duties/02 table/vat/02 table/measures/02 table/duties/02 table/vat/02"
	if got := strings.Join(s.read, " "); got != want {
		t.Errorf("reads %s", got)
	}
	var place official.Place
	for shown := 0; ; {
		c, err := official.Compare(ctx, s, 1, 2, official.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Page(ctx, place, 200)
		if err != nil || p.Summary != summary {
			t.Fatalf("%+v %v", p.Summary, err)
		}
		if shown += len(p.Changes); p.Next == nil {
			if shown != len(all) {
				t.Errorf("pages have %d changes, not %d", shown, len(all))
			}
			break
		}
		place = *p.Next
	}
}

// chapter02 is a report in which the controls of chapter 02 have another footnote.
func chapter02(rows string) string {
	var changed strings.Builder
	for row := range strings.Lines(rows) {
		if strings.Contains(row, ",02") && strings.Contains(row, ",410,") {
			row = strings.Replace(row, "CD624", "CD625", 1)
		}
		changed.WriteString(row)
	}
	return changed.String()
}

// The publisher's tables and the lists are stored once as long as they do not change, also with another day, after a rollback to the
// edition that has them, and with another list beside them.
func TestStoredTablesAreWhatChanged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		lines, rows, measures := generated(t, 400)
		one, other := file("report", rows), chapter02(rows)
		r := load(t, s, file("commodities-report", lines), one, file("areas", areaList))
		if r.Holds.Measures != measures || r.Holds.UK == nil || r.Holds.XI != nil {
			t.Errorf("%d measures, not %d: %+v", r.Holds.Measures, measures, r.Holds)
		}
		for _, c := range []struct {
			service, day string
			files        []official.File
			want         []string
		}{
			{"", "", []official.File{file("report", other)}, []string{"table/measures/02"}},
			{"", "2026-10-01", []official.File{file("report", other), file("areas", areaList)}, nil},
			{measure.XI, "", []official.File{file("report", rows)}, []string{"table/measures-xi/01", "table/measures-xi/02", "table/measures-xi/03", "table/measures-xi/words"}},
			{measure.XI, "", []official.File{file("report", other), file("xi areas", areaList)}, []string{"areas-xi", "table/measures-xi/02"}},
		} {
			version := loadOn(t, s, c.service, c.day, c.files...)
			e := editionOf(t, s, version)
			if got := cameWith(t, s, e); !slices.Equal(got, c.want) {
				t.Errorf("edition %d: %v, want %v", version, got, c.want)
			}
			if want := measures * (1 + len(c.service)/2); e.Holds.Measures != want {
				t.Errorf("edition %d: %d measures, want %d", version, e.Holds.Measures, want)
			}
		}
		one = file("report", rows)
		version := int64(1)
		if _, err := official.Rollback(ctx, s, &version); err != nil {
			t.Fatal(err)
		}
		if again := load(t, s, one, file("areas", areaList)); again.Version != 1 {
			t.Errorf("the same again is edition %d", again.Version)
		}
	})
}

func editionOf(t *testing.T, s official.Store, version int64) official.Edition {
	t.Helper()
	all, err := s.TariffEditions(ctx)
	at := slices.IndexFunc(all, func(e official.Edition) bool { return e.Version == version })
	if err != nil || at < 0 {
		t.Fatal(version, err)
	}
	return all[at]
}

// A duty that changes with the season is compared in all of its seasons. An answer for one country that is newer than the table
// replaces a measure of it, and ends none.
func TestDiffOfSeasonsAndCountries(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	for _, percent := range []string{"14.00%", "15.00%"} {
		rows := "0101210000,30,103,1011,2021-01-01,,\"8.00% (01 NOV - 14 MAY), " + percent + " (15 MAY - 31 OCT)\",,,\n0101210000,20000001,695,BD,2021-01-01,,9.00%,,,\n"
		loadOn(t, s, measure.XI, "2026-01-01", file("xi-as-defined", reportHead+rows))
	}
	load(t, s, file("0101210000_2026-02-01_xi_BD.json", strings.Replace(recorded("0101210000", 3), `"103"`, `"695"`, 1)))
	got, _ := changesOf(t, s, 1, 2, official.Filter{})
	if len(got) != 1 || !strings.HasPrefix(got[0], "CHANGED XI 0101210000 103 30 was 8.00") || !strings.Contains(got[0], "15.00") {
		t.Errorf("seasons: %s", got)
	}
	got, _ = changesOf(t, s, 2, 3, official.Filter{})
	if want := []string{"ADDED XI 0101210000 305 -1 is 20.00 %", "CHANGED XI 0101210000 695 20000001 was 9.00 % is 3.00 %"}; !slices.Equal(got, want) {
		t.Errorf("an answer for one country: %s", strings.Join(got, "\n"))
	}
}
