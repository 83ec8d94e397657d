package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/table/tabletest"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Requirements of a whole tariff.
const (
	maxTariffImport = 60  // s
	maxImportMemory = 150 // MB above a command that reads nothing
	whatIfLines     = 100_000
	maxWhatIf       = 60                     // s
	whatIfLook      = 100 * time.Millisecond // between looks at a what-if
)

// measureTariff measures the import of a generated report of a whole tariff, and a what-if over its goods.
func measureTariff(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("A report of a whole tariff in the publisher's shape: its import, and a what-if of %d lines of its goods. SQLite.", whatIfLines),
		head: []string{"", "seconds", "processor, s", "largest memory, MB"},
	}
	data, report := filepath.Join(b.folder, "tariff"), filepath.Join(b.folder, "report")
	office, err := server.Found(ctx, b.program, data)
	if err != nil {
		return section{}, err
	}
	if err := writeReport(report); err != nil {
		return section{}, err
	}
	idle, err := b.command(ctx, data, "tariff", "status")
	if err != nil {
		return section{}, err
	}
	imported, err := b.command(ctx, data, "tariff", "import", report)
	if err != nil {
		return section{}, err
	}
	p, err := server.Start(ctx, b.serve("tariff"), data)
	if err != nil {
		return section{}, err
	}
	defer p.Stop()
	held, asked, err := whatIf(ctx, p, office)
	if err != nil {
		return section{}, err
	}
	s.rows = [][]string{imported.row("import"), asked.row("what-if")}
	s.verdicts = []verdict{
		below("import", imported.took.Seconds(), maxTariffImport, "s"), below("memory of the import above idle", imported.memory-idle.memory, maxImportMemory, "MB"),
		below("memory while the tariff is loaded", held.most, maxLoaded, "MB"), below("memory with the tariff in force", held.resident, maxLoaded, "MB"),
		below("what-if", asked.took.Seconds(), maxWhatIf, "s"),
	}
	return s, nil
}

// cost is what a piece of work took.
type cost struct {
	took, processor time.Duration
	memory          float64 // MB, at most
}

func (c cost) row(name string) []string {
	return []string{name, short(c.took.Seconds()), short(c.processor.Seconds()), short(c.memory)}
}

// command runs the program with a data folder.
func (b *bench) command(ctx context.Context, data string, arguments ...string) (c cost, err error) {
	command := exec.CommandContext(ctx, b.program, arguments...)
	command.Env = append(os.Environ(), server.Environment(data, "127.0.0.1:0")...)
	began := time.Now()
	if out, err := command.CombinedOutput(); err != nil {
		return c, fmt.Errorf("%s: %w: %s", arguments, err, out)
	}
	c.took = time.Since(began)
	state := command.ProcessState
	c.processor = state.UserTime() + state.SystemTime()
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
		c.memory = float64(usage.Maxrss) * 1024 / 1e6
	}
	return c, nil
}

// writeReport writes the nomenclature and the report into a folder.
func writeReport(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return errors.Join(
		write(filepath.Join(folder, "commodities-report.csv"), func(w io.Writer) error { return tabletest.Nomenclature(w, tabletest.Whole) }),
		write(filepath.Join(folder, "measures-on-declarable-commodities.csv"), func(w io.Writer) error {
			_, _, err := tabletest.Report(w, tabletest.Whole)
			return err
		}),
	)
}

func write(name string, content func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(content(file), file.Close())
}

// holding is the memory of a service with the tariff in force, in MB: at most so far, and now.
type holding struct{ most, resident float64 }

// whatIf asks what the goods would cost from another country, and waits for the result. It also returns the memory before that.
func whatIf(ctx context.Context, p *server.Process, o server.Office) (held holding, c cost, err error) {
	select {
	case <-time.After(loadingTime): // until memory that only loading needed is given back
	case <-ctx.Done():
		return held, c, ctx.Err()
	}
	idle, err := p.Resident()
	most, missed := p.Peak()
	before, failed := p.Processor()
	body, broken := json.Marshal(whatIfRequest())
	if err := errors.Join(err, missed, failed, broken); err != nil {
		return held, c, err
	}
	held = holding{float64(most) / 1e6, float64(idle) / 1e6}
	began := time.Now()
	address := "http://" + p.Address + "/api/tariff/what-if"
	job, err := jobCall(ctx, http.MethodPost, address, o.Secret, "what-if of the benchmark", body)
	for err == nil && job.FinishedAt == nil {
		time.Sleep(whatIfLook)
		job, err = jobCall(ctx, http.MethodGet, address+"/"+job.ID, o.Secret, "", nil)
	}
	if err == nil && job.Status != "DONE" {
		err = fmt.Errorf("the what-if is %s", job.Status)
	}
	if err != nil {
		return held, c, err
	}
	c.took = time.Since(began)
	after, err := p.Processor()
	peak, failed := p.Peak()
	c.processor, c.memory = after-before, float64(peak)/1e6
	return held, c, errors.Join(err, failed)
}

// whatIfRequest has lines of all goods from several countries.
func whatIfRequest() map[string]any {
	lines := make([]any, whatIfLines)
	for n := range lines {
		lines[n] = map[string]any{
			"commodityCode": tabletest.Code(n * 37 % tabletest.Whole), "origin": []string{"CN", "NO", "KE", "BD", "US"}[n%5], "netMassKg": 100 + n%50,
			"price": map[string]any{"amount": 1000 + n%777, "currency": "GBP"}, "quantities": []any{map[string]any{"unit": "NAR", "value": 10}},
		}
	}
	return map[string]any{
		"source": map[string]any{"date": "2026-11-01", "incoterm": "CIF", "lines": lines},
		"change": map[string]any{"origin": "BD", "facts": map[string]any{"proofOfOrigin": "HELD"}}, "groupBy": []string{"chapter"},
	}
}
