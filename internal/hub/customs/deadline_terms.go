package customs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
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

// dayFinal is the day of the month until which the final supplementary declaration of the month before is due.
const dayFinal = 11

// finalTypes are the types of authorisations whose holder submits a final supplementary declaration for each month.
var finalTypes = []string{"SDE", "EIR"}

// monthlyHolder is the name of clients with such an authorisation.
const monthlyHolder = "client.final_supplementary"

// FinalDeclarations has the days on which final supplementary declarations are due, for each authorisation of the organisation
// and of its clients. They are due too if there is nothing to report. Nothing here shows that one was made elsewhere, so they
// lapse.
var FinalDeclarations = deadline.Calendar{Hub: HubID, Kind: "final_supplementary", Days: finalDays}

// maxHolders is the number of clients whose authorisations are looked at.
const maxHolders = 1000

func finalDays(v deadline.View, from, to time.Time) (days []deadline.Day, err error) {
	o, err := v.Organisation()
	if err != nil {
		return nil, err
	}
	days = finalDaysOf(&o.Profile.Terms, o.Name, "organisation", "", from, to)
	clients, err := v.RecordsNamed(Clients.Kind, monthlyHolder, maxHolders)
	if err != nil {
		return nil, err
	}
	for i := range clients {
		var c Client
		if err := json.Unmarshal(clients[i].Body, &c); err != nil {
			return nil, fmt.Errorf("customs: client: %w", err)
		}
		if clients[i].Status != lifecycle.Archived {
			days = append(days, finalDaysOf(&c.Terms, c.Name, Clients.Kind, clients[i].ID, from, to)...)
		}
	}
	return days, nil
}

func finalDaysOf(t *terms.Terms, trader, kind, id string, from, to time.Time) (days []deadline.Day) {
	for n, a := range t.Authorisations {
		if !slices.Contains(finalTypes, a.Type) {
			continue
		}
		for month := calendar.MonthOf(from).Previous(); ; month = month.Next() {
			due := calendar.OfNextMonth(month.Start(), dayFinal)
			if due.After(to) {
				break
			}
			first, last := month.Start().Format(time.DateOnly), month.End().In(calendar.London()).Format(time.DateOnly)
			if due.Before(from) || a.ValidFrom > last || a.ValidUntil != "" && a.ValidUntil < first {
				continue
			}
			day := deadline.Day{Deadline: filing.Deadline{
				Name:  fmt.Sprintf("%s-%s-%d", cmp.Or(id, "own"), month, n+1),
				Title: fmt.Sprintf("Submit the final supplementary declaration for %s under %s of %s, also if there is nothing to report", month, named(a.Type, a.Number), trader),
				DueAt: due, WholeDay: true, Lapses: true,
				Source: "HMRC, simplified declarations: the final supplementary declaration is due by the 11th calendar day of the month after, also as a nil return",
			}}
			if id != "" {
				day.ResourceType, day.ResourceID = kind, id
			}
			days = append(days, day)
		}
	}
	return days
}

// OwnTerms has the last days of what the terms of the organisation hold. Those of clients are stored with the clients.
var OwnTerms = deadline.Calendar{Hub: HubID, Kind: "expiry", Days: ownDays}

func ownDays(v deadline.View, from, to time.Time) (days []deadline.Day, err error) {
	o, err := v.Organisation()
	if err != nil {
		return nil, err
	}
	for _, d := range expiries(&o.Profile.Terms, o.Name) {
		if !d.DueAt.Before(from) && !d.DueAt.After(to) {
			days = append(days, deadline.Day{Deadline: d})
		}
	}
	return days, nil
}
