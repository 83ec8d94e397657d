package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// foundational is the Hub that needs no enabling.
const foundational = customs.HubID

// mountDeclarations makes the operations of declarations: those of every kind, and
// their way to customs, which is not a step that a caller takes by itself.
func (s *Server) mountDeclarations() {
	k := s.describeKind(s.Customs.Type)
	s.mountList(k)
	s.mountCreate(k)
	s.mountGet(k, s.presentDeclaration)
	s.mountAmend(k, s.amendDeclaration)
	s.mountWithdrawal(k)
	s.mountDocumentOf(k)
	s.mountTimeline(k)
	s.mountEvidence(k)
	s.mountSubmit()
}

func (s *Server) presentDeclaration(tx Tx, f *filing.Filing) (reply, error) {
	record, err := s.Customs.Shown(tx, f)
	if err != nil {
		return reply{}, err
	}
	return reply{Status: http.StatusOK, Body: append(append([]byte(`{"declaration":`), record...), '}')}, nil
}

func (s *Server) amendDeclaration(tx Tx, call tenant.Call, _ *filing.Type, id string, in filing.Input) (filing.Filing, error) {
	return s.Customs.Amend(tx, call, id, in)
}

func (s *Server) mountWithdrawal(k kind) {
	handle(s, operation{
		id: "cancel-declaration", summary: "Cancel a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodDelete, path: k.Path + "/{id}",
		status: http.StatusOK, about: "The declaration: a draft is CANCELLED at once, what customs has when customs has agreed",
		answer: under(k.One, k.record), errors: []int{404, 502}, gate: route{role: tenant.Member},
	}, func(ctx context.Context, in *ByID) (out reply, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		if _, err := s.Customs.Cancel(ctx, customs.Request{Call: in.call}, id); err != nil {
			return reply{}, err
		}
		return out, s.Store.View(ctx, in.call.Org, func(tx Tx) error {
			f, err := tx.Filing(k.Kind, id)
			if err != nil {
				return err
			}
			out, err = s.presentDeclaration(tx, &f)
			return err
		})
	})
}

// xmlType is the content type of documents and messages.
const xmlType = "application/xml"

func (s *Server) mountDocumentOf(k kind) {
	handle(s, operation{
		id: "get-declaration-xml", summary: "Get the XML of a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/declaration.xml",
		status: http.StatusOK, about: "The WCO 3.6 document that would be, or was, sent to customs", contentType: xmlType,
		answer: &huma.Schema{Type: huma.TypeString}, errors: []int{404},
	}, func(ctx context.Context, in *ByID) (reply, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		var xml string
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { xml, err = s.Customs.DocumentOf(tx, id); return err })
		return reply{Status: http.StatusOK, Type: xmlType, Body: []byte(xml)}, err
	})
}

func (s *Server) mountTimeline(k kind) {
	moments := s.schemaOf(reflect.TypeFor[[]customs.Moment]())
	handle(s, operation{
		id: "get-declaration-timeline", summary: "Get the timeline of a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/timeline",
		status: http.StatusOK, about: "Everything that happened to it, oldest first", answer: under("timeline", moments), errors: []int{404},
	}, func(ctx context.Context, in *ByID) (reply, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		var timeline []customs.Moment
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { timeline, err = s.Customs.Timeline(tx, id); return err })
		if err != nil {
			return reply{}, err
		}
		return wrapped("timeline", timeline)
	})
}

type submitBody struct {
	DeclarationID string `json:"declarationId" format:"uuid" doc:"The declaration to submit" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

func (s *Server) mountSubmit() {
	handle(s, operation{
		id: "submit-declaration", summary: "Submit a declaration to customs", tag: "Declarations", scope: foundational, method: http.MethodPost, path: "/api/cds/submit",
		status: http.StatusOK, about: "The conversation in which customs has it; while customs has it, the same again",
		answer: s.schemaOf(reflect.TypeFor[customs.Submission]()), body: reflect.TypeFor[submitBody](), errors: []int{404, 502}, once: true,
		gate: route{role: tenant.Member},
	}, s.submit)
}

func (s *Server) submit(ctx context.Context, in *bodyInput) (out reply, err error) {
	body, err := decode[submitBody](s, &in.caller, in.RawBody)
	if err != nil {
		return reply{}, err
	}
	mine, err := claimOf(&in.caller, in.RawBody)
	if err != nil {
		return reply{}, err
	}
	end, err := s.begin(&in.caller, mine)
	if err != nil {
		return reply{}, err
	}
	defer end()
	found := false
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { out, found, err = recall(tx, mine); return err })
	if err != nil || found {
		return out, err
	}
	id, _ := canonical(body.DeclarationID)
	done, err := s.Customs.Submit(ctx, customs.Request{Call: in.call, Key: mine.key, Digest: mine.digest}, id)
	if err != nil {
		return reply{}, err
	}
	return answer(http.StatusOK, done)
}
