package official_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table/tabletest"
)

// answers is what the engine says about goods of codes, as bytes.
func answers(t *testing.T, e duty.Editions, codes []string) string {
	t.Helper()
	r := duty.Request{Destination: "GB"}
	for _, code := range codes {
		for _, origin := range []string{"CA", "AD", "BD"} {
			var l duty.RequestLine
			if err := json.Unmarshal([]byte(`{"commodityCode": "`+code+`", "origin": "`+origin+`", "price": {"amount": 100, "currency": "GBP"}, "netMassKg": 10}`), &l); err != nil {
				t.Fatal(err)
			}
			r.Lines = append(r.Lines, l)
		}
	}
	r.Complete()
	day, _ := measure.ParseDay("2025-06-04")
	var all []byte
	for _, r.Destination = range []string{"GB", "NI"} {
		text, err := json.Marshal(duty.Calculate(&r, day, e, &duty.Money{Monthly: func(string) (duty.Rate, bool) { return duty.Rate{}, false }}))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return string(all)
}

// publishedAnswers are the recorded answers by the names of their files, and their codes.
func publishedAnswers(t *testing.T) (documents map[string]string, codes []string) {
	t.Helper()
	documents = map[string]string{}
	recordingtest.Each(t, filepath.Join(recordingtest.Published, "commodities.tar.gz"), func(name string, document []byte) {
		if n, ok := recording.ParseName(filepath.Base(name)); ok {
			documents[filepath.Base(name)] = string(document)
			codes = append(codes, n.Code)
		}
	})
	return documents, codes
}

// An edition that is no longer in force gives the same bytes as when it was, also for codes that cannot be declared or are
// unknown, though only what is asked for is read from the store.
func TestEarlierEditionsGiveTheSameBytes(t *testing.T) {
	documents, codes := publishedAnswers(t)
	codes = append(codes, "6109100010", "6109100000", "610910", "9999999999", "0101000000", "0101219999", "6101990000")
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		load(t, s, file("lines", lines), file("duties", duties))
		var files []official.File
		for name, document := range documents {
			files = append(files, file(name, document))
		}
		load(t, s, files...)
		var then, now official.Library
		if err := then.Refresh(ctx, s); err != nil {
			t.Fatal(err)
		}
		load(t, s, file("lines", strings.ReplaceAll(lines, "6109100010", "6109100020")), file("duties", strings.ReplaceAll(duties, "12.00%", "7.00%")),
			file("1516209821_2025-06-04_uk.json", recorded("1516209821", 3)))
		if err := now.Refresh(ctx, s); err != nil {
			t.Fatal(err)
		}
		for some := range slices.Chunk(codes, 9) {
			e, err := now.EditionsAt(ctx, s, 2, some)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := answers(t, e, some), answers(t, then.Editions(), some); got != want {
				t.Fatalf("%v: %s", some, firstDifference(got, want))
			}
		}
	})
}

// tablesOfBoth imports the publisher's tables and reference lists of both services, and recorded answers that are newer and older
// than they are.
func tablesOfBoth(t *testing.T, s official.Store, lines, rows string) {
	t.Helper()
	areas := `[{"id": "1061", "description": "One group", "members": ["CA", "KE"]}, {"id": "2000", "description": "Another", "members": ["BD"]}, {"id": "1013", "description": "EU", "members": ["FR"]}]`
	load(t, s, file("commodities-report", lines), file("measures-on-declarable-commodities", rows), file("areas", areas),
		file("quotas", strings.ReplaceAll(quotaTable, ",50006,", ",50002,")), file("seasons", strings.ReplaceAll(seasonTable, "6109100010", "0201100000")),
		file("0101110000_2025-06-04_uk.json", recorded("0101110000", 3)), file("0101120000_2020-06-04_uk.json", recorded("0101120000", 4)))
	how := importing()
	how.Service = measure.XI
	defined := reportHead + "0100000000,1,103,1011,2021-01-01,,9.00% + 5.00 EUR / 100 kg,,,\n0201000000,2,103,1011,2021-01-01,,4.00%,,,\n" +
		"0101000000,3,142,2005,2021-01-01,,0.00%,,KE,\n0300000000,4,103,1011,2021-01-01,,1.00%,,,\n"
	xi := []official.File{file("xi-as-defined", defined), file("xi areas", areaList), file("meursing", meursing)}
	if _, err := official.Import(ctx, s, xi, how); err != nil {
		t.Fatal(err)
	}
}

// The same holds for the publisher's tables and the reference lists of both services, of which only the chapters of the goods are read.
func TestEarlierTablesGiveTheSameBytes(t *testing.T) {
	lines, rows, _ := generated(t, 400)
	codes := []string{"0101110000", "0101120000", "0101000000", "0101990000", "0201110000", "0299000000", "9999999999", "0000000000", "61091000"}
	for at := 0; at < 400; at += 23 {
		codes = append(codes, tabletest.Code(at))
	}
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := &frugalStore{Store: b.Open(t)}
		tablesOfBoth(t, s.Store, lines, rows)
		var then, now official.Library
		if err := then.Refresh(ctx, s.Store); err != nil {
			t.Fatal(err)
		}
		load(t, s.Store, file("measures-on-declarable-commodities", strings.ReplaceAll(rows, ",142,", ",145,")), file("areas", areaList), file("quotas", quotaTable))
		if err := now.Refresh(ctx, s.Store); err != nil {
			t.Fatal(err)
		}
		for some := range slices.Chunk(codes, 5) {
			e, err := now.EditionsAt(ctx, s, 2, some)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := answers(t, e, some), answers(t, then.Editions(), some); got != want || !strings.Contains(want, `"XI"`) {
				t.Fatalf("%v: %s", some, firstDifference(got, want))
			}
		}
		s.read = nil
		if _, err := now.EditionsAt(ctx, s, 2, []string{"0201110000"}); err != nil {
			t.Fatal(err)
		}
		want := []string{"table/duties/02", "table/measures-as-defined-xi/02", "table/measures/02", "table/nomenclature/02", "table/vat/02"}
		if slices.Sort(s.read); !slices.Equal(s.read, want) {
			t.Errorf("reads %s", s.read)
		}
	})
}

// firstDifference shows where two texts begin to differ.
func firstDifference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return a[max(0, at-200):min(len(a), at+200)] + "\nand when it was in force:\n" + b[max(0, at-200):min(len(b), at+200)]
}
