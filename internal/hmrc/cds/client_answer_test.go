package cds_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

func problem(code, message, more string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` +
		"<errorResponse><code>" + code + "</code><message>" + message + "</message>" + more + "</errorResponse>"
}

// Every answer of CDS has one meaning for the sender of a declaration.
func TestAnswers(t *testing.T) {
	const id = conversation
	for _, test := range []struct {
		name          string
		status        int
		id, body      string
		want          string
		code, message string
	}{
		{"accepted", 202, id, "", "accepted", "", ""},
		{"accepted with a body", 202, id, "<html>", "accepted", "", ""},
		{"accepted without an id", 202, "", "", "unknown", "", ""},
		{"accepted with a rubbish id", 202, "none", "", "unknown", "", ""},
		{"accepted with an upper-case id", 202, strings.ToUpper(id), "", "unknown", "", ""},
		{"200", 200, id, "", "unknown", "", ""},
		{"204", 204, id, "", "unknown", "", ""},
		{"schema", 400, id, problem("BAD_REQUEST", "Payload is not valid according to schema", ""), "refused", "BAD_REQUEST", "Payload is not valid according to schema"},
		{"not well-formed", 400, id, problem("BAD_REQUEST", "Request body does not contain a well-formed XML document.", ""), "refused", "BAD_REQUEST", "Request body does not contain a well-formed XML document."},
		{"unauthorised", 401, id, problem("UNAUTHORIZED", "Unauthorised request", ""), "refused", "UNAUTHORIZED", "Unauthorised request"},
		{"no enrolment", 401, id, problem("UNAUTHORIZED", "EORI number not found in Customs Enrolment", ""), "refused", "UNAUTHORIZED", "EORI number not found in Customs Enrolment"},
		{"firewall", 403, "", problem("PAYLOAD_FORBIDDEN", "A firewall rejected the request", ""), "refused", "PAYLOAD_FORBIDDEN", "A firewall rejected the request"},
		{"wrong path", 404, "", problem("NOT_FOUND", "Resource was not found", ""), "refused", "NOT_FOUND", "Resource was not found"},
		{"version", 406, id, problem("ACCEPT_HEADER_INVALID", "The accept header is missing or invalid", ""), "refused", "ACCEPT_HEADER_INVALID", "The accept header is missing or invalid"},
		{"too large", 413, "", "", "refused", "", ""},
		{"media type", 415, id, problem("UNSUPPORTED_MEDIA_TYPE", "The content type header is missing or invalid", ""), "refused", "UNSUPPORTED_MEDIA_TYPE", "The content type header is missing or invalid"},
		{"rate", 429, "", `{"code":"MESSAGE_THROTTLED_OUT"}`, "refused", "", ""},
		{"wrong address", 501, "", "", "refused", "", ""},
		{"rubbish refusal", 400, "", "<html><p>no", "refused", "", ""},
		{"binary refusal", 400, "", "\x00\xff\xfe", "refused", "", ""},
		{"another root", 400, "", "<error><code>X</code></error>", "refused", "", ""},
		{"shuttered", 503, id, problem("SERVER_ERROR", "Service Unavailable", ""), "unreachable", "", ""},
		{"bare 503", 503, "", "", "unknown", "", ""},
		{"503 of a gateway", 503, "", "<html>Service Unavailable SERVER_ERROR</html>", "unknown", "", ""},
		{"500", 500, id, problem("INTERNAL_SERVER_ERROR", "Internal server error", ""), "unknown", "", ""},
		{"their breaker", 500, id, problem("INTERNAL_SERVER_ERROR", "This service is currently unavailable", ""), "unknown", "", ""},
		{"502", 502, "", "", "unknown", "", ""},
		{"504", 504, "", "", "unknown", "", ""},
		{"408", 408, "", "", "unknown", "", ""},
		{"409", 409, "", "", "unknown", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if test.id != "" {
					w.Header().Set("X-Conversation-ID", test.id)
				}
				w.WriteHeader(test.status)
				_, _ = w.Write([]byte(test.body))
			})
			outcome := newClient(t, client.Settings{BaseURL: url}).Submit(t.Context(), hmrctest.Bearer("t"), document)
			expect(t, outcome, test.want)
			switch o := outcome.(type) {
			case client.Refused:
				if o.Status != test.status || o.Code != test.code || o.Message != test.message || o.CorrelationID != test.id {
					t.Errorf("refusal is %+v", o)
				}
			case client.Unknown:
				if o.Status != test.status || o.Cause == nil {
					t.Errorf("unknown is %+v", o)
				}
				if test.status >= 500 && o.CorrelationID != test.id {
					t.Errorf("conversation is %q, want %q", o.CorrelationID, test.id)
				}
			}
		})
	}
}

// Two conversation ids are none.
func TestTwoConversationIDs(t *testing.T) {
	url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("X-Conversation-ID", conversation)
		w.Header().Add("X-Conversation-ID", conversation)
		w.WriteHeader(http.StatusAccepted)
	})
	expect(t, newClient(t, client.Settings{BaseURL: url}).Submit(t.Context(), hmrctest.Bearer("t"), document), "unknown")
}

// A schema refusal names every error of the validator, in order.
func TestSchemaErrorsAreKept(t *testing.T) {
	var children strings.Builder
	for i := range 25 {
		fmt.Fprintf(&children, "<error><code>xml_validation_error</code><message> cvc-%d </message></error>", i)
	}
	url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(problem("BAD_REQUEST", "Payload is not valid according to schema", "<errors>"+children.String()+"</errors>")))
	})
	refused := newClient(t, client.Settings{BaseURL: url}).Submit(t.Context(), hmrctest.Bearer("t"), document).(client.Refused)
	if len(refused.Details) != 25 || refused.Details[24] != (client.Detail{Code: "xml_validation_error", Message: "cvc-24"}) {
		t.Fatalf("errors are %v", refused.Details)
	}
}
