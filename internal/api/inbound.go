package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/cds"
	"github.com/tidewaiter/tidewaiter/internal/customs"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

// Inbound tells a genuine message from customs from a forged one.
type Inbound = cds.Inbound

// mountCustoms makes the operation that customs calls. It never answers 5xx for
// what is in a message: customs would hold back everything behind it.
func (s *Server) mountCustoms() {
	const path = "/api/cds/webhook"
	s.routes["POST "+path] = route{name: "receive-customs-message", budget: unmetered, public: true}
	s.mux.HandleFunc("POST "+path, s.receive)
	responses := map[string]*huma.Response{"200": {
		Description: "The message is safe", Headers: map[string]*huma.Param{requestIDHeader: s.commonHeaders()[requestIDHeader]},
		Content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false}}},
	}}
	for _, status := range []string{"401", "413", "500", "503"} {
		responses[status] = &huma.Response{Ref: "#/components/responses/" + map[string]string{
			"401": "Unauthorized", "413": "PayloadTooLarge", "500": "InternalError", "503": "Unavailable"}[status]}
	}
	s.api.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "receive-customs-message", Summary: "Receive a message from customs", Tags: []string{"Webhooks"}, Method: http.MethodPost, Path: path,
		Description: "For customs alone: DMSRCV, DMSACC, DMSTAX, DMSCLE, DMSREJ and the others, as WCO 3.6 XML. The call carries a token of customs and a detached signature of the body.",
		Security:    []map[string][]string{{"customs": {}}},
		Parameters: []*huma.Param{
			{Name: conversationHeader, In: "header", Description: "Conversation that the message belongs to", Schema: &huma.Schema{Type: huma.TypeString}},
			{Name: "x-jws-signature", In: "header", Description: "Detached JWS of the body (RFC 7515 appendix F, RFC 7797)", Schema: &huma.Schema{Type: huma.TypeString}},
		},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{xmlType: {Schema: &huma.Schema{Type: huma.TypeString}}}},
		Responses:   responses,
	})
}

const conversationHeader = "X-Conversation-ID"

func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	if err := s.takeIn(r.Context(), r); err != nil {
		s.writeProblem(w, r, err)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = io.WriteString(w, "{}")
}

func (s *Server) takeIn(ctx context.Context, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, customs.MaxInbound))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fault.New(fault.PayloadTooLarge, "A message has at most %d bytes.", customs.MaxInbound)
	} else if err != nil {
		return fault.Invalid(fault.Detail{Field: "body", Message: "could not be read to its end"}).Because(err)
	}
	if err := s.Inbound.Verify(ctx, r.Header, body); err != nil {
		s.Log.WarnContext(ctx, "a call in customs' name was refused", "ip", clientaddr.Of(r), "reason", err)
		return fault.New(fault.Unauthorized, "The call is not genuine.")
	}
	conversation, _ := cds.ConversationID(r.Header)
	return s.Customs.Receive(ctx, customs.Inbound{ConversationID: conversation, Headers: keptHeaders(r.Header), Body: body})
}

// keptHeaders are the headers of a message, as JSON, without the credentials.
func keptHeaders(h http.Header) string {
	kept := h.Clone()
	kept.Del("Authorization")
	text, _ := json.Marshal(kept)
	return string(text)
}
