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

// A key has a version too, which rises with each rotation. Its last use is part of the ETag of a read, so that 304 hides
// no use, and no part of the version.
func TestVersionOfKeys(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		user, made := c.makeKey(t, map[string]any{"role": "VIEWER"})
		one := keysPath + "/" + made.in("key", "id").(string)
		unused := c.call("GET", one, nil).want(t, 200)
		c.call("GET", one, nil, "If-None-Match", unused.header.Get("ETag")).want(t, 304)
		user.call("GET", "/api/me", nil).want(t, 200)
		var used answer
		c.eventually("recorded use", func() bool {
			used = c.call("GET", one, nil, "If-None-Match", unused.header.Get("ETag"))
			return used.status == 200
		})
		if made.version(t) != 1 || unused.header.Get("ETag") != quoted(1) || !strings.HasPrefix(used.header.Get("ETag"), `"1-`) {
			t.Errorf("ETags %q, %q and %q", made.header.Get("ETag"), unused.header.Get("ETag"), used.header.Get("ETag"))
		}
		c.call("POST", one+"/rotate", nil, "If-Match", quoted(2)).refused(t, 412, "precondition_failed")
		user.call("GET", "/api/me", nil).want(t, 200)
		rotated := c.call("POST", one+"/rotate", nil, "If-Match", used.header.Get("ETag"), "Idempotency-Key", "r").want(t, 200)
		again := c.call("POST", one+"/rotate", nil, "If-Match", used.header.Get("ETag"), "Idempotency-Key", "r").want(t, 200)
		if rotated.version(t) != 2 || again.text != rotated.text || again.version(t) != 2 {
			t.Errorf("rotation: %v, then %v", rotated.header, again.header)
		}
		c.call("DELETE", one, nil, "If-Match", quoted(1)).refused(t, 412, "precondition_failed")
		c.call("DELETE", one, nil, "If-Match", quoted(2)).want(t, 200)
		c.call("DELETE", one, nil, "If-Match", quoted(3)).refused(t, 404, "not_found")
	})
}
