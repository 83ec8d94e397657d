package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// helped is a requirement for the AI helpers, measured by a benchmark of their package.
type helper struct {
	what, folder, benchmark string
	unit                    string // of the benchmark's own metric
	per                     float64
	most                    float64
	shown                   string // unit of the requirement, in multiples of the metric's unit
}

var helpers = []helper{
	{"commodity code, half of the questions", "assist/classify", "BenchmarkClassify", "p50-ms", 1, 2, "ms"},
	{"commodity code, 95 of 100 questions", "assist/classify", "BenchmarkClassify", "p95-ms", 1, 20, "ms"},
	{"index of the whole tariff with all texts", "assist/classify", "BenchmarkNew", "ns/op", 1e9, 3, "s"},
	{"memory of that index", "assist/classify", "BenchmarkNew", "MB", 1, 150, "MB"},
	{"analysis of a declaration of ten items", "hub/customs/analysis", "BenchmarkJudge/10", "ns/op", 1e6, 5, "ms"},
	{"explanation of ten errors", "assist/explain", "BenchmarkExplain", "ns/op", 1e6, 1, "ms"},
	{"invoice of ten pages, PDF", "assist/extract", "BenchmarkTenPages", "ns/op", 1e9, 1, "s"},
}

// authorityMessages are the requirements for messages of authorities: encoded, decoded, applied on SQLite, and asked for.
var authorityMessages = []helper{
	{"largest draft (IE815) with every element, encoded", "hmrc/emcs", "BenchmarkEncode", "ns/op", 1e6, 1, "ms"},
	{"the same, decoded", "hmrc/emcs", "BenchmarkDecode", "ns/op", 1e6, 1, "ms"},
	{"declaration of Safety and Security GB, written", "hmrc/ens", "BenchmarkEncode", "ns/op", 1e6, 1, "ms"},
	{"the same, read", "hmrc/ens", "BenchmarkDecode", "ns/op", 1e6, 1, "ms"},
	{"the same, read and checked", "hmrc/ens", "BenchmarkCheck", "ns/op", 1e6, 1, "ms"},
	{"its outcome, read", "hmrc/ens", "BenchmarkReadOutcome", "ns/op", 1e6, 1, "ms"},
	{"goods movement record of 200 declarations, checked and encoded", "hmrc/gvms", "BenchmarkEncode", "ns/op", 1e6, 1, "ms"},
	{"the same, decoded", "hmrc/gvms", "BenchmarkDecode", "ns/op", 1e6, 1, "ms"},
	{"one message of EMCS fetched, stored and applied on SQLite", "app", "BenchmarkExciseMessages", "ms/message", 1, 2, "ms"},
	{"the same, time of the processor", "app", "BenchmarkExciseMessages", "cpu-ms/message", 1, 2, "ms"},
	{"one of 10,000 organisations asked about on SQLite, without HMRC's own time", "app", "BenchmarkPolling", "ms/call", 1, 333, "ms"},
}

// measureHelpers runs the packages' own benchmarks. Those that need the published texts are not measured without
// them.
func measureHelpers(ctx context.Context, b *bench) (section, error) {
	return measurePackages(ctx, b, helpers, "The AI helpers in memory, without a model, measured by the packages' own benchmarks: commodity codes with the official nomenclature and all published texts loaded.")
}

// measureMessages measures messages of authorities. 500 messages a second are 2 ms for each, and HMRC's budget of 3 calls a second is 333 ms for each.
func measureMessages(ctx context.Context, b *bench) (section, error) {
	return measurePackages(ctx, b, authorityMessages, "Messages of authorities, measured by the packages' own benchmarks.")
}

func measurePackages(ctx context.Context, b *bench, required []helper, text string) (section, error) {
	s := section{text: text, head: []string{"", "measured", ""}}
	printed := map[string]string{}
	for _, h := range required {
		key := h.folder + " " + h.benchmark
		if _, ran := printed[key]; !ran {
			out, err := benchmark(ctx, "./internal/"+h.folder, h.benchmark, b.roundTime/4)
			if err != nil {
				return section{}, err
			}
			printed[key] = out
		}
		value, found := metric(printed[key], h.benchmark, h.unit)
		if !found {
			s.notes = append(s.notes, h.what+": not measured, because the published texts are not available.")
			continue
		}
		s.rows = append(s.rows, []string{h.what, short(value / h.per), h.shown})
		s.verdicts = append(s.verdicts, below(h.what, value/h.per, h.most, h.shown))
	}
	return s, nil
}

func benchmark(ctx context.Context, folder, name string, length time.Duration) (string, error) {
	pattern := "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
	out, err := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", pattern, "-benchtime", length.Round(time.Millisecond).String(), folder).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go test -bench %s: %w: %s", folder, err, out)
	}
	return string(out), nil
}

// metric finds a metric in a benchmark's output: its name, the number of runs, and values each followed by its
// unit.
func metric(printed, name, unit string) (value float64, found bool) {
	for line := range strings.Lines(printed) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[0], name) {
			continue
		}
		for i := 3; i < len(fields); i += 2 {
			if fields[i] == unit {
				value, err := strconv.ParseFloat(fields[i-1], 64)
				return value, err == nil
			}
		}
	}
	return 0, false
}
