package customs

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// dayDeferred is the day of the month on which HMRC collects the duty and import VAT that were deferred in the month before, or the next
// business day.
const dayDeferred = 15

const deferredSource = "GOV.UK: How to use your duty deferment account, when you must pay"

// DeferredPayments has the days on which HMRC collects what is deferred to the accounts of the organisation. Nothing here shows that it was paid, so they
// lapse. The accounts of clients are paid by the clients.
var DeferredPayments = deadline.Calendar{Hub: HubID, Kind: "deferred_payment", Days: deferredDays}

func deferredDays(_ deadline.View, f *deadline.Facts, from, to time.Time) (days []deadline.Day, _ error) {
	var accounts []string
	for _, account := range []string{f.Organisation.Profile.DefermentAccount, f.Organisation.Profile.Terms.VATDefermentAccount} {
		if account != "" && (len(accounts) == 0 || accounts[0] != account) {
			accounts = append(accounts, account)
		}
	}
	if len(accounts) == 0 {
		return nil, nil
	}
	for month := calendar.MonthOf(from).Previous(); ; month = month.Next() {
		due := calendar.OfNextMonth(month.Start(), dayDeferred)
		for !calendar.IsBusinessDay(due) {
			due = calendar.AddDays(due, 1)
		}
		if due.After(to) {
			return days, nil
		}
		if due.Before(from) {
			continue
		}
		days = append(days, deadline.Day{Deadline: filing.Deadline{
			Name: "deferred_payment_" + month.String(), DueAt: due, WholeDay: true, Lapses: true, Source: deferredSource,
			Title: fmt.Sprintf("Have the money ready for the duty and VAT deferred in %s on account %s", month.Start().Format("January 2006"), strings.Join(accounts, " and ")),
		}})
	}
}
