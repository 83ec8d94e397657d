package webhooks

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// recoveryRoutes send failed deliveries again.
func (h *Webhooks) recoveryRoutes() []page.Route {
	return []page.Route{
		page.Get("/webhooks/endpoints/{id}/recover", page.ForMember, h.recoverForm),
		page.Post("/webhooks/endpoints/{id}/recover", page.ForMember, h.recover),
	}
}

// recoveryPage is the data of the form of a recovery.
type recoveryPage struct {
	Endpoint endpointView
	Tally    webhook.DeliveryCounts
}

func (h *Webhooks) recoverForm(c *page.Context) error {
	var shown recoveryPage
	err := c.View(func(tx page.Tx) error {
		e, err := tx.Endpoint(c.ID())
		if err != nil {
			return err
		}
		shown.Endpoint = viewOf(e)
		shown.Tally, err = tx.DeliveryCounts(e.ID)
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("webhooks-recover", "Resend failed deliveries", shown)
}

// periods are the choices of how far back a recovery goes.
var periods = map[string]time.Duration{
	"hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 31 * 24 * time.Hour, "ever": 10 * 365 * 24 * time.Hour,
}

func (h *Webhooks) recover(c *page.Context) error {
	c.Label = label
	period, known := periods[c.Value("since")]
	if !known {
		err := apierr.Invalid(apierr.Detail{Field: "since", Message: "must be one of the choices"})
		return c.Redisplay(err, func() error { return h.recoverForm(c) })
	}
	update := func(fn func(webhook.Tx) error) error {
		return c.Update(func(tx page.Tx) error { return fn(tx) })
	}
	n, err := h.Service.Recover(update, c.Call(), c.ID(), c.Now().Add(-period))
	if err != nil {
		return err
	}
	notice := "webhook-recovered"
	if n == 0 {
		notice = "webhook-nothing"
	}
	return c.RedirectWithNotice(root(c)+"/endpoints/"+c.ID(), notice)
}
