package customs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// What is deferred in a month is collected on the 15th of the next one, or the next business day. Without an account nothing is due.
func TestDeferredPayments(t *testing.T) {
	from, to := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 2, 28, 0, 0, 0, 0, time.UTC)
	read := func(t *testing.T, account string, held terms.Terms) (days []string) {
		found, err := customs.DeferredPayments.Days(nil, &deadline.Facts{Organisation: access.Organisation{Profile: access.Profile{DefermentAccount: account, Terms: held}}}, from, to)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found {
			if !d.Lapses || !d.WholeDay || d.Source == "" {
				t.Errorf("%+v", d)
			}
			days = append(days, d.DueAt.Format(time.DateOnly)+" "+d.Title[strings.Index(d.Title, "deferred in"):])
		}
		return days
	}
	if got := read(t, "", terms.Terms{}); len(got) != 0 {
		t.Error(got)
	}
	got := strings.Join(read(t, "1108654", terms.Terms{VATDefermentAccount: "7654321"}), "\n")
	want := `2026-11-16 deferred in October 2026 on account 1108654 and 7654321
2026-12-15 deferred in November 2026 on account 1108654 and 7654321
2027-01-15 deferred in December 2026 on account 1108654 and 7654321
2027-02-15 deferred in January 2027 on account 1108654 and 7654321`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if days := read(t, "1108654", terms.Terms{VATDefermentAccount: "1108654"}); !strings.HasSuffix(days[0], "on account 1108654") {
		t.Error(days)
	}
}
