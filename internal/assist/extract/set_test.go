package extract_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

func read(t testing.TB, engine *extract.Engine, s documents.Sample) []byte {
	t.Helper()
	a, err := engine.Extract(context.Background(), extract.Request{File: s.File, DocumentType: extract.DocumentType(s.Type)})
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func document(t testing.TB, answer []byte) []byte {
	t.Helper()
	var a struct{ Document json.RawMessage }
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	return a.Document
}

// Of the labelled documents at least these shares are found and right.
func TestAccuracy(t *testing.T) {
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	const least = 60
	if len(all) < least {
		t.Fatalf("%d documents", len(all))
	}
	engine := extract.New()
	made, held := documents.Split(all)
	for _, set := range []struct {
		name              string
		samples           []documents.Sample
		recall, precision float64
		tell              bool
	}{
		{"made with", made, 99.5, 99.5, true},
		{"held apart", held, 90, 96, false},
	} {
		r, err := documents.Measure(set.samples, func(s documents.Sample) ([]byte, error) { return document(t, read(t, engine, s)), nil })
		if err != nil {
			t.Fatal(err)
		}
		s := r.All()
		t.Logf("%s: recall %.1f, precision %.1f of %d fields", set.name, s.Recall(), s.Precision(), s.Labelled)
		if s.Recall() < set.recall || s.Precision() < set.precision {
			t.Errorf("%s: recall %.1f, precision %.1f", set.name, s.Recall(), s.Precision())
		}
		for _, m := range r.Misses {
			if set.tell {
				t.Logf("%s: %s is %q, not %q", m.Sample, m.Field, m.Got, m.Want)
			}
		}
	}
}

// The same bytes give the same answer, byte for byte, in every engine.
func TestSameAnswer(t *testing.T) {
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	one, other := extract.New(), extract.New()
	for _, s := range all {
		first := string(read(t, one, s))
		for range 3 {
			if again := string(read(t, other, s)); again != first {
				t.Fatalf("%s: read again it says\n%s\nand not\n%s", s.Name, again, first)
			}
		}
	}
}
