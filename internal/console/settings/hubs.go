package settings

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// hubRoutes enable and disable Hubs.
func (s *Settings) hubRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/hubs", page.ForViewer, s.hubsPage),
		page.Post("/settings/hubs/{hub}/enable", page.ForMember, s.enableHub),
		page.Get("/settings/hubs/{hub}/disable", page.ForMember, s.confirmDisableHub),
		page.Post("/settings/hubs/{hub}/disable", page.ForMember, s.disableHub),
	}
}

// hubRow is a Hub and whether the organisation has enabled it.
type hubRow struct {
	Hub
	Since        time.Time // zero if not enabled
	Foundational bool
}

func (s *Settings) hubsPage(c *page.Context) error {
	var org access.Organisation
	if err := c.View(func(tx page.Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return err
	}
	rows := make([]hubRow, len(s.Hubs))
	for i, h := range s.Hubs {
		rows[i] = hubRow{h, org.Hubs[h.ID], h.ID == access.FoundationalHub}
	}
	return c.Show("settings-hubs", "Hubs", rows)
}

// hub returns the Hub in the path.
func (s *Settings) hub(c *page.Context) (Hub, error) {
	at := slices.IndexFunc(s.Hubs, func(h Hub) bool { return h.ID == c.R.PathValue("hub") })
	if at < 0 {
		return Hub{}, apierr.Missing()
	}
	return s.Hubs[at], nil
}

func (s *Settings) enableHub(c *page.Context) error {
	h, err := s.hub(c)
	if err != nil {
		return err
	}
	if !h.Bookable {
		return apierr.New(apierr.HubNotBookable, "The operator of this service does not offer %s.", h.Name)
	}
	err = c.Update(func(tx page.Tx) error { _, err := s.Access.EnableHub(tx, c.Call(), h.ID); return err })
	if err != nil && !apierr.Is(err, apierr.HubAlreadyEnabled) {
		return err
	}
	return c.RedirectWithNotice("/settings/hubs", "hub-enabled")
}

func (s *Settings) confirmDisableHub(c *page.Context) error {
	h, err := s.hub(c)
	if err != nil {
		return err
	}
	if h.ID == access.FoundationalHub {
		return apierr.Missing()
	}
	return c.Confirm(page.Confirmation{
		Title: "Disable “" + h.Name + "”?",
		Text: []string{
			"No user and no API key of the organisation can create filings in this Hub until it is enabled again.",
			"Existing filings stay. They can still be viewed, submitted and updated.",
		},
		Action: "/settings/hubs/" + h.ID + "/disable", Button: "Disable Hub", Back: "/settings/hubs",
	})
}

func (s *Settings) disableHub(c *page.Context) error {
	h, err := s.hub(c)
	if err != nil {
		return err
	}
	if err := c.Update(func(tx page.Tx) error { return s.Access.DisableHub(tx, c.Call(), h.ID) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/settings/hubs", "hub-disabled")
}
