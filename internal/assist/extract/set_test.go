package extract_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

func TestDev(t *testing.T) {
	e := extract.New()
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]*documents.Score{}
	for _, s := range all {
		if s.Held != (os.Getenv("HELD") != "") || os.Getenv("ONE") != "" && os.Getenv("ONE") != s.Name {
			continue
		}
		a, err := e.Extract(context.Background(), extract.Request{File: s.File, DocumentType: extract.DocumentType(s.Type)})
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		raw, _ := json.Marshal(a.Document)
		misses, err := documents.Compare(s, raw, scores)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range misses {
			t.Logf("%-18s %-34s want %q got %q", m.Sample, m.Field, m.Want, m.Got)
		}
		if os.Getenv("ONE") != "" {
			raw, _ := json.MarshalIndent(a, "", " ")
			t.Logf("%s", raw)
		}
	}
	var sum documents.Score
	for _, k := range slices.Sorted(maps.Keys(scores)) {
		s := scores[k]
		sum.Labelled += s.Labelled
		sum.Right += s.Right
		sum.Wrong += s.Wrong
	}
	t.Logf("%d fields %.1f recall %.1f precision", sum.Labelled, sum.Recall(), sum.Precision())
}
