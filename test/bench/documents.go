package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
)

// codec is a package whose benchmarks use documents of one item and of 999.
type codec struct {
	name, folder, benchmark string
	one, full               string // names of its runs
}

var codecs = []codec{
	{"encode a declaration", "./internal/hmrc/wco", "BenchmarkEncode", "1", "999"},
	{"decode a declaration", "./internal/hmrc/wco", "BenchmarkDecode", "1", "999"},
	{"decode a tax message of CDS", "./internal/hmrc/wco/notification", "BenchmarkDecode", "items=1", "items=999"},
}

// items is the number of items of a full declaration.
const items = 999

// maxPerItem is the limit of the time for each of 999 items, in times for a document of one item, envelope
// included: 1 is linear.
const maxPerItem = 1.0

// measureDocuments runs the packages' own benchmarks alternately.
func measureDocuments(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: "Encoding and decoding in memory, measured by the packages' own benchmarks.",
		head: []string{"", "1 item, µs", "999 items, µs", "µs for each of 999", "bytes allocated, 999 items"},
	}
	times := map[string][]measured{}
	for range b.rounds {
		for _, c := range codecs {
			for _, size := range []string{c.one, c.full} {
				m, err := b.gauge(ctx, c, size)
				if err != nil {
					return section{}, err
				}
				times[c.name+size] = append(times[c.name+size], m)
			}
		}
	}
	for _, c := range codecs {
		one, full := middle(times[c.name+c.one]), middle(times[c.name+c.full])
		s.rows = append(s.rows, []string{
			c.name, short(one.microseconds), short(full.microseconds), short(full.microseconds / items), grouped(full.bytes),
		})
		s.verdicts = append(s.verdicts, below(c.name+", each of 999 to one", full.microseconds/items/one.microseconds, maxPerItem, ""))
	}
	return s, nil
}

// measured is the result of one benchmark.
type measured struct {
	microseconds float64
	bytes        int
}

func middle(all []measured) measured {
	var times []float64
	for _, m := range all {
		times = append(times, m.microseconds)
	}
	return measured{load.Median(times), all[0].bytes}
}

var benchLine = regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+([0-9.]+) ns/op.*?\s(\d+) B/op`)

// gauge runs one benchmark once.
func (b *bench) gauge(ctx context.Context, c codec, size string) (measured, error) {
	tests := filepath.Join(b.folder, filepath.Base(c.folder)+".test")
	if err := goCommand(ctx, "test", "-c", "-o", tests, c.folder).Run(); err != nil {
		return measured{}, fmt.Errorf("go test -c %s: %w", c.folder, err)
	}
	run := exec.CommandContext(ctx, tests, "-test.run", "^$", "-test.bench", "^"+c.benchmark+"$/^"+size+"$", "-test.benchtime", (b.roundTime / 8).Round(time.Millisecond).String())
	run.Dir = c.folder
	out, err := run.Output()
	if err != nil {
		return measured{}, fmt.Errorf("%s: %w: %s", c.benchmark, err, out)
	}
	found := benchLine.FindSubmatch(bytes.TrimSpace(out))
	if found == nil {
		return measured{}, fmt.Errorf("%s %s: no result in %s", c.benchmark, size, out)
	}
	nanoseconds, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil {
		return measured{}, err
	}
	allocated, err := strconv.Atoi(string(found[2]))
	return measured{nanoseconds / 1e3, allocated}, err
}
