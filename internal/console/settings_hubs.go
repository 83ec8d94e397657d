package console

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// The Hubs of the organisation, on and off.
func (c *Console) hubRoutes() []Route {
	return []Route{
		{"GET", "/settings/hubs", ForViewer, 0, c.hubsPage},
		{"POST", "/settings/hubs/{hub}/enable", ForMember, 0, c.enableHub},
		{"GET", "/settings/hubs/{hub}/disable", ForMember, 0, c.askToDisableHub},
		{"POST", "/settings/hubs/{hub}/disable", ForMember, 0, c.disableHub},
	}
}

// hubRow is a Hub as the organisation sees it.
type hubRow struct {
	Hub
	Since        time.Time
	Foundational bool
}

func (c *Console) hubsPage(v *visit) error {
	var org access.Organisation
	if err := v.view(func(tx Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return err
	}
	rows := make([]hubRow, len(c.Hubs))
	for i, h := range c.Hubs {
		rows[i] = hubRow{h, org.Hubs[h.ID], h.ID == access.FoundationalHub}
	}
	return v.show("settings-hubs", "Hubs", rows)
}

// hub is the Hub that the path names.
func (v *visit) hub() (Hub, error) {
	at := slices.IndexFunc(v.Hubs, func(h Hub) bool { return h.ID == v.r.PathValue("hub") })
	if at < 0 {
		return Hub{}, fault.Missing()
	}
	return v.Hubs[at], nil
}

func (c *Console) enableHub(v *visit) error {
	h, err := v.hub()
	if err != nil {
		return err
	}
	if !h.Bookable {
		return fault.New(fault.HubNotBookable, "The operator does not offer %s.", h.Name)
	}
	err = v.update(func(tx Tx) error { _, err := c.Access.EnableHub(tx, v.call(), h.ID); return err })
	if err != nil && !fault.Is(err, fault.HubAlreadyEnabled) {
		return err
	}
	return v.done("/settings/hubs", "hub-enabled")
}

func (c *Console) askToDisableHub(v *visit) error {
	h, err := v.hub()
	if err != nil {
		return err
	}
	if h.ID == access.FoundationalHub {
		return fault.Missing()
	}
	return v.ask(question{
		Title: "Disable “" + h.Name + "”?",
		Text: []string{
			"Nothing new can be filed there, by anybody or any API key of the organisation, until it is enabled again.",
			"What was filed stays, and goes on: it can be read, submitted and marked.",
		},
		Action: "/settings/hubs/" + h.ID + "/disable", Button: "Disable Hub", Back: "/settings/hubs",
	})
}

func (c *Console) disableHub(v *visit) error {
	h, err := v.hub()
	if err != nil {
		return err
	}
	if err := v.update(func(tx Tx) error { return c.Access.DisableHub(tx, v.call(), h.ID) }); err != nil {
		return err
	}
	return v.done("/settings/hubs", "hub-disabled")
}
