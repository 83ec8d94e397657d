package api

import (
	"context"
	"encoding/base64"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxDecision is the maximum size in bytes of a body with a document in base64, which is a third longer.
const maxDecision = decision.MaxDocument/3*4 + 64<<10

// DecisionInput is what a mark can have besides the reason.
type DecisionInput struct {
	Reference string            `json:"reference,omitempty" minLength:"1" maxLength:"40" doc:"The authority’s own reference. It replaces the simulated one" example:"26GB3TTI2CQ1C7FGR9"`
	DecidedAt *time.Time        `json:"decidedAt,omitempty" doc:"When the authority decided" example:"2026-11-21T08:30:00.000Z"`
	Document  *decisionDocument `json:"document,omitempty" doc:"The authority’s document"`
}

type decisionDocument struct {
	FileName string `json:"fileName" minLength:"1" maxLength:"200" doc:"Name" example:"licence.txt"`
	Content  string `json:"content" minLength:"1" maxLength:"13981016" doc:"Base64. A PDF, JPEG, PNG or text of at most 10 MB" example:"TGljZW5jZSBncmFudGVk"`
}

// decisionBody is the body of a mark that needs no reason.
type decisionBody struct {
	DecisionInput
	Reason string `json:"reason,omitempty" minLength:"1" maxLength:"1000" doc:"Reason" example:"Granted for two years."`
}

// rejectionBody is the body of a mark that needs a reason.
type rejectionBody struct {
	DecisionInput
	Reason string `json:"reason" minLength:"1" maxLength:"1000" doc:"Reason" example:"The authority found the commodity code wrong."`
}

// mountDecision adds a mark with which callers can enter the authority's own reference, time, reason and document.
func (s *Server) mountDecision(k kind, op operation, action lifecycle.Action) {
	op.body, op.bodyOptional, op.maxBody = reflect.TypeFor[decisionBody](), true, maxDecision
	if k.Lifecycle.HasEffect(action, lifecycle.KeepReason) {
		op.body, op.bodyOptional = reflect.TypeFor[rejectionBody](), false
	}
	handle(s, op, func(ctx context.Context, in *markInput) (response, error) {
		body, wrong, err := s.readDecision(in)
		if err != nil {
			return response{}, err
		}
		if err := s.Decisions.Check(ctx, &body, s.nowOf(in.holder), wrong...); err != nil {
			return response{}, err
		}
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
			f, err := s.Decisions.Mark(tx, in.call, k.Type, id, action, in.ifMatch, body)
			if err != nil {
				return response{}, err
			}
			return filingResponse(k.Singular, &f), nil
		})
	})
}

type markInput struct {
	ByID
	RawBody []byte `contentType:"application/json" required:"false"`
}

// readDecision reads the body of a mark, and returns what is wrong with the document's text.
func (s *Server) readDecision(in *markInput) (e decision.Entry, wrong []apierr.Detail, err error) {
	sent, reason := DecisionInput{}, ""
	if in.op.bodyOptional {
		var b decisionBody
		b, err = decode[decisionBody](s, &in.caller, in.RawBody)
		sent, reason = b.DecisionInput, b.Reason
	} else {
		var b rejectionBody
		b, err = decode[rejectionBody](s, &in.caller, in.RawBody)
		sent, reason = b.DecisionInput, b.Reason
	}
	if err != nil {
		return e, nil, err
	}
	e.Reference, e.Reason = sent.Reference, reason
	if sent.DecidedAt != nil {
		e.DecidedAt = *sent.DecidedAt
	}
	if d := sent.Document; d != nil {
		content, err := base64.StdEncoding.DecodeString(d.Content)
		if err != nil {
			return e, []apierr.Detail{{Field: "document.content", Message: "must be base64 with its padding"}}, nil
		}
		e.Document = &attachment.File{Name: d.FileName, Content: content}
	}
	return e, nil, nil
}

// mountDecisionDocument adds the download of the authority's document.
func (s *Server) mountDecisionDocument(k kind) {
	stream(s, operation{
		id: k.id("get", false) + "-file", summary: "Get a document of a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/files/{fileId}",
		status: http.StatusOK, description: "The document that was entered with the authority’s decision, which the record names in decisionDocument",
		contentType: attachment.PDF, otherTypes: []string{attachment.JPEG, attachment.PNG, "text/plain"}, response: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{404},
	}, s.getFile(k))
}

// mountAuthorityPapers adds what users need for authorities that the service is not connected to: a checklist for their sites, and
// their document on a decision.
func (s *Server) mountAuthorityPapers(k kind) {
	if k.Checklist != nil {
		s.mountChecklist(k)
	}
	if k.KeepsDocuments() {
		s.mountDecisionDocument(k)
	}
}
