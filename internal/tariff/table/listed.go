package table

import (
	"cmp"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Listed is a measure, whenever it is in force.
type Listed struct {
	measure.Measure
	Seasonal string // the duty as it is published, if it changes with the season; otherwise empty
}

// All returns the measures on any of some codes, except on exports, whenever they are in force: by number, area, additional code and
// first day.
func (t *Table) All(codes []string) (all []Listed) {
	for _, at := range t.find(codes) {
		r := &t.rows[at]
		if measure.IsExport(t.text(r, textType)) {
			continue
		}
		l := Listed{Measure: t.measure(r, r.from)}
		if d := &t.duties[t.shapes[r.shape].duty]; d.seasons != nil {
			l.Seasonal = d.text
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.SID, b.SID), cmp.Compare(a.Area, b.Area), cmp.Compare(a.Additional, b.Additional), cmp.Compare(a.From, b.From))
	})
	return all
}
