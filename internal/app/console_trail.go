package app

import (
	"github.com/tidewaiter/tidewaiter/internal/console/deadlines"
	"github.com/tidewaiter/tidewaiter/internal/console/trail"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
)

// clerk puts what the trail tells into words, for every area that shows it.
func (a *App) clerk() *wording.Clerk {
	names := map[string]string{}
	for _, h := range hubs {
		names[h.ID] = h.Name
	}
	return &wording.Clerk{Book: wording.NewBook(a.everyKind(), names), Register: a.Accounts.Register}
}

func (a *App) dueDates() deadlines.Deadlines {
	d := deadlines.Deadlines{Service: a.deadlines}
	for _, h := range hubs {
		d.Hubs = append(d.Hubs, deadlines.Hub{ID: h.ID, Name: h.Name})
	}
	return d
}

func (a *App) auditTrail() trail.Trail {
	t := trail.Trail{Clerk: a.clerk(), Exporter: a.trail(), Verifier: a.verifier, Notary: a.notary, Types: a.everyKind(), Evidence: a.evidence(), IDs: a.IDs}
	for _, h := range hubs {
		t.Hubs = append(t.Hubs, trail.Hub{ID: h.ID, Name: h.Name})
	}
	return t
}
