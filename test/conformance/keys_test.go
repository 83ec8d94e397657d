package conformance

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const keysPath = "/api/keys"

// makeKey creates a key by API and returns a caller that uses it, and the answer.
func (c *caller) makeKey(t *testing.T, body map[string]any) (*caller, answer) {
	t.Helper()
	whole := map[string]any{"name": "K", "role": "OWNER"}
	maps.Copy(whole, body)
	a := c.call("POST", keysPath, whole).want(t, 201)
	return &caller{c.server, c.org, a.in("secret").(string)}, a
}

// scopesKnown are documented scopes of some operations: clients, shipments, imports and webhooks belong to
// customs, and reading needs only the read scope.
var scopesKnown = map[string]string{
	"list-clients": "customs:read", "create-client": "customs:write", "update-shipment": "customs:write", "commit-client-import": "customs:write",
	"preview-client-import": "customs:read", "submit-declaration": "customs:write", "create-webhook-endpoint": "customs:write", "list-webhook-endpoints": "customs:read",
	"list-keys": "*:read", "create-key": "*:write", "delete-key": "*:write", "list-audit-events": "*:read", "update-organisation": "*:write", "get-organisation": "*:read",
	"submit-tss-declaration": "tss:write", "review-tss-declaration": "tss:read", "create-tax-return": "tax:write", "classify-trade": "trade:read",
}

// A key with one scope is refused by every operation that needs another, and accepted by each that needs none or
// its own. An operation without a scope in the document is public or open to every key.
func TestScopesOfEveryOperation(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		open := map[string]bool{
			"get-me": true, "create-batch": true, "get-batch": true, "cancel-batch": true, "list-batch-results": true, "rotate-key": true, "get-audit-key": true, "create-sandbox": true, "receive-customs-message": true, "receive-authority-notification": true, "answer-notification-challenge": true, "get-deadline-calendar": true,
		}
		callers := map[string]*caller{}
		for _, scope := range []string{"customs:read", "customs:write", "tss:read", "*:read", "*:write"} {
			callers[scope], _ = owner.makeKey(t, map[string]any{"scopes": []string{scope}})
		}
		probes := probes(t)
		for path, item := range p.document.Paths.Map() {
			for method, op := range item.Operations() {
				needed, _ := op.Extensions["x-required-scope"].(string)
				if want := scopesKnown[op.OperationID]; want != "" && needed != want {
					t.Errorf("%s needs %q, want %q", op.OperationID, needed, want)
				}
				if needed == "" {
					if !open[op.OperationID] {
						t.Errorf("%s needs no scope", op.OperationID)
					}
					continue
				}
				_, verb, _ := strings.Cut(needed, ":")
				for scope, c := range callers {
					if scope == "*:write" && (op.OperationID == "disable-hub" || strings.HasPrefix(op.OperationID, "delete-")) {
						continue // it would change what the other operations need
					}
					pr := probes[op.OperationID]
					body := pr.body
					if make, ok := body.(func(string) any); ok {
						body = make(unknownID)
					}
					a := c.call(method, strings.NewReplacer("{id}", unknownID, "{deliveryId}", unknownID, "{code}", "9405210010").Replace(path), body, pr.headers...)
					if refused := a.status == 403 && a.body["error"] == "scope_required"; refused == (scope == needed || scope == "*:"+verb) {
						t.Errorf("%s needs %s; a key with %s is answered %d %s", op.OperationID, needed, scope, a.status, a.text)
					}
				}
			}
		}
	}, "TIDEWAITER_LIMIT_AI=0")
}

// A key cannot be used from an address outside its networks. Behind a proxy the client's address counts, and the
// refusal is an event.
func TestKeyAddresses(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b, "TIDEWAITER_TRUSTED_PROXIES=127.0.0.1/32")
		owner := p.organisation("A")
		away, made := owner.makeKey(t, map[string]any{"addresses": []string{"203.0.113.0/24", "2001:db8::/32"}})
		if got := made.in("key", "addresses").([]any); len(got) != 2 || got[0] != "203.0.113.0/24" {
			t.Errorf("addresses: %v", got)
		}
		away.call("GET", "/api/clients", nil).refused(t, 403, "address_not_allowed")
		for address, status := range map[string]int{"203.0.113.9": 200, "203.0.114.9": 403, "2001:db8::1": 200, "2001:db9::1": 403} {
			a := away.call("GET", "/api/me", nil, "X-Forwarded-For", address)
			if a.status != status {
				t.Errorf("from %s: %d %s", address, a.status, a.text)
			}
		}
		events := owner.call("GET", "/api/audit?eventType=key.use.refused", nil).want(t, 200)
		if !strings.Contains(events.text, "address_not_allowed") || !strings.Contains(events.text, made.in("key", "id").(string)) {
			t.Errorf("the trail: %s", events.text)
		}
		for _, bad := range []any{[]string{}, []string{"203.0.113.9"}, []string{"203.0.113.9/24"}, []string{"x"}, "203.0.113.0/24"} {
			if a := owner.call("POST", keysPath, map[string]any{"name": "K", "role": "VIEWER", "addresses": bad}).refused(t, 400, "invalid_request"); !slices.ContainsFunc(a.fields(), func(f string) bool { return strings.HasPrefix(f, "addresses") }) {
				t.Errorf("%v: %s", bad, a.text)
			}
		}
	})
}

// A key created by API expires after a year unless the caller chooses otherwise.
func TestKeyExpiry(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		end := func(body map[string]any) any {
			_, a := owner.makeKey(t, body)
			return a.in("key", "expiresAt")
		}
		text, _ := end(nil).(string)
		if at, err := time.Parse(time.RFC3339, text); err != nil || at.Before(time.Now().AddDate(0, 0, 364)) || at.After(time.Now().AddDate(0, 0, 367)) {
			t.Errorf("without an expiry in the request: %v", text)
		}
		if got := end(map[string]any{"neverExpires": true}); got != nil {
			t.Errorf("never: %v", got)
		}
		if got := end(map[string]any{"expiresAt": "2099-01-02T03:04:05Z"}); got != "2099-01-02T03:04:05.000Z" {
			t.Errorf("as requested: %v", got)
		}
		for _, bad := range []map[string]any{
			{"expiresAt": "2020-01-01T00:00:00Z"}, {"expiresAt": "2099-01-01T00:00:00Z", "neverExpires": true}, {"expiresAt": "soon"},
			{"scopes": []string{}}, {"scopes": []string{"customs"}}, {"scopes": []string{"quay:read"}}, {"role": "KING"}, {"name": ""}, {"odd": 1},
		} {
			whole := map[string]any{"name": "K", "role": "VIEWER"}
			maps.Copy(whole, bad)
			owner.call("POST", keysPath, whole).refused(t, 400, "invalid_request")
		}
		wrong := map[string]any{"role": "KING", "scopes": []string{"quay:read"}, "addresses": []string{"here"}, "expiresAt": "2020-01-01T00:00:00Z", "odd": 1}
		named := owner.call("POST", keysPath, wrong).refused(t, 400, "invalid_request").fields()
		if slices.Sort(named); strings.Join(named, " ") != "addresses expiresAt name odd role scopes" {
			t.Errorf("the answer names %v", named)
		}
	})
}

// By API a key cannot create a key with more rights or a longer life than its own; missing values are limited to
// its own.
func TestKeyMakesNoWiderKey(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		soon := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Second).Format(time.RFC3339)
		maker, _ := owner.makeKey(t, map[string]any{"scopes": []string{"*:read", "*:write"}, "expiresAt": soon, "addresses": []string{"127.0.0.0/8"}})
		narrow, _ := maker.makeKey(t, map[string]any{"scopes": []string{"*:write", "tss:read"}})
		if _, a := maker.makeKey(t, nil); len(a.in("key", "scopes").([]any)) != 2 || a.in("key", "addresses").([]any)[0] != "127.0.0.0/8" ||
			a.in("key", "expiresAt") != strings.TrimSuffix(soon, "Z")+".000Z" {
			t.Errorf("limited to the creator's: %s", a.text)
		}
		wider := func(c *caller, code string, body map[string]any) {
			t.Helper()
			whole := map[string]any{"name": "K", "role": "OWNER"}
			maps.Copy(whole, body)
			c.call("POST", keysPath, whole).refused(t, 403, code)
		}
		wider(maker, "scope_required", map[string]any{"neverExpires": true})
		wider(maker, "scope_required", map[string]any{"expiresAt": "2099-01-01T00:00:00Z"})
		wider(maker, "address_not_allowed", map[string]any{"addresses": []string{"0.0.0.0/0"}})
		wider(narrow, "scope_required", map[string]any{"scopes": []string{"customs:read"}})
		wider(narrow, "scope_required", map[string]any{"scopes": []string{"*:read"}})
		wider(owner.as("MEMBER"), "owner_role_required", map[string]any{"role": "VIEWER"})
		customs, _ := owner.makeKey(t, map[string]any{"scopes": []string{"customs:read", "customs:write"}})
		wider(customs, "scope_required", map[string]any{"scopes": []string{"customs:read"}})
	})
}

// A rotated key keeps its id and its idempotency records. The former secret works beside the new one, can repeat
// the rotation, and cannot start another one.
func TestKeyRotation(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		old, made := owner.makeKey(t, map[string]any{"role": "MEMBER", "scopes": []string{"customs:write"}})
		id := made.in("key", "id").(string)
		client := old.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "c").want(t, 201)
		first := old.call("POST", keysPath+"/"+id+"/rotate", nil, "Idempotency-Key", "r").want(t, 200)
		secret := first.in("secret").(string)
		if secret == old.key || first.in("key", "id") != id || first.in("key", "lastFour") != secret[len(secret)-4:] || first.in("key", "expiresAt") != made.in("key", "expiresAt") {
			t.Errorf("rotated: %s", first.text)
		}
		fresh := &caller{p, owner.org, secret}
		if a := fresh.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "c").want(t, 201); a.id() != client.id() {
			t.Error("the idempotency record was lost")
		}
		if a := old.call("POST", keysPath+"/"+id+"/rotate", nil, "Idempotency-Key", "r").want(t, 200); a.text != first.text {
			t.Errorf("repeated by the former secret: %s", a.text)
		}
		old.call("POST", keysPath+"/"+id+"/rotate", nil).refused(t, 403, "owner_role_required")
		owner.call("POST", keysPath+"/"+id+"/rotate", nil).want(t, 200)
		old.call("GET", "/api/me", nil).refused(t, 401, "unauthorized") // two rotations ago
		fresh.call("GET", "/api/me", nil).want(t, 200)                  // one rotation ago
		other, _ := owner.makeKey(t, map[string]any{"role": "MEMBER"})
		other.call("POST", keysPath+"/"+id+"/rotate", nil).refused(t, 403, "owner_role_required")
		owner.call("POST", keysPath+"/"+unknownID+"/rotate", nil).refused(t, 404, "not_found")
		owner.call("DELETE", keysPath+"/"+id, nil).want(t, 200)
		fresh.call("GET", "/api/me", nil).refused(t, 401, "unauthorized")
		owner.call("POST", keysPath+"/"+id+"/rotate", nil).refused(t, 404, "not_found")
		owner.call("GET", keysPath+"/"+id, nil).refused(t, 404, "not_found")
		owner.call("DELETE", keysPath+"/"+id, nil).refused(t, 404, "not_found")
		if a := owner.call("GET", "/api/audit?eventType=key.rotated", nil).want(t, 200); len(a.in("events").([]any)) != 2 || strings.Contains(a.text, secret) {
			t.Errorf("the trail: %s", a.text)
		}
	})
}

// The list shows each active key once, in pages; a key can read its own properties.
func TestKeyListAndMe(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		for range 4 {
			owner.makeKey(t, nil)
		}
		var seen []string
		for cursor := ""; ; {
			a := owner.call("GET", keysPath+"?limit=2&cursor="+cursor, nil).want(t, 200)
			for _, k := range a.in("keys").([]any) {
				seen = append(seen, k.(map[string]any)["id"].(string))
			}
			if a.in("hasMore") != true {
				break
			}
			cursor = a.in("nextCursor").(string)
		}
		if all := slices.Compact(slices.Sorted(slices.Values(seen))); len(seen) != 5 || len(all) != 5 {
			t.Errorf("%d keys in pages, %d different", len(seen), len(all))
		}
		viewer, made := owner.makeKey(t, map[string]any{"role": "VIEWER", "scopes": []string{"gvms:read"}})
		me := viewer.call("GET", "/api/me", nil).want(t, 200)
		if me.in("organisation", "id") != owner.org || me.in("organisation", "name") != "A" || me.in("user", "name") != "A" || me.in("key", "id") != made.in("key", "id") ||
			me.in("role") != "VIEWER" || len(me.in("scopes").([]any)) != 1 || me.in("mode") != "simulator" || strings.Contains(me.text, "svc_") {
			t.Errorf("me: %s", me.text)
		}
		viewer.call("GET", keysPath, nil).refused(t, 403, "read_only_key")
		if a := owner.call("GET", "/api/me", nil).want(t, 200); a.in("scopes") != nil || a.in("role") != "OWNER" || a.in("key", "expiresAt") != nil {
			t.Errorf("me: %s", a.text)
		}
	})
}

// The operator's commands can limit and rotate keys, too.
func TestKeyCommands(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		made := p.command("key", "create", "--org", owner.org, "--role", "VIEWER", "--name", "K", "--scope", "gvms:read", "--scope", "customs:read", "--address", "127.0.0.0/8", "--expires", "48h", "--json")
		c := &caller{p, owner.org, made["apiKey"].(string)}
		me := c.call("GET", "/api/me", nil).want(t, 200)
		if len(me.in("scopes").([]any)) != 2 || me.in("key", "addresses").([]any)[0] != "127.0.0.0/8" || me.in("key", "expiresAt") == nil {
			t.Errorf("made by command: %s", me.text)
		}
		rotated := p.command("key", "rotate", "--org", owner.org, made["keyId"].(string), "--json")
		if rotated["keyId"] != made["keyId"] || rotated["apiKey"] == made["apiKey"] {
			t.Errorf("rotated: %v", rotated)
		}
		(&caller{p, owner.org, rotated["apiKey"].(string)}).call("GET", "/api/me", nil).want(t, 200)
		if _, err := p.runOperator("key", "create", "--org", owner.org, "--role", "VIEWER", "--name", "K", "--scope", "quay:read"); err == nil {
			t.Error("an unknown Hub is a scope")
		}
	})
}
