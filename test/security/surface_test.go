package security

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/port"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// The API page may run scripts from its own files only, and no site may frame it.
func TestDocsPolicy(t *testing.T) {
	t.Parallel()
	s := newTarget(t)
	for _, path := range []string{"/api/docs", "/api/docs/page.js", "/api/docs/swagger-ui-bundle.js"} {
		a := s.call("GET", path, "")
		policy := a.header.Get("Content-Security-Policy")
		if a.status != 200 || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") || a.header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %d, %s", path, a.status, policy)
		}
		if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") && (strings.Contains(a.text, "<script>") || strings.Contains(a.text, "<style") || strings.Contains(a.text, "style=")) {
			t.Errorf("%s has inline scripts or styles", path)
		}
	}
}

// A malformed query is a 400 on every path of the API and the console that names the parameter; without a key it
// is a 401 first.
func TestMalformedQueries(t *testing.T) {
	t.Parallel()
	s := newTarget(t, "TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LIMIT_PUBLIC=0")
	for _, path := range []string{"/api/declarations", "/api/audit", "/api/hubs", "/api/deadlines", "/api/export/clients", "/api/openapi.json", "/api/webhooks/endpoints"} {
		for query, named := range map[string]string{
			"cursor=%%%": "cursor", "limit=5&cursor=%zz": "cursor", "a;b": "query", "cursor=x;y": "cursor", "%%%": "query", "%=1": "query",
		} {
			a := s.call("GET", path+"?"+query, "", s.bearer())
			if a.status != 400 || a.code() != "invalid_request" || !strings.Contains(a.text, `"field":"`+named+`"`) {
				t.Errorf("%s?%s: %d %s", path, query, a.status, a.text)
			}
		}
	}
	if a := s.call("POST", "/api/clients?x=%%%", `{"name":"X"}`, s.bearer(), "Content-Type: application/json"); a.status != 400 {
		t.Errorf("POST: %d", a.status)
	}
	if a := s.call("GET", "/api/declarations?cursor=%%%", ""); a.status != 401 {
		t.Errorf("without a key: %d", a.status)
	}
	for _, path := range []string{"/sign-in?next=%%%", "/sign-in?a;b", "/?x=%"} {
		if a := s.call("GET", path, "", "Accept: text/html"); a.status != 400 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

// Profiles are on the metrics listener only.
func TestProfiles(t *testing.T) {
	t.Parallel()
	s := newTarget(t, "TIDEWAITER_METRICS_ADDR="+net.JoinHostPort("127.0.0.1", strconv.Itoa(port.For(t))))
	if _, status := program.Get(t, "http://"+s.Settings["TIDEWAITER_METRICS_ADDR"]+"/debug/pprof/goroutine?debug=1"); status != http.StatusOK {
		t.Errorf("the metrics listener answers %d", status)
	}
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/api/debug/pprof/", "/metrics"} {
		if a := s.call("GET", path, "", s.bearer(), "Accept: text/html"); a.status == 200 && !strings.Contains(a.text, "Sign in") || strings.Contains(a.text, "goroutine") {
			t.Errorf("%s: %d", path, a.status)
		}
	}
}

// A request's log line names the organisation and the key or user.
func TestLogsNameTheCaller(t *testing.T) {
	t.Parallel()
	s := newTarget(t)
	s.call("GET", "/api/hubs", "", s.bearer())
	if inside := s.join("nina@quay.example"); !inside() {
		t.Fatal("the new user is not signed in")
	}
	organisation := `"organisation":"` + s.org + `"`
	for request, wants := range map[string][]string{
		`"path":"/api/hubs"`:     {organisation, `"keyId":"`, `"userId":"`},
		`"page":"GET /settings"`: {organisation, `"userId":"`},
	} {
		line := ""
		until(t, request+" is in the log", func() bool { line = lineWith(s.Log.String(), request); return line != "" })
		for _, want := range wants {
			if !strings.Contains(line, want) {
				t.Errorf("no %s in %s", want, line)
			}
		}
	}
	if strings.Contains(s.Log.String(), s.key) || strings.Contains(s.Log.String(), "nina@quay.example") {
		t.Error("the key or the e-mail address is in the log")
	}
}

// lineWith is the first line of a log with a text; empty if there is none.
func lineWith(log, text string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}
