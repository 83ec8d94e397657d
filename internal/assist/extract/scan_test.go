package extract_test

import (
	"context"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/document/ocr"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// Pictures and scanned pages are read if Tesseract is installed: with the places of the words, with less confidence
// than printed text, and with a note.
func TestScans(t *testing.T) {
	program := ocr.Find()
	if program == nil {
		t.Skip("Tesseract is not installed")
	}
	scans, err := documents.Scans()
	if err != nil {
		t.Fatal(err)
	}
	scans = []documents.Sample{scans[0], scans[3]} // a picture and a PDF: each takes a second
	engine := extract.New()
	engine.Pictures = program
	r, err := documents.Measure(scans, func(s documents.Sample) ([]byte, error) { return document(t, read(t, engine, s)), nil })
	if err != nil {
		t.Fatal(err)
	}
	if s := r.All(); s.Recall() < 80 || s.Precision() < 85 {
		t.Errorf("recall %.1f, precision %.1f of %d fields", s.Recall(), s.Precision(), s.Labelled)
	}
	for _, m := range r.Misses {
		t.Logf("%s: %s is %q, not %q", m.Sample, m.Field, m.Got, m.Want)
	}
	for _, s := range scans[:1] {
		a := extractedBy(t, engine, s)
		number := a.Document.BillOfLadingNumber
		if number == nil || number.Found.Box == (extract.Box{}) || number.Confidence >= 97 || len(a.Notes) == 0 {
			t.Errorf("%s: %+v, notes %q", s.Name, number, a.Notes)
		}
	}
}

func extractedBy(t *testing.T, engine *extract.Engine, s documents.Sample) extract.Extraction {
	t.Helper()
	a, err := engine.Extract(context.Background(), extract.Request{File: s.File, DocumentType: extract.DocumentType(s.Type)})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Without a reader of pictures a scanned page is answered as one without text.
func TestScanWithoutReader(t *testing.T) {
	scans, err := documents.Scans()
	if err != nil {
		t.Fatal(err)
	}
	a := extractedBy(t, extract.New(), scans[1])
	if a.Confidence != 0 || len(a.Notes) != 1 || a.Document.LineItems != nil {
		t.Errorf("%+v", a)
	}
}
