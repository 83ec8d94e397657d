package app

import (
	"github.com/tidewaiter/tidewaiter/internal/console/auditlog"
	"github.com/tidewaiter/tidewaiter/internal/console/deadlines"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
)

// describer describes audit events in words, for all areas of the console. Its vocabulary is made once.
func (a *App) describer() *wording.Describer {
	a.makeWords.Do(func() {
		names := map[string]string{}
		for _, h := range hubs {
			names[h.ID] = h.Name
		}
		a.words = &wording.Describer{Vocabulary: wording.NewVocabulary(a.allKinds(), names), Register: a.Accounts.Store}
	})
	return a.words
}

func (a *App) deadlinesPage() deadlines.Deadlines {
	d := deadlines.Deadlines{Service: a.deadlines}
	for _, h := range hubs {
		d.Hubs = append(d.Hubs, deadlines.Hub{ID: h.ID, Name: h.Name})
	}
	return d
}

func (a *App) auditLogPage() auditlog.AuditLog {
	t := auditlog.AuditLog{Describer: a.describer(), Exporter: a.auditExporter(), Verifier: a.verifier, Notary: a.notary, Types: a.allKinds(), Evidence: a.evidence(), IDs: a.IDs}
	for _, h := range hubs {
		t.Hubs = append(t.Hubs, auditlog.Hub{ID: h.ID, Name: h.Name})
	}
	return t
}
