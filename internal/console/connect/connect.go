// Package connect is the area of the connection to customs, and of links with which a person continues a consent that an
// API key began, at any authority.
package connect

import (
	"embed"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

//go:embed pages
var pages embed.FS

// path is the page of a link.
const path = consent.LinkPath + "{token}"

// Connect is the area, with the services that it uses.
type Connect struct {
	Requests *consent.Requests
	Consents *consent.Service  // at customs
	Purposes map[string]string // what the service will do at an authority, by its name
}

// Area returns the area's routes and pages.
func (s *Connect) Area() page.Area {
	return page.Area{
		Name: "connect", Pages: pages,
		Routes:      append(s.customsRoutes(), page.Get(path, page.ForOwner, s.show), page.Post(path, page.ForOwner, s.goOn).WithRecentProof()),
		RecordPaths: map[string]string{consent.CustomsKind: customsPath},
		Notices: map[string]string{
			"customs-connected": "The organisation is connected to customs. Declarations that waited for it are being sent.",
			"customs-ended":     "The connection to customs has ended and its tokens are deleted.",
		},
	}
}

// view is the data of the page.
type view struct {
	Organisation access.Organisation
	Purpose      string
	Path         string // of this page
	Address      string // at the authority; empty before the person goes on
	Expires      time.Time
}

// show asks whether the organisation is the right one.
func (s *Connect) show(c *page.Context) error {
	shown := view{Path: c.R.URL.Path}
	r, anyOwner, err := s.request(c, &shown)
	if err == nil && r.UserID != c.Session.UserID && !anyOwner {
		err = apierr.Invalid(apierr.Detail{Field: "link", Message: "belongs to another user"})
	}
	if err != nil {
		return ended(c, err)
	}
	return c.Show("connect", "Connect to HMRC?", shown)
}

// request finds the request of the link, and reports whether any OWNER may continue it: its own user may be one of a
// program, who cannot sign in.
func (s *Connect) request(c *page.Context, shown *view) (r consent.Request, anyOwner bool, err error) {
	err = c.View(func(tx page.Tx) (err error) {
		if r, err = s.Requests.Linked(tx, c.R.PathValue("token")); err != nil {
			return err
		}
		shown.Organisation, err = tx.Organisation()
		return err
	})
	if err != nil {
		return r, false, err
	}
	shown.Purpose, anyOwner = s.Purposes[r.Authority], true
	members, err := c.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	for _, m := range members {
		if m.ID == r.UserID && m.Email != "" {
			anyOwner = false
		}
	}
	return r, anyOwner, err
}

// goOn spends the link and shows the address at HMRC. It does not redirect, because the content security policy forbids
// forms to redirect to other hosts.
func (s *Connect) goOn(c *page.Context) error {
	shown := view{Path: c.R.URL.Path}
	_, anyOwner, err := s.request(c, &shown)
	if err == nil {
		err = c.Update(func(tx page.Tx) (err error) {
			shown.Address, shown.Expires, err = s.Requests.Continue(tx, c.Call(), c.Session.ID, c.R.PathValue("token"), anyOwner)
			return err
		})
	}
	if err != nil {
		return ended(c, err)
	}
	return c.Show("connect", "Connect to HMRC", shown)
}

// ended shows that the link does not work, and returns other errors.
func ended(c *page.Context, err error) error {
	if !apierr.Is(err, apierr.InvalidRequest) {
		return err
	}
	c.Status = http.StatusBadRequest
	return c.Show("connect-ended", "This link does not work", nil)
}
