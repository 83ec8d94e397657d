package api_test

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A request that cannot be processed gets the status and code of its error, and every wrong field is
// named with what is wrong with it.
func TestRejectedRequests(t *testing.T) {
	f := newFixture(t, nil)
	viewer := "Bearer " + f.newKey(access.NewKey{Role: tenant.Viewer})
	reader := "Bearer " + f.newKey(access.NewKey{Role: tenant.Owner, Scopes: access.Scopes{"customs:read"}})
	member := "Bearer " + f.newKey(access.NewKey{Role: tenant.Member})
	elsewhere := "Bearer " + f.newKey(access.NewKey{Role: tenant.Owner, Addresses: access.Addresses{netip.MustParsePrefix("203.0.113.0/24")}})
	const clients, client = "/api/clients", `{"name":"A Ltd"}`
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		code                     apierr.Code
		details                  string
	}{
		{"unknown path", "GET", "/api/nowhere", "", nil, 404, apierr.NotFound, ""},
		{"path outside of the API", "GET", "/nowhere", "", nil, 404, apierr.NotFound, ""},
		{"doubled slash", "GET", "/api//clients", "", nil, 404, apierr.NotFound, ""},
		{"unsupported method", "PUT", clients, "", nil, 405, apierr.MethodNotAllowed, ""},
		{"no key", "GET", clients, "", []string{"Authorization", ""}, 401, apierr.Unauthorized, ""},
		{"another scheme", "GET", clients, "", []string{"Authorization", "Basic " + f.key}, 401, apierr.Unauthorized, ""},
		{"mistyped key", "GET", clients, "", []string{"Authorization", "Bearer " + f.key[:35] + "~"}, 401, apierr.Unauthorized, ""},
		{"VIEWER key writes", "POST", clients, client, []string{"Authorization", viewer}, 403, apierr.ReadOnlyKey, ""},
		{"MEMBER key at an OWNER's operation", "GET", "/api/keys", "", []string{"Authorization", member}, 403, apierr.OwnerRoleRequired, ""},
		{"scope to read writes", "POST", clients, client, []string{"Authorization", reader}, 403, apierr.ScopeRequired, ""},
		{"key from another network", "GET", clients, "", []string{"Authorization", elsewhere}, 403, apierr.AddressNotAllowed, ""},
		{"key at a session's operation", "POST", "/api/organisation/restore", "", nil, 403, apierr.SignInAgain, ""},
		{"Hub not enabled", "GET", "/api/tss/declarations", "", nil, 402, apierr.HubNotEnabled, ""},
		{"Hub that cannot be enabled", "POST", "/api/hubs/customs", "", nil, 409, apierr.HubNotBookable, ""},
		{"Hub that cannot be disabled", "DELETE", "/api/hubs/customs", "", nil, 409, apierr.HubFoundational, ""},
		{"malformed ID", "GET", clients + "/x", "", nil, 404, apierr.NotFound, ""},
		{"unknown parameter", "GET", clients + "?page=2", "", nil, 400, apierr.InvalidRequest, "page: is not a known parameter"},
		{"unknown parameter of a POST", "POST", clients + "?x=1", `{}`, nil, 400, apierr.InvalidRequest, "name: is required; x: is not a known parameter"},
		{"malformed query", "GET", clients + "?limit=%zz", "", nil, 400, apierr.InvalidRequest, "limit: is not encoded correctly: write % as %25 and ; as %3B"},
		{"malformed name in the query", "GET", clients + "?%zz=1", "", nil, 400, apierr.InvalidRequest,
			"query: is malformed: write % as %25 and ; as %3B, and send at most 10,000 parameters"},
		{"limit too small", "GET", clients + "?limit=0", "", nil, 400, apierr.InvalidRequest, "limit: must be a number of at least 1"},
		{"limit too large", "GET", clients + "?limit=1001", "", nil, 400, apierr.InvalidRequest, "limit: must be a number of at most 1000"},
		{"limit too large for declarations", "GET", "/api/declarations?limit=201", "", nil, 400, apierr.InvalidRequest, "limit: must be a number of at most 200"},
		{"limit is not a number", "GET", clients + "?limit=all", "", nil, 400, apierr.InvalidRequest, "limit: must be a whole number"},
		{"several parameters", "GET", clients + "?cursor=x&status=Y", "", nil, 400, apierr.InvalidRequest,
			"cursor: must be the nextCursor of an earlier page of this list; status: must be one of ACTIVE, ARCHIVED"},
		{"period backwards", "GET", "/api/audit?startDate=2026-02-01T00:00:00Z&endDate=2026-01-01T00:00:00Z", "", nil, 400, apierr.InvalidRequest,
			"startDate: must not be after endDate"},
		{"malformed time", "GET", "/api/audit?startDate=today", "", nil, 400, apierr.InvalidRequest, "startDate: must be a date and time such as 2026-11-21T09:00:00Z"},
		{"text body", "POST", clients, client, []string{"Content-Type", "text/plain"}, 415, apierr.UnsupportedMediaType, ""},
		{"another charset", "POST", clients, client, []string{"Content-Type", "application/json; charset=latin1"}, 415, apierr.UnsupportedMediaType, ""},
		{"no body", "POST", clients, "", nil, 400, apierr.InvalidRequest, "body: is required"},
		{"several fields", "POST", clients, `{"nam":"A","country":"UK","email":7}`, nil, 400, apierr.InvalidRequest,
			"nam: is not a known field; country: must be an ISO 3166-1 alpha-2 country code such as GB; email: must be text, not a number; name: is required"},
		{"body too large", "POST", "/api/keys", `"` + strings.Repeat("x", 1<<20) + `"`, nil, 413, apierr.PayloadTooLarge, ""},
		{"idempotency key with a control character", "POST", clients, client, []string{"Idempotency-Key", "a\tb"}, 400, apierr.InvalidRequest,
			"Idempotency-Key: must be 1 to 255 printable ASCII characters"},
		{"long idempotency key and a wrong field", "POST", clients, `{}`, []string{"Idempotency-Key", strings.Repeat("x", 256)}, 400, apierr.InvalidRequest,
			"name: is required; Idempotency-Key: must be 1 to 255 printable ASCII characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := f.send(c.method, c.path, c.body, c.headers...)
			var details []string
			for _, d := range a.Details {
				details = append(details, d.Field+": "+d.Message)
			}
			if got := strings.Join(details, "; "); a.status != c.status || a.Error != string(c.code) || got != c.details {
				t.Errorf("got %d %s %q", a.status, a.Error, got)
			}
			if a.Message == "" || a.RequestID == "" || a.RequestID != a.header.Get("X-Request-Id") || a.header.Get("Content-Type") != "application/json" {
				t.Errorf("body %s with headers %v", a.text, a.header)
			}
		})
	}
}

// Responses have the headers that their status calls for.
func TestHeaders(t *testing.T) {
	f := newFixture(t, nil)
	for _, c := range []struct {
		method, path, key, name, want string
	}{
		{"GET", "/api/clients", f.key, "Cache-Control", "no-store"},
		{"GET", "/api/clients", f.key, "X-Content-Type-Options", "nosniff"},
		{"GET", "/api/clients", f.key, "Content-Length", "48"},
		{"GET", "/api/clients", "", "WWW-Authenticate", `Bearer realm="tidewaiter"`},
		{"PUT", "/api/clients", f.key, "Allow", "GET, POST"},
		{"GET", "/api/tariff/commodities/61", f.key, "Cache-Control", "private, no-cache"},
	} {
		if got := f.send(c.method, c.path, "", "Authorization", "Bearer "+c.key).header.Get(c.name); got != c.want {
			t.Errorf("%s %s: %s is %q, want %q", c.method, c.path, c.name, got, c.want)
		}
	}
	etag := f.send("GET", "/api/tariff/commodities/61", "").header.Get("ETag")
	for none, want := range map[string]int{etag: 304, "W/" + etag: 304, `"x", ` + etag: 304, "*": 304, `"x"`: 200} {
		if a := f.send("GET", "/api/tariff/commodities/61", "", "If-None-Match", none); a.status != want || want == 304 && a.text != "" {
			t.Errorf("If-None-Match %s: %d %s", none, a.status, a.text)
		}
	}
}

// A request ID of the caller is used if it is short and plain; otherwise the service makes one.
func TestRequestID(t *testing.T) {
	f := newFixture(t, nil)
	for sent, used := range map[string]bool{"order-42_a.b": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, "a b": false, "<a>": false, "": false} {
		if got := f.send("GET", "/api/me", "", "X-Request-Id", sent).header.Get("X-Request-Id"); (got == sent) != used || got == "" {
			t.Errorf("%q: %q", sent, got)
		}
	}
}

// Every error code has the status that docs/errors.md names, and each code is documented.
func TestStatusOfEveryCode(t *testing.T) {
	text, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[apierr.Code]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([0-9]{3}) \\|").FindAllStringSubmatch(string(text), -1) {
		documented[apierr.Code(row[1])], _ = strconv.Atoi(row[2])
	}
	for code, status := range api.Statuses {
		if documented[code] != status {
			t.Errorf("%s is %d, documented as %d", code, status, documented[code])
		}
	}
	if len(documented) != len(api.Statuses) {
		t.Errorf("%d codes are documented, %d exist", len(documented), len(api.Statuses))
	}
}

// An unexpected error or a panic is a 500 that does not show its text; an error of the caller is
// returned as it is.
func TestHandlerErrors(t *testing.T) {
	var result error
	f := newFixture(t, func(o *api.Options) {
		o.Explainer = func(context.Context, tenant.ID, explain.Question) (explain.Explained, error) {
			if result == nil {
				panic("secret detail")
			}
			return explain.Explained{}, result
		}
	})
	for _, c := range []struct {
		err    error
		status int
		code   apierr.Code
		retry  string
	}{
		{errors.New("secret detail"), 500, apierr.Internal, ""},
		{nil, 500, apierr.Internal, ""},
		{apierr.New(apierr.InvalidState, "Not now."), 400, apierr.InvalidState, ""},
		{apierr.New(apierr.CustomsUnreachable, "Not now.").WithCause(errors.New("secret detail")), 502, apierr.CustomsUnreachable, ""},
		{apierr.New(apierr.ShuttingDown, "Not now."), 503, apierr.ShuttingDown, apierr.RetryAfter},
	} {
		result = c.err
		a := f.send("POST", "/api/ai/explain-rejection", `{"errors":[{"code":"CDS10001"}]}`)
		if a.status != c.status || a.Error != string(c.code) || a.header.Get("Retry-After") != c.retry || strings.Contains(a.text, "secret") {
			t.Errorf("%v: %d %v %s", c.err, a.status, a.header, a.text)
		}
	}
	f.stop()
	if !strings.Contains(f.log.String(), "secret detail") {
		t.Error("the log does not have the error")
	}
}

// A repeated call with the same idempotency key gets the stored response, however the JSON is
// formatted; another request with the key is an error, and a failed call stores nothing.
func TestIdempotentReplay(t *testing.T) {
	f := newFixture(t, nil)
	post := func(body string) answer { return f.send("POST", "/api/clients", body, "Idempotency-Key", "k") }
	if a := post(`{}`); a.status != 400 {
		t.Errorf("invalid call: %d", a.status)
	}
	first, again := post(`{"name":"A"}`), post(` { "name" : "A" } `)
	if first.status != 201 || again.status != 201 || again.text != first.text || first.header.Get("Idempotent-Replayed") != "" || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("first %d %s, then %d %s", first.status, first.text, again.status, again.text)
	}
	if other := post(`{"name":"B"}`); other.status != 422 || other.Error != string(apierr.IdempotencyMismatch) {
		t.Errorf("another body: %d %s", other.status, other.text)
	}
	if list := f.send("GET", "/api/clients", ""); strings.Count(list.text, `"name"`) != 1 {
		t.Errorf("clients: %s", list.text)
	}
}

// blockingStore holds the first update until it is released.
type blockingStore struct {
	testStore
	held             *atomic.Bool // whether there was an update
	entered, release chan struct{}
}

func (s blockingStore) Update(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	if s.held.CompareAndSwap(false, true) {
		close(s.entered)
		<-s.release
	}
	return s.testStore.Update(ctx, org, fn)
}

// While a call is in progress, another one with the same idempotency key is refused.
func TestIdempotencyInProgress(t *testing.T) {
	var blocking blockingStore
	f := newFixture(t, func(o *api.Options) {
		blocking = blockingStore{o.Store.(testStore), new(atomic.Bool), make(chan struct{}), make(chan struct{})}
		o.Store = blocking
	})
	f.must(blocking.testStore.Update(t.Context(), f.org, func(tx api.Tx) error {
		keys, err := tx.Keys()
		if err != nil {
			return err
		}
		return tx.RecordKeyUse(keys[0].ID, "127.0.0.1") // so that the request itself does not write it
	}))
	done := make(chan answer)
	go func() { done <- f.send("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "k") }()
	<-blocking.entered
	if a := f.send("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "k"); a.status != 409 || a.Error != string(apierr.IdempotencyInProgress) {
		t.Errorf("second call: %d %s", a.status, a.text)
	}
	close(blocking.release)
	if a := <-done; a.status != 201 {
		t.Errorf("first call: %d %s", a.status, a.text)
	}
}

// failingLimiter is a limiter whose counters are unavailable.
type failingLimiter struct{ ratelimit.Limiter }

func (failingLimiter) Take(context.Context, ratelimit.Budget, string) (ratelimit.State, error) {
	return ratelimit.State{}, errors.New("unavailable")
}

// Requests are counted per organisation, with the state in headers; requests without a key are
// counted per address. An unavailable counter allows requests.
func TestRateLimits(t *testing.T) {
	limits := api.Budgets{
		Standard: ratelimit.Budget{Name: "standard", Requests: 2, Window: time.Hour}, AI: ratelimit.Budget{Name: "ai", Requests: 1, Window: time.Hour},
		Public: ratelimit.Budget{Name: "public", Requests: 1, Window: time.Hour}, Refused: ratelimit.Budget{Name: "refused", Requests: 1, Window: time.Hour},
	}
	f := newFixture(t, func(o *api.Options) { o.Budgets = limits })
	for _, c := range []struct {
		path, key, remaining string
		status               int
	}{
		{"/api/clients", f.key, "1", 200}, {"/api/me", "x", "0", 401}, {"/api/clients", f.key, "0", 200}, {"/api/clients", f.key, "0", 429}, {"/api/me", "x", "0", 429},
	} {
		a := f.send("GET", c.path, "", "Authorization", "Bearer "+c.key)
		if a.status != c.status || a.header.Get("X-RateLimit-Remaining") != c.remaining {
			t.Errorf("%s: %d with %v", c.path, a.status, a.header)
		}
		wait, _ := strconv.Atoi(a.header.Get("Retry-After"))
		if a.status == http.StatusTooManyRequests && (wait < 1 || wait > 3600 || a.Error != string(apierr.RateLimited) || !strings.Contains(a.Message, "Retry in ")) {
			t.Errorf("%s: retry after %q: %s", c.path, a.header.Get("Retry-After"), a.text)
		}
	}
	broken := newFixture(t, func(o *api.Options) { o.Budgets, o.Limiter = limits, failingLimiter{} })
	for range 3 {
		if a := broken.send("GET", "/api/clients", ""); a.status != 200 {
			t.Errorf("with a broken counter: %d %s", a.status, a.text)
		}
	}
}

// A body for which there is no memory is refused with 503, and the log says why.
func TestOverload(t *testing.T) {
	f := newFixture(t, func(o *api.Options) {
		o.Bodies = membudget.New(membudget.Limits{All: 1 << 16, Public: 1 << 15})
	})
	a := f.send("POST", "/api/clients", `{"name":"`+strings.Repeat("x", 1<<17)+`"}`)
	if a.status != 503 || a.Error != string(apierr.Overloaded) || a.header.Get("Retry-After") != apierr.RetryAfter {
		t.Errorf("got %d %v %s", a.status, a.header, a.text)
	}
	if a := f.send("POST", "/api/clients", `{"name":"A"}`); a.status != 201 {
		t.Errorf("then: %d %s", a.status, a.text)
	}
	f.stop()
	if !strings.Contains(f.log.String(), "the memory for request bodies is in use") {
		t.Error("the log does not say why")
	}
}
