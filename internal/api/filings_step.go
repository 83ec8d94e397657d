package api

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

func (s *Server) mountCancel(k kind) {
	s.mountAction(k, operation{
		id: k.id("cancel", false), summary: "Cancel a " + k.Singular, method: http.MethodDelete, path: k.Path + "/{id}", description: "The cancelled " + k.Singular,
	}, lifecycle.Cancel)
}

// mountStep adds POST …/{id}/{action}.
func (s *Server) mountStep(k kind, action lifecycle.Action) {
	s.mountAction(k, stepOperation(k, action), action)
}

func stepOperation(k kind, action lifecycle.Action) operation {
	return operation{
		id: k.id(string(action), false), summary: actionSummary(action, k.Singular), method: http.MethodPost, path: k.Path + "/{id}/" + string(action),
		description: "The " + k.Singular + " after the action", idempotent: true,
	}
}

func actionSummary(action lifecycle.Action, noun string) string {
	verb, rest, found := strings.Cut(string(action), "-")
	text := strings.ToUpper(verb[:1]) + verb[1:] + " a " + noun
	if found {
		text += " " + strings.ReplaceAll(rest, "-", " ")
	}
	return text
}

type reasonBody struct {
	Reason string `json:"reason" minLength:"1" maxLength:"1000" doc:"Reason" example:"The authority found the commodity code wrong."`
}

// actionOperation completes an operation with what follows from its action.
func (s *Server) actionOperation(k kind, op operation, action lifecycle.Action) operation {
	op.tag, op.scope, op.status, op.response, op.errors = k.Tag, k.Hub, http.StatusOK, objectSchema(k.Singular, k.record), []int{404}
	op.ifMatch, op.etag = true, true
	if action == lifecycle.Submit || action == lifecycle.Cancel {
		op = s.withAuthority(k, op, action == lifecycle.Submit)
	}
	op.route = route{role: tenant.Member, batch: batch.Rule{Allowed: action == lifecycle.Submit || action == lifecycle.Cancel}}
	if k.Lifecycle.Guard(action) == lifecycle.Owner {
		op.route.role = tenant.Owner
		op.route.refusedAction = auditedAction{hub: k.Hub, resource: k.Kind, action: string(action)}
	}
	if action == lifecycle.Submit {
		op.response = objectSchema(k.Singular, k.record)
		extra := huma.SchemaFromType(s.api.OpenAPI().Components.Schemas, k.submitExtra)
		maps.Copy(op.response.Properties, extra.Properties)
		op.response.Required = append(op.response.Required, extra.Required...)
	}
	return op
}

func (s *Server) mountAction(k kind, op operation, action lifecycle.Action) {
	op = s.actionOperation(k, op, action)
	if k.TakesDecision(action) {
		s.mountDecision(k, op, action)
		return
	}
	if k.Lifecycle.HasEffect(action, lifecycle.KeepReason) {
		op.body = reflect.TypeFor[reasonBody]()
		handle(s, op, func(ctx context.Context, in *patchInput) (response, error) {
			reason, err := decode[reasonBody](s, &in.caller, in.RawBody)
			if err != nil {
				return response{}, err
			}
			return s.transition(ctx, k, &in.ByID, in.RawBody, action, filing.TransitionData{Reason: reason.Reason})
		})
		return
	}
	handle(s, op, func(ctx context.Context, in *ByID) (response, error) {
		return s.transition(ctx, k, in, nil, action, filing.TransitionData{})
	})
}

func (s *Server) transition(ctx context.Context, k kind, in *ByID, body []byte, action lifecycle.Action, step filing.TransitionData) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	if out, handled, err := s.act(ctx, k, in, body, exchange.Action{By: action, Reason: step.Reason}); handled {
		return out, err
	}
	step.If = in.ifMatch
	out, err := s.updateOnce(ctx, &in.caller, body, func(tx Tx) (response, error) {
		if err := s.checkUnsubmitted(tx, k, id, action, in.ifMatch); err != nil {
			return response{}, err
		}
		f, err := s.Filings.Transition(tx, in.call, k.Type, id, action, step)
		if err != nil {
			return response{}, err
		}
		if action != lifecycle.Submit {
			return filingResponse(k.Singular, &f), nil
		}
		extra, err := k.submitExtraOf(&f)
		if err != nil {
			return response{}, err
		}
		members, err := json.Marshal(extra)
		return filingResponse(k.Singular, &f, string(members[1:len(members)-1])), err
	})
	return out, s.submitted(ctx, &in.caller, k.Type, id, err)
}

func (s *Server) mountReview(k kind) {
	answer := objectSchema("review", s.schemaOf(reflect.TypeFor[rules.Review]()))
	handle(s, operation{
		id: k.id("review", false), summary: "Review a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/review",
		status: http.StatusOK, description: "Findings of the rules, most severe first. The record is not changed", response: answer, errors: []int{404},
	}, func(ctx context.Context, in *ByID) (out response, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		var found rules.Review
		err = s.Store.Update(ctx, in.call.Org, func(tx Tx) (err error) {
			found, err = s.Filings.Review(tx, in.call, k.Type, id)
			return err
		})
		if err != nil {
			return response{}, err
		}
		return objectResponse("review", found.Joined())
	})
}

// objectResponse encodes a value as the only member of an object.
func objectResponse(name string, v any) (response, error) {
	return jsonResponse(http.StatusOK, map[string]any{name: v})
}
