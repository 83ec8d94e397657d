package webhooks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

const linksPath = "/webhooks/portal"

// linkRoutes make, list and revoke links to the portal.
func (h *Webhooks) linkRoutes() []page.Route {
	return []page.Route{
		page.Get(linksPath, page.ForOwner, h.links),
		page.Post(linksPath, page.ForOwner, h.makeLink).WithRecentProof(),
		page.Post(linksPath+"/{id}/revoke", page.ForOwner, h.revokeLink),
	}
}

// linksPage is the data of the page of links.
type linksPage struct {
	Made      string // the address of a new link, shown once
	MadeLink  portal.Link
	Endpoints []endpointView
	Chosen    []string // IDs of endpoints that the form names
	Links     []linkView
}

// Choose reports whether the form names an endpoint.
func (p linksPage) Choose(id string) bool { return slices.Contains(p.Chosen, id) }

// linkView is a link as the page shows it.
type linkView struct {
	portal.Link
	Opens string // names of its endpoints
	By    string
}

func (h *Webhooks) links(c *page.Context) error { return h.showLinks(c, linksPage{}) }

func (h *Webhooks) showLinks(c *page.Context, shown linksPage) error {
	err := c.View(func(tx page.Tx) error {
		endpoints, err := tx.Endpoints()
		if err != nil {
			return err
		}
		for _, e := range endpoints {
			shown.Endpoints = append(shown.Endpoints, viewOf(e))
		}
		links, err := tx.PortalLinks(c.RealNow(), portal.MaxLinks)
		for _, l := range links {
			shown.Links = append(shown.Links, linkView{Link: l, Opens: opens(&l, endpoints)})
		}
		return err
	})
	if err != nil {
		return err
	}
	makers := make([]string, len(shown.Links))
	for i := range shown.Links {
		makers[i] = shown.Links[i].CreatedBy
	}
	names, err := c.MemberNames(makers...)
	for i := range shown.Links {
		shown.Links[i].By = names[shown.Links[i].CreatedBy]
	}
	if err != nil {
		return err
	}
	return c.Show("webhooks-portal", "Webhook portal", shown)
}

// opens names the endpoints of a link.
func opens(l *portal.Link, endpoints []webhook.Endpoint) string {
	if len(l.EndpointIDs) == 0 {
		return "All endpoints"
	}
	var names []string
	for _, e := range endpoints {
		if l.Covers(e.ID) {
			names = append(names, viewOf(e).Title())
		}
	}
	if names == nil {
		return "Deleted endpoints"
	}
	return strings.Join(names, ", ")
}

func (h *Webhooks) makeLink(c *page.Context) error {
	c.Label = label
	shown := linksPage{}
	minutes, _ := strconv.Atoi(c.Value("expiresInMinutes"))
	in := portal.PortalInput{ExpiresInMinutes: minutes, ReadOnly: c.Value("readOnly") != ""}
	if c.Value("which") == "some" {
		shown.Chosen = slices.DeleteFunc(slices.Clone(c.R.PostForm["endpoints"]), func(id string) bool { return !ident.IsUUID(id) })
		in.EndpointIDs = shown.Chosen
	}
	if c.Value("which") == "some" && (len(in.EndpointIDs) == 0 || len(in.EndpointIDs) > webhook.MaxEndpoints) {
		err := apierr.Invalid(apierr.Detail{Field: "endpoints", Message: "is empty. Select endpoints, or select all"})
		return c.Redisplay(err, func() error { return h.showLinks(c, shown) })
	}
	var token string
	err := c.Update(func(tx page.Tx) (err error) {
		shown.MadeLink, token, err = h.Links.Create(tx, c.Call(), in)
		return err
	})
	if err != nil {
		return c.Redisplay(err, func() error { return h.showLinks(c, shown) })
	}
	shown.Made = strings.TrimRight(c.PublicURL, "/") + page.PortalPath + token
	return h.showLinks(c, shown)
}

func (h *Webhooks) revokeLink(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return h.Links.Revoke(tx, c.Call(), c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice(linksPath, "link-revoked")
}
