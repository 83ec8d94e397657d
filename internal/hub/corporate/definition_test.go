package corporate_test

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/corporate"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// A filing can be submitted as a draft or overdue, and cancelled until the authority has decided. Only the timer makes it
// overdue.
func TestLifecycle(t *testing.T) {
	table := corporate.Filings.Lifecycle
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	for by, want := range map[lifecycle.Action]string{
		lifecycle.Amend: "DRAFT→DRAFT member", lifecycle.Submit: "DRAFT→SUBMITTED OVERDUE→SUBMITTED member",
		lifecycle.MarkAccepted: "SUBMITTED→ACCEPTED owner", lifecycle.MarkRejected: "SUBMITTED→REJECTED owner",
		lifecycle.Cancel: "DRAFT→CANCELLED OVERDUE→CANCELLED SUBMITTED→CANCELLED member", corporate.FallOverdue: "DRAFT→OVERDUE system",
	} {
		got := ""
		for _, from := range table.From(by) {
			edge, _ := table.Find(from, by)
			got += string(from) + "→" + string(edge.StateAfter(from)) + " "
		}
		if got += string(table.Guard(by)); got != want {
			t.Errorf("%s: %s, not %s", by, got, want)
		}
	}
}

// The reference has the format of its authority.
func TestReferences(t *testing.T) {
	ids := ident.NewSource(rand.NewChaCha8([32]byte{1}), func() time.Time { return now })
	for form, want := range map[corporate.Form]string{
		corporate.ConfirmationStatement: `^[0-9]{6}-[0-9]{6}-[0-9]{6}$`, corporate.DirectorResignation: `^[0-9]{6}-[0-9]{6}-[0-9]{6}$`,
		corporate.CT600: `^CT600-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$`, corporate.TRSUpdate: `^TRS-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$`,
		corporate.ICORenewal: `^IC-[0-9]{6}-[A-Z0-9]{4}$`,
	} {
		r := corporate.Filings.Reference(ids, now, &corporate.Filing{FilingType: form})
		if r.Field != "reference" || !regexp.MustCompile(want).MatchString(r.Value) {
			t.Errorf("%s: %+v", form, r)
		}
	}
}

// A filing that is not submitted has a deadline and becomes overdue after it. A submitted one has neither.
func TestDueAndOverdue(t *testing.T) {
	for _, status := range corporate.Filings.Lifecycle.States {
		f, m := statement(), filing.Metadata{Status: status}
		open := status == lifecycle.Draft || status == corporate.Overdue
		switch got := corporate.Filings.Deadlines(f, m); {
		case !open && len(got) != 0:
			t.Errorf("%s: %+v", status, got)
		case open && (len(got) != 1 || got[0].Name != "filing" || got[0].Title != "File the confirmation statement" || !got[0].DueAt.Equal(f.DueDate) ||
			got[0].Lapses || !strings.Contains(got[0].Source, "853A")):
			t.Errorf("%s: %+v", status, got)
		}
		want := filing.Timer{}
		if status == lifecycle.Draft {
			want = filing.Timer{Action: corporate.FallOverdue, After: f.DueDate}
		}
		if got := corporate.Filings.Timer(f, m); got != want {
			t.Errorf("%s: %+v", status, got)
		}
	}
	for name, example := range goodExamples {
		if d := corporate.Filings.Deadlines(example(), filing.Metadata{Status: lifecycle.Draft})[0]; d.Source == "" || strings.HasSuffix(d.Title, "the ") {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// fullestForms returns the largest possible forms, by the member that fills the form.
func fullestForms() map[string]body {
	fill := func(item string) string {
		n := filing.MaxFreeForm / (len(item) + 1)
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	forms := map[string]body{}
	for name, c := range map[string]struct {
		from          func() body
		member, value string
	}{
		"natures":    {psc, "naturesOfControl", fill(`"voting-rights-25-to-50-percent","voting-rights-75-to-100-percent"`)},
		"codes":      {statement, "sicCodes", fill(`"1"`)},
		"directors":  {statement, "directors", fill(`{}`)},
		"capital":    {statement, "statementOfCapital", fill(`{"numberOfShares":1,"nominalValue":1,"aggregateNominalValue":2}`)},
		"an address": {office, "newAddress", strings.Repeat(`{"a":`, 17) + fill(`"x"`) + strings.Repeat(`}`, 17)},
		"a text":     {statement, "registeredEmailAddress", `"` + strings.Repeat("ü", 30_000) + `"`},
	} {
		f := c.from()
		f.FormData[c.member] = json.RawMessage(c.value)
		forms[name] = f
	}
	return forms
}

// The findings of the largest possible form are not much larger than the form.
func TestFullestForms(t *testing.T) {
	for name, f := range fullestForms() {
		text, err := json.Marshal(corporate.Rules.Review(f, rules.Facts{Now: now}))
		if err != nil || len(text) > 20*filing.MaxFreeForm {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

func BenchmarkFullestForms(b *testing.B) {
	for name, f := range fullestForms() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				corporate.Rules.Review(f, rules.Facts{Now: now})
			}
		})
	}
}
