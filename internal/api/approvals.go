package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ApprovalInput is the body of an approval.
type ApprovalInput struct {
	SHA256 string `json:"sha256,omitempty" pattern:"^[0-9a-f]{64}$" doc:"Digest of what you have seen; 412 if something else would be sent"`
}

// mountApproval adds the operations for the approval by a second person, if records of the kind are submitted.
func (s *Server) mountApproval(k kind) {
	if len(k.Lifecycle.From(lifecycle.Approve)) == 0 {
		return
	}
	op := operation{
		tag: k.Tag, scope: k.Hub, path: k.Path + "/{id}/approval", status: http.StatusOK, errors: []int{404},
		response: objectSchema("approval", s.schemaOf(reflect.TypeFor[filing.RecordApproval]())),
	}
	show, give, end := op, op, op
	show.id, show.summary, show.method = k.id("get", false)+"-approval", "Get the approval of a "+k.Singular, http.MethodGet
	show.description = "What would be sent, and its approval"
	handle(s, show, func(ctx context.Context, in *ByID) (out response, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { out, err = s.approvalOf(tx, k, id); return err })
		return out, err
	})
	give.id, give.summary, give.method = k.id("approve", false)+"-submission", "Approve a "+k.Singular, http.MethodPost
	give.description = "The approval. By a second person in a console session; an API key gets 403 sign_in_again"
	give.body, give.bodyOptional, give.ifMatch, give.route = reflect.TypeFor[ApprovalInput](), true, true, route{session: true, role: tenant.Member}
	give.errors = []int{404, http.StatusConflict}
	handle(s, give, func(context.Context, *approvalInput) (response, error) {
		return response{}, apierr.New(apierr.SignInAgain, "An API key cannot approve. A second person can do it in the console, on the page of the record.")
	})
	end.id, end.summary, end.method = k.id("withdraw", false)+"-approval", "Withdraw the approval of a "+k.Singular, http.MethodDelete
	end.description, end.ifMatch, end.route = "The state afterwards", true, route{role: tenant.Member}
	handle(s, end, func(ctx context.Context, in *ByID) (out response, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		err = s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
			if err := s.Filings.WithdrawApproval(tx, in.call, k.Type, id, in.ifMatch); err != nil {
				return err
			}
			out, err = s.approvalOf(tx, k, id)
			return err
		})
		return out, err
	})
}

type approvalInput struct {
	ByID
	RawBody []byte `contentType:"application/json" required:"false"`
}

func (s *Server) approvalOf(tx Tx, k kind, id string) (response, error) {
	shown, _, err := s.Filings.ApprovalOf(tx, k.Type, id)
	if err != nil {
		return response{}, err
	}
	return objectResponse("approval", shown)
}

// submitted returns the error of a submission. One that needs an approval is a request for it.
func (s *Server) submitted(ctx context.Context, c *caller, t *filing.Type, id string, err error) error {
	if !apierr.Is(err, apierr.ApprovalRequired) {
		return err
	}
	if failed := s.Store.Update(ctx, c.call.Org, func(tx Tx) error { return s.Filings.AskApproval(tx, c.call, t, id, "", nil) }); failed != nil {
		s.Log.WarnContext(ctx, "cannot ask for approval", "requestId", c.call.RequestID, "error", failed)
	}
	return err
}
