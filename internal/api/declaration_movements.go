package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// mountMovements adds the operation that reports a movement of an export.
func (s *Server) mountMovements(k kind) {
	handle(s, operation{
		id: "create-declaration-movement", summary: "Report a movement of an export", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/movements",
		status: http.StatusOK,
		description: "The movement. HMRC's answer follows as a message; the declaration lists all movements with their answers. Only for an export that customs has. " +
			"What the body leaves out is taken from the declaration as customs has it, and nothing is guessed",
		response: objectSchema("movement", s.schemaOf(reflect.TypeFor[customs.MovementShown]())), body: reflect.TypeFor[customs.MovementBody](),
		errors: []int{404, 409, 502}, idempotent: true, ifMatch: true, route: route{role: tenant.Member},
		steered: steeringParam("Outcome of the simulator: "+simulator.MovementForms+". 400 if the organisation is connected to HMRC", "reject 13"),
	}, s.requestMovement)
}

func (s *Server) requestMovement(ctx context.Context, in *patchInput) (response, error) {
	body, err := decode[customs.MovementBody](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	return s.sendOnce(ctx, &in.caller, in.RawBody, func(r customs.Request) (response, error) {
		shown, err := s.Customs.RequestMovement(ctx, r, id, body)
		if err != nil {
			return response{}, err
		}
		return objectResponse("movement", shown)
	})
}
