package home

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// givenUpShownFor is how long a delivery that was given up is shown, unless it is recovered.
const givenUpShownFor = 7 * 24 * time.Hour

// webhooks returns endpoints that are failing, that the service has paused, or with deliveries that were given up.
func (d *builder) webhooks() (all []alert, err error) {
	endpoints, err := d.tx.Endpoints()
	if err != nil || len(endpoints) == 0 {
		return nil, err
	}
	givenUp, retried, err := d.tx.LatestFailures()
	if err != nil {
		return nil, err
	}
	for i := range endpoints {
		e := &endpoints[i]
		last, lost := givenUp[e.ID]
		lost = lost && last.AttemptedAt.After(d.now.Add(-givenUpShownFor))
		a := alert{Kind: "bad", Title: "Webhook " + shortURL(e.URL), Path: "/webhooks/endpoints/" + e.ID}
		switch {
		case e.PausedReason != "":
			a.Tag, a.Text, a.Since = "Paused", page.Capitalize(strings.TrimSuffix(e.PausedReason, "."))+"."+lastFailure(last, retried[e.ID]), e.UpdatedAt
		case e.Active && !e.FailingSince.IsZero():
			a.Tag, a.Text, a.Since = "Failing", "The receiver does not accept deliveries."+lastFailure(last, retried[e.ID]), e.FailingSince
		case lost:
			a.Tag, a.Text, a.Since = "Given up", "A delivery is not tried again."+lastFailure(last), last.AttemptedAt
			a.Path += "?outcome=FAILED"
		default:
			continue
		}
		if all = append(all, a); len(all) == maxAlerts {
			break
		}
	}
	return all, nil
}

// lastFailure returns the type of the event and the answer of the latest of some deliveries as a sentence; empty if none was attempted.
func lastFailure(deliveries ...webhook.Delivery) string {
	var last webhook.Delivery
	for _, d := range deliveries {
		if d.AttemptedAt.After(last.AttemptedAt) {
			last = d
		}
	}
	if last.AttemptedAt.IsZero() {
		return ""
	}
	return " Event " + last.EventType + ": " + strings.TrimSuffix(last.Error, ".") + "."
}
