package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Each response of a deprecated operation, errors included, says since when it is deprecated and until when it stays
// (RFC 9745, RFC 8594). Other operations say nothing.
func TestDeprecationHeaders(t *testing.T) {
	f := newFixture(t, nil)
	f.server.MountDeprecated(time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), time.Date(2027, 11, 24, 0, 0, 0, 0, time.UTC), "GET /api/me")
	viewer := f.newKey(access.NewKey{Role: tenant.Viewer})
	for name, c := range map[string]struct {
		status  int
		headers []string
	}{
		"success":      {200, nil},
		"missing":      {404, []string{"If-None-Match", "*"}},
		"wrong key":    {401, []string{"Authorization", "Bearer svc_none"}},
		"not an OWNER": {403, []string{"Authorization", "Bearer " + viewer}},
	} {
		a := f.send("GET", "/api/test/old", "", c.headers...)
		if a.status != c.status || a.header.Get("Deprecation") != "@1795478400" || a.header.Get("Sunset") != "Wed, 24 Nov 2027 00:00:00 GMT" {
			t.Errorf("%s: %d with Deprecation %q and Sunset %q", name, a.status, a.header.Get("Deprecation"), a.header.Get("Sunset"))
		}
	}
	for _, path := range []string{"/api/me", "/api/test/none"} {
		if a := f.send("GET", path, ""); a.header.Get("Deprecation") != "" || a.header.Get("Sunset") != "" {
			t.Errorf("%s is answered with %v", path, a.header)
		}
	}
}

// The OpenAPI document marks a deprecated operation, and names its dates, its headers and its successor.
func TestDeprecationInDocument(t *testing.T) {
	f := newFixture(t, nil)
	f.server.MountDeprecated(time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), time.Date(2027, 11, 24, 0, 0, 0, 0, time.UTC), "GET /api/me")
	var document struct {
		Paths map[string]map[string]struct {
			Deprecated  bool
			Description string
			Since       string `json:"x-deprecated-since"`
			Sunset      string `json:"x-sunset"`
			Responses   map[string]struct{ Headers map[string]any }
		}
	}
	f.must(json.Unmarshal(f.server.Document(), &document))
	old := document.Paths["/api/test/old"]["get"]
	if !old.Deprecated || old.Since != "2026-11-24" || old.Sunset != "2027-11-24" || !strings.HasSuffix(old.Description, "Use GET /api/me instead") {
		t.Errorf("%+v", old)
	}
	if h := old.Responses["200"].Headers; h["Deprecation"] == nil || h["Sunset"] == nil {
		t.Errorf("headers %v", h)
	}
	if me := document.Paths["/api/me"]["get"]; me.Deprecated || me.Sunset != "" {
		t.Errorf("/api/me: %+v", me)
	}
}
