package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// endpointBody is an endpoint as it is shown.
type endpointBody struct {
	ID           string   `json:"id" format:"uuid" doc:"Id of the endpoint"`
	URL          string   `json:"url" format:"uri" doc:"Where deliveries go" example:"https://example.com/hooks/tidewaiter"`
	Description  *string  `json:"description" doc:"What it is for" example:"Warehouse system"`
	Events       []string `json:"events" nullable:"false" doc:"Types of events; none, or *, for all" example:"[\"declaration.cleared\"]"`
	Active       bool     `json:"active" doc:"false while it is paused"`
	PausedReason *string  `json:"pausedReason" doc:"Why the service has paused it itself"`
	FailingSince *string  `json:"failingSince" format:"date-time" doc:"First failure since the last success; null while it answers"`
	Secret       string   `json:"secret,omitempty" doc:"The signing secret, shown on creation and rotation alone" example:"whsec_4pyVn8k0m1T2s3U4w5X6y7Z8a9B0c1D2e3F4g5H6i7Q="`
	SecretHint   string   `json:"secretHint" doc:"Which secret signs" example:"whsec_…i7Q="`
	CreatedAt    string   `json:"createdAt" format:"date-time" doc:"When it was created"`
	UpdatedAt    string   `json:"updatedAt" format:"date-time" doc:"When it last changed"`
}

func endpointOf(e webhook.Endpoint, secret string) endpointBody {
	b := endpointBody{
		ID: e.ID, URL: e.URL, Description: e.Description, Events: e.Events, Active: e.Active, PausedReason: orNull(e.PausedReason),
		FailingSince: instantOrNull(e.FailingSince), Secret: secret, SecretHint: e.SecretHint,
		CreatedAt: audit.Instant(e.CreatedAt), UpdatedAt: audit.Instant(e.UpdatedAt),
	}
	if b.Events == nil {
		b.Events = []string{}
	}
	return b
}

func instantOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := audit.Instant(t)
	return &text
}

func (s *Server) mountWebhooks() {
	const path = "/api/webhooks/endpoints"
	one := s.schemaOf(reflect.TypeFor[endpointBody]())
	manager := route{role: tenant.Member, manage: true, step: step{hub: foundational, resource: "webhook.endpoint", action: "manage"}}
	handle(s, operation{
		id: "list-webhook-endpoints", summary: "List webhook endpoints", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path,
		status: http.StatusOK, about: "All endpoints, their secrets redacted", answer: under("endpoints", s.schemaOf(reflect.TypeFor[[]endpointBody]())),
	}, s.listEndpoints)
	handle(s, operation{
		id: "create-webhook-endpoint", summary: "Create a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path,
		status: http.StatusOK, about: "The endpoint with its signing secret, which is never shown again", answer: under("endpoint", one),
		body: reflect.TypeFor[webhook.Input](), once: true, gate: manager,
	}, s.createEndpoint)
	handle(s, operation{
		id: "get-webhook-endpoint", summary: "Get a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path + "/{id}",
		status: http.StatusOK, about: "The endpoint, its secret redacted", answer: under("endpoint", one), errors: []int{404},
	}, s.getEndpoint)
	handle(s, operation{
		id: "update-webhook-endpoint", summary: "Correct, pause or resume a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodPatch, path: path + "/{id}",
		status: http.StatusOK, about: "The endpoint, its secret redacted", answer: under("endpoint", one),
		body: reflect.TypeFor[webhook.Change](), partial: true, errors: []int{404}, gate: manager,
	}, s.updateEndpoint)
	handle(s, operation{
		id: "delete-webhook-endpoint", summary: "Delete a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodDelete, path: path + "/{id}",
		status: http.StatusOK, about: "The endpoint and its delivery log are gone", answer: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{404}, gate: manager,
	}, s.deleteEndpoint)
	handle(s, operation{
		id: "rotate-webhook-secret", summary: "Rotate a signing secret", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/{id}/rotate-secret",
		status: http.StatusOK, about: "The endpoint with its new secret; the former one signs alongside for 24 hours", answer: under("endpoint", one),
		errors: []int{404}, once: true, gate: manager,
	}, s.rotateSecret)
	s.mountDeliveries(path + "/{id}")
	s.mountEventTypes()
}

// successBody says that something is done.
type successBody struct {
	Success bool `json:"success" doc:"Always true" example:"true"`
}

func (s *Server) listEndpoints(ctx context.Context, in *struct{ caller }) (reply, error) {
	var all []webhook.Endpoint
	if err := s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) { all, err = tx.Endpoints(); return err }); err != nil {
		return reply{}, err
	}
	shown := make([]endpointBody, len(all))
	for i, e := range all {
		shown[i] = endpointOf(e, "")
	}
	return wrapped("endpoints", shown)
}

func (s *Server) createEndpoint(ctx context.Context, in *bodyInput) (reply, error) {
	wanted, err := decode[webhook.Input](s, &in.caller, in.RawBody)
	if err != nil {
		return reply{}, err
	}
	return s.changeSealed(ctx, &in.caller, in.RawBody, func(tx Tx) (reply, error) {
		e, secret, err := s.Webhooks.Create(tx, in.call, wanted)
		if err != nil {
			return reply{}, err
		}
		return wrapped("endpoint", endpointOf(e, secret))
	})
}

func (s *Server) getEndpoint(ctx context.Context, in *ByID) (reply, error) {
	id, ok := canonical(in.ID)
	if !ok {
		return reply{}, apierr.Missing()
	}
	var e webhook.Endpoint
	if err := s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) { e, err = tx.Endpoint(id); return err }); err != nil {
		return reply{}, err
	}
	return wrapped("endpoint", endpointOf(e, ""))
}

func (s *Server) updateEndpoint(ctx context.Context, in *patchInput) (reply, error) {
	patch, err := s.read(&in.caller, in.RawBody, reflect.TypeFor[webhook.Change](), true)
	if err != nil {
		return reply{}, err
	}
	id, ok := canonical(in.ID)
	if !ok {
		return reply{}, apierr.Missing()
	}
	var e webhook.Endpoint
	err = s.Store.Update(ctx, in.call.Org, func(tx Tx) (err error) {
		e, err = s.Webhooks.Update(tx, in.call, id, func(stored json.RawMessage) (webhook.Change, error) {
			return patched[webhook.Change](s, stored, patch)
		})
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return wrapped("endpoint", endpointOf(e, ""))
}

// patched lays a patch over a stored body and judges the whole again.
func patched[B any](s *Server, stored, patch json.RawMessage) (b B, err error) {
	whole, err := filing.Patch(stored, patch)
	if err != nil {
		return b, err
	}
	if details := s.strict.Check(s.schemaOf(reflect.TypeFor[B]()), whole); details != nil {
		return b, apierr.Invalid(details...)
	}
	return b, json.Unmarshal(whole, &b)
}

func (s *Server) deleteEndpoint(ctx context.Context, in *ByID) (reply, error) {
	id, ok := canonical(in.ID)
	if !ok {
		return reply{}, apierr.Missing()
	}
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Webhooks.Delete(tx, in.call, id) }); err != nil {
		return reply{}, err
	}
	return answer(http.StatusOK, successBody{true})
}

func (s *Server) rotateSecret(ctx context.Context, in *ByID) (reply, error) {
	id, ok := canonical(in.ID)
	if !ok {
		return reply{}, apierr.Missing()
	}
	return s.changeSealed(ctx, &in.caller, nil, func(tx Tx) (reply, error) {
		e, secret, err := s.Webhooks.Rotate(tx, in.call, id)
		if err != nil {
			return reply{}, err
		}
		return wrapped("endpoint", endpointOf(e, secret))
	})
}
