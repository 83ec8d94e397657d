package duty_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
)

// recorded returns the recorded answers as tariffs of one code.
func recorded(t testing.TB) (all []*recording.Recording) {
	t.Helper()
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		recordingtest.Each(t, filepath.Join(recordingtest.Published, archive), func(file string, document []byte) {
			name, ok := recording.ParseName(file)
			if !ok {
				t.Fatalf("%s: not a recording", file)
			}
			r, err := recording.Read(name, document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, r)
		})
	}
	return all
}

// tableOf is the tariff that an answer holds.
func tableOf(t testing.TB, r *recording.Recording) *table {
	t.Helper()
	n := &table{measures: r.Import, groups: r.Groups, details: r.Details, quotas: map[string]measure.Quota{}}
	if n.groups["1013"] == nil {
		n.groups["1013"] = measure.Union
	}
	var err error
	if n.areas, err = measure.NewAreas(n.groups); err != nil {
		t.Fatal(err)
	}
	n.list()
	for _, q := range r.Quotas {
		n.quotas[q.Order] = q
	}
	return n
}

// The engine and the oracle agree on random questions about the recorded measures.
func TestRandomQuestionsAboutRecordings(t *testing.T) {
	all := recorded(t)
	var tables []*table
	for _, r := range all {
		tables = append(tables, tableOf(t, r))
	}
	askEach(t, func(n int, seen map[string]int) {
		d := dice{rand.New(rand.NewPCG(uint64(n), 7))}
		at := d.IntN(len(all))
		q := d.about(all[at], tables[at])
		q.xi = tables[d.IntN(len(all))]
		agree(t, fmt.Sprint("question ", n, " about ", all[at].Name), q, seen, n%10 == 0)
	})
}

// about makes a question about a recorded code: an origin that its measures name, documents and codes that they ask for.
func (d dice) about(r *recording.Recording, t *table) *asked {
	q := d.question()
	q.on, q.uk = r.Name.Day, t
	l := &q.request.Lines[0]
	m := &r.Import[d.IntN(len(r.Import))]
	l.Origin, l.PreferentialOrigin = of(d, t.countries(m.Area)...), ""
	if l.Origin == "EU" || len(l.Origin) != len("FR") { // the group itself, or one whose members the answer lacks
		l.Origin = of(d, "FR", "CA", "US")
	}
	if r.Name.Country != "" {
		l.Origin = r.Name.Country
	}
	d.dispatch(q, l)
	var codes, additional, orders []string
	for i := range r.Import {
		for _, c := range r.Import[i].Conditions {
			if c.Document != "" && !slices.Contains(codes, c.Document) {
				codes = append(codes, c.Document)
			}
		}
		if a := r.Import[i].Additional; a != "" {
			additional = append(additional, a)
		}
		if o := r.Import[i].Order; o != "" {
			orders = append(orders, o)
		}
	}
	l.Facts = duty.Facts{}
	d.facts(&l.Facts, codes)
	l.AdditionalCodes = nil
	if len(additional) > 0 && d.chance(50) {
		l.AdditionalCodes = []string{of(d, additional...)}
	}
	if len(orders) > 0 && d.chance(20) {
		l.Facts.QuotaOrderNumbers = []string{of(d, orders...)}
	}
	return q
}
