package webhooks

import (
	"cmp"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// root is the path of the list of endpoints, below which the pages of endpoints and deliveries lie: that of the console, or of the
// portal.
func root(c *page.Context) string { return cmp.Or(c.PortalRoot(), "/webhooks") }

// portalRoutes are the pages of the portal: those of the console that a link opens. Their transactions are limited to its endpoints.
func (h *Webhooks) portalRoutes() []page.Route {
	const link = page.PortalPath + "{token}"
	return []page.Route{
		page.Get(link, page.ForEveryone, h.list).ForLink(),
		page.Get(link+"/colours.css", page.ForEveryone, colours).ForLink(),
		page.Get(link+"/endpoints/{id}", page.ForEveryone, h.endpoint).ForLink(),
		page.Get(link+"/deliveries/{id}", page.ForEveryone, h.delivery).ForLink(),
		page.Post(link+"/deliveries/{id}/resend", page.ForEveryone, h.resend).ForChangingLink(),
		page.Post(link+"/endpoints/{id}/test", page.ForEveryone, h.test).ForChangingLink(),
		page.Post(link+"/endpoints/{id}/pause", page.ForEveryone, h.pause).ForChangingLink(),
		page.Post(link+"/endpoints/{id}/resume", page.ForEveryone, h.resume).ForChangingLink(),
		page.Get(link+"/endpoints/{id}/recover", page.ForEveryone, h.recoverForm).ForChangingLink(),
		page.Post(link+"/endpoints/{id}/recover", page.ForEveryone, h.recover).ForChangingLink(),
		page.Get(link+"/endpoints/{id}/rotate", page.ForEveryone, h.confirmRotate).ForChangingLink(),
		page.Post(link+"/endpoints/{id}/rotate", page.ForEveryone, h.rotate).ForChangingLink(),
	}
}

// colours is a stylesheet with the colour of the organisation, since the policy of the pages forbids styles in them.
func colours(c *page.Context) error {
	c.W.Header().Set("Content-Type", "text/css; charset=utf-8")
	accent := c.PortalAccent()
	if accent == "" {
		return nil
	}
	_, err := fmt.Fprintf(c.W, ":root { --brand: %[1]s; --act: %[1]s; --act-over: color-mix(in srgb, %[1]s 82%%, #000); }\n", accent)
	return err
}
