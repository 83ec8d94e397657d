package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Requirements of the duty engine.
const (
	maxMedianCalculation = 0.3 // ms, in memory
	maxCalculation       = 1   // ms, p99 in memory
	maxAnswer            = 10  // ms, p99 over HTTP
	maxOrigin            = 5   // ms, over all schemes
	maxLoaded            = 250 // MB resident with everything imported
	loadingTime          = 8 * time.Second
)

// published are the recorded answers and the rules of origin, beside the project.
const published = "../shared/tariff"

// measureDuty measures the duty engine in memory and over HTTP, with everything imported that is beside the project.
func measureDuty(ctx context.Context, b *bench) (section, error) {
	s := section{text: "`POST /api/tariff/calculate` of one line with every option, on SQLite, one client, with all recorded answers and rules of origin imported."}
	if _, err := os.Stat(published); err != nil {
		s.notes = []string{"Not measured, because the recorded answers are not beside the project."}
		return s, nil
	}
	if err := b.engine(ctx, &s); err != nil {
		return section{}, err
	}
	data := filepath.Join(b.folder, "duty")
	office, err := server.Found(ctx, b.program, data)
	if err != nil {
		return section{}, err
	}
	codes, err := b.importTariff(ctx, data)
	if err != nil {
		return section{}, err
	}
	p, err := server.Start(ctx, b.serve("duty"), data)
	if err != nil {
		return section{}, err
	}
	defer p.Stop()
	select {
	case <-time.After(loadingTime): // until memory that only loading needed is given back
	case <-ctx.Done():
		return section{}, ctx.Err()
	}
	idle, err := p.Resident()
	if err != nil {
		return section{}, err
	}
	asked := &contender{name: "calculation", process: p, drive: func(clients int, length time.Duration) (load.Figures, error) {
		return load.RunEach(func(client, n int) load.Target {
			return question(p.Address, office.Secret, codes[(client+n)%len(codes)])
		}, clients, length)
	}}
	if err := b.contest(ctx, 1, asked); err != nil {
		return section{}, err
	}
	busy, err := p.Resident()
	if err != nil {
		return section{}, err
	}
	s.rows = loadRows(asked)
	s.verdicts = append(s.verdicts,
		below("p99 over HTTP", asked.median(p99)*1e3, maxAnswer, "ms"), below("memory with everything imported", float64(idle)/1e6, maxLoaded, "MB"))
	s.notes = []string{"Resident memory right after the measurement: " + short(float64(busy)/1e6) + " MB."}
	return s, nil
}

// engine runs the packages' own benchmarks.
func (b *bench) engine(ctx context.Context, s *section) error {
	for _, m := range []struct {
		what, folder, benchmark, unit string
		per, most                     float64
	}{
		{"p50 in memory", "book", "BenchmarkCalculate", "p50-µs", 1e3, maxMedianCalculation},
		{"p99 in memory", "book", "BenchmarkCalculate", "p99-µs", 1e3, maxCalculation},
		{"origin over all schemes", "origin", "BenchmarkAllSchemes", "ns/op", 1e6, maxOrigin},
	} {
		out, err := benchmark(ctx, "./internal/tariff/"+m.folder, m.benchmark, b.roundTime)
		if err != nil {
			return err
		}
		value, found := metric(out, m.benchmark, m.unit)
		if !found {
			return fmt.Errorf("%s has no metric %s", m.benchmark, m.unit)
		}
		s.verdicts = append(s.verdicts, below(m.what, value/m.per, m.most, "ms"))
	}
	return nil
}

// question asks what goods of a recorded code from Canada cost.
func question(address, secret, name string) load.Target {
	code, rest, _ := strings.Cut(name, "_")
	day, _, _ := strings.Cut(rest, "_")
	body := fmt.Sprintf(`{"date": %q, "destination": "GB", "incoterm": "CIF", "vatCosts": [], "lines": [{"commodityCode": %q, "origin": "CA", `+
		`"price": {"amount": 12345.67, "currency": "GBP"}, "netMassKg": 1000, "quantities": [{"unit": "NAR", "value": 10}]}]}`, day, code)
	t := load.Post(address, secret, "/api/tariff/calculate", []byte(body))
	t.Status = 200
	return t
}

// importTariff imports all recorded answers and rules of origin, and returns the names of the answers of the UK's tariff.
func (b *bench) importTariff(ctx context.Context, data string) (names []string, err error) {
	folder := filepath.Join(b.folder, "answers")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		found, err := extract(filepath.Join(published, "measures", archive), folder)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return !strings.HasSuffix(name, "_uk.json") })
	paths := []string{folder}
	for _, file := range []string{"roo_schemes_uk.json", "roo_schemes_xi.json", "rule_sets_uk.tar.gz", "rule_sets_xi_2023.tar.gz", "articles.tar.gz"} {
		paths = append(paths, filepath.Join(published, "origin", file))
	}
	command := exec.CommandContext(ctx, b.program, append([]string{"tariff", "import"}, paths...)...)
	command.Env = append(os.Environ(), server.Environment(data, "127.0.0.1:0")...)
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("import the tariff: %w: %s", err, out)
	}
	return names, nil
}

// extract writes the files of an archive into a folder, without their folders, and returns their names.
func extract(archive, folder string) (names []string, err error) {
	file, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	for entries := tar.NewReader(unzipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(entries)
		if err != nil {
			return nil, err
		}
		names = append(names, filepath.Base(entry.Name))
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(entry.Name)), content, 0o600); err != nil {
			return nil, err
		}
	}
}
