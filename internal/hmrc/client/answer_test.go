package client_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

// Every status has one meaning for the sender.
func TestStatuses(t *testing.T) {
	want := map[int]string{202: "accepted"}
	for _, status := range []int{400, 401, 403, 404, 406, 413, 415, 422, 429, 501} {
		want[status] = "refused"
	}
	for status := 200; status < 600; status++ {
		if status >= 300 && status < 400 {
			continue // see TestRedirectIsNotFollowed
		}
		if want[status] == "" {
			want[status] = "unknown"
		}
		failure := send(t, newClient(t, client.Settings{BaseURL: "http://hmrc.example", Middleware: answering(int32(status))}))
		if outcomeName(failure) != want[status] {
			t.Errorf("%d is %s, want %s", status, outcomeName(failure), want[status])
		}
		if u, ok := failure.(client.Unknown); ok && (u.Status != status || u.CorrelationID != id || u.Cause == nil) {
			t.Errorf("%d is %+v", status, u)
		}
	}
}

// What a status does not decide, the body and the headers do.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name, id, body string
		status         int
		want           string
	}{
		{"a success that proves nothing", "", "", 202, "hmrc: outcome unknown: no id"},
		{"closed", id, `{"code":"CLOSED"}`, 503, "hmrc: unreachable: HMRC answered 503 CLOSED"},
		{"closed with another status", id, `{"code":"CLOSED"}`, 500, "hmrc: outcome unknown: HMRC answered 500 CLOSED"},
		{"not closed", id, `{"code":"OTHER","message":"later"}`, 503, "hmrc: outcome unknown: HMRC answered 503 OTHER later"},
		{"a page of a gateway", id, "<html>CLOSED", 503, "hmrc: outcome unknown: HMRC answered 503"},
		{"a refusal", id, `{"code":"NO","message":" not so "}`, 400, "hmrc: refused: 400 NO: not so"},
		{"a refusal by a gateway", id, "<html>", 403, "hmrc: refused: 403"},
		{"a refusal of another type", id, `{"code":"NO","message":1}`, 403, "hmrc: refused: 403"},
	} {
		url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-ID", test.id)
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		failure := send(t, newClient(t, client.Settings{BaseURL: url}))
		if failure == nil || failure.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.name, failure, test.want)
		}
		if r, ok := failure.(client.Refused); ok && (r.Status != test.status || r.CorrelationID != test.id) {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
}

// Error bodies in JSON and in XML are read alike, and what is kept of them is limited: the
// number of details and each text.
func TestErrorBodies(t *testing.T) {
	long := "x" + strings.Repeat("é", 3000)
	for _, test := range []struct {
		decode                  func([]byte, any) error
		start, detail, sep, end string
	}{
		{json.Unmarshal, `{"code":"C","message":"` + long + `","errors":[`, `{"code":"c","message":" m ","path":"/p"}`, ",", "]}"},
		{xml.Unmarshal, "<errorResponse><code>C</code><message>" + long + "</message><errors>", "<error><code>c</code><message> m </message><path>/p</path></error>", "", "</errors></errorResponse>"},
	} {
		url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, test.start+strings.Repeat(test.detail+test.sep, 500)+test.detail+test.end)
		})
		own := api
		own.Decode = test.decode
		c, err := client.New(client.Settings{BaseURL: url}, own, hmrctest.NoLimit{}, newClock().Now)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		refused, _ := send(t, c).(client.Refused)
		if refused.Code != "C" || refused.Message != long[:2047] || len(refused.Details) != client.MaxDetails || refused.Details[99] != (client.Detail{Code: "c", Message: "m", Path: "/p"}) {
			t.Errorf("refusal is %+v", refused)
		}
	}
}

// A 429 says when to retry, in seconds or as a date, within limits; other statuses do not.
func TestRetryAfter(t *testing.T) {
	now := newClock().Now()
	for _, test := range []struct {
		status int
		header string
		want   time.Duration
	}{
		{429, "", 0},
		{429, "7", 7 * time.Second},
		{429, "-7", 0},
		{429, "soon", 0},
		{429, "4000000000", 24 * time.Hour},
		{429, now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second},
		{429, now.Add(-time.Hour).Format(http.TimeFormat), 0},
		{429, now.Add(48 * time.Hour).Format(http.TimeFormat), 24 * time.Hour},
		{403, "7", 0},
	} {
		url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", test.header)
			w.WriteHeader(test.status)
		})
		refused, _ := send(t, newClient(t, client.Settings{BaseURL: url})).(client.Refused)
		if refused.RetryAfter != test.want || refused.Status != test.status {
			t.Errorf("%d with Retry-After %q is %v, want %v", test.status, test.header, refused.RetryAfter, test.want)
		}
	}
}

// A redirect is not followed: the document goes to HMRC only.
func TestRedirectIsNotFollowed(t *testing.T) {
	var followed atomic.Int32
	elsewhere := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { followed.Add(1); accept(w) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		url := hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, status) })
		expect(t, send(t, newClient(t, client.Settings{BaseURL: url})), "unknown")
	}
	if followed.Load() != 0 {
		t.Fatalf("%d redirects were followed", followed.Load())
	}
}

// An answer of a gigabyte is neither read nor waited for.
func TestEndlessAnswer(t *testing.T) {
	block := bytes.Repeat([]byte("x"), 1<<20)
	for status, want := range map[int]string{202: "accepted", 400: "refused", 500: "unknown"} {
		var written atomic.Int64
		done := make(chan struct{})
		url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			defer close(done)
			w.Header().Set("X-ID", id)
			w.WriteHeader(status)
			for range 1024 {
				if _, err := w.Write(block); err != nil {
					return
				}
				written.Add(1)
			}
		})
		answer, failure := newClient(t, client.Settings{BaseURL: url}).Do(t.Context(), hmrctest.Bearer("t"), post)
		expect(t, failure, want)
		if status == 202 && (len(answer.Body) != 1<<20 || answer.Err == nil) {
			t.Errorf("%d bytes are kept: %v", len(answer.Body), answer.Err)
		}
		<-done
		if written.Load() > 64 {
			t.Errorf("%d MiB were read", written.Load())
		}
	}
}

// An outcome gives its cause to the log and to errors.Is.
func TestOutcomesAreErrors(t *testing.T) {
	for want, err := range map[string]error{
		"hmrc: refused: 400 BAD_REQUEST: no":                   client.Refused{Status: 400, Code: "BAD_REQUEST", Message: "no"},
		"hmrc: refused: 413":                                   client.Refused{Status: 413},
		"hmrc: unreachable: hmrc: circuit breaker is open":     client.Unreachable{Cause: client.ErrOpen},
		"hmrc: outcome unknown: hmrc: circuit breaker is open": client.Unknown{Cause: client.ErrOpen},
	} {
		if err.Error() != want || strings.Contains(want, "open") != errors.Is(err, client.ErrOpen) {
			t.Errorf("%q, want %q", fmt.Sprint(err), want)
		}
	}
}
