// Package webhooks is where people see to the receivers of events: endpoints, what
// was delivered to them, and what was not.
package webhooks

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

//go:embed pages parts.html
var pages embed.FS

//go:embed assets
var assets embed.FS

// Webhooks is the area.
type Webhooks struct {
	Service *webhook.Service
	Sender  *webhook.Sender
	Schemas *schema.Schemas // of what is typed, the same as the API's
}

// Area is what the console shows of it.
func (h *Webhooks) Area() page.Area {
	return page.Area{
		Name: "webhooks", Pages: pages, Partials: []fs.FS{pages}, Assets: assets, Navigation: []page.NavigationEntry{{Path: "/webhooks", Name: "Webhooks", Group: "Organisation"}},
		Routes:    slices.Concat(h.endpointRoutes(), h.changeRoutes(), h.deliveryRoutes(), h.recoveryRoutes()),
		Functions: map[string]any{"sentence": page.Capitalize},
		Notices:   notices,
	}
}

var notices = map[string]string{
	"webhook-saved":     "The endpoint is saved.",
	"webhook-paused":    "The endpoint is paused. Its deliveries wait until you resume it.",
	"webhook-resumed":   "The endpoint is resumed. What waited is being sent.",
	"webhook-deleted":   "The endpoint is deleted, and its deliveries with it.",
	"webhook-tested":    "The test event was sent. This is what the receiver answered.",
	"webhook-resent":    "It was sent again, with the same body. This is what the receiver answered.",
	"webhook-recovered": "What failed is being sent again, in the order in which it happened.",
	"webhook-nothing":   "Nothing had failed since then, so there was nothing to send again.",
}

// label is what a field of the forms is called where something is wrong with it.
func label(field string) string {
	switch name, _, _ := strings.Cut(field, "["); name {
	case "url":
		return "The address"
	case "description":
		return "The description"
	case "events":
		return "The list of events"
	case "since":
		return "The beginning"
	}
	return field
}
