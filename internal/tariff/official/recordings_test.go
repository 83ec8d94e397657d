package official_test

import (
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
)

// recorded is the answer of the tariff service for a code with a third-country duty in per cent and the standard VAT.
func recorded(code string, percent float64) string {
	one := func(sid int, typ string, rate float64) string {
		return fmt.Sprintf(`{"id": %d, "effective_start_date": "2021-01-01T00:00:00.000Z", "effective_end_date": null, "measure_type": {"id": %q, "description": "x"},
			"geographical_area": {"id": "1011", "description": "ERGA OMNES"}, "measure_components": [{"duty_expression_id": "01", "duty_amount": %v}]}`, sid, typ, rate)
	}
	return `{"goods_nomenclature_item_id": "` + code + `", "producline_suffix": "80", "description": "Goods", "declarable": true,
		"import_measures": [` + one(20000001, "103", percent) + "," + one(-1, "305", 20) + `]}`
}

// dutyOf is the duty on goods of £100, by the edition that is in force; the code of the problem if there is none.
func dutyOf(t *testing.T, s official.Store, code, day string) string {
	t.Helper()
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	return dutyBy(t, l.Editions(), code, day)
}

func dutyBy(t *testing.T, editions duty.Editions, code, day string) string {
	t.Helper()
	var r duty.Request
	err := json.Unmarshal([]byte(`{"destination": "GB", "lines": [{"commodityCode": "`+code+`", "origin": "BD", "price": {"amount": 100, "currency": "GBP"}}]}`), &r)
	if err != nil {
		t.Fatal(err)
	}
	on, err := measure.ParseDay(day)
	if err != nil {
		t.Fatal(err)
	}
	answer := duty.Calculate(&r, on, editions, &duty.Money{Monthly: func(string) (duty.Rate, bool) { return duty.Rate{}, false }})
	l := answer.Lines[0]
	if len(l.Options) == 0 {
		return l.Problems[0].Code
	}
	return l.Options[0].Charges[0].Amount.String()
}

// A recording is in force from its day. Others are carried over; the same one is replaced, and an earlier edition has the
// former one again after a rollback, as has the edition that is imported then.
func TestRecordings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		r := load(t, s, file("a/0101210000_2025-02-20_uk.json", recorded("0101210000", 5)), file("0102290000_2025-02-20_uk.json", recorded("0102290000", 7)))
		if table, _ := r.Table(official.Recordings); table.Rows != 2 || table.AsOf != "2025-02-20" {
			t.Errorf("%+v", r)
		}
		for _, c := range []struct{ code, day, want string }{
			{"0101210000", "2025-02-20", "5"}, {"0101210000", "2025-02-19", "DATE_BEFORE_DATA"}, {"0102290000", "2026-01-01", "7"}, {"6109100010", "2026-01-01", "12"},
		} {
			if got := dutyOf(t, s, c.code, c.day); got != c.want {
				t.Errorf("%s on %s: %s, not %s", c.code, c.day, got, c.want)
			}
		}
		again := load(t, s, file("0102290000_2025-02-20_uk.json", recorded("0102290000", 7)))
		if again.Version != 1 {
			t.Errorf("the same answer again is edition %d", again.Version)
		}
		load(t, s, file("0101210000_2025-02-20_uk.json", recorded("0101210000", 6)), file("0101210000_2025-08-01_uk.json", recorded("0101210000", 9)))
		second := []string{dutyOf(t, s, "0101210000", "2025-03-01"), dutyOf(t, s, "0101210000", "2025-09-01"), dutyOf(t, s, "0102290000", "2025-09-01")}
		if fmt.Sprint(second) != "[6 9 7]" {
			t.Errorf("second edition: %s", second)
		}
		var l official.Library
		if err := l.Refresh(ctx, s); err != nil {
			t.Fatal(err)
		}
		first, err := l.EditionsAt(ctx, s, 1, []string{"0101210000"})
		if err != nil || dutyBy(t, first, "0101210000", "2025-09-01") != "5" {
			t.Errorf("first edition: %v", err)
		}
		if _, err := l.EditionsAt(ctx, s, 77, nil); !errors.Is(err, official.ErrNoEdition) {
			t.Errorf("an edition that is not kept: %v", err)
		}
		if _, err := official.Rollback(ctx, s, nil); err != nil {
			t.Fatal(err)
		}
		if got := dutyOf(t, s, "0101210000", "2025-09-01"); got != "5" {
			t.Errorf("after the rollback: %s", got)
		}
		load(t, s, file("0102290000_2025-10-01_uk.json", recorded("0102290000", 8)))
		third := []string{dutyOf(t, s, "0101210000", "2025-11-01"), dutyOf(t, s, "0102290000", "2025-11-01")}
		if fmt.Sprint(third) != "[5 8]" {
			t.Errorf("third edition: %s", third)
		}
	})
}

// group is an answer in which an area has a member.
func group(code, area, member string) string {
	return strings.Replace(recorded(code, 5), `"id": "1011", "description": "ERGA OMNES"`,
		`"id": "`+area+`", "children_geographical_areas": [{"id": "`+member+`"}]`, 1)
}

// Answers whose areas contain each other are refused together, though each one alone is sound. Refused is also one that makes a
// circle with what is held.
func TestCircularAreas(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	one, two := group("0101210000", "2001", "2002"), group("0102290000", "2002", "2001")
	first, second := file("0101210000_2025-02-20_uk.json", one), file("0102290000_2025-02-20_uk.json", two)
	if _, err := official.Import(ctx, s, []official.File{first, second}, importing()); err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("together: %v", err)
	}
	load(t, s, file("0101210000_2025-02-20_uk.json", one))
	_, err := official.Import(ctx, s, []official.File{file("0102290000_2025-02-20_uk.json", two)}, importing())
	if stamp, failed := s.TariffStamp(ctx); err == nil || !strings.Contains(err.Error(), "contains itself") || failed != nil || stamp.Version != 1 {
		t.Errorf("with what is held: %v, version %d %v", err, stamp.Version, failed)
	}
}

// An answer is used as a whole: a list of areas of another day does not take away the countries that its measures concern.
func TestAreasOfRecordings(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("0101210000_2025-02-20_uk.json", group("0101210000", "1400", "BD")), file("0102290000_2025-02-20_uk.json", group("0102290000", "1400", "CA")),
		file("areas.json", `[{"id": "GG", "description": "Guernsey", "members": []}, {"id": "1400", "description": "Areas subject to VAT", "members": ["GG"]}]`))
	if own, other := dutyOf(t, s, "0101210000", "2025-03-01"), dutyOf(t, s, "0102290000", "2025-03-01"); own != "5" || other == "5" {
		t.Errorf("goods of BD are charged %s by an answer with BD, %s by one without", own, other)
	}
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	load(t, s, file("0102290000_2025-10-01_uk.json", recorded("0102290000", 8)))
	if first, err := l.EditionsAt(ctx, s, 1, []string{"0101210000"}); err != nil || dutyBy(t, first, "0101210000", "2025-03-01") != "5" {
		t.Errorf("an earlier edition: %v", err)
	}
}

// Answers that do not say what they are, or whose areas contain themselves, are refused, and nothing is imported.
func TestRecordingsAreRefused(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	good := file("0101210000_2025-02-20_uk.json", recorded("0101210000", 5))
	circular := strings.Replace(recorded("0101210000", 5), `"description": "ERGA OMNES"`,
		`"children_geographical_areas": [{"id": "1011", "children_geographical_areas": [{"id": "1011"}]}]`, 1)
	for name, f := range map[string]official.File{
		"neither its name":     file("answer.json", recorded("0101210000", 5)),
		"for 0102290000":       file("0102290000_2025-02-20_uk.json", recorded("0101210000", 5)),
		"is not one":           file("0103000000_2025-02-20_uk.json", strings.Replace(recorded("0103000000", 5), "20000001", `"gl1"`, 1)),
		"contains itself":      file("0101210000_2025-02-21_uk.json", circular),
		"for the same code":    file("copy/0101210000_2025-02-20_uk.json", recorded("0101210000", 6)),
		"a whole commodity":    file("0808108090_2024-08-13_xi_UA.json", `{"data": {"type": "green_lanes_goods_nomenclature"}, "included": []}`),
		"effective_start_date": file("0104000000_2025-02-20_uk.json", strings.Replace(recorded("0104000000", 5), `"2021-01-01T00:00:00.000Z"`, "7", 1)),
	} {
		good.Reader = strings.NewReader(recorded("0101210000", 5))
		_, err := official.Import(ctx, s, []official.File{good, f}, importing())
		var faulty *importerr.Error
		if !errors.As(err, &faulty) || !strings.Contains(err.Error(), name) || len(faulty.Faults) != 1 || faulty.Faults[0].File != f.Name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if stamp, err := s.TariffStamp(ctx); err != nil || stamp.Version != 0 {
		t.Errorf("%+v %v", stamp, err)
	}
	how := importing()
	how.AsOf, how.Service = "2025-02-20", measure.UK
	if _, err := official.Import(ctx, s, []official.File{file("answer.json", recorded("0101210000", 5))}, how); err != nil {
		t.Error(err)
	}
	if got := dutyOf(t, s, "0101210000", "2025-02-20"); got != "5" {
		t.Errorf("%s", got)
	}
}

// A code that is not in the nomenclature is added with its heading and its chapter.
func TestRecordingAddsItsCode(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("lines", lines))
	answer := strings.Replace(recorded("0101210000", 5), `"producline_suffix"`,
		`"chapter": {"goods_nomenclature_item_id": "0100000000", "description": "Animals"},
		"heading": {"goods_nomenclature_item_id": "0101000000", "description": "Horses"}, "producline_suffix"`, 1)
	load(t, s, file("0101210000_2025-02-20_uk.json", answer))
	want := []string{"0100000000-80 0 false Animals", "0101000000-80 0 false Horses", "0101210000-80 1 true Goods", "6100000000-80 0 false KNITTED CLOTHES"}
	if got := shape(current(t, s).Tree)[:4]; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// With replace, an import drops the tables, lists and recorded answers that it does not replace; the edition before has them.
func TestReplace(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("lines", lines), file("areas", areaList), file("0101210000_2025-02-20_uk.json", recorded("0101210000", 5)))
	how := importing()
	how.Replace = true
	for range 2 { // repeated, it changes nothing
		r, err := official.Import(ctx, s, []official.File{file("0102290000_2025-02-20_uk.json", recorded("0102290000", 7))}, how)
		if err != nil || r.Version != 2 || len(r.Tables) != 1 {
			t.Fatalf("%+v %v", r, err)
		}
	}
	if got := dutyOf(t, s, "0101210000", "2025-03-01"); got == "5" || dutyOf(t, s, "0102290000", "2025-03-01") != "7" {
		t.Errorf("the dropped answer is used: %s", got)
	}
	if _, err := official.Rollback(ctx, s, nil); err != nil {
		t.Fatal(err)
	}
	if got := dutyOf(t, s, "0101210000", "2025-03-01"); got != "5" {
		t.Errorf("after the rollback: %s", got)
	}
}
