package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// hubBody is a Hub in a response.
type hubBody struct {
	ID        string  `json:"id" format:"hub" doc:"Id of the Hub" example:"tss"`
	Name      string  `json:"name" doc:"Name" example:"Northern Ireland (TSS)"`
	Enabled   bool    `json:"enabled" doc:"Whether the organisation uses it"`
	EnabledAt *string `json:"enabledAt" format:"date-time" doc:"When it was enabled; null if it is not"`
}

type hubInput struct {
	caller
	ID string `path:"id" maxLength:"64" doc:"Id of the Hub" example:"tss"`
}

func (s *Server) mountHubs() {
	schema := s.schemaOf(reflect.TypeFor[hubBody]())
	handle(s, operation{
		id: "list-hubs", summary: "List the Hubs", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: "/api/hubs",
		status: http.StatusOK, description: "All Hubs, with those that are enabled", response: objectSchema("hubs", s.schemaOf(reflect.TypeFor[[]hubBody]())),
	}, s.listHubs)
	handle(s, operation{
		id: "enable-hub", summary: "Enable a Hub", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/hubs/{id}",
		status: http.StatusOK, description: "The enabled Hub", response: objectSchema("hub", schema), idempotent: true, route: route{role: tenant.Member},
	}, s.enableHub)
	handle(s, operation{
		id: "disable-hub", summary: "Disable a Hub", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: "/api/hubs/{id}",
		status: http.StatusOK, description: "The disabled Hub. Its records stay", response: objectSchema("hub", schema), errors: []int{404, 409}, route: route{role: tenant.Member},
	}, s.disableHub)
}

func (h Hub) body(since time.Time) hubBody {
	b := hubBody{ID: h.ID, Name: h.Name, Enabled: !since.IsZero()}
	if b.Enabled {
		at := audit.Instant(since)
		b.EnabledAt = &at
	}
	return b
}

func (s *Server) hub(id string) (Hub, bool) {
	at := slices.IndexFunc(s.Hubs, func(h Hub) bool { return h.ID == id })
	if at < 0 {
		return Hub{}, false
	}
	return s.Hubs[at], true
}

func (s *Server) listHubs(ctx context.Context, in *struct{ caller }) (response, error) {
	var org access.Organisation
	if err := s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return response{}, err
	}
	hubs := make([]hubBody, len(s.Hubs))
	for i, h := range s.Hubs {
		hubs[i] = h.body(org.Hubs[h.ID])
	}
	return objectResponse("hubs", hubs)
}

func (s *Server) enableHub(ctx context.Context, in *hubInput) (response, error) {
	return s.updateOnce(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		h, ok := s.hub(in.ID)
		if !ok || !h.Bookable {
			return response{}, apierr.New(apierr.HubNotBookable, "The Hub %q cannot be enabled.", in.ID)
		}
		since, err := s.Access.EnableHub(tx, in.call, h.ID)
		if err != nil {
			return response{}, err
		}
		return objectResponse("hub", h.body(since))
	})
}

func (s *Server) disableHub(ctx context.Context, in *hubInput) (out response, err error) {
	h, ok := s.hub(in.ID)
	if !ok {
		return response{}, apierr.Missing()
	}
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Access.DisableHub(tx, in.call, h.ID) }); err != nil {
		return response{}, err
	}
	return objectResponse("hub", h.body(time.Time{}))
}
