package conformance

import (
	"strings"
	"testing"
)

// The organisation and its webhook endpoints have versions like records: a change that names another version is 412 and
// changes nothing.
func TestVersionsOfSettings(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		made := c.call("POST", endpoints, `{"url":"https://example.com/hook","events":["*"]}`).want(t, 200)
		endpoint := endpoints + "/" + made.id()
		for one, change := range map[string]string{"/api/organisation": `{"name":"B"}`, endpoint: `{"active":false}`} {
			before := c.call("GET", one, nil).want(t, 200)
			version := before.version(t)
			c.checkReads(one, version)
			c.call("PATCH", one, change, "If-Match", quoted(version+1)).refused(t, 412, "precondition_failed")
			if a := c.call("GET", one, nil).want(t, 200); a.text != before.text {
				t.Errorf("%s changed: %s", one, a.text)
			}
			changed := c.call("PATCH", one, change, "If-Match", quoted(version)).want(t, 200)
			if changed.version(t) <= version {
				t.Errorf("%s: %s left the version at %d", one, change, changed.version(t))
			}
			c.checkReads(one, changed.version(t))
			c.call("PATCH", one, change, "If-Match", quoted(version)).refused(t, 412, "precondition_failed")
		}
		if v := made.version(t); v != 1 {
			t.Errorf("a new endpoint has version %d", v)
		}
		rotated := c.call("POST", endpoint+"/rotate-secret", nil, "If-Match", quoted(1)).refused(t, 412, "precondition_failed")
		if strings.Contains(rotated.text, "whsec_") {
			t.Error(rotated.text)
		}
		version := c.call("GET", endpoint, nil).version(t)
		rotated = c.call("POST", endpoint+"/rotate-secret", nil, "If-Match", quoted(version)).want(t, 200)
		c.call("DELETE", endpoint, nil, "If-Match", quoted(version)).refused(t, 412, "precondition_failed")
		c.call("DELETE", endpoint, nil, "If-Match", quoted(rotated.version(t))).want(t, 200)
	})
}
