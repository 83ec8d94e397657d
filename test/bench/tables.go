package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Requirements for import and export.
const (
	minExport    = 250_000          // rows a second
	maxExport    = 64               // MB above idle
	imported     = 100_000          // rows
	maxImport    = 10 * time.Second // for all of them
	exportRounds = 3
)

// measureTables exports every declaration of a large organisation, and imports a long table of clients.
func measureTables(ctx context.Context, b *bench) (section, error) {
	data, office, err := b.stock(ctx, "tables", b.many)
	if err != nil {
		return section{}, err
	}
	if err := b.makeIndex(ctx, "tables", data); err != nil {
		return section{}, err
	}
	p, err := server.Start(ctx, b.serve("tables"), data)
	if err != nil {
		return section{}, err
	}
	defer p.Stop()
	select {
	case <-time.After(idleTime):
	case <-ctx.Done():
		return section{}, ctx.Err()
	}
	idle, err := p.Resident()
	if err != nil {
		return section{}, err
	}
	var rates []float64
	for range exportRounds {
		rows, took, err := load.Lines(load.Get(p.Address, office.Secret, "/api/export/declarations"))
		if err != nil {
			return section{}, err
		}
		if rows != b.many+1 {
			return section{}, fmt.Errorf("the export has %d lines, want %d", rows, b.many+1)
		}
		rates = append(rates, float64(b.many)/took.Seconds())
	}
	peak, err := p.Peak()
	if err != nil {
		return section{}, err
	}
	took, err := b.importClients(ctx)
	if err != nil {
		return section{}, err
	}
	rate, above := load.Median(rates), float64(peak-idle)/1e6
	return section{
		text: fmt.Sprintf("`GET /api/export/declarations` of %s declarations, median of %d; `POST /api/import/clients/commit` of %s rows into an empty organisation. SQLite.",
			grouped(b.many), exportRounds, grouped(imported)),
		head: []string{"", "figure"},
		rows: [][]string{
			{"export, rows/s", grouped(int(rate))},
			{"export, memory above idle", short(above) + " MB"},
			{"import of " + grouped(imported) + " rows", short(took.Seconds()) + " s"},
		},
		verdicts: []verdict{
			atLeast("export, rows/s", rate, minExport),
			below("export, memory above idle", above, maxExport, "MB"),
			below("import of "+grouped(imported)+" rows", took.Seconds(), maxImport.Seconds(), "s"),
		},
	}, nil
}

func (b *bench) importClients(ctx context.Context) (time.Duration, error) {
	data := filepath.Join(b.folder, "import")
	office, err := server.Found(ctx, b.program, data)
	if err != nil {
		return 0, err
	}
	p, err := server.Start(ctx, b.serve("import"), data)
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	rows := make([]string, imported)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"Company":"Trader %d Ltd","EORI":"GB%012d","Town":"Ipswich","Country":"GB"}`, i, i)
	}
	body := `{"mapping":{"name":"Company","eori":"EORI","city":"Town","country":"Country"},"rows":[` + strings.Join(rows, ",") + `]}`
	var answer struct{ Created int }
	began := time.Now()
	if err := office.Call(p.Address, http.MethodPost, "/api/import/clients/commit", body, &answer); err != nil {
		return 0, err
	}
	if took := time.Since(began); answer.Created == imported {
		return took, nil
	}
	return 0, fmt.Errorf("%d of %d clients were created", answer.Created, imported)
}
