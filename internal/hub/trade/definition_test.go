package trade_test

import (
	"math/rand/v2"
	"regexp"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/trade"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// A draft can be submitted, an OWNER marks the decision, a licence can be cancelled until the decision, and only the timer
// expires it.
func TestLifecycle(t *testing.T) {
	table := trade.Licences.Lifecycle
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	for by, want := range map[lifecycle.Action]string{
		lifecycle.Amend: "DRAFT→DRAFT member", lifecycle.Submit: "DRAFT→SUBMITTED member", trade.MarkApproved: "SUBMITTED→APPROVED owner",
		lifecycle.MarkRejected: "SUBMITTED→REJECTED owner", lifecycle.Cancel: "DRAFT→CANCELLED SUBMITTED→CANCELLED member", trade.Expire: "APPROVED→EXPIRED system",
	} {
		got := ""
		for _, from := range table.From(by) {
			edge, _ := table.Find(from, by)
			got += string(from) + "→" + string(edge.StateAfter(from)) + " "
		}
		if got += string(table.Guard(by)); got != want {
			t.Errorf("%s: got %s, want %s", by, got, want)
		}
	}
}

// The reference contains the type and the year of the licence.
func TestReferences(t *testing.T) {
	ids := ident.NewSource(rand.NewChaCha8([32]byte{1}), func() time.Time { return now })
	for kind, series := range map[trade.Type]string{
		trade.SIEL: "SIE", trade.OIEL: "OIE", trade.OpenGeneral: "OGE", trade.Strategic: "STC", trade.CITES: "CIT", trade.EHC: "EHC",
	} {
		r := trade.Licences.Reference(ids, now, &trade.Licence{LicenceType: kind})
		if r.Field != "reference" || !regexp.MustCompile(`^GB`+series+`2026/[0-9]{6}$`).MatchString(r.Value) {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}

// An approved licence with a last day has a deadline on it and a timer after it. Other licences have neither.
func TestExpiry(t *testing.T) {
	for _, status := range trade.Licences.Lifecycle.States {
		l, m := machine(), filing.Metadata{Status: status}
		due, timer := trade.Licences.Deadlines(l, m), trade.Licences.Timer(l, m)
		if status != trade.Approved {
			if len(due) != 0 || timer != (filing.Timer{}) {
				t.Errorf("%s: %+v %+v", status, due, timer)
			}
			continue
		}
		if len(due) != 1 || due[0].Name != "expiry" || !due[0].DueAt.Equal(*l.ValidUntil) || due[0].Lapses || due[0].Source == "" ||
			due[0].Title != "Use the standard individual export licence before it expires, or renew it" {
			t.Errorf("%+v", due)
		}
		if timer != (filing.Timer{Action: trade.Expire, After: *l.ValidUntil}) {
			t.Errorf("%+v", timer)
		}
		l.ValidUntil = nil
		if due, timer = trade.Licences.Deadlines(l, m), trade.Licences.Timer(l, m); len(due) != 0 || timer.IsSet() {
			t.Errorf("without an end: %+v %+v", due, timer)
		}
	}
	for name, example := range goodExamples {
		l := example()
		l.ValidUntil = &now
		if d := trade.Licences.Deadlines(l, filing.Metadata{Status: trade.Approved})[0]; d.Source == "" {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
