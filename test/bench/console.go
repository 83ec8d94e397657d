package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// maxPage is the limit for 95 of 100 pages, in milliseconds at the server.
const maxPage = 50.0

// consolePages are pages that read large tables. {id} and {lrn} stand for the id and the beginning of the LRN of
// the oldest declaration.
var consolePages = []struct{ what, path string }{
	{"front page", "/"},
	{"declarations", "/declarations"},
	{"declarations of two states", "/declarations?status=DRAFT&status=REJECTED"},
	{"usual words", "/declarations?q=cotton+shirts"},
	{"word of the oldest declaration", "/declarations?q=" + rareWord},
	{"word of no declaration", "/declarations?q=walrus"},
	{"beginning of every LRN", "/declarations?q={lrn}"},
	{"one declaration", "/declarations/{id}"},
	{"clients", "/clients"},
	{"list of a Hub", "/hubs/tss/declarations"},
	{"deadlines", "/deadlines"},
	{"month of deadlines", "/deadlines/calendar"},
	{"audit trail", "/audit"},
}

// lrnBeginning is the number of letters of an LRN that are searched, the minimum.
const lrnBeginning = 6

// measureConsole reads pages of a large organisation one after another, and then keeps many open, on each
// database.
func measureConsole(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: fmt.Sprintf("Pages of an organisation with %s declarations of %s different goods, %s clients and %s Northern Ireland movements, for one browser.",
			grouped(declared), grouped(differentGoods), grouped(traders), grouped(movements)),
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
				s.notes = append(s.notes, "Not measured on PostgreSQL: "+server.PostgresVariable+" was not set.")
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
	oldest, err := createData(p, office)
	if err != nil {
		return err
	}
	cookie, err := office.Session(ctx, b.program, data, p.Address, "reader@example.com", settings...)
	if err != nil {
		return err
	}
	began := time.Now()
	longest, err := awaitPage(ctx, p.Address, cookie, "/declarations?q="+rareWord)
	if err != nil {
		return err
	}
	s.notes = append(s.notes, fmt.Sprintf("The index of the search was complete after %s s; a search waited at most %s s meanwhile (%s).",
		short(time.Since(began).Seconds()), short(longest.Seconds()), database))
	place := strings.NewReplacer("{id}", oldest.ID, "{lrn}", oldest.LRN[:lrnBeginning])
	for _, page := range consolePages {
		c := &contender{name: page.what + ", " + database, process: p, target: load.Page(p.Address, cookie, place.Replace(page.path))}
		if err := b.contest(ctx, 1, c); err != nil {
			return fmt.Errorf("%s: %w", page.what, err)
		}
		s.rows = append(s.rows, []string{
			c.name, short(c.median(p50) * 1e3), short(c.median(p95) * 1e3), short(c.median(p99) * 1e3), short(c.median(processor) * 1e3),
		})
		s.verdicts = append(s.verdicts, below("p95, "+c.name, c.median(p95)*1e3, maxPage, "ms"))
	}
	above, err := b.holdOpen(ctx, p, office, data, "/declarations/"+oldest.ID+"/live", settings)
	if err != nil {
		return err
	}
	s.notes = append(s.notes, fmt.Sprintf("%d open pages that follow a declaration use %s MB more than an idle service (%s).", openPages, short(above), database))
	s.verdicts = append(s.verdicts, below(fmt.Sprintf("memory of %d open pages, %s", openPages, database), above, maxOpen, "MB"))
	return nil
}
