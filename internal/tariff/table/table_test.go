package table_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table/tabletest"
)

// build makes a table of the rows of a report, in an order.
func build(t testing.TB, text string, order func(rows [][]string)) *table.Table {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	order(all[1:])
	var rows bytes.Buffer
	if err := csv.NewWriter(&rows).WriteAll(all); err != nil {
		t.Fatal(err)
	}
	made, err := tabletest.Read(&rows)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// cellsOf are the cells that a builder takes, of a row with other columns.
func cellsOf(header, row []string) (cells []string) {
	for _, column := range slices.Concat(table.Must, table.May) {
		cell := ""
		if at := slices.Index(header, column); at >= 0 {
			cell = row[at]
		}
		cells = append(cells, cell)
	}
	return cells
}

func asIs([][]string) {}

func day(text string) measure.Day {
	d, err := measure.ParseDay(text)
	if err != nil {
		panic(err)
	}
	return d
}

// Each measure is held once, whichever codes it is on and in whatever order its rows are; packed and unpacked it is the same, and
// the same measures give the same bytes.
func TestMeasuresAreHeldOnce(t *testing.T) {
	const codes = 200
	var out bytes.Buffer
	rows, measures, err := tabletest.Report(&out, codes)
	if err != nil {
		t.Fatal(err)
	}
	one, other := build(t, out.String(), asIs), build(t, out.String(), slices.Reverse[[][]string])
	if one.Len() != measures || other.Len() != measures || len(one.Codes()) != codes || rows < 50*codes {
		t.Errorf("%d and %d of %d measures on %d codes in %d rows", one.Len(), other.Len(), measures, len(one.Codes()), rows)
	}
	a, err := one.Pack()
	b, failed := other.Pack()
	same := func(a, b table.Piece) bool { return a.Name == b.Name && bytes.Equal(a.Packed, b.Packed) }
	if err != nil || failed != nil || !slices.EqualFunc(a, b, same) || len(a) != 3 {
		t.Errorf("%d and %d pieces: %v %v", len(a), len(b), err, failed)
	}
	unpacked, err := table.Unpack(a)
	if err != nil {
		t.Fatal(err)
	}
	for at := range codes {
		code := tabletest.Code(at)
		if x, y := written(one, code), written(unpacked, code); x != y || x == "" {
			t.Fatalf("%s: %s, unpacked %s", code, x, y)
		}
	}
	if again, err := unpacked.Pack(); err != nil || !slices.EqualFunc(a, again, same) {
		t.Errorf("packed again: %v", err)
	}
}

// written is everything about the measures of a code.
func written(t *table.Table, code string) string {
	all, _ := t.Measures([]string{code}, day("2026-11-01"))
	slices.SortFunc(all, func(a, b measure.Measure) int { return int(a.SID - b.SID) })
	var text strings.Builder
	for _, m := range all {
		fmt.Fprintln(&text, m.SID, m.Type, m.Area, m.Excluded, m.From, m.To, m.Additional, m.Order, m.Reduction, measure.Text(m.Components),
			table.WriteConditions(m.Conditions), m.Acts, m.Footnotes, t.Details().Acts[m.Acts[0]].URL, t.Details().Types[m.Type], t.Details().Areas[m.Area])
	}
	return text.String()
}

// head are the columns of the rows of these tests.
const head = "commodity__code,measure__sid,measure__type__id,measure__geographical_area__id,measure__effective_start_date,measure__effective_end_date," +
	"measure__duty_expression,measure__additional_code__code,measure__excluded_geographical_areas__ids,measure__conditions,measure__footnotes," +
	"measure__quota__order_number,measure__regulation__id,measure__reduction_indicator\n"

// A measure has all that its row says; of one that ends, the last day is included.
func TestMeasure(t *testing.T) {
	held := build(t, head+
		`0702000007,20001,143,2020,2021-01-01,2026-06-30,"0.00 % + AC (reduced) MAX 244.78 GBP / 1,000 items",,AD|1013,"condition:B,certificate:C990,action:27,duty:1.00 GBP / 1,000 items|condition:B,action:07",CD500|TN001,054001,C2100006,2`+"\n", asIs)
	all, later := held.Measures([]string{"0702000007"}, day("2026-06-30"))
	if len(all) != 1 || later {
		t.Fatalf("%d measures", len(all))
	}
	m := all[0]
	got := fmt.Sprintln(m.SID, m.Type, m.Area, m.Excluded, m.From, m.To, measure.Text(m.Components), table.WriteConditions(m.Conditions), m.Footnotes, m.Order, m.Acts, m.Reduction)
	want := "20001 143 2020 [AD 1013] 2021-01-01 2026-06-30 0.00 % + EAR MAX 244.78 GBP / 1000 p/st" +
		" condition:B,certificate:C990,action:27,duty:1.00 GBP / 1000 p/st|condition:B,action:07 [CD500 TN001] 054001 [C2100006] 2"
	if got != want+"\n" {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if all, later = held.Measures([]string{"0702000007"}, day("2026-07-01")); len(all) != 0 || later {
		t.Error("it is in force after its last day")
	}
	if all, later = held.Measures([]string{"0702000007"}, day("2020-12-31")); len(all) != 0 || !later {
		t.Error("a day before the data is not known as such")
	}
}

// A table has no thresholds. A condition with neither document nor threshold that is not the last of its group has one that is
// not held; the last one is met by itself.
func TestThresholdsThatAreNotHeld(t *testing.T) {
	const text = "condition:E,certificate:C672,action:29|condition:E,action:29|condition:I,action:29|condition:E,action:09|condition:I,action:09"
	all, err := table.ParseConditions(text)
	if err != nil {
		t.Fatal(err)
	}
	var held []bool
	for _, c := range all {
		held = append(held, c.Threshold == nil)
	}
	if want := []bool{true, false, false, true, true}; !slices.Equal(held, want) {
		t.Errorf("%v", held)
	}
	if got := table.WriteConditions(all); got != text {
		t.Errorf("%s", got)
	}
	const known = "condition:V,threshold:52.60 EUR DTN,action:01,duty:0.00 %|condition:E,threshold:20.00 - KGM,action:29|condition:V,action:01,duty:29.80 EUR / 100 kg"
	all, err = table.ParseConditions(known)
	if err != nil || all[0].Threshold.Currency != "EUR" || all[0].Threshold.Unit != "DTN" || all[1].Threshold.Currency != "" || table.WriteConditions(all) != known {
		t.Errorf("%+v %v %s", all, err, table.WriteConditions(all))
	}
}

// A row that is not what the publisher writes is refused.
func TestRowsAreRefused(t *testing.T) {
	const good = `0702000007,20001,103,1011,2021-01-01,,8.00%,,,,,,C2100006,`
	header := strings.Split(strings.TrimSpace(head), ",")
	row := strings.Split(good, ",")
	for column, cell := range map[string]string{
		"commodity__code": "702000007", "measure__sid": "2x", "measure__type__id": "10", "measure__geographical_area__id": "France",
		"measure__effective_start_date": "01/01/2021", "measure__effective_end_date": "2020-12-31", "measure__duty_expression": "8.00 per cent",
		"measure__additional_code__code": "B99", "measure__excluded_geographical_areas__ids": "AD|Andorra", "measure__conditions": "condition:B;action:27",
		"measure__footnotes": "TN", "measure__quota__order_number": "5001", "measure__regulation__id": strings.Repeat("x", 101), "measure__reduction_indicator": "-1",
	} {
		b := table.NewBuilder()
		if err := b.Add(cellsOf(header, row), 2); err != nil {
			t.Fatal(err)
		}
		bad := slices.Clone(row)
		bad[slices.Index(header, column)] = cell
		if err := b.Add(cellsOf(header, bad), 3); err == nil {
			t.Errorf("%s %q is taken", column, cell)
		}
	}
	b := table.NewBuilder()
	other := slices.Clone(row)
	other[slices.Index(header, "measure__duty_expression")] = "9.00%"
	for n, r := range [][]string{row, other} {
		if err := b.Add(cellsOf(header, r), n+2); err != nil {
			t.Fatal(err)
		}
	}
	if _, faults := b.Table(); len(faults) != 1 || faults[0].Line != 3 {
		t.Errorf("a measure with two contents: %v", faults)
	}
}

// A duty that changes with the season is that of the day; one in a unit that is not known has its spelling.
func TestSeasonsAndUnits(t *testing.T) {
	held := build(t, head+`0702000007,1,103,1011,2021-01-01,,"8.00% (01 NOV - 14 MAY), 14.00% (15 MAY - 31 OCT)",,,,,,,`+"\n"+
		`0702000099,2,103,1011,2021-01-01,,5.00 GBP / parsec,,,,,,,`+"\n", asIs)
	for on, want := range map[string]string{"2026-05-14": "8.00 %", "2026-05-15": "14.00 %"} {
		all, _ := held.Measures([]string{"0702000007"}, day(on))
		if got := measure.Text(all[0].Components); got != want {
			t.Errorf("on %s: %s", on, got)
		}
	}
	if all, _ := held.Measures([]string{"0702000099"}, day("2026-05-14")); measure.Text(all[0].Components) != "5.00 GBP / PARSEC" {
		t.Errorf("%s", measure.Text(all[0].Components))
	}
}

// BenchmarkReport builds a table of a whole report, and packs and unpacks it.
func BenchmarkReport(b *testing.B) {
	for b.Loop() {
		t, err := tabletest.Table(tabletest.Whole)
		if err != nil {
			b.Fatal(err)
		}
		pieces, err := t.Pack()
		size := 0
		for _, p := range pieces {
			size += len(p.Packed)
		}
		b.ReportMetric(float64(t.Len()), "measures")
		b.ReportMetric(float64(size)/(1<<20), "packed-MB")
		if err != nil {
			b.Fatal(err)
		}
	}
}
