package customs

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// dueTerms returns the deadlines of a client's terms: the last days of its authorisations, guarantees and written authority.
func dueTerms(c *Client, m filing.Metadata) []filing.Deadline {
	if m.Status == lifecycle.Archived {
		return nil
	}
	return expiries(&c.Terms, c.Name)
}

const expirySource = "The validity that is stored with the client or the organisation"

// expiries returns the last days of what the terms of a trader hold.
func expiries(t *terms.Terms, trader string) (all []filing.Deadline) {
	add := func(name, until, title string) {
		at, err := time.ParseInLocation(time.DateOnly, until, calendar.London())
		if err != nil {
			return
		}
		all = append(all, filing.Deadline{Name: name, Title: title, DueAt: calendar.EndOfDay(at), WholeDay: true, Source: expirySource})
	}
	for n, a := range t.Authorisations {
		add(fmt.Sprintf("authorisation_expiry_%d", n+1), a.ValidUntil, fmt.Sprintf("Renew the authorisation %s of %s", named(a.Type, a.Number), trader))
	}
	for n, g := range t.Guarantees {
		add(fmt.Sprintf("guarantee_expiry_%d", n+1), g.ValidUntil, fmt.Sprintf("Renew the guarantee %s of %s", named(g.Reference, g.OtherReference), trader))
	}
	if w := t.RepresentationAuthority; w != nil {
		add("representation_expiry", w.Until, fmt.Sprintf("Renew the written authority to represent %s", trader))
	}
	return all
}

func named(first, second string) string {
	if first == "" || second == "" {
		return cmp.Or(first, second)
	}
	return first + " " + second
}

// OwnTerms has the last days of what the terms of the organisation hold. Those of clients are stored with the clients.
var OwnTerms = deadline.Calendar{Hub: HubID, Kind: "expiry", Days: ownDays}

func ownDays(_ deadline.View, f *deadline.Facts, from, to time.Time) (days []deadline.Day, _ error) {
	for _, d := range expiries(&f.Organisation.Profile.Terms, f.Organisation.Name) {
		if !d.DueAt.Before(from) && !d.DueAt.After(to) {
			days = append(days, deadline.Day{Deadline: d})
		}
	}
	return days, nil
}
