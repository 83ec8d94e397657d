package reference_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

const cbamRates = "from,to,sector,gbp_per_tonne\n2027-01-01,2027-12-31,CEMENT,41.5\n2028-01-01,2028-03-31,CEMENT,43\n2027-01-01,2027-12-31,IRON_STEEL,38.25\n"

// A rate holds for its sector from its first to its last day.
func TestCBAMRates(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		var l reference.Library
		if _, _, ok := l.CBAMRate("CEMENT", "2027-01-01"); ok {
			t.Error("there is a rate before the import")
		}
		if _, err := reference.Import(t.Context(), s, reference.CBAMRates, strings.NewReader(cbamRates), time.Time{}, today); err != nil {
			t.Fatal(err)
		}
		if err := l.Refresh(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		for question, want := range map[[2]string]string{
			{"CEMENT", "2027-12-31"}: "41.5", {"CEMENT", "2028-01-01"}: "43", {"CEMENT", "2028-04-01"}: "", {"CEMENT", "2026-12-31"}: "", {"HYDROGEN", "2027-01-01"}: "",
		} {
			rate, edition, ok := l.CBAMRate(question[0], question[1])
			if ok != (want != "") || ok && (rate.String() != want || edition != "rates of UK CBAM of 1 January 2028") {
				t.Errorf("%v: %s %q %v", question, rate, edition, ok)
			}
		}
	})
}

// A wrong line is named, and nothing is imported.
func TestWrongCBAMRates(t *testing.T) {
	for _, line := range []string{"2027-01-01,2027-06-30,CEMENT,40", "2029-02-30,2029-12-31,CEMENT,1", "2029-12-31,2029-01-01,CEMENT,1", "2029-01-01,2029-12-31,ELECTRICITY,1",
		"2029-01-01,2029-12-31,CEMENT,-1", "2029-01-01,2029-12-31,CEMENT,x"} {
		_, err := reference.Import(t.Context(), nil, reference.CBAMRates, strings.NewReader(cbamRates+line+"\n"), time.Time{}, today)
		var faulty *reference.ImportError
		if !errors.As(err, &faulty) || len(faulty.Faults) != 1 || faulty.Faults[0].Line != 5 {
			t.Errorf("%s: %v", line, err)
		}
	}
}
