package home

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// happening is one of the last changes of records.
type happening struct {
	At     time.Time
	Text   string
	Status string // it led to; empty where it changed none
	Path   string
}

// Limits of what is read and shown of the trail.
const (
	mostRead   = 40
	mostRecent = 8
)

// recent are the last changes of records; that somebody signed in is not among them.
func (d *desk) recent() (all []happening, err error) {
	events, err := d.tx.Events(audit.Query{Limit: mostRead})
	for i := range events {
		e := &events[i]
		kind := d.kind(e.ResourceType)
		if kind == nil {
			continue
		}
		h := happening{At: e.OccurredAt, Path: d.RecordPath(e.ResourceType, e.ResourceID)}
		what := strings.TrimPrefix(e.Type, kind.Kind+".")
		h.Text = capital(kind.One) + " " + strings.ReplaceAll(what, "_", " ")
		if e.FromStatus != e.ToStatus {
			h.Status = e.ToStatus
		}
		if all = append(all, h); len(all) == mostRecent {
			break
		}
	}
	return all, err
}
