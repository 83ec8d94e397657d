// Package webhooks is the area for webhook endpoints and their deliveries.
package webhooks

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

//go:embed pages parts.html
var pages embed.FS

//go:embed assets
var assets embed.FS

// Webhooks is the area, with the services that it uses.
type Webhooks struct {
	Service *webhook.Service
	Sender  *webhook.Sender
	Schemas *schema.Schemas // the same as the API's
	Batches *batch.Service
	Links   *portal.Service
}

// Area returns the area's routes, pages and texts.
func (h *Webhooks) Area() page.Area {
	return page.Area{
		Name: "webhooks", Pages: pages, Partials: []fs.FS{pages}, Assets: assets, Navigation: []page.NavigationEntry{{Path: "/webhooks", Name: "Webhooks", Group: "Organisation"}},
		Routes:    slices.Concat(h.endpointRoutes(), h.changeRoutes(), h.deliveryRoutes(), h.recoveryRoutes(), h.metricsRoutes(), h.linkRoutes(), h.portalRoutes()),
		Functions: map[string]any{"sentence": page.Capitalize},
		Notices:   notices,
	}
}

var notices = map[string]string{
	"webhook-saved":     "The endpoint is saved.",
	"webhook-paused":    "The endpoint is paused. Its deliveries are held until you resume it.",
	"webhook-resumed":   "The endpoint is resumed. Held deliveries are being sent.",
	"webhook-deleted":   "The endpoint and its deliveries are deleted.",
	"webhook-tested":    "The test event was sent. The answer of the receiver is below.",
	"webhook-resent":    "The event was sent again with the same body. The answer of the receiver is below.",
	"webhook-marked":    "The marked deliveries are being sent again.",
	"webhook-recovered": "Failed deliveries are being sent again, oldest event first.",
	"link-revoked":      "The link is revoked. It opens nothing any more.",
	"webhook-nothing":   "There are no failed deliveries in this period.",
}

// label returns the label of a form field, for error messages.
func label(field string) string {
	switch name, _, _ := strings.Cut(field, "["); name {
	case "url":
		return "The URL"
	case "description":
		return "The description"
	case "events":
		return "The list of events"
	case "since":
		return "The period"
	case "endpoints":
		return "The list of endpoints"
	case "expiresInMinutes":
		return "The number of minutes"
	}
	return field
}
