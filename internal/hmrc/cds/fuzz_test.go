package cds_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

// fixedResponse is CDS that gives one answer.
type fixedResponse struct {
	status int
	header http.Header
	body   []byte
}

func (s fixedResponse) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: s.status, Header: s.header, Body: io.NopCloser(bytes.NewReader(s.body)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}, nil
}

// Whatever CDS answers, a document counts as accepted only by a 202 with a conversation,
// and what is kept of the answer is limited.
func FuzzAnswer(f *testing.F) {
	f.Add(202, "2f0c0bb2-5a2e-4ae6-9d26-7a2c9d3e1f00", "", []byte{})
	f.Add(400, "", "", []byte(`<errorResponse><code>BAD_REQUEST</code><message>no</message><errors><error><code>xml</code><message>m</message></error></errors></errorResponse>`))
	f.Add(429, "", "99999999999", []byte(`<errorResponse>`))
	f.Add(503, "x", "Fri, 31 Dec 9999 23:59:59 GMT", []byte(`<errorResponse><code>SERVER_ERROR</code></errorResponse>`))
	f.Add(200, "", "-1", []byte("\xff\xfe<html>"))
	f.Fuzz(func(t *testing.T, status int, conversation, wait string, body []byte) {
		if status < 200 || status > 599 || status >= 300 && status < 400 {
			return // interim, redirected or none: the library's
		}
		response := fixedResponse{status, http.Header{"X-Conversation-Id": {conversation}, "Retry-After": {wait}}, body}
		c := newClient(t, client.Settings{BaseURL: "http://127.0.0.1:1", Middleware: func(http.RoundTripper) http.RoundTripper { return response }})
		switch o := c.Submit(t.Context(), hmrctest.Bearer("x"), []byte("<x/>")).(type) {
		case cds.Accepted:
			if status != 202 || o.ConversationID == "" {
				t.Errorf("%d %q is accepted", status, conversation)
			}
		case client.Refused:
			if o.RetryAfter < 0 || o.RetryAfter > 24*time.Hour || len(o.Details) > client.MaxDetails || len(o.Code) > 2<<10 || len(o.Message) > 2<<10 {
				t.Errorf("kept of %d bytes: %+v", len(body), o)
			}
			if utf8.Valid(body) && !utf8.ValidString(o.Message) {
				t.Errorf("%q is cut within a character", o.Message)
			}
		}
	})
}

// Only a call that CDS has signed is accepted, whatever its headers, and only with the body
// that was signed.
func FuzzSignedCall(f *testing.F) {
	d := newSigningFixture(f)
	good := d.header(f, notification)
	f.Add(good.Get("Authorization"), good.Get("x-jws-signature"), notification)
	f.Add(good.Get("Authorization"), good.Get("x-jws-signature"), []byte("other"))
	f.Add("Bearer a.b.c", "a..c", []byte{})
	f.Add("Bearer "+encode([]byte(`{"alg":"none"}`))+"..", encode([]byte(`{"alg":"EdDSA","b64":false,"crit":["b64"],"iat":1e400}`))+"..", notification)
	f.Fuzz(func(t *testing.T, authorization, signature string, body []byte) {
		header := http.Header{"Authorization": {authorization}}
		header.Set("x-jws-signature", signature)
		err := d.signed.Verify(t.Context(), header, body)
		untrusted := cds.Untrusted{}
		if err != nil && !errors.As(err, &untrusted) {
			t.Errorf("%q %q: %v", authorization, signature, err)
		}
		if err == nil && !bytes.Equal(body, notification) {
			t.Errorf("%q is accepted", body)
		}
	})
}
