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
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

func (s *Server) mountCancel(k kind) {
	s.mountAction(k, operation{
		id: k.id("cancel", false), summary: "Cancel a " + k.One, method: http.MethodDelete, path: k.Path + "/{id}", about: "The cancelled " + k.One,
	}, lifecycle.Cancel)
}

// mountStep makes POST …/{id}/{action}.
func (s *Server) mountStep(k kind, action lifecycle.Action) {
	s.mountAction(k, stepOperation(k, action), action)
}

func stepOperation(k kind, action lifecycle.Action) operation {
	return operation{
		id: k.id(string(action), false), summary: sentence(action, k.One), method: http.MethodPost, path: k.Path + "/{id}/" + string(action),
		about: "The " + k.One + " after the step", once: true,
	}
}

func sentence(action lifecycle.Action, noun string) string {
	verb, rest, found := strings.Cut(string(action), "-")
	text := strings.ToUpper(verb[:1]) + verb[1:] + " a " + noun
	if found {
		text += " " + strings.ReplaceAll(rest, "-", " ")
	}
	return text
}

// reasonBody says why.
type reasonBody struct {
	Reason string `json:"reason" minLength:"1" maxLength:"1000" doc:"Why" example:"The authority found the commodity code wrong."`
}

// guarded is an operation with what follows from the step that it takes.
func (s *Server) guarded(k kind, op operation, action lifecycle.Action) operation {
	op.tag, op.scope, op.status, op.answer, op.errors = k.Tag, k.Hub, http.StatusOK, under(k.One, k.record), []int{404}
	op.gate = route{role: tenant.Member}
	if k.Lifecycle.Guard(action) == lifecycle.Owner {
		op.gate.role = tenant.Owner
		op.gate.step = step{hub: k.Hub, resource: k.Kind, action: string(action)}
	}
	if action == lifecycle.Submit {
		op.answer = under(k.One, k.record)
		told := huma.SchemaFromType(s.api.OpenAPI().Components.Schemas, k.told)
		maps.Copy(op.answer.Properties, told.Properties)
		op.answer.Required = append(op.answer.Required, told.Required...)
	}
	return op
}

func (s *Server) mountAction(k kind, op operation, action lifecycle.Action) {
	op = s.guarded(k, op, action)
	if k.Lifecycle.Keeps(action, lifecycle.KeepReason) {
		op.body = reflect.TypeFor[reasonBody]()
		handle(s, op, func(ctx context.Context, in *patchInput) (reply, error) {
			why, err := decode[reasonBody](s, &in.caller, in.RawBody)
			if err != nil {
				return reply{}, err
			}
			return s.step(ctx, k, &in.ByID, in.RawBody, action, filing.Step{Reason: why.Reason})
		})
		return
	}
	handle(s, op, func(ctx context.Context, in *ByID) (reply, error) {
		return s.step(ctx, k, in, nil, action, filing.Step{})
	})
}

func (s *Server) step(ctx context.Context, k kind, in *ByID, body []byte, action lifecycle.Action, step filing.Step) (reply, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return reply{}, err
	}
	return s.change(ctx, &in.caller, body, func(tx Tx) (reply, error) {
		if err := s.free(tx, k, id, action); err != nil {
			return reply{}, err
		}
		f, err := s.Filings.Act(tx, in.call, k.Type, id, action, step)
		if err != nil {
			return reply{}, err
		}
		if action != lifecycle.Submit {
			return named(k.One, &f), nil
		}
		told, err := k.tell(&f)
		if err != nil {
			return reply{}, err
		}
		beside, err := json.Marshal(told)
		return named(k.One, &f, string(beside[1:len(beside)-1])), err
	})
}

func (s *Server) mountReview(k kind) {
	answer := under("review", s.schemaOf(reflect.TypeFor[rules.Review]()))
	handle(s, operation{
		id: k.id("review", false), summary: "Review a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/review",
		status: http.StatusOK, about: "What the rules find, gravest first; it changes nothing", answer: answer, errors: []int{404},
	}, func(ctx context.Context, in *ByID) (out reply, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		var found rules.Review
		err = s.Store.Update(ctx, in.call.Org, func(tx Tx) (err error) {
			found, err = s.Filings.Review(tx, in.call, k.Type, id)
			return err
		})
		if err != nil {
			return reply{}, err
		}
		return wrapped("review", found)
	})
}

// wrapped is a value under its name.
func wrapped(name string, v any) (reply, error) {
	return answer(http.StatusOK, map[string]any{name: v})
}
