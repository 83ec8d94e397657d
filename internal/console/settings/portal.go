package settings

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/appearance"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// portalRoutes are for the look of the webhook portal.
func (s *Settings) portalRoutes() []page.Route {
	return []page.Route{page.Post("/settings/portal", page.ForOwner, s.savePortal).WithRecentProof()}
}

// maxOrigins is the number of sites that may show the portal; the schema of the API has the same limit.
const maxOrigins = 20

func (s *Settings) savePortal(c *page.Context) error {
	look := &appearance.PortalAppearance{AccentColour: c.Value("portal.accentColour"), EmbedOrigins: strings.Fields(c.Value("portal.embedOrigins"))}
	var err error
	if len(look.EmbedOrigins) > maxOrigins {
		err = apierr.Invalid(apierr.Detail{Field: "portal.embedOrigins", Message: "must have at most 20 lines"})
	}
	if look.AccentColour == "" && len(look.EmbedOrigins) == 0 {
		look = nil
	}
	if err == nil {
		err = c.Update(func(tx page.Tx) error {
			o, err := tx.Organisation()
			if err != nil {
				return err
			}
			o.Profile.Portal = look
			_, err = s.Access.UpdateOrganisation(tx, c.Call(), o.Name, o.Profile)
			return err
		})
	}
	if err != nil {
		return c.Redisplay(ofList(err), func() error { return s.organisationPage(c) })
	}
	return c.RedirectWithNotice("/settings", "organisation-saved")
}

// ofList returns an error whose details about a line of the list of sites name the field of the form.
func ofList(err error) error {
	invalid, ok := apierr.As(err)
	if !ok {
		return err
	}
	details := make([]apierr.Detail, len(invalid.Details))
	for i, d := range invalid.Details {
		d.Field, _, _ = strings.Cut(d.Field, "[")
		details[i] = d
	}
	if len(details) == 0 {
		return err
	}
	return apierr.Invalid(details...)
}

// Look returns the look of the portal for the form.
func (v organisationView) Look() appearance.PortalAppearance {
	if v.Profile.Portal == nil {
		return appearance.PortalAppearance{}
	}
	return *v.Profile.Portal
}

// Origins are the sites that may show the portal, a line each.
func (v organisationView) Origins() string { return strings.Join(v.Look().EmbedOrigins, "\n") }
