package home

import (
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
)

// Limits of recent activity.
const (
	maxEventsRead = 40
	maxRecent     = 8
)

// recent returns the latest events of records of enabled Hubs; other events, such as
// sign-ins, are left out.
func (d *builder) recent() (*wording.EventBatch, error) {
	events, err := d.tx.Events(audit.Query{Limit: maxEventsRead})
	if err != nil {
		return nil, err
	}
	var last []audit.Event
	for _, e := range events {
		if d.kind(e.ResourceType) != nil && len(last) < maxRecent {
			last = append(last, e)
		}
	}
	return d.Describer.Load(d.tx, last, "")
}
