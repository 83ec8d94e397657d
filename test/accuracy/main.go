// Command accuracy measures how often the helpers are right, on texts and documents with known
// answers that were not used for learning, and writes a Markdown document:
//
//	go run ./test/accuracy -out docs/accuracy.md -date 2026-11-21
//
// With -only it measures the parts whose titles begin with a text. With -fit it repeats the fit of the confidences and weights of internal/assist/classify, and prints them.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// part is a section of the document. If its test data is missing, it writes the reason
// instead.
type part struct {
	title   string
	measure func(io.Writer) error
}

var parts = []part{
	{"Commodity classification", classification},
	{"Declared codes against descriptions", agreement},
	{"An organisation's own goods", ownGoods},
	{"Questions", questions},
	{"Calibration", calibrated},
	{"Reading documents", extraction},
	{"Reading invoices by other hands", corpus},
	{"Other words for labels", generated},
	{"Letters", letters},
	{"Papers", papers},
	{"Scans", scans},
	{"Columns of client tables", mapping},
}

func main() {
	out := flag.String("out", "", "file to write; standard output when empty")
	date := flag.String("date", "", "date of the document")
	only := flag.String("only", "", "beginning of the titles of the parts to measure; all when empty")
	fitted := flag.Bool("fit", false, "print confidences and weights, and nothing else")
	flag.Parse()
	run := func() error { return write(*out, *date, *only) }
	if *fitted {
		run = func() error { return fit(os.Stdout) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func write(file, date, only string) error {
	var document bytes.Buffer
	fmt.Fprintf(&document, "# Accuracy\n\nMeasured on %s by `make accuracy`, without an AI provider.\n", date)
	for _, p := range parts {
		if !strings.HasPrefix(p.title, only) {
			continue
		}
		fmt.Fprintf(&document, "\n## %s\n\n", p.title)
		if err := p.measure(&document); err != nil {
			return fmt.Errorf("%s: %w", p.title, err)
		}
	}
	if file == "" {
		_, err := document.WriteTo(os.Stdout)
		return err
	}
	return os.WriteFile(file, document.Bytes(), 0o644)
}
