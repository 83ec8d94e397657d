package webhooks

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// What failed is sent again.
func (h *Webhooks) recoveryRoutes() []page.Route {
	return []page.Route{
		page.Get("/webhooks/endpoints/{id}/recover", page.ForMember, h.recoverForm),
		page.Post("/webhooks/endpoints/{id}/recover", page.ForMember, h.recover),
	}
}

// recoveryPage is what the form of a recovery shows.
type recoveryPage struct {
	Endpoint endpointView
	Tally    webhook.Tally
}

func (h *Webhooks) recoverForm(v *page.Visit) error {
	var shown recoveryPage
	err := v.View(func(tx page.Tx) error {
		e, err := tx.Endpoint(v.ID())
		if err != nil {
			return err
		}
		shown.Endpoint = viewOf(e)
		shown.Tally, err = tx.Tally(e.ID)
		return err
	})
	if err != nil {
		return err
	}
	return v.Show("webhooks-recover", "Send again what failed", shown)
}

// periods are how far back a recovery can go.
var periods = map[string]time.Duration{
	"hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 31 * 24 * time.Hour, "ever": 10 * 365 * 24 * time.Hour,
}

func (h *Webhooks) recover(v *page.Visit) error {
	v.Label = label
	period, known := periods[v.Value("since")]
	if !known {
		err := apierr.Invalid(apierr.Detail{Field: "since", Message: "must be one of the choices"})
		return v.Again(err, func() error { return h.recoverForm(v) })
	}
	update := func(fn func(webhook.Tx) error) error {
		return v.Update(func(tx page.Tx) error { return fn(tx) })
	}
	n, err := h.Service.Recover(update, v.Call(), v.ID(), v.Now().Add(-period))
	if err != nil {
		return err
	}
	notice := "webhook-recovered"
	if n == 0 {
		notice = "webhook-nothing"
	}
	return v.Done("/webhooks/endpoints/"+v.ID(), notice)
}
