package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// scimTokenBody is a new SCIM token.
type scimTokenBody struct {
	Token string `json:"token" doc:"Bearer token for /api/scim/v2. It is shown this once" example:"scim_…"`
}

// mountSCIMToken makes the operation that gives an identity provider access to SCIM.
func (s *Server) mountSCIMToken() {
	handle(s, operation{
		id: "create-scim-token", summary: "Make or replace the SCIM token", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/organisation/scim-token",
		status: http.StatusCreated, about: "The organisation's new token for SCIM 2.0 at /api/scim/v2; the former one stops working at once",
		answer: s.schemaOf(reflect.TypeFor[scimTokenBody]()), once: true,
		gate: route{role: tenant.Owner, step: step{hub: foundational, resource: "scim_token", action: "create"}},
	}, s.createSCIMToken)
}

func (s *Server) createSCIMToken(ctx context.Context, in *struct{ caller }) (reply, error) {
	return s.changeSealed(ctx, &in.caller, nil, func(tx Tx) (reply, error) {
		token, err := s.SCIM.NewToken(tx, in.call)
		if err != nil {
			return reply{}, err
		}
		return answer(http.StatusCreated, scimTokenBody{token})
	})
}
