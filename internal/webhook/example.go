package webhook

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Examples are records as the API shows them after an event, by the type of the event.
type Examples map[string]json.RawMessage

// Of returns the record after an event of a type. If there is no example of the type, it is another record of the kind
// with the status after the event; nil if there is none.
func (x Examples) Of(c Catalogue, e EventType) json.RawMessage {
	if own, found := x[e.Type]; found {
		return own
	}
	like := func(other EventType) bool { return e.Of != nil && other.Of == e.Of && x[other.Type] != nil }
	at := slices.IndexFunc(c, func(other EventType) bool { return like(other) && other.To == e.To })
	if at < 0 {
		at = slices.IndexFunc(c, like)
	}
	if at < 0 {
		return nil
	}
	return withStatus(x[c[at].Type], string(e.To))
}

// withStatus replaces the status of a record.
func withStatus(record json.RawMessage, status string) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(record, &members) != nil {
		return record
	}
	members["status"], _ = json.Marshal(status)
	changed, err := json.Marshal(members)
	if err != nil {
		return record
	}
	return changed
}

// The event, organisation and endpoint of examples.
const (
	exampleEvent        = "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"
	exampleOrganisation = tenant.ID("0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6b")
	exampleEndpoint     = "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6c"
	exampleURL          = "https://example.com/hooks/tidewaiter"
)

var exampleTime = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// ExampleBody returns an example of the whole body of an event with a record, as endpoints get it. A record that is nil is
// the endpoint of a ping.
func ExampleBody(e EventType, record json.RawMessage) json.RawMessage {
	if record == nil {
		record = pingObject(&Endpoint{ID: exampleEndpoint, URL: exampleURL})
	}
	event := audit.Event{ID: exampleEvent, Type: e.Type, FromStatus: string(e.From), OccurredAt: exampleTime}
	n := NewNotice(exampleOrganisation, tenant.Simulator, &event, record)
	return json.RawMessage(n.Body)
}
