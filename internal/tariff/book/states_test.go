package book_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

func recordingOf(code, day, country string, declarable bool, rate measure.Component) *recording.Recording {
	on, err := measure.ParseDay(day)
	if err != nil {
		panic(err)
	}
	m := measure.Measure{SID: 1, Code: code, Type: "103", Area: measure.Everywhere, Components: []measure.Component{rate}, To: on + 30}
	return &recording.Recording{
		Name: recording.Name{Code: code, Day: on, Service: measure.UK, Country: country}, Code: code, Import: []measure.Measure{m},
		Lines: []recording.Line{{Code: code[:2] + "00000000"}, {Code: code[:4] + "000000"}, {Code: code, Declarable: declarable}}, Details: measure.NewDetails(),
	}
}

// A book returns what it holds for a code on a day, or why it holds nothing.
func TestStatesOfGoods(t *testing.T) {
	zero := measure.Component{Expression: "37"}
	b := bookOf(t, measure.UK, []*recording.Recording{
		recordingOf("0101210000", "2021-05-01", "", true, zero), recordingOf("0101210000", "2022-05-01", "", true, zero),
		recordingOf("0101290000", "2021-05-01", "", false, zero), recordingOf("0101291000", "2021-05-01", "", true, zero),
		recordingOf("6911100000", "2021-05-01", "AD", true, zero),
	})
	for _, c := range []struct{ code, origin, day, want string }{
		{"010121", "US", "2021-05-20", "CALCULATED []"},
		{"0101210000", "US", "2022-05-10", "CALCULATED []"},
		{"0101210000", "US", "2021-07-10", "NOT_CALCULABLE [NO_DUTY_MEASURE []]"}, // an old recording does not renew a season
		{"0101210000", "US", "2021-04-30", "NOT_CALCULABLE [DATE_BEFORE_DATA []]"},
		{"0101999999", "US", "2021-05-20", "NOT_CALCULABLE [CODE_UNKNOWN [0101000000]]"},
		{"9999999999", "US", "2021-05-20", "NOT_CALCULABLE [CODE_UNKNOWN []]"},
		{"0101290000", "US", "2021-05-20", "NOT_CALCULABLE [CODE_NOT_DECLARABLE [0101291000]]"},
		{"0101000000", "US", "2021-05-20", "NOT_CALCULABLE [CODE_NOT_DECLARABLE [0101210000 0101291000]]"},
		{"6911100000", "US", "2021-05-20", "NOT_CALCULABLE [COUNTRY_NOT_HELD []]"},
		{"6911100000", "AD", "2021-05-20", "CALCULATED []"},
	} {
		l := ask(t, fmt.Sprintf(`{"date": %q, "destination": "GB", "lines": [{"commodityCode": %q, "origin": %q, "price": {"amount": 10, "currency": "GBP"}}]}`,
			c.day, c.code, c.origin), duty.Editions{UK: b}).Lines[0]
		problems := []string{}
		for _, p := range l.Problems {
			if p.Code == "NO_DUTY_MEASURE" {
				p.Codes = nil
			}
			problems = append(problems, fmt.Sprint(p.Code, " ", p.Codes))
		}
		if got := fmt.Sprint(l.Outcome, " ", problems); got != c.want {
			t.Errorf("%s of %s on %s: %s, not %s", c.code, c.origin, c.day, got, c.want)
		}
	}
	if got := len(bookOf(t, measure.UK, slices.Concat(many(60))).Goods("0101000000", "US", 20000).Below); got != 50 {
		t.Errorf("%d codes below", got)
	}
}

func many(n int) (all []*recording.Recording) {
	for i := range n {
		all = append(all, recordingOf(fmt.Sprintf("01012100%02d", i), "2021-05-01", "", true, measure.Component{Expression: "37"}))
	}
	return all
}

// Kinds of measures that an edition lacks are named, and a total without one that can charge is not complete.
func TestKindsThatAreNotHeld(t *testing.T) {
	b := bookOf(t, measure.UK, []*recording.Recording{recordingOf("0101210000", "2021-05-01", "", true, measure.Component{Expression: "37"})})
	lacking := &lacks{b, []string{"REMEDY", "QUOTA"}}
	l := ask(t, `{"date": "2021-05-02", "destination": "GB", "lines": [{"commodityCode": "0101210000", "origin": "US", "price": {"amount": 10, "currency": "GBP"}}]}`,
		duty.Editions{UK: lacking}).Lines[0]
	if w := l.Warnings[0]; w.Code != "KINDS_NOT_HELD" || !slices.Equal(w.Codes, []string{"QUOTA", "REMEDY"}) || l.Options[0].Totals.Complete {
		t.Errorf("%+v %+v", w, l.Options[0].Totals)
	}
}

// lacks is a tariff that lacks kinds of measures.
type lacks struct {
	duty.Tariff
	kinds []string
}

func (l *lacks) Goods(code, origin string, on measure.Day) duty.Goods {
	g := l.Tariff.Goods(code, origin, on)
	g.Lacks = l.kinds
	return g
}
