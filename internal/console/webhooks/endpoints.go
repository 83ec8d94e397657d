package webhooks

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// endpointRoutes show the list of endpoints, and one endpoint with its deliveries.
func (h *Webhooks) endpointRoutes() []page.Route {
	return []page.Route{
		page.Get("/webhooks", page.ForViewer, h.list),
		page.Get("/webhooks/endpoints/{id}", page.ForViewer, h.endpoint),
	}
}

// endpointView is an endpoint as pages show it.
type endpointView struct {
	webhook.Endpoint
	State  string // Active, Failing or Paused
	Events []string
	Latest *webhook.Delivery // latest delivery; nil if there is none
}

func viewOf(e webhook.Endpoint) endpointView {
	v := endpointView{Endpoint: e, State: "Active", Events: e.Events}
	switch {
	case !e.Active:
		v.State = "Paused"
	case !e.FailingSince.IsZero():
		v.State = "Failing"
	}
	if allEvents(e.Events) {
		v.Events = nil
	}
	return v
}

// Conditions returns the parts of the endpoint's filter, a line each.
func (v endpointView) Conditions() (lines []string) {
	if v.Filter == nil {
		return nil
	}
	if len(v.Filter.Hub) > 0 {
		lines = append(lines, "hub: "+strings.Join(v.Filter.Hub, ", "))
	}
	if len(v.Filter.Status) > 0 {
		lines = append(lines, "status: "+strings.Join(v.Filter.Status, ", "))
	}
	for _, w := range v.Filter.Where {
		value, _ := json.Marshal(w.Value) // a value that was stored as JSON
		lines = append(lines, w.Path+" "+w.Op+" "+string(value))
	}
	return lines
}

// Calling returns how the receiver wants to be called, a line each.
func (v endpointView) Calling() (lines []string) {
	if v.Kind != webhook.Webhook {
		lines = append(lines, "as a message: "+v.Kind)
	}
	if len(v.Headers) > 0 {
		lines = append(lines, "with the headers "+strings.Join(slices.Sorted(maps.Keys(v.Headers)), ", "))
	}
	if v.MTLS != "" {
		lines = append(lines, "with a client certificate")
	}
	if v.OAuth != "" {
		lines = append(lines, "with an access token by OAuth 2")
	}
	if v.Retry == nil {
		return lines
	}
	if n := len(v.Retry.Schedule); n > 0 {
		waits := make([]string, n)
		for i, seconds := range v.Retry.Schedule {
			waits[i] = strconv.Itoa(seconds)
		}
		lines = append(lines, "again after "+strings.Join(waits, ", ")+" s")
	}
	if v.Retry.TimeoutSeconds > 0 {
		lines = append(lines, fmt.Sprintf("at most %d s for an attempt", v.Retry.TimeoutSeconds))
	}
	return lines
}

// allEvents reports whether a list of events means all events.
func allEvents(events []string) bool { return webhook.Subscribes(events, "") }

// Title returns the description of the endpoint, or its URL if it has none.
func (v endpointView) Title() string {
	if v.Description != nil && *v.Description != "" {
		return *v.Description
	}
	return v.URL
}

// FormerSecretValid reports whether deliveries are also signed with the former secret.
func (v endpointView) FormerSecretValid(now time.Time) bool { return now.Before(v.FormerUntil) }

func (h *Webhooks) list(c *page.Context) error {
	var shown []endpointView
	err := c.View(func(tx page.Tx) error {
		all, err := tx.Endpoints()
		if err != nil {
			return err
		}
		latest, err := tx.LatestDeliveries()
		for _, e := range all {
			one := viewOf(e)
			if d, ok := latest[e.ID]; ok {
				one.Latest = &d
			}
			shown = append(shown, one)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("webhooks", "Webhooks", shown)
}

// logSize is how many deliveries a page shows.
const logSize = 25

// endpointPage is the data of the page of an endpoint.
type endpointPage struct {
	Endpoint          endpointView
	Tally             webhook.DeliveryCounts
	Deliveries        []webhook.Delivery
	Filter            filter
	Chips             []page.Chip
	Total             string   // of the deliveries that match, with a plus sign if there may be more
	Types             []string // choices of the filter
	FormerSecretValid bool     // whether deliveries are also signed with the former secret
	First, Next       string   // URLs of pages; empty if there is none
	Form              string   // ID of the form of marked deliveries: sent twice, it has one effect
}

func (h *Webhooks) endpoint(c *page.Context) error {
	f, before := readFilter(c.R.URL.Query())
	shown := endpointPage{Filter: f, Form: c.IDs.UUID()}
	var read webhook.LogPage
	err := c.View(func(tx page.Tx) error {
		e, err := tx.Endpoint(c.ID())
		if err != nil {
			return err
		}
		shown.Endpoint = viewOf(e)
		shown.FormerSecretValid = shown.Endpoint.FormerSecretValid(tx.RealNow())
		if shown.Tally, err = tx.DeliveryCounts(e.ID); err != nil {
			return err
		}
		log := f.log(e.ID)
		n, more, err := tx.CountDeliveries(log, page.CountedAmong)
		if err != nil {
			return err
		}
		shown.Total = page.CountText(int64(n), more)
		log.Before, log.Limit = before, logSize
		read, err = webhook.ReadLog(tx, log)
		return err
	})
	if err != nil {
		return err
	}
	shown.Types = h.typesOf(shown.Endpoint.Endpoint)
	path := root(c) + "/endpoints/" + shown.Endpoint.ID
	shown.Chips = f.chips(path)
	if before.ID != "" {
		shown.First = path + "?" + f.query("").Encode()
	}
	if shown.Deliveries = read.Deliveries; read.Next.ID != "" {
		shown.Next = path + "?" + f.query(cursor(read.Next)).Encode()
	}
	return c.Show("webhooks-endpoint", shown.Endpoint.Title(), shown)
}

// typesOf returns the event types that an endpoint can receive.
func (h *Webhooks) typesOf(e webhook.Endpoint) (types []string) {
	for _, t := range h.Service.Catalogue {
		if t.Type == webhook.Ping || webhook.Subscribes(e.Events, t.Type) {
			types = append(types, t.Type)
		}
	}
	return types
}
