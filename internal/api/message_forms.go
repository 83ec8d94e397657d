package api

import (
	"context"
	"mime"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// messageInput is the call of an import of one message.
type messageInput struct {
	caller
	RawBody []byte `contentType:"application/xml" required:"false"`
}

// mountMessageImport adds POST …/import, which makes a draft of a message of another system.
func (s *Server) mountMessageImport(k kind) {
	document := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: "A " + k.Messages.Name}}
	handle(s, operation{
		id: k.id("import", false), summary: "Import a " + k.Singular + " from XML", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/import",
		status: http.StatusCreated, description: "The draft that says what a " + k.Messages.Name + " says, with this organisation as its sender",
		response: objectSchema(k.Singular, k.record), dryRun: objectSchema(k.Singular, k.creation),
		content: map[string]*huma.MediaType{xmlType: document, "text/xml": document}, readsBody: true, maxBody: k.Messages.MaxSize,
		bodyOptional: true, // so that a missing document is reported together with the parameters
		idempotent:   true, rehearsed: true, etag: true, errors: []int{413, 415}, route: route{role: tenant.Member},
	}, func(ctx context.Context, in *messageInput) (response, error) {
		media, _, err := mime.ParseMediaType(in.request.Header.Get("Content-Type"))
		if err != nil || !slices.Contains(xmlTypes, media) {
			return response{}, apierr.New(apierr.UnsupportedMediaType, "Send the %s as application/xml or text/xml.", k.Messages.Name)
		}
		body, err := k.Messages.Read(in.RawBody)
		if details := in.invalidParams(); details != nil {
			if wrong, ok := apierr.As(err); ok {
				details = append(details, wrong.Details...)
			}
			return response{}, apierr.Invalid(details...)
		}
		if err != nil {
			return response{}, err
		}
		if details := s.bodyReader.Check(s.schemaOf(k.Body), body); details != nil {
			return response{}, apierr.Invalid(details...)
		}
		parsed, err := k.Prepare(ctx, in.call.Org, body, s.nowOf(in.holder))
		if err != nil {
			return response{}, err
		}
		create := func(tx Tx) (filing.Filing, error) { return s.Filings.Create(tx, in.call, k.Type, parsed) }
		return s.createOnceAs(ctx, &in.caller, in.RawBody, k, http.StatusCreated, create)
	})
}

// mountMessage adds GET …/{id}/message.xml.
func (s *Server) mountMessage(k kind) {
	handle(s, operation{
		id: k.id("write", false), summary: "Get a " + k.Singular + " as XML", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/message.xml",
		status: http.StatusOK, description: "The " + k.Messages.Name + " that was sent, or would be", contentType: xmlType, response: &huma.Schema{Type: huma.TypeString}, errors: []int{404},
	}, func(ctx context.Context, in *ByID) (out response, err error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
			document, err := exchange.Document(tx, k.Type, id)
			out = response{Status: http.StatusOK, Type: xmlType, Body: document}
			return err
		})
		return out, err
	})
}

// mountCopy adds POST …/{id}/copy, which makes a draft that replaces the record.
func (s *Server) mountCopy(k kind) {
	op := copied(k)
	op.id, op.summary, op.path = k.id("copy", false), "Copy a "+k.Singular, k.Path+"/{id}/copy"
	op.description = "A draft with the same members, to be mended and sent in its place; replaces names the record"
	op.response, op.dryRun = objectSchema(k.Singular, k.record), objectSchema(k.Singular, k.creation)
	handle(s, op, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return s.createOnceAs(ctx, &in.caller, nil, k, http.StatusCreated, func(tx Tx) (filing.Filing, error) {
			f, err := tx.Filing(k.Kind, id)
			if err != nil {
				return filing.Filing{}, err
			}
			parsed, err := k.Copy(&f, tx.Now())
			if err != nil {
				return filing.Filing{}, err
			}
			return s.Filings.Create(tx, in.call, k.Type, parsed)
		})
	})
}
