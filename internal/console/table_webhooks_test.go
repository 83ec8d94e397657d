package console_test

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// webhookCases are the cases of the webhook pages.
var webhookCases = map[string]routeCase{
	"GET /webhooks":                         {status: 200},
	"GET /webhooks/new":                     {status: 200},
	"GET /webhooks/metrics":                 {status: 200},
	"POST /webhooks/new":                    {form: []string{"url", "https://receiver.invalid/", "which", "all"}, status: 200},
	"GET /webhooks/endpoints/{id}":          {status: 200, record: anEndpoint},
	"GET /webhooks/endpoints/{id}/edit":     {status: 200, record: anEndpoint},
	"POST /webhooks/endpoints/{id}/edit":    {form: []string{"url", "https://receiver.invalid/b", "which", "all"}, status: 303, record: anEndpoint},
	"POST /webhooks/endpoints/{id}/pause":   {status: 303, record: anEndpoint},
	"POST /webhooks/endpoints/{id}/resume":  {status: 303, record: anEndpoint},
	"GET /webhooks/endpoints/{id}/rotate":   {status: 200, record: anEndpoint},
	"POST /webhooks/endpoints/{id}/rotate":  {status: 200, record: anEndpoint},
	"GET /webhooks/endpoints/{id}/delete":   {status: 200, record: anEndpoint},
	"POST /webhooks/endpoints/{id}/delete":  {status: 303, record: anEndpoint},
	"POST /webhooks/endpoints/{id}/test":    {status: 303, record: anEndpoint},
	"GET /webhooks/endpoints/{id}/recover":  {status: 200, record: anEndpoint},
	"POST /webhooks/endpoints/{id}/recover": {form: []string{"since", "day"}, status: 303, record: anEndpoint},
	"GET /webhooks/deliveries/{id}":         {status: 200, record: aDelivery},
	"POST /webhooks/deliveries/{id}/resend": {status: 303, record: aDelivery},
	"POST /webhooks/endpoints/{id}/resend":  {status: 303, record: anEndpoint, form: []string{"form", aForm, "id", aForm}},

	"GET /webhooks/portal":              {status: 200},
	"POST /webhooks/portal":             {status: 200, form: []string{"which", "all", "expiresInMinutes", "5"}},
	"POST /webhooks/portal/{id}/revoke": {status: 303, record: aLink},
	"POST /settings/portal":             {status: 303, form: []string{"portal.accentColour", "#0b5563"}},

	// Without a link the portal has no pages; what a link opens is tested by itself.
	"GET /portal/{token}":                         {status: 404},
	"GET /portal/{token}/colours.css":             {status: 404},
	"GET /portal/{token}/endpoints/{id}":          {status: 404, record: anID},
	"GET /portal/{token}/deliveries/{id}":         {status: 404, record: anID},
	"POST /portal/{token}/deliveries/{id}/resend": {status: 404, record: anID},
	"POST /portal/{token}/endpoints/{id}/test":    {status: 404, record: anID},
	"POST /portal/{token}/endpoints/{id}/pause":   {status: 404, record: anID},
	"POST /portal/{token}/endpoints/{id}/resume":  {status: 404, record: anID},
	"GET /portal/{token}/endpoints/{id}/recover":  {status: 404, record: anID},
	"POST /portal/{token}/endpoints/{id}/recover": {status: 404, record: anID},
	"GET /portal/{token}/endpoints/{id}/rotate":   {status: 404, record: anID},
	"POST /portal/{token}/endpoints/{id}/rotate":  {status: 404, record: anID},
}

func anID(*user) string { return aForm }

// aLink makes a link to the portal.
func aLink(owner *user) string {
	made, _ := owner.portalLink(portal.PortalInput{ExpiresInMinutes: 5})
	return made.ID
}

// portalLink makes a link, and returns it with the path of the portal.
func (p *user) portalLink(in portal.PortalInput) (made portal.Link, path string) {
	p.Helper()
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		l, token, err := (&portal.Service{IDs: p.app.IDs}).Create(tx, p.call(), in)
		made, path = l, "/portal/"+token
		return err
	}))
	return made, path
}

// aForm is an ID of a form, and of a delivery that does not exist.
const aForm = "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"

// anEndpoint creates an endpoint with an unreachable receiver and removes earlier ones.
func anEndpoint(owner *user) (id string) {
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		all, err := tx.Endpoints()
		for _, e := range all {
			if err == nil {
				err = tx.RemoveEndpoint(e.ID)
			}
		}
		return err
	}))
	return owner.makeEndpoint("https://receiver.invalid/canary/" + string(owner.org))
}

// makeEndpoint creates an endpoint for all events, and returns the ID of the newest.
func (p *user) makeEndpoint(url string) (id string) {
	p.Helper()
	p.post("/webhooks/new", "url", url, "which", "all").expect(p, http.StatusOK)
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) error {
		all, err := tx.Endpoints()
		id = all[len(all)-1].ID
		return err
	}))
	return id
}

func aDelivery(owner *user) (id string) {
	endpoint := anEndpoint(owner)
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		event := audit.Event{ID: owner.app.IDs.UUID(), Type: "client.created", ResourceID: owner.app.IDs.UUID(), OccurredAt: tx.Now()}
		n := webhook.NewNotice(owner.org, tenant.Simulator, &event, []byte(`{"name":"Canary"}`))
		if err := tx.AddNotice(n); err != nil {
			return err
		}
		id = owner.app.IDs.UUID()
		return tx.AddDelivery(webhook.Delivery{
			ID: id, EndpointID: endpoint, EventID: n.ID, EventType: n.Type, ResourceID: n.ResourceID, Cause: webhook.ByEvent,
			Status: webhook.Failed, DueAt: tx.Now(), CreatedAt: tx.Now(),
		})
	}))
	return id
}
