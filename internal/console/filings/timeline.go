package filings

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// maxEvents is the longest trail of a record that its page shows.
const maxEvents = 100

// moment is an event of the record's trail.
type moment struct {
	At       time.Time
	What     string
	From, To string
	Who      string
	Reason   string
	Changed  []string
}

// people are those of the organisation, by id.
func people(v *page.Visit) (map[string]string, error) {
	members, err := v.Accounts.Register.Members(v.R.Context(), v.Guest.Org)
	names := map[string]string{}
	for _, m := range members {
		names[m.ID] = m.Name
	}
	return names, err
}

// timeline is the trail of a record, newest first.
func timeline(tx page.Tx, id string, names map[string]string) ([]moment, error) {
	events, err := tx.Events(audit.Query{ResourceID: id, Limit: maxEvents})
	if err != nil {
		return nil, err
	}
	moments := make([]moment, len(events))
	for i, e := range events {
		moments[i] = momentOf(e, names)
	}
	return moments, nil
}

// told is what an event tells of a step, as far as a timeline shows it.
type told struct {
	Reason string                     `json:"reason"`
	Before map[string]json.RawMessage `json:"before"`
	After  map[string]json.RawMessage `json:"after"`
}

func momentOf(e audit.Event, names map[string]string) moment {
	var t told
	_ = json.Unmarshal(e.Data, &t) // an event may tell anything, or nothing
	m := moment{
		At: e.OccurredAt, What: form.Words(e.Type[strings.LastIndex(e.Type, ".")+1:]), From: e.FromStatus, To: e.ToStatus, Who: names[e.ActorUserID], Reason: t.Reason,
	}
	switch {
	case e.ActorType == tenant.BySystem:
		m.Who = "Tidewaiter"
	case m.Who == "":
		m.Who = "Somebody who has left"
	case e.KeyID != "":
		m.Who += ", by an API key"
	}
	changed := map[string]json.RawMessage{}
	maps.Copy(changed, t.Before)
	maps.Copy(changed, t.After)
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		m.Changed = append(m.Changed, form.Label(name))
	}
	return m
}
