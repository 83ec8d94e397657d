package official_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table/tabletest"
)

// changesOf writes all changes between two editions in their order.
func changesOf(t *testing.T, s official.Store, from, to int64, f official.Filter) (all []string, summary official.Summary) {
	t.Helper()
	c, err := official.Compare(ctx, s, from, to, f)
	if err != nil {
		t.Fatal(err)
	}
	summary, err = c.Summarise(ctx, func(d difference.Change) error {
		m := d.Of()
		text := fmt.Sprint(d.Kind, " ", m.Tariff, " ", m.Code, " ", m.Type, " ", m.SID)
		if d.Before != nil {
			text += " was " + d.Before.Duty
		}
		if d.After != nil {
			text += " is " + d.After.Duty
		}
		all = append(all, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, summary
}

// answerWith is a recorded answer with one more measure: a preference.
func answerWith(code string, percent float64, sid int) string {
	more := fmt.Sprintf(`{"id": %d, "effective_start_date": "2025-07-01T00:00:00.000Z", "effective_end_date": null, "measure_type": {"id": "142", "description": "x"},
		"geographical_area": {"id": "BD", "description": "Bangladesh"}, "measure_components": [{"duty_expression_id": "01", "duty_amount": 0}]}, `, sid)
	return strings.Replace(recorded(code, percent), `"import_measures": [`, `"import_measures": [`+more, 1)
}

// fourEditions imports tables, other duties, recorded answers, and later ones.
func fourEditions(t *testing.T, s official.Store) {
	t.Helper()
	load(t, s, file("lines", lines), file("duties", duties))
	load(t, s, file("duties", strings.Replace(strings.Replace(duties, "12.00%", "7.00%", 1), "6109900000,0.0%,x\n", "", 1)))
	load(t, s, file("6109100010_2025-02-20_uk.json", recorded("6109100010", 7)), file("0101210000_2025-02-20_uk.json", recorded("0101210000", 5)),
		file("0101210000_2025-02-20_xi.json", recorded("0101210000", 4)))
	load(t, s, file("6109100010_2025-08-01_uk.json", answerWith("6109100010", 9, 20000009)), file("0101210000_2025-02-20_xi.json", recorded("0101210000", 3)),
		file("0101210000_2025-09-01_uk_BD.json", answerWith("0101210000", 5, 20000010)))
}

// Each measure that differs is named once, by code, type and number. A measure without number in a table is the same one as
// that with a number in an answer, if both are about the same. The answer for one country ends no measure.
func TestDiff(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		fourEditions(t, s)
		for _, c := range []struct {
			from, to int64
			filter   official.Filter
			want     []string
			summary  official.Summary
		}{
			{1, 2, official.Filter{}, []string{
				"CHANGED UK 6109100000 103 0 was 12.00 % is 7.00 %", "ENDED UK 6109900000 103 0 was 0.00 %",
			}, official.Summary{Ended: 1, Changed: 1, Codes: 2}},
			{2, 1, official.Filter{Code: "61091"}, []string{"CHANGED UK 6109100000 103 0 was 7.00 % is 12.00 %"}, official.Summary{Changed: 1, Codes: 1}},
			{2, 3, official.Filter{Code: "61"}, []string{"ENDED UK 6109100010 109 0 was p/st"}, official.Summary{Ended: 1, Codes: 1}},
			{3, 4, official.Filter{}, []string{
				"CHANGED XI 0101210000 103 20000001 was 4.00 % is 3.00 %", "ADDED UK 0101210000 142 20000010 is 0.00 %",
				"CHANGED UK 6109100010 103 20000001 was 7.00 % is 9.00 %", "ADDED UK 6109100010 142 20000009 is 0.00 %",
			}, official.Summary{Added: 2, Changed: 2, Codes: 2}},
			{3, 4, official.Filter{Type: "142"}, []string{"ADDED UK 0101210000 142 20000010 is 0.00 %", "ADDED UK 6109100010 142 20000009 is 0.00 %"}, official.Summary{Added: 2, Codes: 2}},
			{3, 4, official.Filter{Day: "2025-06-30"}, []string{"CHANGED XI 0101210000 103 20000001 was 4.00 % is 3.00 %"}, official.Summary{Changed: 1, Codes: 1}},
			{4, 4, official.Filter{}, nil, official.Summary{}},
		} {
			got, summary := changesOf(t, s, c.from, c.to, c.filter)
			if !reflect.DeepEqual(got, c.want) || summary != c.summary {
				t.Errorf("%d to %d, %+v:\n%s\n%+v", c.from, c.to, c.filter, strings.Join(got, "\n"), summary)
			}
		}
		for _, pair := range [][2]int64{{1, 9}, {9, 1}} {
			if _, err := official.Compare(ctx, s, pair[0], pair[1], official.Filter{}); !errors.Is(err, official.ErrNoEdition) {
				t.Errorf("%v: %v", pair, err)
			}
		}
	})
}

// The pages of any size give the same changes as all at once, each once, and every page the same summary.
func TestDiffPages(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	fourEditions(t, s)
	for _, pair := range [][2]int64{{0, 1}, {1, 4}, {4, 1}, {3, 4}} {
		want, summary := changesOf(t, s, pair[0], pair[1], official.Filter{Code: "6109"})
		for _, limit := range []int{1, 2, 3, 200} {
			var got []string
			var place official.Place
			for more := true; more; {
				c, err := official.Compare(ctx, s, pair[0], pair[1], official.Filter{Code: "6109"})
				if err != nil {
					t.Fatal(err)
				}
				p, err := c.Page(ctx, place, limit)
				if err != nil || len(p.Changes) > limit || p.Summary != summary {
					t.Fatalf("%v: %d changes, %+v, want %+v", err, len(p.Changes), p.Summary, summary)
				}
				for _, d := range p.Changes {
					got = append(got, d.Of().Code+" "+d.Of().Type+" "+d.Kind)
				}
				if more = p.Next != nil; more {
					place = *p.Next
				}
			}
			if len(got) != len(want) {
				t.Errorf("%v, %d on a page: %d changes, want %d", pair, limit, len(got), len(want))
			}
			for i := range got {
				if words := strings.Fields(want[i]); got[i] != words[2]+" "+words[3]+" "+words[0] {
					t.Errorf("%v, %d on a page: change %d is %s, want %s", pair, limit, i, got[i], want[i])
				}
			}
		}
	}
}

// frugalStore counts the pieces that are read.
type frugalStore struct {
	official.Store
	read []string
}

func (f *frugalStore) TariffPart(ctx context.Context, name string, came int64) ([]byte, error) {
	f.read = append(f.read, name)
	return f.Store.TariffPart(ctx, name, came)
}

func (f *frugalStore) TariffParts(context.Context, int64) ([]official.Part, error) {
	return nil, errors.New("reads a whole edition")
}

// A comparison reads only what differs, piece by piece.
func TestDiffReadsWhatDiffers(t *testing.T) {
	s := &frugalStore{Store: storetest.SQLite(t).Open(t)}
	fourEditions(t, s.Store)
	for _, c := range []struct {
		from, to int64
		want     string
	}{
		{1, 2, "table/duties/61 table/duties/61"},
		{3, 4, "recording/UK/0101210000/2025-02-20 recording/XI/0101210000/2025-02-20 recording/UK/0101210000/2025-09-01/BD recording/UK/0101210000/2025-02-20 " +
			"recording/XI/0101210000/2025-02-20 recording/UK/6109100010/2025-02-20 recording/UK/6109100010/2025-08-01"},
	} {
		s.read = nil
		changesOf(t, s, c.from, c.to, official.Filter{})
		if got := strings.Join(s.read, " "); got != c.want {
			t.Errorf("%d to %d reads %s", c.from, c.to, got)
		}
	}
}

// Two editions of the publisher's table are compared by the rows that only one of them has. The changes are the same as those between
// all measures of each code.
func TestDiffOfRowsIsThatOfCodes(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	const codes = 300
	lines, rows, _ := generated(t, codes)
	some := strings.SplitAfter(rows, "\n")
	for at := 40; at < len(some); at += 40 {
		if some[at] = strings.Replace(some[at], "12.00%", "11.50%", 1); at%80 == 0 {
			some[at] = ""
		}
	}
	other := strings.Join(some, "")
	load(t, s, file("lines", lines), file("report", rows))
	load(t, s, file("report", other))
	for _, c := range []struct {
		from, to int64
		day      string
	}{{1, 2, ""}, {2, 1, ""}, {1, 2, "2026-11-27"}} {
		f := official.Filter{Day: c.day}
		got := map[string][]difference.Change{}
		walked, err := official.Compare(ctx, s, c.from, c.to, f)
		if err != nil {
			t.Fatal(err)
		}
		if err := walked.Walk(ctx, "", func(d difference.Change) error {
			got[d.Of().Code] = append(got[d.Of().Code], d)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		changed := 0
		for at := 0; at < codes; at += 11 {
			code := tabletest.Code(at)
			whole, err := official.Compare(ctx, s, c.from, c.to, f)
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Of(ctx, code)
			if err != nil || !reflect.DeepEqual(got[code], want) {
				t.Fatalf("%+v: %s: %d changes, want %d: %v", c, code, len(got[code]), len(want), err)
			}
			changed += len(want)
		}
		if changed < 20 {
			t.Errorf("%+v: %d changes", c, changed)
		}
	}
}
