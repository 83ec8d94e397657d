package official

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// report reads one of the publisher's reports of measures: all measures for the duty engine and, from the UK's, the third-country
// duties and the VAT for the simple estimate.
type report struct {
	kind   Kind
	all    *table.Builder
	simple *measures // nil for Northern Ireland
	today  string
	newest string
}

// Sources of the reports.
const (
	reportTitle  = "measures-on-declarable-commodities (Department for Business and Trade)"
	definedTitle = "measures-as-defined (Department for Business and Trade)"
)

// sourceOf names the format and the publisher of a table that was read.
func sourceOf(l layout, t *read) string {
	if t.report == DefinedMeasures || t.report == DefinedMeasures.of(measure.XI) {
		return definedTitle
	}
	return l.title
}

// definedName is in the name of the report of measures where they are defined, which has the same columns as the other one.
const definedName = "as-defined"

func newReportOfMeasures(r reading) tableReader {
	kind := Measures
	if strings.Contains(strings.ToLower(filepath.Base(r.file)), definedName) {
		kind = DefinedMeasures
	}
	m := &report{kind: kind.of(r.service), all: table.NewBuilder(), today: r.today}
	if r.service != measure.XI {
		m.simple = newMeasures(r.today)
	}
	return m
}

func (m *report) take(cells []string, row int) error {
	if err := m.all.Add(cells, row); err != nil {
		return err
	}
	if from := cells[4]; len(from) >= len(globalDay) {
		m.newest = newer(m.newest, clone(from[:len(globalDay)]), m.today)
	}
	if m.simple == nil {
		return nil
	}
	return m.simple.take(cells, row)
}

// tables returns all measures, and those for the simple estimate if there are some.
func (m *report) tables(f *rowErrors) (all []read) {
	t, faults := m.all.Table()
	for _, fault := range faults {
		if f.add(fault.Line, fault.Err) {
			return nil
		}
	}
	if t.Len() == 0 {
		f.addIfEmpty()
		return nil
	}
	if m.simple != nil {
		all = m.simple.tables(f)
	}
	for i := range all {
		all[i].report = m.kind
	}
	return append(all, read{kind: m.kind, newest: m.newest, table: t, report: m.kind})
}

// sameReports reports whether two parts are of both reports of measures, of which the one for declarable codes has the duties and
// the VAT too.
func sameReports(a, b *part) bool {
	return a.report != b.report && slices.Contains(measureKinds(measure.UK), a.report) && slices.Contains(measureKinds(measure.UK), b.report)
}
