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

func (s *Settings) hubsPage(v *page.Visit) error {
	var org access.Organisation
	if err := v.View(func(tx page.Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return err
	}
	rows := make([]hubRow, len(s.Hubs))
	for i, h := range s.Hubs {
		rows[i] = hubRow{h, org.Hubs[h.ID], h.ID == access.FoundationalHub}
	}
	return v.Show("settings-hubs", "Hubs", rows)
}

// hub is the Hub that the path names.
func (s *Settings) hub(v *page.Visit) (Hub, error) {
	at := slices.IndexFunc(s.Hubs, func(h Hub) bool { return h.ID == v.R.PathValue("hub") })
	if at < 0 {
		return Hub{}, apierr.Missing()
	}
	return s.Hubs[at], nil
}

func (s *Settings) enableHub(v *page.Visit) error {
	h, err := s.hub(v)
	if err != nil {
		return err
	}
	if !h.Bookable {
		return apierr.New(apierr.HubNotBookable, "The operator does not offer %s.", h.Name)
	}
	err = v.Update(func(tx page.Tx) error { _, err := s.Access.EnableHub(tx, v.Call(), h.ID); return err })
	if err != nil && !apierr.Is(err, apierr.HubAlreadyEnabled) {
		return err
	}
	return v.Done("/settings/hubs", "hub-enabled")
}

func (s *Settings) askToDisableHub(v *page.Visit) error {
	h, err := s.hub(v)
	if err != nil {
		return err
	}
	if h.ID == access.FoundationalHub {
		return apierr.Missing()
	}
	return v.Ask(page.Question{
		Title: "Disable “" + h.Name + "”?",
		Text: []string{
			"Nothing new can be filed there, by anybody or any API key of the organisation, until it is enabled again.",
			"What was filed stays, and goes on: it can be read, submitted and marked.",
		},
		Action: "/settings/hubs/" + h.ID + "/disable", Button: "Disable Hub", Back: "/settings/hubs",
	})
}

func (s *Settings) disableHub(v *page.Visit) error {
	h, err := s.hub(v)
	if err != nil {
		return err
	}
	if err := v.Update(func(tx page.Tx) error { return s.Access.DisableHub(tx, v.Call(), h.ID) }); err != nil {
		return err
	}
	return v.Done("/settings/hubs", "hub-disabled")
}
