package cds_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

func problem(code, message, more string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` +
		"<errorResponse><code>" + code + "</code><message>" + message + "</message>" + more + "</errorResponse>"
}

// Every answer of customs has one meaning for who sent the declaration.
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
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if test.id != "" {
					w.Header().Set("X-Conversation-ID", test.id)
				}
				w.WriteHeader(test.status)
				_, _ = w.Write([]byte(test.body))
			})
			outcome := newClient(t, cds.Settings{BaseURL: url}).Submit(t.Context(), bearer("t"), document)
			expect(t, outcome, test.want)
			switch o := outcome.(type) {
			case cds.Refused:
				if o.Status != test.status || o.Code != test.code || o.Message != test.message || string(o.Body) != test.body || o.ConversationID != test.id {
					t.Errorf("refusal is %+v", o)
				}
			case cds.Unknown:
				if o.Status != test.status || o.Cause == nil {
					t.Errorf("unknown is %+v", o)
				}
				if test.status >= 500 && o.ConversationID != test.id {
					t.Errorf("conversation is %q, want %q", o.ConversationID, test.id)
				}
			}
		})
	}
}

// Two conversation ids are none.
func TestTwoConversationIDs(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("X-Conversation-ID", conversation)
		w.Header().Add("X-Conversation-ID", conversation)
		w.WriteHeader(http.StatusAccepted)
	})
	expect(t, newClient(t, cds.Settings{BaseURL: url}).Submit(t.Context(), bearer("t"), document), "unknown")
}

// A schema refusal names every error of the validator, in order.
func TestSchemaErrorsAreKept(t *testing.T) {
	var children strings.Builder
	for i := range 25 {
		fmt.Fprintf(&children, "<error><code>xml_validation_error</code><message> cvc-%d </message></error>", i)
	}
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(problem("BAD_REQUEST", "Payload is not valid according to schema", "<errors>"+children.String()+"</errors>")))
	})
	refused := newClient(t, cds.Settings{BaseURL: url}).Submit(t.Context(), bearer("t"), document).(cds.Refused)
	if len(refused.Errors) != 25 || refused.Errors[24] != (cds.Detail{Code: "xml_validation_error", Message: "cvc-24"}) {
		t.Fatalf("errors are %v", refused.Errors)
	}
}

// What an answer may fill is bounded: the number of errors, each text, the excerpt.
func TestLongRefusalIsCut(t *testing.T) {
	long := "x" + strings.Repeat("é", 3000)
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(problem("BAD_REQUEST", long, "<errors>"+strings.Repeat("<error><code>c</code><message>m</message></error>", 500)+"</errors>")))
	})
	refused := newClient(t, cds.Settings{BaseURL: url}).Submit(t.Context(), bearer("t"), document).(cds.Refused)
	if len(refused.Errors) != 100 || len(refused.Body) != 2048 || refused.Message != long[:2047] {
		t.Fatalf("%d errors, %d bytes kept, message of %d", len(refused.Errors), len(refused.Body), len(refused.Message))
	}
}

// A 429 says when to come back, in seconds or as a date, within reason.
func TestRetryAfter(t *testing.T) {
	now := newClock().now()
	for _, test := range []struct {
		header string
		want   time.Duration
	}{
		{"", 0},
		{"7", 7 * time.Second},
		{"-7", 0},
		{"soon", 0},
		{"4000000000", 24 * time.Hour},
		{now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second},
		{now.Add(-time.Hour).Format(http.TimeFormat), 0},
	} {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", test.header)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		refused := newClient(t, cds.Settings{BaseURL: url}).Submit(t.Context(), bearer("t"), document).(cds.Refused)
		if refused.RetryAfter != test.want {
			t.Errorf("Retry-After %q is %v, want %v", test.header, refused.RetryAfter, test.want)
		}
	}
}

// A redirect is not followed: the document goes to customs and nowhere else.
func TestRedirectIsNotFollowed(t *testing.T) {
	var strayed atomic.Int32
	elsewhere := serve(t, func(w http.ResponseWriter, _ *http.Request) { strayed.Add(1); accept(w) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, status) })
		expect(t, newClient(t, cds.Settings{BaseURL: url}).Submit(t.Context(), bearer("t"), document), "unknown")
	}
	if strayed.Load() != 0 {
		t.Fatalf("%d documents strayed", strayed.Load())
	}
}

// A gigabyte of an answer is neither read nor waited for.
func TestEndlessAnswer(t *testing.T) {
	block := bytes.Repeat([]byte("x"), 1<<20)
	for status, want := range map[int]string{202: "accepted", 400: "refused", 500: "unknown"} {
		var sent atomic.Int64
		done := make(chan struct{})
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			defer close(done)
			w.Header().Set("X-Conversation-ID", conversation)
			w.WriteHeader(status)
			for range 1024 {
				if _, err := w.Write(block); err != nil {
					return
				}
				sent.Add(1)
			}
		})
		expect(t, newClient(t, cds.Settings{BaseURL: url}).Submit(t.Context(), bearer("t"), document), want)
		<-done
		if sent.Load() > 64 {
			t.Errorf("%d MB were taken", sent.Load())
		}
	}
}

// What went wrong can be read in the log, and the cause be asked for.
func TestOutcomesAreErrors(t *testing.T) {
	for want, err := range map[string]error{
		"cds: refused: 400 BAD_REQUEST: no":                  cds.Refused{Status: 400, Code: "BAD_REQUEST", Message: "no"},
		"cds: refused: 413":                                  cds.Refused{Status: 413},
		"cds: unreachable: cds: circuit breaker is open":     cds.Unreachable{Cause: cds.ErrOpen},
		"cds: outcome unknown: cds: circuit breaker is open": cds.Unknown{Cause: cds.ErrOpen},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err.Error(), want)
		}
	}
}
