package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// fitReading prints how often values of documents were right by their raw confidence, on development documents: one
// isotonic regression.
func fitReading(w io.Writer) error {
	engine := extract.New()
	engine.Raw = true
	own, err := documents.All()
	if err != nil {
		return err
	}
	own, _ = documents.Split(own)
	corpus, err := documents.Invoices(documents.Corpus)
	if err != nil && !errors.Is(err, documents.ErrNoCorpus) {
		return err
	}
	corpus, _ = documents.Split(corpus)
	var all []judgement
	for _, set := range []struct {
		samples []documents.Sample
		whole   bool
	}{{documents.Disturbed(), true}, {corpus, false}, {own, false}} {
		found, err := judgeReading(engine, set.samples, set.whole)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	fmt.Fprintf(w, "\ninternal/assist/extract/calibrate.go, onPages (raw confidence, right, values), on %d values of disturbed letters, the corpus and own documents, all of the development side:\n", len(all))
	show(w, all)
	return nil
}

// judgeReading judges the values that an engine finds in samples.
func judgeReading(engine *extract.Engine, samples []documents.Sample, whole bool) (all []judgement, err error) {
	found, err := documents.Judge(samples, whole, extractor(engine))
	for _, j := range found {
		all = append(all, judgement{j.Confidence, j.Right})
	}
	return all, err
}
