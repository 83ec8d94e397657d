package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// requestInput is the input of a request about a declaration.
type requestInput struct {
	ByID
	RawBody []byte `contentType:"application/json" required:"false"`
}

// mountRequests adds the requests about a submitted declaration.
func (s *Server) mountRequests(k kind) {
	shown := objectSchema("request", s.schemaOf(reflect.TypeFor[customs.RequestShown]()))
	op := operation{
		tag: k.Tag, scope: k.Hub, method: http.MethodPost, status: http.StatusOK, response: shown, errors: []int{404, 409, 502},
		idempotent: true, ifMatch: true, route: route{role: tenant.Member},
	}
	cancel := op
	cancel.id, cancel.summary, cancel.path = "request-cancellation", "Request the cancellation of a declaration", k.Path+"/{id}/cancellation"
	cancel.description = "The request: of a SUBMITTED or ACCEPTED declaration with any reason, of a CLEARED one with reason code 3 and its ground. The declaration is CANCELLED when customs grants it"
	cancel.body = reflect.TypeFor[customs.CancellationBody]()
	cancel.steered = steeringParam("Decision of the simulator: grant or deny. 400 if the organisation is connected to HMRC", simulator.Deny)
	handle(s, cancel, func(ctx context.Context, in *patchInput) (response, error) {
		return sendRequest(ctx, s, &in.ByID, in.RawBody, s.Customs.RequestCancellation)
	})
	s.mountAmendments(k, op)
	present := op
	present.id, present.summary, present.path = "request-presentation", "Present the goods of a pre-lodged declaration", k.Path+"/{id}/presentation"
	present.description = "The request. Customs accepts the declaration after it, or denies it"
	present.body, present.bodyOptional = reflect.TypeFor[customs.PresentationBody](), true
	handle(s, present, func(ctx context.Context, in *requestInput) (response, error) {
		return sendRequest(ctx, s, &in.ByID, in.RawBody, s.Customs.RequestPresentation)
	})
}

// sendRequest sends a request about a declaration, once for each idempotency key.
func sendRequest[B any](ctx context.Context, s *Server, in *ByID, raw []byte, send func(context.Context, customs.Request, string, B) (customs.RequestShown, error)) (out response, err error) {
	body, err := decode[B](s, &in.caller, raw)
	if err != nil {
		return response{}, err
	}
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	return s.sendOnce(ctx, &in.caller, raw, func(r customs.Request) (response, error) {
		shown, err := send(ctx, r, id, body)
		if err != nil {
			return response{}, err
		}
		return objectResponse("request", shown)
	})
}
