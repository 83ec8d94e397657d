package customs_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// A submitted declaration is reviewed as of its submission, one that can be corrected as of now.
func TestReviewTime(t *testing.T) {
	submitted := `{"submittedAt":"2026-11-01T08:00:00.000Z"}`
	then := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status lifecycle.State
		added  string
		want   time.Time
	}{
		{lifecycle.Draft, `{}`, testTime}, {lifecycle.Cancelled, `{}`, testTime}, {lifecycle.Rejected, submitted, testTime},
		{lifecycle.Submitted, submitted, then}, {lifecycle.Accepted, submitted, then}, {customs.Cleared, submitted, then}, {lifecycle.Cancelled, submitted, then},
	} {
		got, err := customs.ReviewTime(&filing.Filing{Status: c.status, Added: []byte(c.added)}, testTime)
		if err != nil || !got.Equal(c.want) {
			t.Errorf("%s %s: %s %v", c.status, c.added, got, err)
		}
	}
}

// Declarations are similar if their first invoices are equal, ignoring case and spaces; imports and exports are
// separate.
func TestEarlierInvoices(t *testing.T) {
	d := customs.Declaration{DeclarationType: customs.Import, Documents: []customs.Document{
		{Type: "N730", Reference: "CMR"}, {Type: "N935", Reference: "Inv 1"}, {Type: "N935", Reference: "INV1"}, {Type: "N380", Reference: "2"}, {Type: "N325", Reference: "3"}, {Type: "N935", Reference: "4"},
	}}
	want := []filing.Key{{Name: "declaration.invoice", Value: "IMPORT INV1"}, {Name: "declaration.invoice", Value: "IMPORT 2"}, {Name: "declaration.invoice", Value: "IMPORT 3"}}
	if got := customs.MatchingKeys(&d); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	if d.DeclarationType = customs.Export; customs.MatchingKeys(&d)[0].Value != "EXPORT INV1" {
		t.Error("exports are like imports")
	}
}

// Declarations without an invoice are similar if their goods are equal, ignoring descriptions.
func TestEarlierGoods(t *testing.T) {
	make := func(change func(*customs.Declaration)) filing.Key {
		d := customs.Declaration{DeclarationType: customs.Import, Items: []customs.Item{generatedItem(1), generatedItem(2)}, Documents: []customs.Document{{Type: "N730", Reference: "CMR"}}}
		change(&d)
		return customs.MatchingKeys(&d)[0]
	}
	one := make(func(*customs.Declaration) {})
	if one.Name != "declaration.goods" {
		t.Errorf("%v", one)
	}
	if worded := make(func(d *customs.Declaration) { d.Items[0].Description, d.ShipmentID = "Other words", "x" }); worded != one {
		t.Errorf("%v", worded)
	}
	for name, change := range map[string]func(*customs.Declaration){
		"mass": func(d *customs.Declaration) { d.Items[1].NetMassKg = d.Items[0].NetMassKg }, "order": func(d *customs.Declaration) { d.Items[0], d.Items[1] = d.Items[1], d.Items[0] },
		"direction": func(d *customs.Declaration) { d.DeclarationType = customs.Export },
	} {
		if other := make(change); other == one {
			t.Errorf("%s: %v", name, other)
		}
	}
}
