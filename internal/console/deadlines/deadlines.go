// Package deadlines is the area of deadlines: as a list, as a monthly calendar, and as a feed
// for calendar programs.
package deadlines

import (
	"embed"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

//go:embed pages assets
var files embed.FS

// Deadlines is the area, with the services that it uses.
type Deadlines struct {
	Service *deadline.Service
	Access  *access.Service
	Hubs    []Hub // all Hubs
}

// Hub is the id and the name of a Hub.
type Hub struct{ ID, Name string }

// Area returns the area's routes, pages and texts.
func (d *Deadlines) Area() page.Area {
	return page.Area{
		Name: "deadlines", Pages: files, Assets: files, Navigation: []page.NavigationEntry{{Path: "/deadlines", Name: "Deadlines"}},
		Tabs: []page.Tab{
			{Path: "/deadlines", Name: "List", For: page.ForViewer},
			{Path: "/deadlines/calendar", Name: "Calendar", For: page.ForViewer},
			{Path: "/deadlines/feed", Name: "Calendar feed", For: page.ForViewer},
		},
		Routes: []page.Route{
			page.Get("/deadlines", page.ForViewer, d.list),
			page.Get("/deadlines/calendar", page.ForViewer, d.thisMonth),
			page.Get("/deadlines/calendar/{month}", page.ForViewer, d.month),
			page.Get("/deadlines/feed", page.ForViewer, d.feed),
			page.Post("/deadlines/feed", page.ForMember, d.createFeed),
			page.Get("/deadlines/feed/revoke", page.ForMember, d.confirmRevokeFeed),
			page.Post("/deadlines/feed/revoke", page.ForMember, d.revokeFeed),
		},
		Functions: map[string]any{"clock": func(t time.Time) string { return t.In(calendar.London()).Format("15:04") }},
		Notices:   map[string]string{"feed-revoked": "The feed is revoked. Calendars that subscribed to it are no longer updated."},
	}
}

// hubs returns the Hubs that the organisation has enabled.
func (d *Deadlines) hubs(c *page.Context) (enabled []Hub) {
	for _, h := range d.Hubs {
		if c.Session.Hubs.Has(h.ID) {
			enabled = append(enabled, h)
		}
	}
	return enabled
}

// entry is a deadline with the names of its record and its Hub.
type entry struct {
	deadline.Deadline
	Record, HubName string
}

// Remaining returns how many days are left, as text.
func (e entry) Remaining() string { return remaining(e.Deadline) }

// addNames reads the names of the deadlines' records.
func (d *Deadlines) addNames(tx page.Tx, all []deadline.Deadline) ([]entry, error) {
	ids := []string{}
	for _, one := range all {
		if one.ResourceID != "" {
			ids = append(ids, one.ResourceID)
		}
	}
	found, err := tx.Briefs(ids)
	if err != nil {
		return nil, err
	}
	hubs := map[string]string{}
	for _, h := range d.Hubs {
		hubs[h.ID] = h.Name
	}
	entries := make([]entry, len(all))
	for i, one := range all {
		entries[i] = entry{Deadline: one, HubName: hubs[one.Hub]}
		if f, there := found[one.ResourceID]; there {
			entries[i].Record = f.Name()
		}
	}
	return entries, nil
}
