package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

type demandInput struct {
	ByID
	RawBody  []byte `contentType:"application/json" required:"false"`
	DemandID string `path:"demandId" maxLength:"64" doc:"Id of the demand" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

type closeDemandBody struct {
	Note string `json:"note,omitempty" maxLength:"512" doc:"Note, for the audit trail" example:"Answered by telephone, reference 4711."`
}

// mountDemands adds the operation by which users close demands of customs.
func (s *Server) mountDemands(k kind) {
	handle(s, operation{
		id: "close-declaration-demand", summary: "Close a demand of customs", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/demands/{demandId}/close",
		status:      http.StatusOK,
		description: "The demand. Users close QUERY, once answered, and CORRECTION, once seen; messages of customs close the others. Closing a closed demand changes nothing",
		response:    objectSchema("demand", s.schemaOf(reflect.TypeFor[customs.Demand]())), body: reflect.TypeFor[closeDemandBody](), bodyOptional: true,
		errors: []int{404}, idempotent: true, ifMatch: true, route: route{role: tenant.Member},
	}, s.closeDemand)
}

func (s *Server) closeDemand(ctx context.Context, in *demandInput) (response, error) {
	body, err := decode[closeDemandBody](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	id, ok := canonicalUUID(in.ID)
	demand, demandOK := canonicalUUID(in.DemandID)
	if !ok || !demandOK {
		return response{}, apierr.Missing()
	}
	return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		closed, err := s.Customs.CloseDemand(tx, in.call, in.ifMatch, id, demand, body.Note)
		if err != nil {
			return response{}, err
		}
		return objectResponse("demand", closed)
	})
}
