package settings

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// The Hubs of the organisation, on and off.
func (s *Settings) hubRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings/hubs", page.ForViewer, s.hubsPage),
		page.Post("/settings/hubs/{hub}/enable", page.ForMember, s.enableHub),
		page.Get("/settings/hubs/{hub}/disable", page.ForMember, s.askToDisableHub),
		page.Post("/settings/hubs/{hub}/disable", page.ForMember, s.disableHub),
	}
}

// hubRow is a Hub as the organisation sees it.
type hubRow struct {
	Hub
	Since        time.Time
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

// hub is the Hub that the path names.
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
		return apierr.New(apierr.HubNotBookable, "The operator does not offer %s.", h.Name)
	}
	err = c.Update(func(tx page.Tx) error { _, err := s.Access.EnableHub(tx, c.Call(), h.ID); return err })
	if err != nil && !apierr.Is(err, apierr.HubAlreadyEnabled) {
		return err
	}
	return c.RedirectWithNotice("/settings/hubs", "hub-enabled")
}

func (s *Settings) askToDisableHub(c *page.Context) error {
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
			"Nothing new can be filed there, by anybody or any API key of the organisation, until it is enabled again.",
			"What was filed stays, and goes on: it can be read, submitted and marked.",
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
