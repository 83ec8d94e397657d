package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	endpoints    = "/api/webhooks/endpoints"
	allowPrivate = "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true"
)

// receiver receives deliveries and answers with a status that the test sets.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []delivery
}

type delivery struct {
	header http.Header
	text   []byte
	body   map[string]any
}

// receive starts a receiver with a path of the test's own: its port may have been that of an earlier receiver, to
// which the server still tries to deliver.
func receive(t *testing.T) *receiver {
	t.Helper()
	h, path := &receiver{status: 200}, "/"+strings.ReplaceAll(t.Name(), "/", "-")
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			http.NotFound(w, r)
			return
		}
		text, _ := io.ReadAll(r.Body)
		d := delivery{header: r.Header.Clone(), text: text}
		_ = json.Unmarshal(text, &d.body)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got = append(h.got, d)
		w.WriteHeader(h.status)
		_, _ = io.WriteString(w, "noted")
	}))
	h.URL += path
	t.Cleanup(h.Close)
	return h
}

func (h *receiver) answers(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

func (h *receiver) arrivals() []delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.got)
}

// arrive waits for a number of deliveries.
func (h *receiver) arrive(t *testing.T, n int) []delivery {
	t.Helper()
	for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if got := h.arrivals(); len(got) >= n {
			return got
		}
	}
	t.Fatalf("%d deliveries after %s, want %d", len(h.arrivals()), waitLimit, n)
	return nil
}

// endpoint creates an endpoint.
func (c *caller) endpoint(url string, events ...string) (id, secret string) {
	c.t.Helper()
	body := map[string]any{"url": url}
	if events != nil {
		body["events"] = events
	}
	a := c.call("POST", endpoints, body).want(c.t, 200)
	return a.in("endpoint", "id").(string), a.in("endpoint", "secret").(string)
}

// hook creates an endpoint that contains the canary, and a delivery to it.
func (c *caller) hook() (id, delivery string) {
	c.t.Helper()
	a := c.call("POST", endpoints, map[string]any{"url": "https://canary.example/hook", "description": canary}).want(c.t, 200)
	id = a.in("endpoint", "id").(string)
	delivery, _ = c.call("POST", endpoints+"/"+id+"/test", nil).want(c.t, 200).in("delivery", "id").(string)
	return id, delivery
}

// An endpoint is created, shown, corrected, paused, resumed and deleted as documented.
func TestWebhookEndpoints(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		made := c.call("POST", endpoints, `{"url":"https://example.com/hook?x=1","description":"ERP","events":["declaration.cleared"]}`).want(t, 200)
		id := made.in("endpoint", "id").(string)
		secret, _ := made.in("endpoint", "secret").(string)
		if !strings.HasPrefix(secret, "whsec_") || len(secret) != 50 || made.in("endpoint", "active") != true ||
			made.in("endpoint", "secretHint") != "whsec_…"+secret[46:] {
			t.Errorf("made: %s", made.text)
		}
		shown := c.call("GET", endpoints+"/"+id, nil).want(t, 200)
		delete(made.body["endpoint"].(map[string]any), "secret")
		if !reflect.DeepEqual(shown.body, made.body) {
			t.Errorf("shown: %s, made: %s", shown.text, made.text)
		}
		second, _ := c.endpoint("https://example.com/second")
		if all := c.call("GET", endpoints, nil).want(t, 200).body["endpoints"].([]any); len(all) != 2 || all[1].(map[string]any)["id"] != second || !reflect.DeepEqual(all[0], shown.body["endpoint"]) {
			t.Errorf("list: %v", all)
		}
		if a := c.call("PATCH", endpoints+"/"+id, `{"url":"https://example.org/","description":null,"events":[],"active":false}`).want(t, 200); a.in("endpoint", "url") != "https://example.org/" ||
			a.in("endpoint", "description") != nil || len(a.in("endpoint", "events").([]any)) != 0 || a.in("endpoint", "active") != false || a.in("endpoint", "secret") != nil {
			t.Errorf("corrected: %s", a.text)
		}
		if a := c.call("PATCH", endpoints+"/"+id, `{}`).want(t, 200); a.in("endpoint", "active") != false || a.in("endpoint", "url") != "https://example.org/" {
			t.Errorf("unchanged: %s", a.text)
		}
		c.call("POST", endpoints+"/"+id+"/test", nil).refused(t, 400, "endpoint_paused")
		if a := c.call("PATCH", endpoints+"/"+id, `{"active":true,"events":["*"]}`).want(t, 200); a.in("endpoint", "active") != true {
			t.Errorf("resumed: %s", a.text)
		}
		if a := c.call("DELETE", endpoints+"/"+id, nil).want(t, 200); a.text != `{"success":true}` {
			t.Errorf("deleted: %s", a.text)
		}
		for _, gone := range []string{id, unknownID, "5"} {
			c.call("GET", endpoints+"/"+gone, nil).refused(t, 404, "not_found")
			c.call("PATCH", endpoints+"/"+gone, `{}`).refused(t, 404, "not_found")
			c.call("DELETE", endpoints+"/"+gone, nil).refused(t, 404, "not_found")
			c.call("POST", endpoints+"/"+gone+"/test", nil).refused(t, 404, "not_found")
			c.call("POST", endpoints+"/"+gone+"/rotate-secret", nil).refused(t, 404, "not_found")
			c.call("GET", endpoints+"/"+gone+"/deliveries", nil).refused(t, 404, "not_found")
			c.call("POST", endpoints+"/"+gone+"/deliveries/"+unknownID+"/resend", nil).refused(t, 404, "not_found")
		}
		c.call("POST", endpoints+"/"+second+"/deliveries/"+unknownID+"/resend", nil).refused(t, 404, "not_found")
		c.call("POST", endpoints+"/"+second+"/deliveries/5/resend", nil).refused(t, 404, "not_found")
		var past []string
		for _, e := range c.call("GET", "/api/audit?hub=webhooks", nil).want(t, 200).body["events"].([]any) {
			past = append(past, strings.TrimPrefix(e.(map[string]any)["eventType"].(string), "webhook.endpoint."))
		}
		if got := strings.Join(past, " "); got != "deleted resumed updated paused created created" {
			t.Errorf("trail: %s", got)
		}
	})
}

// Own headers and schedule are shown; credentials are kept through changes and shown only as set.
func TestWebhookOptions(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		grant := `"oauth":{"tokenUrl":"https://login.example.com/token","clientId":"a","clientSecret":"hidden"}`
		id := c.call("POST", endpoints, `{"url":"https://example.com/","headers":{"X-Branch":"Dover"},"retry":{"schedule":[5,60],"timeoutSeconds":30},`+grant+`}`).want(t, 200).in("endpoint", "id").(string)
		c.call("PATCH", endpoints+"/"+id, `{"description":"Bank"}`).want(t, 200)
		shown := c.call("GET", endpoints+"/"+id, nil).want(t, 200)
		if e := shown.body["endpoint"].(map[string]any); fmt.Sprint(e["headers"], e["retry"], e["oauth"], e["mtls"]) != "map[X-Branch:Dover] map[schedule:[5 60] timeoutSeconds:30] map[set:true] <nil>" {
			t.Errorf("shown: %s", shown.text)
		}
		if a := c.call("PATCH", endpoints+"/"+id, `{"oauth":null,"retry":{},"headers":null}`).want(t, 200); strings.Contains(a.text, "oauth") || strings.Contains(a.text, "retry") || strings.Contains(a.text, "X-Branch") {
			t.Errorf("removed: %s", a.text)
		}
		for body, fields := range map[string][]string{
			`{"headers":{"webhook-id":"x","X-A":"a\nb"}}`: {"headers.X-A", "headers.webhook-id"},
			`{"retry":{"schedule":[0,90000]}}`:            {"retry.schedule[0]", "retry.schedule[1]"},
			`{"retry":{"timeoutSeconds":61}}`:             {"retry.timeoutSeconds"},
			`{"mtls":{"certificate":"x","key":"y"}}`:      {"mtls"},
			`{"mtls":{"certificate":"x"}}`:                {"mtls.key"},
			`{"oauth":{"tokenUrl":"http://127.0.0.1/","clientId":"a","clientSecret":"b"},"headers":{"Authorization":"c"}}`: {"headers.Authorization", "oauth.tokenUrl"},
		} {
			if got := c.call("PATCH", endpoints+"/"+id, body).refused(t, 400, "invalid_request").fields(); !reflect.DeepEqual(sorted(got), fields) {
				t.Errorf("%s: %v, not %v", body, got, fields)
			}
		}
	})
}

// hostile are addresses to which nothing is sent unless the operator allows it.
var hostile = []string{
	"http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.0.0.1./", "http://localhost/",
	"http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://0.0.0.0/", "http://0/",
	"http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://metadata.google.internal/",
	"http://１２７.0.0.1/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "//example.com/", "example.com", "https://", "https:///hook",
	"https://user:pass@example.com/", "https://example.com:0/", "https://example.com:99999/", "https://example.com/#x", "https://exa mple.com/", "https://example.com\\@127.0.0.1/",
	"javascript:alert(1)", "https://example.com/" + strings.Repeat("a", 2048),
}

// A hostile or invalid URL, an unknown event type and one endpoint too many are a 400 that names the field, on
// creation and correction, and store nothing.
func TestWebhookEndpointsAreRefused(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id, _ := c.endpoint("https://example.com/")
		for _, url := range hostile {
			for _, a := range []answer{
				c.call("POST", endpoints, map[string]any{"url": url}), c.call("PATCH", endpoints+"/"+id, map[string]any{"url": url}),
			} {
				if got := a.refused(t, 400, "invalid_request").fields(); !reflect.DeepEqual(got, []string{"url"}) {
					t.Errorf("%s: %s", url, a.text)
				}
			}
		}
		for body, fields := range map[string][]string{
			`{}`: {"url"}, `{"url":""}`: {"url"}, `{"url":5}`: {"url"}, `{"url":"https://a.example/","zzz":1}`: {"zzz"}, `{"url":"https://a.example/","active":true}`: {"active"},
			`{"url":"https://a.example/","events":["declaration.cleared","nothing.happened","cleared"]}`: {"events[1]", "events[2]"},
			`{"url":"https://a.example/","events":"*"}`:                                                  {"events"},
			`{"url":"http://127.0.0.1/","events":["x"]}`:                                                 {"events[0]", "url"},
			`{"url":"https://a.example/","description":"` + strings.Repeat("a", 501) + `"}`:              {"description"},
		} {
			if got := c.call("POST", endpoints, body).refused(t, 400, "invalid_request").fields(); !reflect.DeepEqual(sorted(got), fields) {
				t.Errorf("%.80s: %v, not %v", body, got, fields)
			}
		}
		for body, fields := range map[string][]string{`{"url":null}`: {"url"}, `{"active":null}`: {"active"}, `{"active":"no"}`: {"active"}, `{"secret":"x"}`: {"secret"}, `{"events":["x"]}`: {"events[0]"}} {
			if got := c.call("PATCH", endpoints+"/"+id, body).refused(t, 400, "invalid_request").fields(); !reflect.DeepEqual(got, fields) {
				t.Errorf("%s: %v, not %v", body, got, fields)
			}
		}
		if all := c.call("GET", endpoints, nil).want(t, 200).body["endpoints"].([]any); len(all) != 1 || all[0].(map[string]any)["url"] != "https://example.com/" {
			t.Errorf("stored: %v", all)
		}
		for range 99 {
			c.endpoint("https://example.com/")
		}
		c.call("POST", endpoints, `{"url":"https://example.com/"}`).refused(t, 400, "invalid_request")
	})
}

// A VIEWER reads and changes nothing; a MEMBER does everything if an OWNER allows it.
func TestWebhookRoles(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id, _ := c.endpoint("https://example.com/")
		viewer, member := c.as("VIEWER"), c.as("MEMBER")
		for _, path := range []string{endpoints, endpoints + "/" + id, endpoints + "/" + id + "/deliveries", "/api/webhooks/event-types"} {
			viewer.call("GET", path, nil).want(t, 200)
			p.call("", "GET", path, nil).refused(t, 401, "unauthorized")
		}
		viewer.call("POST", endpoints, `{"url":"https://example.com/"}`).refused(t, 403, "read_only_key")
		viewer.call("PATCH", endpoints+"/"+id, `{"active":false}`).refused(t, 403, "read_only_key")
		viewer.call("DELETE", endpoints+"/"+id, nil).refused(t, 403, "read_only_key")
		for _, action := range []string{"/test", "/rotate-secret", "/deliveries/" + unknownID + "/resend"} {
			viewer.call("POST", endpoints+"/"+id+action, nil).refused(t, 403, "read_only_key")
		}
		c.call("PATCH", "/api/organisation", `{"membersMayManageWebhooks":true}`).want(t, 200)
		member.call("PATCH", endpoints+"/"+id, `{"active":false}`).want(t, 200)
		member.call("POST", endpoints+"/"+id+"/rotate-secret", nil).want(t, 200)
		member.call("DELETE", endpoints+"/"+id, nil).want(t, 200)
	})
}

// Test and resend answer with the completed attempt; a failed one is not retried.
func TestTestAndResend(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, r := p.organisation("A"), receive(t)
		id, secret := c.endpoint(r.URL, "client.created")
		path := endpoints + "/" + id
		ping := c.call("POST", path+"/test", nil).want(t, 200)
		d := ping.in("delivery").(map[string]any)
		if d["status"] != "DELIVERED" || d["httpStatus"] != 200.0 || d["eventType"] != "webhook.ping" || d["attempts"] != 1.0 || d["responseBody"] != "noted" ||
			d["endpointId"] != id || d["deliveredAt"] == nil || d["nextAttemptAt"] != nil || d["originalId"] != nil {
			t.Errorf("ping: %s", ping.text)
		}
		client := c.client()
		got := r.arrive(t, 2)[1]
		if got.body["type"] != "client.created" || got.body["data"].(map[string]any)["object"].(map[string]any)["id"] != client {
			t.Errorf("arrived: %s", got.text)
		}
		var original string
		for original == "" {
			newest := c.call("GET", path+"/deliveries", nil).want(t, 200).body["deliveries"].([]any)[0].(map[string]any)
			if newest["status"] == "DELIVERED" {
				original = newest["id"].(string)
			}
		}
		again := c.call("POST", path+"/deliveries/"+original+"/resend", nil).want(t, 200)
		copied := r.arrive(t, 3)[2]
		if again.body["originalId"] != original || again.in("delivery", "originalId") != original || again.in("delivery", "id") == original ||
			again.in("delivery", "status") != "DELIVERED" || string(copied.text) != string(got.text) || copied.header.Get("Webhook-Id") != got.header.Get("Webhook-Id") {
			t.Errorf("again: %s", again.text)
		}
		w, _ := standardwebhooks.NewWebhook(secret)
		for _, d := range r.arrivals() {
			if err := w.Verify(d.text, d.header); err != nil {
				t.Errorf("%v: %v", err, d.header)
			}
		}
		r.answers(500)
		for _, action := range []string{"/test", "/deliveries/" + original + "/resend"} {
			if a := c.call("POST", path+action, nil).want(t, 200); a.in("delivery", "status") != "FAILED" || a.in("delivery", "httpStatus") != 500.0 ||
				a.in("delivery", "nextAttemptAt") != nil || a.in("delivery", "error") != "the receiver answered 500" {
				t.Errorf("failed: %s", a.text)
			}
		}
		c.call("PATCH", path, `{"active":false}`).want(t, 200)
		c.call("POST", path+"/test", nil).refused(t, 400, "endpoint_paused")
		c.call("POST", path+"/deliveries/"+original+"/resend", nil).refused(t, 400, "endpoint_paused")
		c.call("POST", path+"/deliveries/"+unknownID+"/resend", nil).refused(t, 404, "not_found")
		if n := len(r.arrivals()); n != 5 {
			t.Errorf("%d arrivals", n)
		}
	}, allowPrivate)
}

// A repeat with the same key creates no second endpoint, secret or delivery.
func TestWebhookReplay(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, r := p.organisation("A"), receive(t)
		repeat := func(path string, body any, key string) answer {
			t.Helper()
			first := c.call("POST", path, body, "Idempotency-Key", key).want(t, 200)
			again := c.call("POST", path, body, "Idempotency-Key", key).want(t, 200)
			if again.text != first.text || again.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: %s, then %s", path, first.text, again.text)
			}
			return first
		}
		made := repeat(endpoints, map[string]any{"url": r.URL, "events": []string{"webhook.ping"}}, "create")
		path := endpoints + "/" + made.in("endpoint", "id").(string)
		rotated := repeat(path+"/rotate-secret", nil, "rotate")
		if rotated.in("endpoint", "secret") == made.in("endpoint", "secret") || rotated.in("endpoint", "secretHint") == made.in("endpoint", "secretHint") {
			t.Errorf("rotated: %s", rotated.text)
		}
		ping := repeat(path+"/test", nil, "test")
		repeat(path+"/deliveries/"+ping.in("delivery", "id").(string)+"/resend", nil, "resend")
		if n := len(r.arrivals()); n != 2 {
			t.Errorf("%d arrivals, not 2", n)
		}
		if all := c.call("GET", endpoints, nil).want(t, 200).body["endpoints"].([]any); len(all) != 1 {
			t.Errorf("%d endpoints", len(all))
		}
		c.call("POST", path+"/rotate-secret", nil, "Idempotency-Key", "create").refused(t, 422, "idempotency_mismatch")
		c.call("POST", path+"/test", nil, "Idempotency-Key", "rotate").refused(t, 422, "idempotency_mismatch")
	}, allowPrivate)
}

// The log of deliveries has pages, newest first; a cursor of another log is refused.
func TestDeliveryLogPages(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, r := p.organisation("A"), receive(t)
		id, _ := c.endpoint(r.URL, "client.created")
		other, _ := c.endpoint(r.URL, "client.created")
		for n := range 7 {
			c.call("POST", "/api/clients", map[string]any{"name": fmt.Sprint(n)}).want(t, 201)
		}
		r.arrive(t, 14)
		path := endpoints + "/" + id + "/deliveries"
		all := c.call("GET", path, nil).want(t, 200).body["deliveries"].([]any)
		var walked []string
		var cursors []string
		for query := "?limit=3"; query != ""; {
			a := c.call("GET", path+query, nil).want(t, 200)
			for _, d := range a.body["deliveries"].([]any) {
				walked = append(walked, d.(map[string]any)["id"].(string))
			}
			query = ""
			next, more := a.body["nextCursor"].(string)
			if more != a.body["hasMore"].(bool) {
				t.Errorf("hasMore: %s", a.text)
			}
			if more {
				query = "?limit=3&cursor=" + next
				cursors = append(cursors, next)
			}
		}
		var ids []string
		for _, d := range all {
			ids = append(ids, d.(map[string]any)["id"].(string))
		}
		if !reflect.DeepEqual(walked, ids) || len(ids) != 7 || len(cursors) != 2 {
			t.Errorf("walked %v, not %v", walked, ids)
		}
		foreign := p.organisation("B")
		theirs, _ := foreign.endpoint(r.URL)
		clients := c.call("GET", "/api/clients?limit=1", nil).want(t, 200).body["nextCursor"].(string)
		foreign.call("GET", endpoints+"/"+theirs+"/deliveries?cursor="+cursors[0], nil).refused(t, 400, "invalid_request")
		c.call("GET", endpoints+"/"+other+"/deliveries?cursor="+cursors[0], nil).refused(t, 400, "invalid_request")
		c.call("GET", "/api/clients?cursor="+cursors[0], nil).refused(t, 400, "invalid_request")
		for _, query := range []string{"limit=0", "limit=201", "limit=x", "cursor=zz", "cursor=" + clients, "page=2"} {
			c.call("GET", path+"?"+query, nil).refused(t, 400, "invalid_request")
		}
		c.call("GET", path+"?limit=200", nil).want(t, 200)
	}, allowPrivate)
}
