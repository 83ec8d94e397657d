package tax_test

import (
	"crypto/rand"
	"encoding/json"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// The engine reviews a stored return as the rules do.
func TestEngineTakesTheValues(t *testing.T) {
	kind := tax.Returns("import_vat").Kind()
	b := withHistory()
	b.Box7TotalPurchases = nil
	stored, err := json.Marshal(exported(b))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kind.Parse(stored, b.now); err != nil {
		t.Fatal(err)
	}
	got, err := kind.Review(stored, rules.Facts{Now: b.now})
	if want := suite.Review(t, b); err != nil || got.Summary != want.Summary || len(got.Findings) != 2 || !reflect.DeepEqual(got.Findings[0], want.Findings[0]) {
		t.Errorf("%+v is not %+v: %v", got, want, err)
	}
}

// Only a DRAFT can be computed again and submitted; only an OWNER accepts a return.
func TestLifecycle(t *testing.T) {
	if err := tax.Lifecycle.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from lifecycle.State
		by   lifecycle.Action
		to   lifecycle.State
	}{
		{lifecycle.Draft, lifecycle.Refresh, lifecycle.Draft},
		{lifecycle.Draft, lifecycle.Submit, lifecycle.Submitted},
		{lifecycle.Draft, lifecycle.MarkAccepted, ""},
		{lifecycle.Submitted, lifecycle.Refresh, ""},
		{lifecycle.Submitted, lifecycle.Submit, ""},
		{lifecycle.Submitted, lifecycle.MarkAccepted, lifecycle.Accepted},
		{lifecycle.Accepted, lifecycle.Refresh, ""},
		{lifecycle.Accepted, lifecycle.Submit, ""},
		{lifecycle.Accepted, lifecycle.MarkAccepted, ""},
	} {
		edge, ok := tax.Lifecycle.Find(c.from, c.by)
		if ok != (c.to != "") || ok && edge.StateAfter(c.from) != c.to {
			t.Errorf("%s from %s: %+v", c.by, c.from, edge)
		}
	}
	if tax.Lifecycle.Guard(lifecycle.MarkAccepted) != lifecycle.Owner {
		t.Error("anyone may accept")
	}
}

// The reference has the twelve digits of HMRC's form bundle numbers.
func TestReference(t *testing.T) {
	ref := tax.Reference(ident.NewSource(rand.Reader, time.Now), time.Now(), &tax.Return{})
	if ref.Field != "hmrcReference" || !regexp.MustCompile(`^[0-9]{12}$`).MatchString(ref.Value) {
		t.Errorf("%+v", ref)
	}
}
