package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// endpointBody is a webhook endpoint in a response.
type endpointBody struct {
	ID          string              `json:"id" format:"uuid" doc:"Id of the endpoint"`
	Kind        string              `json:"kind" enum:"webhook,amqp,kafka,nats,sqs,s3" doc:"Kind of the destination" example:"webhook"`
	URL         string              `json:"url" format:"uri" doc:"Address of the receiver" example:"https://example.com/hooks/tidewaiter"`
	Config      *destination.Config `json:"config,omitempty" doc:"What a destination of another kind than webhook needs"`
	Description *string             `json:"description" doc:"What it is for" example:"Warehouse system"`
	Events      []string            `json:"events" nullable:"false" doc:"Event types and patterns; an empty list or * for all" example:"[\"declaration.cleared\"]"`
	Filter      *webhook.Filter     `json:"filter,omitempty" doc:"Which of these events are delivered; absent for all"`
	webhook.Options
	MTLS         *setMark `json:"mtls,omitempty" doc:"There if the service shows a certificate to the receiver"`
	OAuth        *setMark `json:"oauth,omitempty" doc:"There if the service gets access tokens for the receiver"`
	Credentials  *setMark `json:"credentials,omitempty" doc:"There if a destination of another kind than webhook gets credentials"`
	Active       bool     `json:"active" doc:"false if it is paused"`
	PausedReason *string  `json:"pausedReason" doc:"Why the service paused it; null if it did not"`
	FailingSince *string  `json:"failingSince" format:"date-time" doc:"First failure since the last success; null if there is none"`
	Secret       string   `json:"secret,omitempty" doc:"Signing secret, shown only on creation and rotation" example:"whsec_4pyVn8k0m1T2s3U4w5X6y7Z8a9B0c1D2e3F4g5H6i7Q="`
	SecretHint   string   `json:"secretHint" doc:"Beginning and end of the signing secret" example:"whsec_…i7Q="`
	CreatedAt    string   `json:"createdAt" format:"date-time" doc:"When it was created"`
	UpdatedAt    string   `json:"updatedAt" format:"date-time" doc:"When it last changed"`
}

// setMark stands for something that is stored and never shown.
type setMark struct {
	Set bool `json:"set" doc:"Always true: it is stored and never shown" example:"true"`
}

func markOf(sealed webhook.Sealed) *setMark {
	if sealed == "" {
		return nil
	}
	return &setMark{true}
}

func endpointOf(e webhook.Endpoint, secret string) endpointBody {
	b := endpointBody{
		ID: e.ID, Kind: e.Kind, URL: e.URL, Description: e.Description, Events: e.Events, Filter: e.Filter, Options: e.Options, MTLS: markOf(e.MTLS), OAuth: markOf(e.OAuth),
		Credentials: markOf(e.Broker), Active: e.Active, PausedReason: orNull(e.PausedReason), FailingSince: instantOrNull(e.FailingSince), Secret: secret, SecretHint: e.SecretHint,
		CreatedAt: audit.Instant(e.CreatedAt), UpdatedAt: audit.Instant(e.UpdatedAt),
	}
	if b.Events == nil {
		b.Events = []string{}
	}
	if e.Config != (destination.Config{}) {
		b.Config = &e.Config
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
	manager := route{role: tenant.Member, managesWebhooks: true, refusedAction: auditedAction{hub: foundational, resource: "webhook.endpoint", action: "manage"}}
	handle(s, operation{
		id: "list-webhook-endpoints", summary: "List webhook endpoints", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path,
		status: http.StatusOK, description: "All endpoints, without their secrets", response: objectSchema("endpoints", s.schemaOf(reflect.TypeFor[[]endpointBody]())),
	}, s.listEndpoints)
	handle(s, operation{
		id: "create-webhook-endpoint", summary: "Create a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path,
		status: http.StatusOK, description: "The endpoint with its signing secret, which is shown only once", response: s.schemaOf(reflect.TypeFor[endpointAnswer]()),
		body: reflect.TypeFor[webhook.Input](), idempotent: true, etag: true, rehearsed: true, withheld: []string{"endpoint.id", "endpoint.secret"}, route: manager,
	}, s.createEndpoint)
	handle(s, operation{
		id: "get-webhook-endpoint", summary: "Get a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path + "/{id}",
		status: http.StatusOK, description: "The endpoint, without its secret", response: objectSchema("endpoint", one), errors: []int{404}, conditional: true, etag: true,
	}, s.getEndpoint)
	handle(s, operation{
		id: "update-webhook-endpoint", summary: "Update, pause or resume a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodPatch, path: path + "/{id}",
		status: http.StatusOK, description: "The endpoint, without its secret", response: s.schemaOf(reflect.TypeFor[endpointAnswer]()),
		body: reflect.TypeFor[webhook.Change](), partial: true, errors: []int{404}, ifMatch: true, etag: true, route: manager,
	}, s.updateEndpoint)
	handle(s, operation{
		id: "delete-webhook-endpoint", summary: "Delete a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodDelete, path: path + "/{id}",
		status: http.StatusOK, description: "The endpoint and its delivery log have been deleted", response: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{404}, ifMatch: true, route: manager,
	}, s.deleteEndpoint)
	handle(s, operation{
		id: "rotate-webhook-secret", summary: "Rotate a signing secret", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/{id}/rotate-secret",
		status: http.StatusOK, description: "The endpoint with its new secret. For 24 hours deliveries are signed with both", response: objectSchema("endpoint", one),
		errors: []int{404}, idempotent: true, ifMatch: true, etag: true, route: manager,
	}, s.rotateSecret)
	s.mountDeliveries(path + "/{id}")
	s.mountMetrics()
	s.mountPortal()
	s.mountEventTypes()
}

// successBody confirms an action that returns nothing else.
type successBody struct {
	Success bool `json:"success" doc:"Always true" example:"true"`
}

func (s *Server) listEndpoints(ctx context.Context, in *struct{ caller }) (response, error) {
	var all []webhook.Endpoint
	if err := s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { all, err = tx.Endpoints(); return err }); err != nil {
		return response{}, err
	}
	shown := make([]endpointBody, len(all))
	for i, e := range all {
		shown[i] = endpointOf(e, "")
	}
	return objectResponse("endpoints", shown)
}

func (s *Server) createEndpoint(ctx context.Context, in *bodyInput) (response, error) {
	input, err := decode[webhook.Input](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	if err := s.tryDestination(ctx, in, input); err != nil {
		return response{}, err
	}
	return s.updateOnceSecret(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		e, secret, err := s.Webhooks.Create(tx, in.call, input)
		if err != nil {
			return response{}, err
		}
		return s.endpointResponse(in.call.Org, e, secret)
	})
}

// tryDestination connects to the destination of a new endpoint, unless the call repeats one that was answered.
func (s *Server) tryDestination(ctx context.Context, in *bodyInput, input webhook.Input) error {
	idem, err := idempotencyKeyOf(&in.caller, in.RawBody)
	if err != nil {
		return err
	}
	if _, found, err := s.answered(ctx, &in.caller, idem); found || err != nil {
		return err
	}
	return s.Webhooks.Try(ctx, input)
}

func (s *Server) getEndpoint(ctx context.Context, in *ByID) (response, error) {
	id, ok := canonicalUUID(in.ID)
	if !ok {
		return response{}, apierr.Missing()
	}
	var e webhook.Endpoint
	if err := s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { e, err = tx.Endpoint(id); return err }); err != nil {
		return response{}, err
	}
	if out, current := in.currentFor(e.Version); current {
		return out, nil
	}
	out, err := objectResponse("endpoint", endpointOf(e, ""))
	out.Cache = revalidate
	return recordResponse(out, e.Version), err
}

// checkEndpoint returns precondition_failed if the endpoint has another version than the caller requires.
func (c *caller) checkEndpoint(tx Tx, id string) error {
	if c.ifMatch == nil {
		return nil
	}
	e, err := tx.Endpoint(id)
	if err != nil {
		return err
	}
	return c.ifMatch.Check(e.Version)
}

func (s *Server) updateEndpoint(ctx context.Context, in *patchInput) (response, error) {
	patch, err := s.readPatch(&in.caller, in.RawBody, reflect.TypeFor[webhook.Change]())
	if err != nil {
		return response{}, err
	}
	id, ok := canonicalUUID(in.ID)
	if !ok {
		return response{}, apierr.Missing()
	}
	var e webhook.Endpoint
	if err := s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { e, err = tx.Endpoint(id); return err }); err != nil {
		return response{}, err
	}
	merge, err := s.Webhooks.TryChange(ctx, in.call.Org, e, func(stored json.RawMessage) (webhook.Change, error) {
		return patched[webhook.Change](s, stored, patch)
	})
	if err != nil {
		return response{}, err
	}
	err = s.Store.Update(ctx, in.call.Org, func(tx Tx) (err error) {
		if err := in.checkEndpoint(tx, id); err != nil {
			return err
		}
		e, err = s.Webhooks.Update(tx, in.call, id, merge)
		return err
	})
	if err != nil {
		return response{}, err
	}
	return s.endpointResponse(in.call.Org, e, "")
}

func (s *Server) deleteEndpoint(ctx context.Context, in *ByID) (response, error) {
	id, ok := canonicalUUID(in.ID)
	if !ok {
		return response{}, apierr.Missing()
	}
	err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		if err := in.checkEndpoint(tx, id); err != nil {
			return err
		}
		return s.Webhooks.Delete(tx, in.call, id)
	})
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, successBody{true})
}

func (s *Server) rotateSecret(ctx context.Context, in *ByID) (response, error) {
	id, ok := canonicalUUID(in.ID)
	if !ok {
		return response{}, apierr.Missing()
	}
	return s.updateOnceSecret(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		if err := in.checkEndpoint(tx, id); err != nil {
			return response{}, err
		}
		e, secret, err := s.Webhooks.Rotate(tx, in.call, id)
		if err != nil {
			return response{}, err
		}
		out, err := objectResponse("endpoint", endpointOf(e, secret))
		return recordResponse(out, e.Version), err
	})
}
