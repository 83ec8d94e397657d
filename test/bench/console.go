package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// How much the organisation has whose pages are measured.
const (
	declared = 100_000
	moved    = 2_000 // movements with deadlines
)

// mostPage is how long a page may take at the server, in milliseconds, for 95 of 100.
const mostPage = 50.0

// consolePages are the pages that read what there is much of.
var consolePages = []struct{ what, path string }{
	{"front page", "/"},
}

// measureConsole reads pages of a large organisation, one after the other, on each
// database.
func measureConsole(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("Pages of an organisation with %s declarations and %s Northern Ireland movements, for one browser.", grouped(declared), grouped(moved)),
		head: []string{"", "p50, ms", "p95, ms", "p99, ms", "processor of the server, ms"},
	}
	for _, database := range []string{"sqlite", "postgres"} {
		var settings []string
		if database == "postgres" {
			setting, found, err := server.Database(ctx, "tidewaiter_bench_console")
			if err != nil {
				return s, err
			}
			if !found {
				s.notes = append(s.notes, "There was no PostgreSQL: "+server.PostgresVariable+" was not set.")
				continue
			}
			settings = append(settings, setting)
		}
		if err := b.console(ctx, &s, database, settings); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (b *bench) console(ctx context.Context, s *section, database string, settings []string) error {
	data := filepath.Join(b.folder, "console-"+database)
	office, err := server.Found(ctx, b.program, data, settings...)
	if err != nil {
		return err
	}
	p, err := server.Start(ctx, b.serve("console-"+database), data, settings...)
	if err != nil {
		return err
	}
	defer p.Stop()
	if err := b.furnish(p, office); err != nil {
		return err
	}
	cookie, err := office.Session(ctx, b.program, data, p.Address, settings...)
	if err != nil {
		return err
	}
	for _, page := range consolePages {
		c := &contender{name: page.what + ", " + database, process: p, target: load.Page(p.Address, cookie, page.path)}
		if err := b.contest(ctx, 1, c); err != nil {
			return fmt.Errorf("%s: %w", page.what, err)
		}
		s.rows = append(s.rows, []string{
			c.name, short(c.median(p50) * 1e3), short(c.median(p95) * 1e3), short(c.median(p99) * 1e3), short(c.median(processor) * 1e3),
		})
		s.verdicts = append(s.verdicts, below("p95, "+c.name, c.median(p95)*1e3, mostPage, "ms"))
	}
	return nil
}

// furnish creates all that the organisation has as its programs would.
func (b *bench) furnish(p *server.Process, office server.Office) error {
	for _, hub := range []string{"tss"} {
		if err := office.Call(p.Address, http.MethodPost, "/api/hubs/"+hub, "", &struct{}{}); err != nil {
			return err
		}
	}
	if err := load.Send(load.Post(p.Address, office.Secret, "/api/declarations", office.Declaration()), clients, declared); err != nil {
		return err
	}
	dispatch := time.Now().AddDate(0, 0, 9).UTC().Format(time.RFC3339)
	movements := load.Post(p.Address, office.Secret, "/api/tss/declarations", fmt.Appendf(nil, niMovement, dispatch))
	movements.Status = http.StatusOK
	return load.Send(movements, clients, moved)
}
