package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// extraction measures the extraction from the labelled documents of test/documents.
func extraction(w io.Writer) error {
	all, err := documents.All()
	if err != nil {
		return err
	}
	engine := extract.New()
	read := func(s documents.Sample) ([]byte, error) {
		a, err := engine.Extract(context.Background(), extract.Request{File: s.File, DocumentType: extract.DocumentType(s.Type)})
		if err != nil {
			return nil, err
		}
		return json.Marshal(a.Document)
	}
	madeWith, heldApart := documents.Split(all)
	made, err := documents.Measure(madeWith, read)
	if err != nil {
		return err
	}
	held, err := documents.Measure(heldApart, read)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d documents of invented companies, written for this test: PDF, text, CSV, XLSX and XML, from fourteen countries. "+
		"%d of them were held apart: they were written before the program had read any of them, and nothing is tuned to one. "+
		"A field is right if its whole value is exact. Recall is the share of labelled fields that are right, precision the share of those found.\n\n", len(all), len(heldApart))
	fmt.Fprint(w, "| | documents | without an error | fields | recall | precision |\n|---|---|---|---|---|---|\n")
	for _, set := range []struct {
		name string
		of   *documents.Result
	}{{"made with", made}, {"held apart", held}} {
		s := set.of.All()
		fmt.Fprintf(w, "| **%s** | %d | %d | %d | %.1f %% | %.1f %% |\n", set.name, set.of.Documents, set.of.Flawless, s.Labelled, s.Recall(), s.Precision())
		for _, t := range slices.Sorted(maps.Keys(set.of.Types)) {
			s := set.of.Types[t]
			fmt.Fprintf(w, "| %s, %s | | | %d | %.1f %% | %.1f %% |\n", set.name, t, s.Labelled, s.Recall(), s.Precision())
		}
	}
	extractionFields(w, made, held)
	extractionConfidence(w, made, held)
	return nil
}

// extractionFields writes a table row for each field.
func extractionFields(w io.Writer, made, held *documents.Result) {
	fmt.Fprint(w, "\n| field | made with | held apart |\n|---|---|---|\n")
	names := map[string]bool{}
	for _, r := range []*documents.Result{made, held} {
		for name := range r.Fields {
			names[name] = true
		}
	}
	cell := func(s *documents.Score) string {
		if s == nil {
			return "–"
		}
		return fmt.Sprintf("%d of %d", s.Right, s.Labelled)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, cell(made.Fields[name]), cell(held.Fields[name]))
	}
}

// extractionConfidence writes how often values of each confidence are right.
func extractionConfidence(w io.Writer, made, held *documents.Result) {
	fmt.Fprint(w, "\n| confidence of a field | made with | held apart |\n|---|---|---|\n")
	for i, least := range documents.Buckets {
		fmt.Fprintf(w, "| %.2f and more | %d of %d right | %d of %d right |\n", least, made.Sure[i].Right, made.Sure[i].Found, held.Sure[i].Right, held.Sure[i].Found)
	}
}
