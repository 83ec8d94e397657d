package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// portalAccess is a new link to the webhook portal.
type portalAccess struct {
	URL       string `json:"url" format:"uri" doc:"Address of the portal, which is shown only once" example:"https://customs.example.com/portal/AZLzxHoQ…"`
	ExpiresAt string `json:"expiresAt" format:"date-time" doc:"When it ends"`
}

// portalLinkBody is a link in force, without its address.
type portalLinkBody struct {
	ID          string   `json:"id" format:"uuid" doc:"Id of the link; audit events of its holder have it as portalLinkId"`
	EndpointIDs []string `json:"endpointIds" doc:"Endpoints that it opens; null for all"`
	ReadOnly    bool     `json:"readOnly" doc:"Whether it changes and sends nothing"`
	CreatedBy   string   `json:"createdBy" format:"uuid" doc:"User who made it"`
	CreatedAt   string   `json:"createdAt" format:"date-time" doc:"When it was made"`
	ExpiresAt   string   `json:"expiresAt" format:"date-time" doc:"When it ends"`
}

func portalLinkOf(l portal.Link) portalLinkBody {
	b := portalLinkBody{ID: l.ID, ReadOnly: l.ReadOnly, CreatedBy: l.CreatedBy, CreatedAt: audit.Instant(l.CreatedAt), ExpiresAt: audit.Instant(l.ExpiresAt)}
	if len(l.EndpointIDs) > 0 {
		b.EndpointIDs = l.EndpointIDs
	}
	return b
}

// portalPath is the path below which the console has the pages of the portal.
const portalPath = "/portal/"

func (s *Server) mountPortal() {
	const path = "/api/webhooks/portal"
	owner := func(action string) route {
		return route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "webhook.portal_link", action: action}}
	}
	handle(s, operation{
		id: "list-portal-links", summary: "List links to the webhook portal", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path,
		status: http.StatusOK, description: "The links in force, newest first, without their addresses", response: objectSchema("links", s.schemaOf(reflect.TypeFor[[]portalLinkBody]())),
		route: route{role: tenant.Owner},
	}, s.listPortalLinks)
	handle(s, operation{
		id: "create-portal-link", summary: "Make a link to the webhook portal", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path,
		status: http.StatusCreated, description: "The address of pages about endpoints, which need no account", response: s.schemaOf(reflect.TypeFor[portalAccess]()),
		body: reflect.TypeFor[portal.PortalInput](), errors: []int{404}, idempotent: true, rehearsed: true, withheld: []string{"url"}, route: owner("create"),
	}, s.createPortalLink)
	handle(s, operation{
		id: "revoke-portal-link", summary: "Revoke a link to the webhook portal", tag: "Webhooks", scope: foundational, method: http.MethodDelete, path: path + "/{id}",
		status: http.StatusOK, description: "The link opens nothing any more", response: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{404}, route: owner("revoke"),
	}, s.revokePortalLink)
}

func (s *Server) listPortalLinks(ctx context.Context, in *struct{ caller }) (response, error) {
	shown := []portalLinkBody{}
	err := s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) error {
		all, err := tx.PortalLinks(tx.RealNow(), portal.MaxLinks)
		for _, l := range all {
			shown = append(shown, portalLinkOf(l))
		}
		return err
	})
	if err != nil {
		return response{}, err
	}
	return objectResponse("links", shown)
}

func (s *Server) createPortalLink(ctx context.Context, in *bodyInput) (response, error) {
	input, err := decode[portal.PortalInput](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	for i, id := range input.EndpointIDs {
		input.EndpointIDs[i] = strings.ToLower(id)
	}
	return s.updateOnceSecret(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		l, token, err := s.Portal.Create(tx, in.call, input)
		if err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusCreated, portalAccess{strings.TrimRight(s.PublicURL, "/") + portalPath + token, audit.Instant(l.ExpiresAt)})
	})
}

func (s *Server) revokePortalLink(ctx context.Context, in *ByID) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Portal.Revoke(tx, in.call, id) }); err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, successBody{true})
}
