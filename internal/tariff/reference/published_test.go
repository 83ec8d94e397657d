package reference_test

import (
	"os"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

const published = "../../../../shared/domain/data/"

// The publishers' files are imported as they are.
func TestPublishedFiles(t *testing.T) {
	if _, err := os.Stat(published); err != nil {
		t.Skip("the published tables are not beside the project")
	}
	s := storetest.SQLite(t).Open(t)
	for _, c := range []struct {
		kind reference.Kind
		file string
		rows int
	}{
		{reference.UNLOCODE, "common/CL244_UnLocodeExtended.csv", 99_560},
		{reference.ExciseCN, "emcs/E200_CorrespondenceCnCodeExciseProduct.csv", 459},
		{reference.CBAMDefaults, "cbam/cbam_default_values_2026_by_country.csv", 10_900},
	} {
		file, err := os.Open(published + c.file)
		if err != nil {
			t.Fatal(err)
		}
		e, err := reference.Import(ctx, s, c.kind, file, time.Time{}, today)
		file.Close()
		if err != nil || e.Rows != c.rows {
			t.Errorf("%s: %+v %v", c.kind, e, err)
		}
	}
	l := refreshed(t, s)
	if v, _, ok := l.Default("2523290000", "CN"); !ok || v.String() != "1.42" {
		t.Errorf("grey cement from China: %s %v", v, ok)
	}
	if v, _, ok := l.Default("25232100", "AL"); !ok || v.Sign() <= 0 {
		t.Errorf("white cement from Albania, which has a row without a value: %s %v", v, ok)
	}
	if l.Places().Lacks("GBFXT") || !l.Places().Lacks("GBZZZ") || l.ExciseProducts().Lacks("22083030") {
		t.Error("codes are not found")
	}
}
