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
				t.Fatalf("%v:\n%s\nand when it was in force:\n%s", some, got, want)
			}
		}
	})
}
