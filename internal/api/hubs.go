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

// hubBody is a Hub as an organisation sees it.
type hubBody struct {
	ID        string  `json:"id" doc:"Id of the Hub" example:"tss"`
	Name      string  `json:"name" doc:"Name of the Hub" example:"Northern Ireland (TSS)"`
	Enabled   bool    `json:"enabled" doc:"Whether the organisation uses it"`
	EnabledAt *string `json:"enabledAt" format:"date-time" doc:"Since when"`
}

type hubInput struct {
	caller
	ID string `path:"id" maxLength:"64" doc:"Id of the Hub" example:"tss"`
}

func (s *Server) mountHubs() {
	schema := s.schemaOf(reflect.TypeFor[hubBody]())
	handle(s, operation{
		id: "list-hubs", summary: "List the Hubs", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: "/api/hubs",
		status: http.StatusOK, about: "All Hubs, and which are enabled", answer: under("hubs", s.schemaOf(reflect.TypeFor[[]hubBody]())),
	}, s.listHubs)
	handle(s, operation{
		id: "enable-hub", summary: "Enable a Hub", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/hubs/{id}",
		status: http.StatusOK, about: "The enabled Hub", answer: under("hub", schema), once: true, gate: route{role: tenant.Member},
	}, s.enableHub)
	handle(s, operation{
		id: "disable-hub", summary: "Disable a Hub", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: "/api/hubs/{id}",
		status: http.StatusOK, about: "The disabled Hub; what was filed in it stays", answer: under("hub", schema), errors: []int{404, 409}, gate: route{role: tenant.Member},
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

func (s *Server) listHubs(ctx context.Context, in *struct{ caller }) (reply, error) {
	var org access.Organisation
	if err := s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return reply{}, err
	}
	hubs := make([]hubBody, len(s.Hubs))
	for i, h := range s.Hubs {
		hubs[i] = h.body(org.Hubs[h.ID])
	}
	return wrapped("hubs", hubs)
}

func (s *Server) enableHub(ctx context.Context, in *hubInput) (reply, error) {
	return s.change(ctx, &in.caller, nil, func(tx Tx) (reply, error) {
		h, ok := s.hub(in.ID)
		if !ok || !h.Bookable {
			return reply{}, apierr.New(apierr.HubNotBookable, "The Hub %q cannot be booked.", in.ID)
		}
		since, err := s.Access.EnableHub(tx, in.call, h.ID)
		if err != nil {
			return reply{}, err
		}
		return wrapped("hub", h.body(since))
	})
}

func (s *Server) disableHub(ctx context.Context, in *hubInput) (out reply, err error) {
	h, ok := s.hub(in.ID)
	if !ok {
		return reply{}, apierr.Missing()
	}
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Access.DisableHub(tx, in.call, h.ID) }); err != nil {
		return reply{}, err
	}
	return wrapped("hub", h.body(time.Time{}))
}
