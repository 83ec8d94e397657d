package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/server"
)

// Requirements for the Hubs.
const (
	recorded      = 100_000                // records from which something is drawn up
	maxComputed   = 500 * time.Millisecond // for one answer over all of them
	maxReview     = 200.0                  // µs for one review
	computeRounds = 5
)

const (
	carbonImport = `{"category":"IRON_STEEL","commodityCode":"72085120","countryOfOrigin":"TR","netMassKg":24500,"customsValueGbp":16900,"embeddedEmissionsKgCo2":51450}`
	niMovement   = `{"movementType":"GB_NI","traderEori":"XI123456789000","consignorName":"Harbour Kitchens Ltd","consigneeName":"Lagan Interiors Ltd",` +
		`"commodityCode":"9403409000","goodsDescription":"Flat-packed wooden kitchen cupboards","netMassKg":1250.5,"scheduledDispatchAt":"%s"}`
)

// measureComputing requests answers that are computed from all records of an organisation with very many.
func measureComputing(ctx context.Context, b *bench) (section, error) {
	data := filepath.Join(b.folder, "drawing")
	office, err := server.Found(ctx, b.program, data)
	if err != nil {
		return section{}, err
	}
	if err := office.Fill(ctx, data, recorded); err != nil {
		return section{}, err
	}
	if err := office.FillLedger(ctx, data, time.Now()); err != nil {
		return section{}, err
	}
	p, err := server.Start(ctx, b.serve("drawing"), data)
	if err != nil {
		return section{}, err
	}
	defer p.Stop()
	for _, hub := range []string{"cbam", "tax", "tss"} {
		if err := office.Call(p.Address, http.MethodPost, "/api/hubs/"+hub, "", &struct{}{}); err != nil {
			return section{}, err
		}
	}
	dispatch := time.Now().AddDate(0, 0, 9).UTC().Format(time.RFC3339)
	imports := load.Post(p.Address, office.Secret, "/api/cbam/imports", []byte(carbonImport))
	movements := load.Post(p.Address, office.Secret, "/api/tss/declarations", fmt.Appendf(nil, niMovement, dispatch))
	movements.Status = http.StatusOK
	for _, t := range []load.Target{imports, movements} {
		if err := load.Send(t, clients, recorded); err != nil {
			return section{}, err
		}
	}
	var periods struct{ Periods []struct{ ID string } }
	if err := office.Call(p.Address, http.MethodGet, "/api/tax/periods", "", &periods); err != nil {
		return section{}, err
	}
	s := section{
		text: fmt.Sprintf("One answer computed from all records of an organisation, without other requests: median of %d, on SQLite.", computeRounds),
		head: []string{"", "ms"},
	}
	for _, asked := range []struct{ what, method, path, body string }{
		{"CBAM report of " + grouped(recorded) + " imports", http.MethodPost, "/api/cbam/reports", "{}"},
		{"VAT return of " + grouped(recorded) + " cleared declarations", http.MethodPost, "/api/tax/returns", `{"periodId":"` + periods.Periods[0].ID + `"}`},
		{"deadlines of " + grouped(recorded) + " filings", http.MethodGet, "/api/deadlines", ""},
	} {
		var took []float64
		for range computeRounds {
			began := time.Now()
			var answer map[string]any
			if err := office.Call(p.Address, asked.method, asked.path, asked.body, &answer); err != nil {
				return section{}, err
			}
			took = append(took, time.Since(began).Seconds()*1000)
		}
		s.rows = append(s.rows, []string{asked.what, short(load.Median(took))})
		s.verdicts = append(s.verdicts, below(asked.what, load.Median(took), float64(maxComputed.Milliseconds()), "ms"))
	}
	return s, nil
}

// reviewed are the packages with review rules, and the one that classifies goods.
var reviewed = []string{"hub/cbam", "hub/corporate", "hub/emcs", "hub/gvms", "hub/ics2", "hub/tax", "hub/trade", "hub/tss", "hub/exportcontrol"}

var reviewLine = regexp.MustCompile(`(?m)^Benchmark(?:Review|Classify)(\S*)\s+\d+\s+([0-9.]+) ns/op`)

// measureReviews runs the packages' own benchmarks of their rules.
func measureReviews(ctx context.Context, b *bench) (section, error) {
	s := section{
		text: "Reviews in memory, measured by the packages' own benchmarks: the slowest of each.",
		head: []string{"", "µs"},
	}
	for _, name := range reviewed {
		out, err := benchmark(ctx, "./internal/"+name, "Benchmark(Review|Classify)", b.roundTime/8)
		if err != nil {
			return section{}, err
		}
		var slowest []float64
		for _, found := range reviewLine.FindAllStringSubmatch(out, -1) {
			nanoseconds, _ := strconv.ParseFloat(found[2], 64)
			slowest = append(slowest, nanoseconds/1000)
		}
		if len(slowest) == 0 {
			return section{}, fmt.Errorf("%s has no benchmark of its reviews: %s", name, out)
		}
		most := slices.Max(slowest)
		s.rows = append(s.rows, []string{name, short(most)})
		s.verdicts = append(s.verdicts, below("review, "+name, most, maxReview, "µs"))
	}
	return s, nil
}
