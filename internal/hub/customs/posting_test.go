package customs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// A cleared declaration enters the seconds since its submission or, if it was submitted before the goods arrived, since its
// acceptance. A rejection stays in the ledger of its code after the declaration was corrected and cleared.
func TestPostings(t *testing.T) {
	const cleared = `"clearedAt":"2026-11-20T10:00:00.000Z","submittedAt":"2026-11-20T08:00:00.000Z","acceptedAt":"2026-11-20T09:59:00.000Z"`
	for added, want := range map[string][]string{
		`{` + cleared + `}`:                        {"clearance_time 7200", "declared_value 0"},
		`{` + cleared + `,"prelodged":true}`:       {"clearance_time 60", "declared_value 0"},
		`{"clearedAt":"2026-11-20T10:00:00.000Z"}`: {"declared_value 0"},
		`{` + cleared + `,"rejectedFor":[{"code":"CDS12056","rejectedAt":"2026-11-19T10:00:00.000Z"}]}`: {"clearance_time 7200", "declared_value 0", "rejected.CDS12056 1"},
	} {
		var got []string
		for _, p := range customs.Postings(&customs.Declaration{DeclarationType: customs.Export}, filing.Metadata{Status: customs.Cleared, Added: []byte(added)}) {
			got = append(got, fmt.Sprint(p.Ledger, " ", p.Amount))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", added, got, want)
		}
	}
	draft := customs.Postings(&customs.Declaration{}, filing.Metadata{Status: lifecycle.Draft, Added: []byte(`{` + cleared + `}`)})
	if draft != nil {
		t.Errorf("a draft enters %v", draft)
	}
}

// Each code keeps the time of the latest rejection for it; codes that cannot be a ledger's are left out, and their number has a limit.
func TestAddRejection(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 11, 20, hour, 0, 0, 0, time.UTC) }
	codes := func(names ...string) (all []notification.Error) {
		for _, name := range names {
			all = append(all, notification.Error{Code: name})
		}
		return all
	}
	first := customs.AddRejection(nil, codes("CDS12056", "CDS12005", "CDS12056", "", "CDS12056CDS12056CDS12056"), at(8))
	second := customs.AddRejection(first, codes("CDS12005"), at(9))
	if want := "[{CDS12005 2026-11-20T09:00:00.000Z} {CDS12056 2026-11-20T08:00:00.000Z}]"; fmt.Sprint(second) != want {
		t.Errorf("%v, not %s", second, want)
	}
	var many []notification.Error
	for n := range 50 {
		many = append(many, notification.Error{Code: fmt.Sprint("CDS", n)})
	}
	if all := customs.AddRejection(second, many, at(10)); len(all) != 20 {
		t.Errorf("%d codes", len(all))
	}
}
