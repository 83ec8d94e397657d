package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// foundational is the Hub that is always enabled.
const foundational = customs.HubID

// mountDeclarations adds the operations of declarations: those of every kind, and the submission to
// CDS, which is not an ordinary transition.
func (s *Server) mountDeclarations() {
	k := s.describeKind(s.Customs.Type)
	k.shortPages = true
	k.readOnly = s.readOnlyMembers(k)
	k.answer = func(tx Tx, f filing.Filing, created bool) (filing.Filing, error) {
		return s.Customs.Answered(tx, f, created)
	}
	s.mountList(k)
	s.mountCreate(k)
	s.mountGetDeclaration(k)
	s.mountAmend(k, s.amendDeclaration)
	s.mountWithdrawal(k)
	s.mountDocumentOf(k)
	s.mountPrint(k)
	s.mountTimeline(k)
	s.mountEvidence(k)
	s.mountSubmit()
	s.mountApproval(k)
	s.mountDemands(k)
	s.mountRequests(k)
	s.mountXMLImport(k)
	s.mountFiles(k)
	s.mountMovements(k)
	s.mountSupplementary(k)
	s.mountCopies(k)
}

// declarationInput is the call that reads a declaration.
type declarationInput struct {
	ByID
	Form string `query:"form" enum:"full" doc:"full: full forms only, such as classifications instead of commodityCode. Otherwise, as sent"`
}

// fullForm is the value of form, and the suffix of the ETag of such an answer.
const fullForm = "full"

func (s *Server) mountGetDeclaration(k kind) {
	handle(s, operation{
		id: k.id("get", false), summary: "Get a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}",
		status: http.StatusOK, description: "The " + k.Singular, response: objectSchema(k.Singular, k.record), errors: []int{404}, conditional: true, etag: true,
	}, func(ctx context.Context, in *declarationInput) (out response, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
			f, err := tx.Filing(k.Kind, id)
			if err != nil {
				return err
			}
			if in.Form == fullForm {
				out, err = s.presentInFull(tx, &in.caller, f)
				return err
			}
			var current bool
			if out, current, err = s.currentDeclaration(tx, &in.caller, &f); current || err != nil {
				return err
			}
			out, err = s.presentDeclaration(tx, &f)
			out.Cache = revalidate
			return err
		})
		return out, err
	})
}

// currentDeclaration answers 304 if the caller has the version of a declaration, unless other records may have changed since what
// the service adds to it.
func (s *Server) currentDeclaration(tx customs.Tx, c *caller, f *filing.Filing) (out response, current bool, err error) {
	if out, current = c.currentFor(f.Version); !current {
		return response{}, false, nil
	}
	if current, err = s.Customs.ShownUnchanged(tx, f); !current {
		return response{}, false, err
	}
	return out, true, nil
}

// presentInFull answers with full forms. The ETag of this representation has a suffix.
func (s *Server) presentInFull(tx customs.Tx, c *caller, f filing.Filing) (response, error) {
	etag := strings.TrimSuffix(etagOf(f.Version), `"`) + "-" + fullForm + `"`
	if unchanged, err := s.Customs.ShownUnchanged(tx, &f); err != nil {
		return response{}, err
	} else if unchanged && c.ifNoneMatch.match(etag) {
		return response{Status: http.StatusNotModified, ETag: etag, Cache: revalidate}, nil
	}
	full, err := customs.InFull(f)
	if err != nil {
		return response{}, err
	}
	out, err := s.presentDeclaration(tx, &full)
	out.Cache, out.ETag = revalidate, etag
	return out, err
}

func (s *Server) presentDeclaration(tx customs.Tx, f *filing.Filing) (response, error) {
	record, err := s.Customs.Shown(tx, f)
	if err != nil {
		return response{}, err
	}
	return recordResponse(response{Status: http.StatusOK, Body: append(append([]byte(`{"declaration":`), record...), '}')}, f.Version), nil
}

func (s *Server) amendDeclaration(tx Tx, call tenant.Call, _ *filing.Type, id string, in filing.Input) (filing.Filing, error) {
	return s.Customs.Amend(tx, call, id, in)
}

func (s *Server) mountWithdrawal(k kind) {
	handle(s, operation{
		id: "cancel-declaration", summary: "Cancel a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodDelete, path: k.Path + "/{id}",
		status: http.StatusOK, description: "The declaration. A draft is CANCELLED at once; a submitted declaration once CDS grants the cancellation",
		response: objectSchema(k.Singular, k.record), errors: []int{404, 502}, ifMatch: true, etag: true,
		steered: steeringParam("Decision of the simulator on a cancellation request: grant or deny. 400 if the organisation is connected to HMRC", simulator.Deny),
		route:   route{role: tenant.Member, batch: batch.Rule{Allowed: true}},
		body:    reflect.TypeFor[customs.CancellationBody](), bodyOptional: true,
	}, func(ctx context.Context, in *requestInput) (response, error) {
		if len(in.RawBody) == 0 {
			return s.withdraw(ctx, k, &in.ByID, nil)
		}
		body, err := decode[customs.CancellationBody](s, &in.caller, in.RawBody)
		if err != nil {
			return response{}, err
		}
		return s.withdraw(ctx, k, &in.ByID, &body)
	})
}

// withdraw cancels a declaration. The answer to a call with an idempotency key is stored.
func (s *Server) withdraw(ctx context.Context, k kind, in *ByID, reason *customs.CancellationBody) (out response, err error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	idem, err := idempotencyKeyOf(&in.caller, nil)
	if err != nil {
		return response{}, err
	}
	out, found, err := s.answered(ctx, &in.caller, idem)
	if err != nil || found {
		return out, err
	}
	request := customs.Request{Call: in.call, Key: idem.key, Digest: idem.digest, If: in.ifMatch, Simulate: in.request.Header.Get(simulator.SteeringHeader)}
	_, err = s.Customs.Cancel(ctx, request, id, reason, func(tx customs.Tx, f *filing.Filing) error {
		if idem.key == "" {
			return nil
		}
		answer, err := s.presentDeclaration(tx, f)
		if err != nil {
			return err
		}
		return idem.save(tx, answer, string(answer.Body), idempotency.TTL)
	})
	if err != nil {
		return s.orAnswered(ctx, &in.caller, idem, err)
	}
	return out, s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		f, err := tx.Filing(k.Kind, id)
		if err != nil {
			return err
		}
		out, err = s.presentDeclaration(tx, &f)
		return err
	})
}

// documentInput is the call that reads a document that was sent to customs.
type documentInput struct {
	ByID
	Request string `query:"request" maxLength:"64" doc:"Id of a request about the declaration or of a movement, whose document is returned instead" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// xmlType is the media type of documents and messages.
const xmlType = "application/xml"

func (s *Server) mountDocumentOf(k kind) {
	handle(s, operation{
		id: "get-declaration-xml", summary: "Get the XML of a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/declaration.xml",
		status: http.StatusOK, description: "The WCO 3.6 document that was or would be sent to CDS; with request, that of the request", contentType: xmlType,
		response: &huma.Schema{Type: huma.TypeString}, errors: []int{404},
	}, func(ctx context.Context, in *documentInput) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		request, ok := canonicalUUID(in.Request)
		if in.Request != "" && !ok {
			return response{}, apierr.Missing()
		}
		var xml string
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
			if request != "" {
				xml, err = s.Customs.DocumentOfRequest(tx, id, request)
				return err
			}
			xml, err = s.Customs.DocumentOf(tx, id)
			return err
		})
		return response{Status: http.StatusOK, Type: xmlType, Body: []byte(xml)}, err
	})
}

func (s *Server) mountTimeline(k kind) {
	moments := s.schemaOf(reflect.TypeFor[[]customs.TimelineEntry]())
	handle(s, operation{
		id: "get-declaration-timeline", summary: "Get the timeline of a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/timeline",
		status: http.StatusOK, description: "The history of the declaration, oldest first", response: objectSchema("timeline", moments), errors: []int{404},
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		var timeline []customs.TimelineEntry
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { timeline, err = s.Customs.Timeline(tx, id); return err })
		if err != nil {
			return response{}, err
		}
		return objectResponse("timeline", timeline)
	})
}

type submitBody struct {
	DeclarationID string `json:"declarationId" format:"uuid" doc:"The declaration to submit" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// steeringParam describes the header that selects an outcome of the simulator.
func steeringParam(description, example string) *huma.Param {
	return &huma.Param{
		Name: simulator.SteeringHeader, In: "header", Description: description, Example: example, Schema: &huma.Schema{Type: huma.TypeString},
	}
}

func (s *Server) mountSubmit() {
	handle(s, operation{
		id: "submit-declaration", summary: "Submit a declaration to CDS", tag: "Declarations", scope: foundational, method: http.MethodPost, path: "/api/cds/submit",
		status: http.StatusOK, description: "The submission with its conversation ID. Until CDS has decided, repeating the call returns the same one",
		response: s.schemaOf(reflect.TypeFor[customs.Submission]()), body: reflect.TypeFor[submitBody](), errors: []int{404, 502}, idempotent: true, ifMatch: true,
		steered: steeringParam("Outcome of the simulator: "+simulator.HeaderForms+". 400 if the organisation is connected to HMRC", "BCDS12056"),
		route:   route{role: tenant.Member, batch: batch.Rule{Allowed: true, Record: "declarationId"}},
	}, s.submit)
}

func (s *Server) submit(ctx context.Context, in *bodyInput) (out response, err error) {
	body, err := decode[submitBody](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	return s.sendOnce(ctx, &in.caller, in.RawBody, func(r customs.Request) (response, error) {
		id, _ := canonicalUUID(body.DeclarationID)
		done, err := s.Customs.Submit(ctx, r, id)
		if err != nil {
			return response{}, s.submitted(ctx, &in.caller, s.Customs.Type, id, err)
		}
		return jsonResponse(http.StatusOK, done)
	})
}

// sendOnce calls customs, unless the answer to the call's idempotency key is stored.
func (s *Server) sendOnce(ctx context.Context, c *caller, raw []byte, send func(customs.Request) (response, error)) (out response, err error) {
	idem, err := idempotencyKeyOf(c, raw)
	if err != nil {
		return response{}, err
	}
	end, err := s.beginCall(c, idem)
	if err != nil {
		return response{}, err
	}
	defer end()
	out, found, err := s.answered(ctx, c, idem)
	if err != nil || found {
		return out, err
	}
	out, err = send(customs.Request{
		Call: c.call, Key: idem.key, Digest: idem.digest, If: c.ifMatch, Simulate: c.request.Header.Get(simulator.SteeringHeader),
	})
	if err != nil {
		return s.orAnswered(ctx, c, idem, err)
	}
	return out, nil
}
