package exportcontrol_test

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

// Every rating of granted licences is known, with its list.
func TestRatings(t *testing.T) {
	f, err := os.Open("../../../../shared/domain/data/trade/caat_ratings.csv")
	if err != nil {
		t.Skip("the ratings are not available")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, row := range rows[1:] {
		r, ok := exportcontrol.ParseRating(row[0])
		if !ok {
			if strings.HasPrefix(row[0], "ML") || strings.HasPrefix(row[0], "PL") || row[0][0] >= '0' && row[0][0] <= '9' {
				t.Errorf("%s has not the form of an entry", row[0])
			}
			continue
		}
		count++
		if !r.Known || (r.Regime == exportcontrol.Military) != (row[1] == "1") {
			t.Errorf("%s: %+v", row[0], r)
		}
	}
	if count < 250 {
		t.Errorf("%d ratings", count)
	}
}

// Only texts in the form of an entry are ratings, and a rating may be unknown.
func TestRatingForms(t *testing.T) {
	for _, text := range []string{"", "ML", "ML123", "8457101000", "5A02", "5F001", "A5002", "5A002" + strings.Repeat(".a", 20), "gun"} {
		if r, ok := exportcontrol.ParseRating(text); ok {
			t.Errorf("%q: %+v", text, r)
		}
	}
	for _, text := range []string{"ML0", "ML23", "PL1234", "0A017", "8C002", "7A009"} {
		if r, ok := exportcontrol.ParseRating(text); !ok || r.Known {
			t.Errorf("%q: %v %+v", text, ok, r)
		}
	}
}
