package official_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table/tabletest"
)

// generated are a nomenclature and a report of measures in the publisher's shape, of some hundred codes.
func generated(t *testing.T, codes int) (nomenclature, report string, measures int) {
	t.Helper()
	var lines, rows bytes.Buffer
	err := tabletest.Nomenclature(&lines, codes)
	_, measures, failed := tabletest.Report(&rows, codes)
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	return lines.String(), rows.String(), measures
}

// answer computes goods of £1,000 from a country by what is in force.
func answer(t *testing.T, s official.Store, code, origin, day, more string) duty.ResponseLine {
	t.Helper()
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	var r duty.Request
	if err := json.Unmarshal([]byte(`{"destination": "GB", "vatCosts": [], "lines": [{"commodityCode": "`+code+`", "origin": "`+origin+
		`", "price": {"amount": 1000, "currency": "GBP"}, "netMassKg": 100`+more+`}]}`), &r); err != nil {
		t.Fatal(err)
	}
	on, err := measure.ParseDay(day)
	if err != nil {
		t.Fatal(err)
	}
	return duty.Calculate(&r, on, l.Editions(), &duty.Money{Monthly: func(string) (duty.Rate, bool) { return duty.Rate{}, false }}).Lines[0]
}

// told is what an answer says: its options with their charges, the problems, and the kinds that are not held.
func told(l duty.ResponseLine) string {
	var parts []string
	for _, o := range l.Options {
		text := o.Kind
		for _, c := range o.Charges {
			amount := "null"
			if c.Amount != nil {
				amount = c.Amount.Fixed()
			}
			text += fmt.Sprint(" ", c.TaxType, " ", amount)
		}
		if !o.Totals.Complete {
			text += " incomplete"
		}
		parts = append(parts, text)
	}
	for _, p := range l.Problems {
		parts = append(parts, p.Code)
	}
	for _, w := range l.Warnings {
		if w.Code == "KINDS_NOT_HELD" {
			parts = append(parts, fmt.Sprint(w.Codes))
		}
	}
	return strings.Join(parts, "; ")
}

// The publisher's report is imported whole: the duty engine has preferences, quotas, trade remedies and controls of it, and the
// simple estimate goes on. A second process reads the same, and a repeated import changes nothing.
func TestReportOfMeasures(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, other := b.Open(t), b.Open(t)
		lines, rows, measures := generated(t, 200)
		r := load(t, s, file("commodities-report", lines), file("measures-on-declarable-commodities", rows))
		if held, ok := r.Table(official.Measures); !ok || held.Rows != measures || held.AsOf != "2021-01-01" || held.Version != 1 || r.Dutiable != 200 {
			t.Errorf("%+v", r)
		}
		if c := charge(current(t, other), "0101110000", "2026-11-21"); c.Duty.Fixed() != "1.00" || c.VATRate != 20 {
			t.Errorf("the simple estimate is %+v", c)
		}
		for _, c := range []struct{ code, origin, day, more, want string }{
			{"0101110000", "NO", "2026-11-21", `, "facts": {"otherDocuments": "NONE"}`, "THIRD_COUNTRY A00 10.00 B00 202.00; [CONTROL PREFERENCE QUOTA_BALANCE]"},
			{"0101110000", "NO", "2026-11-21", `, "facts": {"documents": [{"code": "U139", "reference": "x"}], "otherDocuments": "NONE"}`,
				"PREFERENCE A00 0.00 B00 200.00; THIRD_COUNTRY A00 10.00 B00 202.00; [CONTROL PREFERENCE QUOTA_BALANCE]"},
			{"0101100000", "CN", "2026-11-21", `, "additionalCodes": ["C101"], "facts": {"otherDocuments": "NONE"}`,
				"THIRD_COUNTRY A00 0.00 A30 6.00 A20 250.00 B00 251.20; [CONTROL PREFERENCE QUOTA_BALANCE]"},
			{"0101110000", "NO", "2020-12-31", "", "DATE_BEFORE_DATA"},
			{"0101000000", "NO", "2026-11-21", "", "CODE_NOT_DECLARABLE"},
			{"0101990000", "NO", "2026-11-21", "", "CODE_UNKNOWN"},
		} {
			if got := told(answer(t, other, c.code, c.origin, c.day, c.more)); got != c.want {
				t.Errorf("%s of %s on %s: %s\nnot %s", c.code, c.origin, c.day, got, c.want)
			}
		}
		again := load(t, s, file("commodities-report", lines), file("measures-on-declarable-commodities", rows))
		if again.Version != 1 {
			t.Errorf("the same tables again are edition %d", again.Version)
		}
	})
}

// A table is replaced as a whole: what was withdrawn is no longer in force. Only chapters that changed are stored again, and the
// edition before has the former ones.
func TestReportIsReplaced(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	lines, rows, _ := generated(t, 200)
	load(t, s, file("commodities-report", lines), file("measures-on-declarable-commodities", rows))
	var kept []string
	for row := range strings.Lines(rows) {
		if !strings.Contains(row, ",0101110000,") || !strings.Contains(row, ",142,") {
			kept = append(kept, row)
		}
	}
	second := load(t, s, file("measures-on-declarable-commodities", strings.Join(kept, "")))
	held := `, "facts": {"documents": [{"code": "U139", "reference": "x"}], "otherDocuments": "NONE"}`
	if got := told(answer(t, s, "0101110000", "NO", "2026-11-21", held)); got != "THIRD_COUNTRY A00 10.00 B00 202.00; [CONTROL QUOTA_BALANCE]" {
		t.Errorf("second edition: %s", got)
	}
	if table, _ := second.Table(official.Measures); second.Version != 2 || table.Version != 2 {
		t.Errorf("%+v", second)
	}
	if _, err := official.Rollback(ctx, s, nil); err != nil {
		t.Fatal(err)
	}
	if got := told(answer(t, s, "0101110000", "NO", "2026-11-21", held)); !strings.HasPrefix(got, "PREFERENCE") {
		t.Errorf("after the rollback: %s", got)
	}
	counted := &counting{Store: s}
	if _, err := official.Import(ctx, counted, []official.File{file("measures-on-declarable-commodities", strings.Join(kept, ""))}, importing()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"table/measures/01"}; !slices.Equal(counted.stored, want) {
		t.Errorf("stored again: %s", counted.stored)
	}
}

// counting notes the pieces that are stored.
type counting struct {
	official.Store
	stored []string
}

func (c *counting) PutTariff(ctx context.Context, was official.Stamp, e official.Edition, adds official.Contents) (official.Edition, error) {
	for _, p := range adds.Parts {
		c.stored = append(c.stored, p.Name)
	}
	return c.Store.PutTariff(ctx, was, e, adds)
}

// Of a table and a recording of a code the newer one is used as a whole. Measures where they are defined hold for the codes below.
func TestTableOrRecording(t *testing.T) {
	defined := reportHead +
		"6109000000,1,103,1011,2021-01-01,,12.00%,,,\n6109000000,2,305,1011,2021-01-01,,20.00%,,,\n6100000000,3,695,BD,2024-05-01,,5.00%,,,\n"
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("report", report), file("measures-as-defined.csv", defined),
		file("6109100010_2024-04-30_uk.json", recorded("6109100010", 3)), file("6109100090_2024-05-02_uk.json", recorded("6109100090", 4)))
	for code, want := range map[string]string{
		"6109100010": "THIRD_COUNTRY A00 120.00 A20 50.00 B00 234.00 incomplete; [CONTROL EXCISE PREFERENCE QUOTA SUSPENSION]",
		"6109100090": "THIRD_COUNTRY A00 40.00 B00 208.00",
		"6109900000": "THIRD_COUNTRY A00 120.00 A20 50.00 B00 234.00 incomplete; [CONTROL EXCISE PREFERENCE QUOTA SUSPENSION]",
	} {
		if got := told(answer(t, s, code, "BD", "2026-11-21", "")); got != want {
			t.Errorf("%s: %s\nnot %s", code, got, want)
		}
	}
	if c := charge(current(t, s), "6109100010", "2026-11-21"); c.Duty.Fixed() != "12.00" {
		t.Errorf("the simple estimate is %+v", c)
	}
}

const reportHead = "commodity__code,measure__sid,measure__type__id,measure__geographical_area__id,measure__effective_start_date,measure__effective_end_date," +
	"measure__duty_expression,measure__additional_code__code,measure__excluded_geographical_areas__ids,measure__conditions\n"

// What the tables do not hold is said, and no total without it is complete: the members of a group, thresholds, balances.
func TestWhatTablesLack(t *testing.T) {
	all := reportHead + "6109100010,1,103,1011,2021-01-01,,12.00%,,,\n6109100010,2,305,1011,2021-01-01,,20.00%,,,\n" +
		"6109100010,3,142,2005,2021-01-01,,0.00%,,,\n6109100010,4,112,1011,2021-01-01,,0.00%,,,\n6109100010,5,143,NO,2021-01-01,,0.00%,,,\n" +
		"6109100010,6,306,1011,2021-01-01,,1.00 GBP / kg,X520,,\n6109100010,7,465,1011,2021-01-01,,,,,\n"
	remedy := func(area, conditions string) string {
		return all + "6109100010,8,552," + area + ",2021-01-01,,7.00%,,," + conditions + "\n"
	}
	for name, c := range map[string]struct{ rows, kinds string }{
		"members":    {remedy("5050", ""), "[PREFERENCE QUOTA_BALANCE REMEDY]"},
		"nothing":    {remedy("CN", ""), "[PREFERENCE QUOTA_BALANCE]"},
		"thresholds": {remedy("NO", `"condition:L,action:01,duty:0.00%|condition:L,action:01,duty:9.00%"`), "[PREFERENCE QUOTA_BALANCE THRESHOLD]"},
	} {
		s := storetest.SQLite(t).Open(t)
		load(t, s, file("report", report), file("measures-on-declarable-commodities", c.rows))
		l := answer(t, s, "6109100010", "NO", "2026-11-21", `, "facts": {"proofOfOrigin": "NONE"}`)
		if got := told(l); !strings.HasSuffix(got, c.kinds) || strings.Contains(got, "incomplete") != (name != "nothing") {
			t.Errorf("%s: %s\nnot %s", name, got, c.kinds)
		}
	}
}

// One bad row in the middle refuses the whole import, with file and row.
func TestReportIsRefused(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	lines, rows, _ := generated(t, 200)
	for cell, bad := range map[string]string{"0101110000,1,": "010111000,1,", "condition:B,action:07": "condition:B;action:07", ",142,": ",14x,"} {
		at := strings.Index(rows[len(rows)/2:], cell)
		if at < 0 {
			at = strings.Index(rows, cell) - len(rows)/2
		}
		at += len(rows) / 2
		broken := rows[:at] + bad + rows[at+len(cell):]
		_, err := official.Import(ctx, s, []official.File{file("commodities-report", lines), file("all measures", broken)}, importing())
		var faulty *importerr.Error
		row := 1 + strings.Count(rows[:at], "\n")
		if !errors.As(err, &faulty) || len(faulty.Faults) != 1 || faulty.Faults[0].File != "all measures" || faulty.Faults[0].Row != row {
			t.Errorf("%s in row %d: %v", bad, row, err)
		}
	}
	if stamp, err := s.TariffStamp(ctx); err != nil || stamp.Version != 0 {
		t.Errorf("%+v %v", stamp, err)
	}
}

// Why goods cannot be calculated is said whatever holds them: the built-in table, tables of duties, or a report of measures. A code
// that cannot be declared comes with those below it that can, an unknown one with the nearest line above it.
func TestWhyNotCalculated(t *testing.T) {
	builtIn, ofDuties, ofMeasures := storetest.SQLite(t).Open(t), storetest.SQLite(t).Open(t), storetest.SQLite(t).Open(t)
	load(t, ofDuties, file("lines", lines), file("duties", duties))
	nomenclature, rows, _ := generated(t, 200)
	load(t, ofMeasures, file("commodities-report", nomenclature), file("measures-on-declarable-commodities", rows))
	for _, c := range []struct {
		name            string
		from            official.Store
		code, day, want string
	}{
		{"built-in", builtIn, "6109100000", "2026-11-21", "CODE_NOT_DECLARABLE [6109100010 6109100090]"},
		{"built-in", builtIn, "6109999999", "2026-11-21", "CODE_UNKNOWN [6109000000]"},
		{"built-in", builtIn, "9999999999", "2026-11-21", "CODE_UNKNOWN []"},
		{"built-in", builtIn, "6109100010", "2021-12-31", "DATE_BEFORE_DATA []"},
		{"built-in", builtIn, "6109100000", "2021-12-31", "CODE_NOT_DECLARABLE []"},
		{"duties", ofDuties, "6109100000", "2026-11-21", "CODE_NOT_DECLARABLE [6109100010 6109100090]"},
		{"duties", ofDuties, "6109109999", "2026-11-21", "CODE_UNKNOWN [6109100000]"},
		{"duties", ofDuties, "6109100010", "2020-12-31", "DATE_BEFORE_DATA []"},
		{"duties", ofDuties, "6109900000", "2031-01-01", "CODE_NOT_DECLARABLE []"},
		{"measures", ofMeasures, "0101110000", "2020-12-31", "DATE_BEFORE_DATA []"},
		{"measures", ofMeasures, "0102990000", "2026-11-21", "CODE_UNKNOWN [0102000000]"},
	} {
		l := answer(t, c.from, c.code, "NO", c.day, "")
		if len(l.Problems) != 1 || fmt.Sprint(l.Problems[0].Code, " ", l.Problems[0].Codes) != c.want || l.Outcome != duty.NotCalculable || len(l.Options) != 0 {
			t.Errorf("%s: %s on %s: %+v, not %s", c.name, c.code, c.day, l.Problems, c.want)
		}
	}
	below := answer(t, ofMeasures, "0101000000", "NO", "2026-11-21", "").Problems[0].Codes
	if len(below) != 13 || below[0] != "0101100000" || below[12] != "0101220000" {
		t.Errorf("below a heading of 13 codes: %v", below)
	}
}

// With the service XI a report is the tariff of Northern Ireland, beside the UK's.
func TestReportOfNorthernIreland(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	uk := reportHead + "6109100010,1,103,1011,2021-01-01,,12.00%,,,\n6109100010,2,305,1011,2021-01-01,,20.00%,,,\n"
	load(t, s, file("report", report), file("uk", uk))
	how := importing()
	how.Service = measure.XI
	if _, err := official.Import(ctx, s, []official.File{file("xi", reportHead+"6109100010,1,103,1011,2021-01-01,,9.00% + 5.00 EUR / 100 kg,,,\n")}, how); err != nil {
		t.Fatal(err)
	}
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]duty.Tariff{"12.00 %": l.Editions().UK, "9.00 % + 5.00 EUR / 100 kg": l.Editions().XI} {
		g := of.Goods("6109100010", "NO", 20000)
		if len(g.Import) == 0 || measure.Text(g.Import[0].Components) != name {
			t.Errorf("%s: %+v", name, g)
		}
	}
}
