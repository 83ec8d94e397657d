package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

// InboundSource authenticates messages of HMRC or of a simulator.
type InboundSource struct {
	cds.Inbound
	Source customs.Source
}

// authenticateMessage returns the source whose credentials a message carries, or the error of the first source.
func (s *Server) authenticateMessage(ctx context.Context, h http.Header) (found InboundSource, err error) {
	for i, source := range s.Inbound {
		refused := source.Authenticate(ctx, h)
		if refused == nil {
			return source, nil
		}
		if i == 0 {
			err = refused
		}
	}
	return found, err
}

// mountCustoms adds the operation that CDS calls. It never returns 5xx because of a message's content:
// CDS would hold back all later messages.
func (s *Server) mountCustoms() {
	const path = "/api/cds/webhook"
	s.routes["POST "+path] = route{name: "receive-customs-message", budget: unmetered, public: true}
	s.mux.HandleFunc("POST "+path, s.receive)
	responses := map[string]*huma.Response{"200": {
		Description: "The message has been stored", Headers: map[string]*huma.Param{requestIDHeader: headersOfAll[requestIDHeader]},
		Content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false}}},
	}}
	for _, status := range []string{"401", "413", "500", "503"} {
		responses[status] = &huma.Response{Ref: "#/components/responses/" + map[string]string{
			"401": "Unauthorized", "413": "PayloadTooLarge", "500": "InternalError", "503": "Unavailable"}[status]}
	}
	s.api.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "receive-customs-message", Summary: "Receive a message from CDS", Tags: []string{"Webhooks"}, Method: http.MethodPost, Path: path,
		Description: "Called by CDS only, with its notifications such as DMSACC as WCO 3.6 XML. The call carries a token of CDS and a detached signature of the body.",
		Security:    []map[string][]string{{"customs": {}}},
		Parameters: []*huma.Param{
			{Name: conversationHeader, In: "header", Description: "Conversation ID of the message", Schema: &huma.Schema{Type: huma.TypeString}},
			{Name: "x-jws-signature", In: "header", Description: "Detached JWS of the body (RFC 7515 appendix F, RFC 7797)", Schema: &huma.Schema{Type: huma.TypeString}},
		},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{xmlType: {Schema: &huma.Schema{Type: huma.TypeString}}}},
		Responses:   responses,
		Extensions:  map[string]any{maxBodyExtension: customs.MaxInbound},
	})
}

const conversationHeader = "X-Conversation-ID"

func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	if err := s.receiveMessage(r.Context(), r); err != nil {
		s.writeProblem(w, r, err)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = io.WriteString(w, "{}")
}

func (s *Server) receiveMessage(ctx context.Context, r *http.Request) error {
	source, err := s.authenticateMessage(ctx, r.Header)
	if err != nil {
		return notAuthentic(ctx, err)
	}
	claim := s.Bodies.Claim(membudget.Customs)
	defer claim.Release()
	body, err := readMessage(r, claim)
	if err != nil {
		return err
	}
	if err := source.Verify(ctx, r.Header, body); err != nil {
		return notAuthentic(ctx, err)
	}
	conversation, _ := cds.ConversationID(r.Header)
	return s.Customs.Receive(ctx, customs.Inbound{ConversationID: conversation, Headers: storedHeaders(r.Header), Body: body, Source: source.Source})
}

func notAuthentic(ctx context.Context, err error) error {
	requestInfoOf(ctx).note.reason = err.Error()
	return apierr.New(apierr.Unauthorized, "The token or the signature of the message is not valid.")
}

// readMessage reads the body of an authenticated call. The memory for a body of known length is
// reserved before reading, so that no message is given up half-way.
func readMessage(r *http.Request, claim *membudget.Claim) ([]byte, error) {
	if r.ContentLength > customs.MaxInbound {
		return nil, tooLong
	}
	if err := claim.Hold(r.ContentLength); err != nil {
		requestInfoOf(r.Context()).note.reason = outOfMemory
		return nil, overloaded()
	}
	var body bytes.Buffer
	if r.ContentLength > 0 {
		body.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := body.ReadFrom(claim.Body(http.MaxBytesReader(nil, r.Body, customs.MaxInbound)))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body.Bytes(), nil
	case errors.As(err, &tooLarge):
		return nil, tooLong
	case claim.Refused():
		requestInfoOf(r.Context()).note.reason = outOfMemory
		return nil, overloaded()
	}
	return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "could not be read completely"}).WithCause(err)
}

var tooLong = apierr.New(apierr.PayloadTooLarge, "A message can have at most %d bytes.", customs.MaxInbound)

// storedHeaders encodes the headers of a message as JSON, without the credentials.
func storedHeaders(h http.Header) string {
	kept := h.Clone()
	kept.Del("Authorization")
	text, _ := json.Marshal(kept)
	return string(text)
}
