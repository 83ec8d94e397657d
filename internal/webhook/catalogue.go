package webhook

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Ping is the event of a test.
const Ping = "webhook.ping"

// EventType is an event that an endpoint can subscribe to.
type EventType struct {
	Type        string
	Hub         string
	Description string
	Of          *filing.Type    // whose record the event carries; nil for a ping and for alerts
	From        lifecycle.State // an example of the status before; empty for none
	To          lifecycle.State // and after
}

// Catalogue lists all event types, in the order of their kinds.
type Catalogue []EventType

// NewCatalogue collects the events from the lifecycles of the kinds.
func NewCatalogue(types []*filing.Type) Catalogue {
	all := Catalogue{{Type: Ping, Hub: hub, Description: "An endpoint is tested"}}
	for _, t := range types {
		all = append(all, EventType{
			Type: t.Kind + "." + t.Lifecycle.Created, Hub: t.Hub, Of: t, To: t.Lifecycle.Initial,
			Description: fmt.Sprintf("A %s is %s", t.Singular, t.Lifecycle.Created),
		})
		for _, edge := range t.Lifecycle.Edges {
			all = all.with(t, edge)
		}
	}
	return append(all, alertTypes...)
}

// with adds the event of an edge, unless another edge of the kind has it already.
func (c Catalogue) with(t *filing.Type, edge lifecycle.Edge) Catalogue {
	name := edge.EventType(t.Kind)
	if _, known := c.Find(name); known || len(edge.From) == 0 {
		return c
	}
	from := edge.From[0]
	return append(c, EventType{
		Type: name, Hub: t.Hub, Of: t, From: from, To: edge.StateAfter(from),
		Description: cmp.Or(edge.About, describe(t.Singular, edge.Event)),
	})
}

// Find returns the event type with a name.
func (c Catalogue) Find(eventType string) (EventType, bool) {
	at := slices.IndexFunc(c, func(e EventType) bool { return e.Type == eventType })
	if at < 0 {
		return EventType{}, false
	}
	return c[at], true
}

// unknown returns the subscriptions to events that do not exist.
func (c Catalogue) unknown(events []string) (details []apierr.Detail) {
	for i, name := range events {
		covers := func(e EventType) bool { return IsPattern(name) && Subscribes([]string{name}, e.Type) }
		if _, known := c.Find(name); !known && name != All && !slices.ContainsFunc(c, covers) {
			details = append(details, apierr.Detail{
				Field:   fmt.Sprintf("events[%d]", i),
				Message: "is not an event type, *, or the beginning of types and .*; GET /api/webhooks/event-types lists them",
			})
		}
	}
	return details
}

// hubs returns the Hubs of all events.
func (c Catalogue) hubs() (all []string) {
	for _, e := range c {
		all = append(all, e.Hub)
	}
	return all
}

// statuses returns the statuses of all records.
func (c Catalogue) statuses() (all []string) {
	for _, e := range c {
		if e.Of == nil {
			continue
		}
		all = append(all, string(e.To))
		for _, edge := range e.Of.Lifecycle.Edges {
			all = append(all, string(edge.To))
		}
	}
	return slices.DeleteFunc(all, func(status string) bool { return status == "" })
}

// describe returns the description of an event. A single word says what happened to the record,
// as in "is accepted"; several words are used as they are, such as cancellation requested.
func describe(one, event string) string {
	words := strings.NewReplacer("_", " ", ".", " ", "-", " ").Replace(event)
	if words == event {
		return fmt.Sprintf("A %s is %s", one, event)
	}
	return fmt.Sprintf("A %s: %s", one, words)
}

// pingObject is the record in the body of a ping: the endpoint itself.
func pingObject(e *Endpoint) []byte {
	object, _ := json.Marshal(struct {
		ID  string `json:"id"`
		URL string `json:"url"`
	}{e.ID, e.URL})
	return object
}
