package tax_test

import (
	"crypto/rand"
	"regexp"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/lifecycle"
)

// A return is drawn up again and submitted as a DRAFT only, and accepted by the OWNER.
func TestLifecycle(t *testing.T) {
	if err := tax.Lifecycle.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from lifecycle.State
		by   lifecycle.Action
		to   lifecycle.State
	}{
		{lifecycle.Draft, lifecycle.Amend, lifecycle.Draft},
		{lifecycle.Draft, lifecycle.Submit, lifecycle.Submitted},
		{lifecycle.Draft, lifecycle.MarkAccepted, ""},
		{lifecycle.Submitted, lifecycle.Amend, ""},
		{lifecycle.Submitted, lifecycle.Submit, ""},
		{lifecycle.Submitted, lifecycle.MarkAccepted, lifecycle.Accepted},
		{lifecycle.Accepted, lifecycle.Amend, ""},
		{lifecycle.Accepted, lifecycle.Submit, ""},
		{lifecycle.Accepted, lifecycle.MarkAccepted, ""},
	} {
		edge, ok := tax.Lifecycle.Find(c.from, c.by)
		if ok != (c.to != "") || ok && edge.Leads(c.from) != c.to {
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
