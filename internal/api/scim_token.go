package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// scimTokenBody is a new SCIM token.
type scimTokenBody struct {
	Token string `json:"token" doc:"Bearer token for /api/scim/v2, which is shown only once" example:"scim_…"`
}

// mountSCIMToken adds the operation that gives an identity provider access to SCIM.
func (s *Server) mountSCIMToken() {
	handle(s, operation{
		id: "create-scim-token", summary: "Create or replace the SCIM token", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/organisation/scim-token",
		status: http.StatusCreated, description: "The new token for SCIM 2.0 at /api/scim/v2. The previous one stops working at once",
		response: s.schemaOf(reflect.TypeFor[scimTokenBody]()), idempotent: true, rehearsed: true, withheld: []string{"token"},
		route: route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "scim_token", action: "create"}},
	}, s.createSCIMToken)
}

func (s *Server) createSCIMToken(ctx context.Context, in *struct{ caller }) (response, error) {
	return s.updateOnceSecret(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		token, err := s.SCIM.NewToken(tx, in.call)
		if err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusCreated, scimTokenBody{token})
	})
}
