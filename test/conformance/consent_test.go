package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const customsRedirect = "http://127.0.0.1:9/customs/consent/callback"

// gateway is a stand-in of HMRC for consents at customs: it gives tokens for codes, accepts declarations with a valid
// access token, and records with which token each LRN was declared.
type gateway struct {
	*httptest.Server
	mu       sync.Mutex
	serial   int
	valid    map[string]bool   // access and refresh tokens, and codes
	declared map[string]string // access token by conversation ID
	refused  int               // declarations that are answered 401
	together int               // 401 is answered once so many have arrived
	arrived  *sync.Cond
	silent   bool       // answers to refreshes are lost
	asked    url.Values // parameters of the last consent

	refreshed int           // refreshes that were asked for
	held      chan struct{} // closed when a refresh token has been used up and the answer is held back; nil for none
}

// holdRefresh makes the answer to the next refresh never come. The channel is closed when the token has been used up.
func (g *gateway) holdRefresh() (used <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = make(chan struct{})
	return g.held
}

func (g *gateway) refreshes() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refreshed
}

func startGateway(t *testing.T) *gateway {
	g := &gateway{valid: map[string]bool{}, declared: map[string]string{}}
	g.arrived = sync.NewCond(&g.mu)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /oauth/authorize", g.authorise)
	mux.HandleFunc("POST /oauth/token", g.token)
	mux.HandleFunc("POST /customs/declarations/", g.declare)
	mux.HandleFunc("POST /customs/inventory-linking/exports/", g.declare)
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	return g
}

func (g *gateway) next(kind string) string {
	g.serial++
	name := fmt.Sprintf("%s-secret-%d", kind, g.serial)
	g.valid[name] = true
	return name
}

func (g *gateway) authorise(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = r.URL.Query()
	http.Redirect(w, r, customsRedirect+"?"+url.Values{"code": {g.next("code")}, "state": {g.asked.Get("state")}}.Encode(), http.StatusSeeOther)
}

func (g *gateway) token(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	given := r.PostFormValue("code") + r.PostFormValue("refresh_token")
	if r.PostFormValue("refresh_token") != "" {
		g.refreshed++
	}
	if !g.valid[given] {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"used before"}`)
		return
	}
	delete(g.valid, given)
	if held := g.held; held != nil && r.PostFormValue("refresh_token") != "" {
		g.held = nil
		g.mu.Unlock()
		close(held)
		<-r.Context().Done()
		g.mu.Lock()
		return
	}
	if g.silent && r.PostFormValue("refresh_token") != "" {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": g.next("access"), "refresh_token": g.next("refresh"), "token_type": "bearer", "expires_in": 14400})
}

func (g *gateway) declare(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !g.valid[token] {
		g.refused++
		g.arrived.Broadcast()
		for g.refused < g.together {
			g.arrived.Wait()
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `<errorResponse><code>INVALID_CREDENTIALS</code><message>Invalid Authentication information provided</message></errorResponse>`)
		return
	}
	g.serial++
	id := fmt.Sprintf("4b0f8f6e-3b1f-4a2e-9d4c-%012d", g.serial)
	g.declared[id] = token
	w.Header().Set("X-Conversation-ID", id)
	w.WriteHeader(http.StatusAccepted)
}

// withdraw makes all tokens of an organisation invalid that have declared something.
func (g *gateway) withdraw(conversation string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.valid, g.declared[conversation])
}

func (g *gateway) tokenOf(conversation any) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	id, _ := conversation.(string)
	return g.declared[id]
}

// forgetRefreshTokens makes all refresh tokens invalid.
func (g *gateway) forgetRefreshTokens() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for token := range g.valid {
		if strings.HasPrefix(token, "refresh") {
			delete(g.valid, token)
		}
	}
}

// withGateway runs a test with a server that is connected to a stand-in of HMRC, on every database.
func withGateway(t *testing.T, run func(t *testing.T, p *server, hmrc *gateway)) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		g := startGateway(t)
		run(t, serve(t, b, "TIDEWAITER_CUSTOMS_MODE=hmrc", "TIDEWAITER_CUSTOMS_URL="+g.URL, "TIDEWAITER_CUSTOMS_RATE=1000",
			"TIDEWAITER_CUSTOMS_CLIENT_ID=app", "TIDEWAITER_CUSTOMS_CLIENT_SECRET=s&cret", "TIDEWAITER_CUSTOMS_REDIRECT_URL="+customsRedirect,
			"TIDEWAITER_CUSTOMS_INBOUND=static-token", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN=Basic secret", "TIDEWAITER_LOG_LEVEL=info"), g)
	})
}

// connectCustoms gives consent at customs: begun with the API key, continued and confirmed by an OWNER in a browser.
func (c *caller) connectCustoms() {
	c.t.Helper()
	owner := c.signedIn()
	begun := c.call("POST", "/api/customs/consent", nil).want(c.t, 200)
	back := owner.authorise(owner.follow(begun.body["authorizeUrl"].(string)))
	owner.openPage(back.RequestURI()).want(c.t, 200)
	owner.post("/customs/consent/confirm", back.RawQuery).want(c.t, 303)
}

// consent returns a member of the organisation's consent at customs.
func (c *caller) consent(member string) any {
	c.t.Helper()
	return c.call("GET", "/api/customs/consent", nil).want(c.t, 200).in("consent", member)
}

// Without consent nothing is submitted or stored. Each of two organisations declares with a token of its own. If HMRC
// withdraws one's consent, the other goes on.
func TestOrganisationsDeclareWithTheirOwnConsent(t *testing.T) {
	withGateway(t, func(t *testing.T, p *server, hmrc *gateway) {
		a, b := p.organisation("A"), p.organisation(canary)
		first := a.declaration("")
		a.submit(first).refused(t, 409, "customs_consent_required")
		if d := a.call("GET", "/api/declarations/"+first, nil).want(t, 200); d.in("declaration", "status") != "DRAFT" || a.consent("status") != "NONE" {
			t.Errorf("without consent: %s, %v", d.text, a.consent("status"))
		}
		a.connectCustoms()
		b.submit(b.declaration("")).refused(t, 409, "customs_consent_required")
		b.connectCustoms()
		ours, theirs := a.submit(first).want(t, 200), b.submit(b.declaration("")).want(t, 200)
		mine, other := hmrc.tokenOf(ours.body["conversationId"]), hmrc.tokenOf(theirs.body["conversationId"])
		if mine == "" || other == "" || mine == other {
			t.Errorf("declared with %q and %q", mine, other)
		}
		if a.consent("status") != "GRANTED" || a.consent("eori") != "GB123456789000" || a.consent("accessExpiresAt") == nil || a.consent("expiresAt") == nil || a.consent("lastError") != nil {
			t.Errorf("granted: %v", a.call("GET", "/api/customs/consent", nil).text)
		}
		if hmrc.asked.Get("scope") != "write:customs-declaration" || hmrc.asked.Get("code_challenge_method") != "S256" || hmrc.asked.Get("client_id") != "app" {
			t.Errorf("asked: %v", hmrc.asked)
		}
		hmrc.withdraw(ours.body["conversationId"].(string))
		hmrc.forgetRefreshTokens()
		withdrawn, unwanted := a.declaration(""), a.declaration("")
		hmrc.mu.Lock()
		hmrc.together = 2
		hmrc.mu.Unlock()
		var both sync.WaitGroup
		for _, id := range []string{withdrawn, unwanted} {
			both.Go(func() { a.submitWithdrawn(id) })
		}
		both.Wait()
		if a.consent("status") != "REVOKED" || a.consent("lastError") == nil || len(a.events("eventType=customs.consent.revoked")) != 1 {
			t.Errorf("withdrawn: %v", a.call("GET", "/api/customs/consent", nil).text)
		}
		a.submit(a.declaration("")).refused(t, 409, "customs_consent_required")
		b.submit(b.declaration("")).want(t, 200)
		if b.consent("status") != "GRANTED" {
			t.Errorf("the other organisation is %v", b.consent("status"))
		}
		if cancelled := a.call("DELETE", "/api/declarations/"+unwanted, nil).want(t, 200); cancelled.in("declaration", "status") != "CANCELLED" {
			t.Errorf("cancelled while it waited: %s", cancelled.text)
		}
		a.connectCustoms()
		sent := a.waitUntilSent(withdrawn)
		if token := hmrc.tokenOf(sent.in("declaration", "conversationId")); token == "" || token == mine || token == other || sent.in("declaration", "status") != "SUBMITTED" {
			t.Errorf("sent with %q: %s", token, sent.text)
		}
		if again := a.submit(withdrawn).want(t, 200); again.body["conversationId"] != sent.in("declaration", "conversationId") || again.body["stage"] != nil {
			t.Errorf("submitted again: %s", again.text)
		}
		if n := len(a.events("eventType=declaration.sent")); n != 1 {
			t.Errorf("%d events of the sending", n)
		}
		trail := a.call("GET", "/api/audit?limit=100", nil).want(t, 200).text
		log := p.Log.String()
		for _, secret := range []string{"access-secret", "refresh-secret", "code-secret", "s&cret"} {
			if strings.Contains(trail+log, secret) {
				t.Errorf("the trail or the log contains %s", secret)
			}
		}
	})
}

// submitWithdrawn submits a declaration after HMRC has withdrawn the consent.
func (c *caller) submitWithdrawn(id string) {
	c.t.Helper()
	first := c.submit(id).want(c.t, 200)
	for _, a := range []answer{first, c.submit(id).want(c.t, 200)} {
		if a.body["status"] != "SUBMITTED" || a.body["stage"] != "WAITING_CONSENT" || a.body["conversationId"] != "" {
			c.t.Errorf("submitted: %s", a.text)
		}
	}
	d := c.call("GET", "/api/declarations/"+id, nil).want(c.t, 200)
	if d.in("declaration", "status") != "SUBMITTED" || d.in("declaration", "stage") != "WAITING_CONSENT" || d.in("declaration", "conversationId") != nil {
		c.t.Errorf("the declaration: %s", d.text)
	}
	c.call("PATCH", "/api/declarations/"+id, map[string]any{"documents": []any{}}).refused(c.t, 400, "invalid_state")
}

// waitUntilSent waits until a declaration has been sent after a new consent.
func (c *caller) waitUntilSent(id string) answer {
	c.t.Helper()
	var d answer
	c.eventually("transmission of the declaration that waited", func() bool {
		d = c.call("GET", "/api/declarations/"+id, nil).want(c.t, 200)
		return d.in("declaration", "stage") == nil
	})
	return d
}

// Only an OWNER connects. A link works once, a consent only in the session that continued it, and a state once. DELETE
// ends the consent.
func TestCustomsConsent(t *testing.T) {
	withGateway(t, func(t *testing.T, p *server, hmrc *gateway) {
		c := p.organisation("A")
		c.as("MEMBER").call("POST", "/api/customs/consent", nil).refused(t, 403, "owner_role_required")
		c.as("VIEWER").call("DELETE", "/api/customs/consent", nil).refused(t, 403, "read_only_key")
		c.call("DELETE", "/api/customs/consent", nil).refused(t, 404, "not_found")
		begun := c.call("POST", "/api/customs/consent", nil).want(t, 200)
		if c.consent("status") != "PENDING" {
			t.Errorf("begun: %v", c.consent("status"))
		}
		mine, other := c.signedIn(), c.signedIn()
		link := begun.body["authorizeUrl"].(string)
		at, _ := url.Parse(link)
		outsider := p.organisation("B").signedIn()
		outsider.openPage(at.Path).want(t, 400)
		if page := mine.openPage(at.Path).want(t, 200); !strings.Contains(page.text, "GB123456789000") || !strings.Contains(page.text, "<dd>A</dd>") {
			t.Errorf("the page does not name the organisation: %s", page.text)
		}
		back := mine.authorise(mine.follow(link))
		mine.openPage(at.Path).want(t, 400)
		other.openPage(back.RequestURI()).want(t, 400)
		other.post("/customs/consent/confirm", back.RawQuery).want(t, 400)
		mine.post("/customs/consent/confirm", back.RawQuery).want(t, 303)
		mine.post("/customs/consent/confirm", back.RawQuery).want(t, 400)
		if page := mine.openPage("/customs/consent").want(t, 200); !strings.Contains(page.text, "Connected") {
			t.Errorf("connected: %s", page.text)
		}
		deadlines := c.call("GET", "/api/deadlines?windowDays=365", nil).want(t, 200).text
		if strings.Contains(deadlines, "consent_") {
			t.Errorf("a deadline of a new consent: %s", deadlines)
		}
		c.call("DELETE", "/api/customs/consent", nil).want(t, 200)
		if c.consent("status") != "NONE" {
			t.Errorf("removed: %v", c.consent("status"))
		}
		c.submit(c.declaration("")).refused(t, 409, "customs_consent_required")
		var types []string
		for _, e := range c.events("hub=customs") {
			types = append(types, e["eventType"].(string))
		}
		for _, want := range []string{"customs.consent.granted", "customs.consent.removed"} {
			if !slices.Contains(types, want) {
				t.Errorf("no %s among %v", want, types)
			}
		}
	})
}

// If the answer to a refresh is lost, the consent has failed: the old refresh token is not tried again.
func TestLostRefreshFailsTheConsent(t *testing.T) {
	withGateway(t, func(t *testing.T, p *server, hmrc *gateway) {
		c := p.organisation("A")
		c.connectCustoms()
		sent := c.submit(c.declaration("")).want(t, 200)
		hmrc.withdraw(sent.body["conversationId"].(string))
		hmrc.mu.Lock()
		hmrc.silent = true
		hmrc.mu.Unlock()
		c.submit(c.declaration("")).refused(t, 502, "customs_unreachable")
		if c.consent("status") != "FAILED" || len(c.events("eventType=customs.consent.failed")) != 1 {
			t.Errorf("after a lost answer: %s", c.call("GET", "/api/customs/consent", nil).text)
		}
		c.submit(c.declaration("")).refused(t, 409, "customs_consent_required")
	})
}

// The simulator needs no consent, and none can be begun for it.
func TestSimulatorNeedsNoConsent(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		if c.consent("status") != "NONE" {
			t.Errorf("the consent is %v", c.consent("status"))
		}
		c.call("POST", "/api/customs/consent", nil).refused(t, 400, "invalid_state")
		c.submit(c.declaration("")).want(t, 200)
	})
}
