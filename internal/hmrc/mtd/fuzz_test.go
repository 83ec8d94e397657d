package mtd_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
)

// fixedResponse is HMRC that gives one answer.
type fixedResponse struct {
	status int
	wait   string
	body   []byte
}

func (s fixedResponse) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: s.status, Header: http.Header{"Retry-After": {s.wait}}, Body: io.NopCloser(bytes.NewReader(s.body)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}, nil
}

var bundle = regexp.MustCompile(`^[0-9]{12}$`)

// Whatever HMRC answers, a return is filed by a 201 with a number alone, an obligation has
// days and a key that can stand in an address, and what is kept of a refusal is short.
func FuzzAnswer(f *testing.F) {
	f.Add(201, "", []byte(`{"processingDate":"2026-11-21T09:00:00.000Z","formBundleNumber":"256660290587","paymentIndicator":"BANK","chargeRefNumber":"aCxFaNx0FZsCvyWF"}`))
	f.Add(200, "", []byte(`{"obligations":[{"periodKey":"26A1","start":"2026-01-01","end":"2026-03-31","due":"2026-05-07","status":"O"}]}`))
	f.Add(200, "", []byte(`{"periodKey":"26C1","vatDueSales":1.5,"vatDueAcquisitions":-0.01}`))
	f.Add(403, "", []byte(`{"code":"BUSINESS_ERROR","message":"no","errors":[{"code":"DUPLICATE_SUBMISSION","message":"twice","path":"/periodKey"}]}`))
	f.Add(429, "99999999999999", []byte(`{"code":1}`))
	f.Add(503, "-1", []byte("<html>"))
	f.Fuzz(func(t *testing.T, status int, wait string, body []byte) {
		if status < 200 || status > 599 || status >= 300 && status < 400 {
			return // interim, redirected or none: the library's
		}
		s := mtd.Settings{BaseURL: "http://127.0.0.1:1", Middleware: func(http.RoundTripper) http.RoundTripper { return fixedResponse{status, wait, body} }}
		c := newClient(t, s, newClock().Now)
		as := mtd.Caller{VRN: vrn, Tokens: &hmrctest.TokenStore{Token: client.Token{Access: "a"}}}
		at := newClock().Now()
		all, err := c.Obligations(t.Context(), as, at, at)
		if err == nil && status != 200 && status != 201 {
			t.Errorf("%d is an answer", status)
		}
		for _, o := range all {
			if _, err := time.Parse(time.DateOnly, o.Due); err != nil || o.PeriodKey == "" || bytes.ContainsAny([]byte(o.PeriodKey), "/?%. ") {
				t.Errorf("%s: %+v", body, o)
			}
		}
		if r, err := c.View(t.Context(), as, "26C1"); err == nil && r.PeriodKey != "26C1" {
			t.Errorf("%s is read as %+v", body, r)
		}
		filed(t, status, body, c.Submit(t.Context(), as, submission()))
	})
}

func filed(t *testing.T, status int, body []byte, outcome client.Outcome) {
	t.Helper()
	switch o := outcome.(type) {
	case mtd.Accepted:
		if !o.Found && (status != 201 || !bundle.MatchString(o.Receipt.FormBundleNumber)) {
			t.Errorf("%d %s is filed", status, body)
		}
	case client.Refused:
		if o.RetryAfter < 0 || o.RetryAfter > 24*time.Hour || len(o.Details) > client.MaxDetails || len(o.Code) > 2<<10 || len(o.Message) > 2<<10 {
			t.Errorf("kept of %d bytes: %+v", len(body), o)
		}
	}
}
