package home

import (
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
)

// Limits of what is read and shown of the trail.
const (
	mostRead   = 40
	mostRecent = 8
)

// recent are the last changes of records of enabled Hubs, with what their records are
// called; that somebody signed in is not among them.
func (d *desk) recent() (*wording.Page, error) {
	events, err := d.tx.Events(audit.Query{Limit: mostRead})
	if err != nil {
		return nil, err
	}
	var last []audit.Event
	for _, e := range events {
		if d.kind(e.ResourceType) != nil && len(last) < mostRecent {
			last = append(last, e)
		}
	}
	return d.Clerk.Gather(d.tx, last, "")
}
