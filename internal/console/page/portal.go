package page

import (
	"net/http"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// PortalPath is the path below which the pages of the webhook portal lie; the token of a link follows.
const PortalPath = "/portal/"

// Limits of the portal: requests of one link, and wrong links from one address, in a minute.
var (
	portalRequests = ratelimit.Budget{Name: "portal", Requests: 300, Window: time.Minute}
	portalMisses   = ratelimit.Budget{Name: "portal-miss", Requests: 100, Window: time.Minute}
)

// portalPage is what the layout of the portal shows. The link is nil on pages that say that a link is not valid.
type portalPage struct {
	*portal.Opened
	Root string // path of the first page
}

func (p *portalPage) opened() bool { return p != nil && p.Opened != nil }

func (p *portalPage) root() string {
	if p == nil {
		return ""
	}
	return p.Root
}

// PortalRoot is the path of the first page of the portal, below which its other pages lie; empty outside of the portal.
func (c *Context) PortalRoot() string { return c.link.root() }

// PortalRoot is that of the page's context.
func (p Page) PortalRoot() string { return p.Portal.root() }

// PortalAccent is the colour that the organisation chose for the portal; empty for none.
func (c *Context) PortalAccent() string { return c.link.Appearance.Accent() }

// authorizeLink runs a handler of the portal for the holder of a link. Neither a session nor any other cookie counts. The token is
// a secret that a page of another site does not have, so a form without an origin is accepted: with the referrer policy of the portal,
// browsers send the origin null, and say only over HTTPS that it is the same.
func (c *Context) authorizeLink(rt Route) error {
	c.link = &portalPage{}
	h := c.W.Header()
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	if c.R.Header.Get("Origin") != "null" || c.R.Header.Get("Sec-Fetch-Site") != "" {
		if err := c.origin.Check(c.R); err != nil {
			return apierr.New(apierr.OwnerRoleRequired, "This form was sent from another site, so nothing was changed.")
		}
	}
	if err := c.openLink(); err != nil {
		return err
	}
	if err := c.checkAddress(); err != nil {
		return err
	}
	c.claim = c.Bodies.Claim(membudget.Public)
	defer c.claim.Release()
	if err := c.readForm(rt); err != nil {
		return err
	}
	if rt.Changes && c.link.ReadOnly {
		err := apierr.New(apierr.ReadOnlyKey, "This link is for looking only, so nothing was changed.")
		if rt.Method != http.MethodGet {
			c.recordRefusal(rt, err)
		}
		return err
	}
	return rt.Handle(c)
}

// openLink finds the link of the token in the path, and makes it the context's session.
func (c *Context) openLink() error {
	token, from := c.R.PathValue("token"), clientaddr.Group(c.Visitor.IPAddress)
	if state, err := c.Limiter.Look(c.R.Context(), portalMisses, from); err == nil && state.Exceeded {
		return apierr.New(apierr.RateLimited, "Too many wrong links were opened from your network. Wait a minute, then open the link again.").WithRetryAfter(portalMisses.Window)
	}
	opened, err := portal.Open(c.R.Context(), c.Portal, token, c.RealNow())
	if apierr.Is(err, apierr.NotFound) {
		_, _ = c.Limiter.Take(c.R.Context(), portalMisses, from) // a limiter that fails limits nothing
	}
	if err != nil {
		return err
	}
	if state, err := c.Limiter.Take(c.R.Context(), portalRequests, opened.ID); err == nil && state.Exceeded {
		return apierr.New(apierr.RateLimited, "Too many pages were opened with this link. Wait a minute, then try again.").WithRetryAfter(portalRequests.Window)
	}
	c.link.Opened, c.link.Root = opened, PortalPath+token
	c.Session = access.Session{
		SessionRecord: access.SessionRecord{UserID: opened.CreatedBy, Org: opened.Maker.Org}, Role: opened.Role(), Organisation: opened.Organisation,
		Test: opened.Maker.Test, TestClock: opened.Maker.TestClock,
	}
	c.allowFrames(opened.Appearance.Ancestors())
	return nil
}

// allowFrames lets pages of some origins show this one in a frame.
func (c *Context) allowFrames(ancestors string) {
	h := c.W.Header()
	policy := h.Get("Content-Security-Policy")
	h.Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+ancestors, 1))
	if ancestors != "'none'" {
		h.Del("X-Frame-Options") // it cannot hold a list of origins
	}
}

// linkTx is a transaction that is limited to what a link covers: the methods of Limited are those of it, before those of the
// transaction, which lie one level deeper.
type linkTx struct {
	portal.Limited
	deeper
}

type deeper struct{ Tx }

// limited returns fn for a transaction that is limited to what the link of the page covers; fn itself if there is no link.
func (c *Context) limited(fn func(Tx) error) func(Tx) error {
	if c.link == nil {
		return fn
	}
	return func(tx Tx) error { return fn(linkTx{portal.Limit(tx, &c.link.Link), deeper{tx}}) }
}
