package table_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// Each recorded measure, written as a row of a table, is read back with the same duty, conditions and whatever else it has.
func TestRecordedMeasuresAsRows(t *testing.T) {
	count := 0
	for _, archive := range []string{"commodities.tar.gz", "headings.tar.gz"} {
		recordingtest.Each(t, filepath.Join(recordingtest.Published, archive), func(file string, document []byte) {
			name, ok := recording.ParseName(file)
			if !ok {
				return
			}
			r, err := recording.Read(name, document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for i := range r.Import {
				count++
				compareRow(t, file, &r.Import[i])
			}
		})
	}
	if count < 1000 {
		t.Errorf("only %d measures", count)
	}
}

func compareRow(t *testing.T, file string, m *measure.Measure) {
	t.Helper()
	b := table.NewBuilder()
	if err := b.Add(rowOf(m), 2); err != nil {
		t.Errorf("%s, measure %d: %v", file, m.SID, err)
		return
	}
	held, _ := b.Table()
	all, _ := held.Measures([]string{m.Code}, m.From)
	if len(all) != 1 {
		t.Fatalf("%s, measure %d: %d measures", file, m.SID, len(all))
	}
	if got, want := contentOf(&all[0]), contentOf(m); got != want {
		t.Errorf("%s, measure %d:\n%s\nnot\n%s", file, m.SID, got, want)
	}
}

// rowOf writes a measure as the publisher does, but with thresholds.
func rowOf(m *measure.Measure) []string {
	cells := map[string]string{
		"commodity__code": m.Code, "measure__type__id": m.Type, "measure__duty_expression": measure.Text(m.Components), "measure__geographical_area__id": m.Area,
		"measure__effective_start_date": m.From.String(), "measure__additional_code__code": m.Additional, "measure__sid": strconv.FormatInt(m.SID, 10),
		"measure__footnotes": strings.Join(m.Footnotes, "|"), "measure__conditions": table.WriteConditions(m.Conditions),
		"measure__excluded_geographical_areas__ids": strings.Join(m.Excluded, "|"), "measure__quota__order_number": m.Order,
	}
	if m.To != 0 {
		cells["measure__effective_end_date"] = m.To.String()
	}
	if m.Reduction != 0 {
		cells["measure__reduction_indicator"] = strconv.Itoa(m.Reduction)
	}
	if len(m.Acts) > 0 {
		cells["measure__regulation__id"] = m.Acts[0]
	}
	var row []string
	for _, column := range slices.Concat(table.Must, table.May) {
		row = append(row, cells[column])
	}
	return row
}

// contentOf is what a measure says. A table has one legal act of it; how components are joined is what counts of their numbers.
func contentOf(m *measure.Measure) string {
	text := fmt.Sprintln(m.SID, m.Type, m.Area, m.Excluded, m.From, m.To, m.Additional, m.Order, m.Reduction, m.Footnotes, m.Acts[:min(len(m.Acts), 1)], dutyOf(m.Components))
	for i := range m.Conditions {
		c := &m.Conditions[i]
		text += fmt.Sprint(c.Code, " ", c.Document, " ", c.Action, " ", dutyOf(c.Components))
		if c.Threshold != nil {
			text += fmt.Sprint(" ", measure.Decimal(c.Threshold.Amount), c.Threshold.Currency, c.Threshold.Unit, c.Threshold.Qualifier)
		}
		text += "\n"
	}
	return text
}

func dutyOf(all []measure.Component) (text string) {
	for i := range all {
		c := &all[i]
		text += fmt.Sprint(c.Sense(), " ", c.Text(), " ", c.Unit, c.Qualifier, "; ")
	}
	return text
}
