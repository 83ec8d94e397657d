package app

import (
	"github.com/tidewaiter/tidewaiter/internal/console/auditlog"
	"github.com/tidewaiter/tidewaiter/internal/console/deadlines"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
)

// clerk puts what the trail tells into words, for every area that shows it.
func (a *App) describer() *wording.Describer {
	names := map[string]string{}
	for _, h := range hubs {
		names[h.ID] = h.Name
	}
	return &wording.Describer{Vocabulary: wording.NewVocabulary(a.everyKind(), names), Register: a.Accounts.Register}
}

func (a *App) dueDates() deadlines.Deadlines {
	d := deadlines.Deadlines{Service: a.deadlines}
	for _, h := range hubs {
		d.Hubs = append(d.Hubs, deadlines.Hub{ID: h.ID, Name: h.Name})
	}
	return d
}

func (a *App) auditTrail() auditlog.AuditLog {
	t := auditlog.AuditLog{Clerk: a.describer(), Exporter: a.trail(), Verifier: a.verifier, Notary: a.notary, Types: a.everyKind(), Evidence: a.evidence(), IDs: a.IDs}
	for _, h := range hubs {
		t.Hubs = append(t.Hubs, auditlog.Hub{ID: h.ID, Name: h.Name})
	}
	return t
}
