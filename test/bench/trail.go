package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// trailPaths are pages of the audit trail, by their filter.
var trailPaths = []struct{ what, path string }{
	{"all", "/api/audit?limit=50"},
	{"one type", "/api/audit?limit=50&eventType=declaration.submitted"},
	{"one Hub in a month", "/api/audit?limit=50&hub=customs&startDate=2025-01-01T00:00:00Z&endDate=2025-01-31T00:00:00Z"},
}

// measureTrail compares pages of a short trail with those of a long one.
func measureTrail(ctx context.Context, b *bench) (section, error) {
	s := section{text: fmt.Sprintf("`GET /api/audit?limit=50` in a trail of %s events and in one of %s, one client, on SQLite.", grouped(few), grouped(b.many))}
	var processes []*server.Process
	var offices []server.Office
	for _, count := range []int{few, b.many} {
		data := filepath.Join(b.folder, fmt.Sprint("trail-", count))
		office, err := server.Found(ctx, b.program, data)
		if err != nil {
			return s, err
		}
		if err := office.FillTrail(ctx, data, count); err != nil {
			return s, err
		}
		p, err := server.Start(ctx, []string{b.program, "serve"}, data)
		if err != nil {
			return s, err
		}
		defer p.Stop()
		processes, offices = append(processes, p), append(offices, office)
	}
	for _, page := range trailPaths {
		var pair []*contender
		for i, count := range []int{few, b.many} {
			pair = append(pair, &contender{
				name: page.what + ", " + grouped(count), process: processes[i], target: load.Get(processes[i].Address, offices[i].Secret, page.path),
			})
		}
		if err := b.contest(ctx, 1, pair...); err != nil {
			return s, err
		}
		s.rows = append(s.rows, loadRows(pair...)...)
		s.verdicts = append(s.verdicts, below("p50, many to few, "+page.what, pair[1].ratio(pair[0], p50), maxGrowth, ""))
	}
	return s, nil
}
