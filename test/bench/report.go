package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// report is the document.
type report struct {
	machine  [][]string
	bench    *bench
	sections []section
}

// section is the result of one part.
type section struct {
	title, text string
	head        []string // loadHead when nil
	rows        [][]string
	verdicts    []verdict
	notes       []string
}

// verdict is a figure with its requirement.
type verdict struct {
	what, figure, demand string
	met                  bool
}

func atLeast(what string, figure, demand float64) verdict {
	return verdict{what, short(figure), "at least " + short(demand), figure >= demand}
}

func below(what string, figure, demand float64, unit string) verdict {
	if unit != "" {
		unit = " " + unit
	}
	return verdict{what, short(figure) + unit, "at most " + short(demand) + unit, figure <= demand}
}

var loadHead = []string{"", "requests/s", "p50, ms", "p99, ms", "processor of the server, µs a request", "of the clients"}

func loadRows(all ...*contender) (rows [][]string) {
	for _, c := range all {
		rows = append(rows, []string{
			c.name, grouped(int(c.median(perSecond))), short(c.median(p50) * 1e3), short(c.median(p99) * 1e3), short(c.median(processor) * 1e6), short(c.median(generator) * 1e6),
		})
	}
	return rows
}

const introduction = `# Speed and memory

Made by ` + "`make bench`" + `; do not edit.

The clients run on the same machine as the servers, and the servers keep their
data in files on its disk. Comparisons are measured alternately, in turns of %s in %d rounds, so
that a disturbance of the machine affects both; figures are medians of the rounds, and a
ratio is the median of the rounds' ratios. Absolute figures depend on the machine, ratios
much less.

`

func (r report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, introduction, r.bench.roundTime, r.bench.rounds)
	table(&b, []string{"", ""}, r.machine)
	b.WriteString("\n## Summary\n\n")
	var summary [][]string
	for _, s := range r.sections {
		for _, v := range s.verdicts {
			summary = append(summary, []string{s.title + ": " + v.what, v.figure, v.demand, yes(v.met)})
		}
	}
	table(&b, []string{"", "measured", "required", "met"}, summary)
	for _, s := range r.sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.title, wrapped(s.text))
		head := s.head
		if head == nil {
			head = loadHead
		}
		table(&b, head, s.rows)
		for _, note := range s.notes {
			b.WriteString("\n" + wrapped(note) + "\n")
		}
	}
	b.WriteString(bareText)
	return b.String()
}

const bareText = `
## The bare server

` + "`test/bench/bare`" + ` is the smallest server that could do the work: net/http, the same SQLite with
the same settings, prepared statements and grouping of commits. It decodes a new
declaration with encoding/json, writes the same rows as the service, with a hash chain of
events, and builds a list by concatenating the stored JSON. It does nothing else: no
validation, no tariff, no roles, no limits, no idempotency keys, no log. In the
comparison with instances on PostgreSQL it uses no database at all, and the clients query the
bare database themselves.
`

func table(b *strings.Builder, head []string, rows [][]string) {
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	b.WriteString("|---" + strings.Repeat("|--:", len(head)-1) + "|\n")
	for _, row := range rows {
		line(row)
	}
}

func yes(met bool) string {
	if met {
		return "yes"
	}
	return "**no**"
}

// lineWidth is the longest line of prose in the document.
const lineWidth = 120

// wrapped breaks a paragraph into lines.
func wrapped(text string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+length > lineWidth:
			b.WriteByte('\n')
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += length
	}
	return b.String()
}

// short formats a figure with three significant digits.
func short(f float64) string {
	if f == 0 || math.IsInf(f, 0) || math.IsNaN(f) {
		return fmt.Sprint(f)
	}
	places := max(0, 2-int(math.Floor(math.Log10(math.Abs(f)))))
	return strconv.FormatFloat(f, 'f', places, 64)
}

// grouped formats a whole number with commas.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
