package conformance

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The traders of the stand-in, their number of quarters, and the redirect address.
const (
	quarterCount     = 6
	ourVRN, theirVRN = "123456782", "234567891"
	redirectURL      = "http://127.0.0.1:9/api/tax/connection/callback"
)

// quarters are the current one and the previous ones, newest first, with HMRC's keys.
func quarters() (all []mtdtest.Obligation, periods []tax.Period) {
	p := tax.PeriodAt(time.Now())
	for n := range quarterCount {
		all = append(all, mtdtest.Obligation{PeriodKey: fmt.Sprintf("#00%d", n), Start: p.First(), End: p.Last(), Due: p.Due.Format(time.DateOnly)})
		periods = append(periods, p)
		p = p.Previous()
	}
	return all, periods
}

// withHMRC runs a test with a server that is connected to a stand-in of HMRC, both on real sockets, on every
// database.
func withHMRC(t *testing.T, run func(t *testing.T, p *server, hmrc *mtdtest.HMRC), settings ...string) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		obligations, _ := quarters()
		odd := mtdtest.Obligation{PeriodKey: "26ZZ", Start: "2026-08-01", End: "2026-10-31", Due: "2026-12-07"}
		hmrc := mtdtest.New(mtdtest.Options{
			ClientID: "app", ClientSecret: "s&cret", RedirectURL: redirectURL, Now: time.Now,
			Obligations: map[string][]mtdtest.Obligation{ourVRN: append(obligations, odd), theirVRN: obligations},
		})
		server := httptest.NewServer(hmrc)
		t.Cleanup(server.Close)
		run(t, serve(t, b, append([]string{
			"TIDEWAITER_MTD_URL=" + server.URL, "TIDEWAITER_MTD_CLIENT_ID=app", "TIDEWAITER_MTD_CLIENT_SECRET=s&cret", "TIDEWAITER_MTD_REDIRECT_URL=" + redirectURL,
			"TIDEWAITER_MTD_PUBLIC_IP=203.0.113.6", "TIDEWAITER_MTD_RATE=0", "TIDEWAITER_LOG_LEVEL=info",
		}, settings...)...), hmrc)
	})
}

// trader is an organisation with the Hub and a VAT number.
func (p *server) trader(name, vrn string) *caller {
	p.t.Helper()
	c := p.organisation(name)
	c.call("POST", "/api/hubs/tax", nil).want(p.t, 200)
	c.call("PATCH", "/api/organisation", map[string]any{"vatNumber": "GB" + vrn}).want(p.t, 200)
	return c
}

// consent starts a consent with the API key, opens its link in the browser, gives consent at HMRC, and returns the path
// back.
func (b browser) consent() string {
	b.t.Helper()
	begun := b.call("POST", "/api/tax/connection", nil).want(b.t, 201)
	back := b.authorise(b.follow(begun.in("consent", "url").(string)))
	if back.Path != "/api/tax/connection/callback" {
		b.t.Fatalf("consent redirects to %q", back)
	}
	return back.RequestURI()
}

// follow opens the link of a consent that an API key began, goes on, and returns the address at HMRC.
func (b browser) follow(link string) string {
	b.t.Helper()
	at, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(at.Path, "/connect/") {
		b.t.Fatalf("the link is %q: %v", link, err)
	}
	b.openPage(at.Path).want(b.t, 200)
	shown := b.post(at.Path, "").want(b.t, 200)
	_, rest, _ := strings.Cut(shown.text, `class="button" href="`)
	address, _, found := strings.Cut(rest, `"`)
	if !found {
		b.t.Fatalf("the page shows no address: %s", shown.text)
	}
	return html.UnescapeString(address)
}

// authorise gives consent at HMRC and returns where HMRC sends the browser.
func (b browser) authorise(address string) *url.URL {
	b.t.Helper()
	visitor := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := visitor.Get(address)
	if err != nil {
		b.t.Fatal(err)
	}
	_ = response.Body.Close()
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil {
		b.t.Fatal(err)
	}
	return back
}

// connect connects the organisation and waits for HMRC's periods.
func (c *caller) connect() {
	c.t.Helper()
	browser := c.signedIn()
	browser.confirm(browser.consent()).want(c.t, 303)
	c.waitForPeriods()
}

// browser is an OWNER who is signed in to the console.
type browser struct {
	*caller
	cookie string
}

// signedIn invites an OWNER into the organisation and signs in as that person.
func (c *caller) signedIn() browser {
	c.t.Helper()
	n := consents.Add(1)
	link, err := c.operator.Invite(c.t.Context(), tenant.ID(c.org), fmt.Sprintf("owner-%d@example.com", n), tenant.Owner)
	if err != nil {
		c.t.Fatal(err)
	}
	_, token, _ := strings.Cut(link, "/invitations/")
	session, err := c.operator.Accounts.Join(c.t.Context(), access.Visitor{}, token, "Olive", "harbour-violet-tin-93")
	if err != nil {
		c.t.Fatal(err)
	}
	return browser{c, "tidewaiter_session=" + session}
}

var consents atomic.Int64

// openPage opens a page of the console.
func (b browser) openPage(path string) answer {
	b.t.Helper()
	return b.server.call("", "GET", path, nil, "Cookie", b.cookie, "Accept", "text/html")
}

// confirm returns from HMRC and submits the confirmation form.
func (b browser) confirm(back string) answer {
	b.t.Helper()
	b.openPage(back).want(b.t, 200)
	return b.submitForm(back)
}

// submitForm submits the form without having opened it.
func (b browser) submitForm(back string) answer {
	b.t.Helper()
	_, query, _ := strings.Cut(back, "?")
	return b.post("/vat/connection/confirm", query)
}

// post submits a form of the console.
func (b browser) post(path, form string) answer {
	b.t.Helper()
	return b.server.call("", "POST", path, form+"&organisation-id="+b.org, "Cookie", b.cookie,
		"Content-Type", "application/x-www-form-urlencoded", "Origin", b.base, "Accept", "text/html")
}

func (c *caller) waitForPeriods() {
	c.t.Helper()
	c.eventually("HMRC's periods", func() bool {
		return c.call("GET", "/api/tax/connection", nil).want(c.t, 200).in("connection", "periodsAt") != nil
	})
}

func (c *caller) eventually(what string, holds func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(waitLimit); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatalf("no %s after %s", what, waitLimit)
		}
	}
}

// draft draws up the return of an earlier quarter, and returns its path.
func (c *caller) draft(back int, sales any) string {
	c.t.Helper()
	_, periods := quarters()
	for _, p := range c.call("GET", "/api/tax/periods", nil).want(c.t, 200).in("periods").([]any) {
		if p := p.(map[string]any); p["periodKey"] == periods[back].Key {
			return "/api/tax/returns/" + c.call("POST", "/api/tax/returns", map[string]any{
				"periodId": p["id"], "box1VatDueSales": sales, "box4AdditionalReclaim": 0.05, "box6TotalSales": 5000,
			}).want(c.t, 200).id()
		}
	}
	c.t.Fatalf("no period %s", periods[back].Key)
	return ""
}

func (c *caller) status(path string) any {
	c.t.Helper()
	return c.call("GET", path, nil).want(c.t, 200).in("return", "status")
}

// From consent to a submitted return: the periods and the reference are HMRC's, the caller's device headers are
// sent, and the trail has every event and no token.
func TestMTDReturn(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c := p.trader("A", ourVRN)
		if a := c.call("GET", "/api/tax/connection", nil).want(t, 200); a.in("connection", "status") != "NONE" {
			t.Errorf("before: %s", a.text)
		}
		c.connect()
		a := c.as("VIEWER").call("GET", "/api/tax/connection", nil).want(t, 200)
		if a.in("connection", "status") != "CONNECTED" || a.in("connection", "vatNumber") != ourVRN || len(a.in("connection", "otherPeriods").([]any)) != 1 {
			t.Errorf("connected: %s", a.text)
		}
		asked := hmrc.Calls("obligations")
		listed := c.call("GET", "/api/tax/periods", nil).want(t, 200)
		for _, one := range listed.in("periods").([]any) {
			if one.(map[string]any)["source"] != "mtd" {
				t.Errorf("period: %v", one)
			}
		}
		if len(listed.in("periods").([]any)) != quarterCount || strings.Contains(listed.text, "#00") || hmrc.Calls("obligations") != asked {
			t.Errorf("periods: %s", listed.text)
		}
		path := c.draft(1, 1000.10)
		device := []string{"Gov-Client-Timezone", "UTC+00:00", "Gov-Client-Device-ID", "beec798b-b366-47fa-b1f8-92cede14a1ce", "Gov-Client-Window-Size", "huge", "Idempotency-Key", "once"}
		member := c.as("MEMBER")
		sent := member.call("POST", path+"/submit", nil, device...).want(t, 200)
		if sent.in("return", "status") != "SUBMITTED" || sent.in("return", "hmrcReference") != "256660290001" || !strings.HasPrefix(sent.in("note").(string), "HMRC has the return") {
			t.Errorf("submitted: %s", sent.text)
		}
		h := hmrc.Header()
		if h.Get("Gov-Client-Timezone") != "UTC+00:00" || h.Get("Gov-Client-Device-ID") != device[3] || h.Get("Gov-Client-Window-Size") != "" ||
			h.Get("Gov-Vendor-Public-IP") != "203.0.113.6" || !strings.HasPrefix(h.Get("Gov-Client-User-IDs"), "tidewaiter=") {
			t.Errorf("device: %v", h)
		}
		if again := member.call("POST", path+"/submit", nil, "Idempotency-Key", "once").want(t, 200); again.text != sent.text || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("replayed: %s", again.text)
		}
		c.call("POST", path+"/submit", nil).refused(t, 400, "invalid_state")
		if hmrc.Returns() != 1 || hmrc.Calls("submit") != 1 {
			t.Errorf("%d returns by %d calls", hmrc.Returns(), hmrc.Calls("submit"))
		}
		c.call("POST", path+"/mark-accepted", nil).want(t, 200)
		a = c.call("DELETE", "/api/tax/connection", nil).want(t, 200)
		if a.in("connection", "status") != "NONE" {
			t.Errorf("disconnected: %s", a.text)
		}
		c.call("DELETE", "/api/tax/connection", nil).refused(t, 404, "not_found")
		trail := c.call("GET", "/api/audit?hub=tax&limit=100", nil).want(t, 200).text
		for _, event := range []string{"tax.connection.connected", "tax.connection.disconnected", "256660290001"} {
			if !strings.Contains(trail, event) {
				t.Errorf("no %s in the trail: %s", event, trail)
			}
		}
		for _, secret := range []string{"access-", "refresh-", "code-", "s&cret"} {
			if strings.Contains(trail+p.Log.String(), secret) {
				t.Errorf("the trail contains %s", secret)
			}
		}
	})
}

// A refusal is shown with HMRC's reason, leaves a draft that can be corrected, and is in the trail. HMRC accepts
// no return before its period has ended.
func TestMTDRefusal(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c := p.trader("A", ourVRN)
		c.connect()
		path := c.draft(0, 10)
		if a := c.call("POST", path+"/submit", nil).refused(t, 502, "hmrc_rejected"); !strings.Contains(a.text, "TAX_PERIOD_NOT_ENDED") || !strings.Contains(a.text, "has not ended") {
			t.Errorf("refused: %s", a.text)
		}
		if c.status(path) != "DRAFT" || len(c.events("eventType=tax.return.not-taken")) != 1 {
			t.Errorf("after: %v, %v", c.status(path), c.events("hub=tax"))
		}
		c.draft(0, 11)
		c.call("DELETE", path, nil).want(t, 200)
		hmrc.InjectFault(mtdtest.Maintenance)
		path = c.draft(1, 10)
		c.call("POST", path+"/submit", nil).refused(t, 502, "hmrc_unreachable")
		c.call("POST", path+"/submit", nil).want(t, 200)
		other := c.draft(2, 10)
		c.call("PATCH", "/api/organisation", map[string]any{"vatNumber": "GB" + theirVRN}).want(t, 200)
		c.draft(2, 10)
		c.call("POST", other+"/submit", nil).refused(t, 400, "invalid_state")
		if hmrc.Returns() != 1 {
			t.Errorf("%d returns", hmrc.Returns())
		}
	})
}

// A return with an unknown outcome is locked until the outcome is known, and is declared once, whatever failed.
func TestMTDUnknownOutcome(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c := p.trader("A", ourVRN)
		c.connect()
		for n, f := range []struct {
			fault mtdtest.Fault
			calls int // of submit, until the outcome is known
		}{{mtdtest.LostAnswer, 1}, {mtdtest.LostGateway, 1}, {mtdtest.HalfAnswer, 1}, {mtdtest.Dropped, 2}, {mtdtest.Late, 2}} {
			path, before := c.draft(n+1, 100+n), hmrc.Calls("submit")
			hmrc.InjectFault(f.fault)
			c.call("POST", path+"/submit", nil).refused(t, 502, "hmrc_unreachable")
			if c.status(path) != "DRAFT" {
				t.Fatalf("%s: %v", f.fault, c.status(path))
			}
			c.call("DELETE", path, nil).refused(t, 400, "invalid_state")
			period := c.call("GET", path, nil).in("return", "periodId")
			c.call("POST", "/api/tax/returns", map[string]any{"periodId": period}).refused(t, 400, "invalid_state")
			if f.fault == mtdtest.LostGateway {
				c.eventually("end that the service found by itself", func() bool { return c.status(path) == "SUBMITTED" })
			} else if a := c.call("POST", path+"/submit", nil).want(t, 200); a.in("return", "status") != "SUBMITTED" {
				t.Errorf("%s: %s", f.fault, a.text)
			}
			if got := hmrc.Calls("submit") - before; got != f.calls || hmrc.Returns() != n+1 {
				t.Errorf("%s: sent %d times; %d returns", f.fault, got, hmrc.Returns())
			}
		}
	})
}

// An expired token is refreshed once, for any number of calls and instances.
func TestMTDRefreshOnce(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c := p.trader("A", ourVRN)
		c.connect()
		instances := []*caller{c, c}
		if strings.HasSuffix(t.Name(), "postgres") {
			second := *p
			second.base = p.start()
			instances[1] = &caller{&second, c.org, c.key}
		}
		paths := []string{c.draft(1, 1), c.draft(2, 2), c.draft(3, 3), c.draft(4, 4)}
		hmrc.Withdraw()
		var all sync.WaitGroup
		for n, path := range paths {
			all.Go(func() { instances[n%2].call("POST", path+"/submit", nil).want(t, 200) })
		}
		all.Wait()
		if hmrc.Calls("token") != 2 || hmrc.Returns() != 4 {
			t.Errorf("%d tokens, %d returns", hmrc.Calls("token"), hmrc.Returns())
		}
	})
}

// A consent that was revoked at HMRC lapses here, says so, and can be renewed; meanwhile no return is submitted
// with a mock reference.
func TestMTDRevoked(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c := p.trader("A", ourVRN)
		c.connect()
		path := c.draft(1, 10)
		hmrc.Revoke()
		for range 2 {
			if a := c.call("POST", path+"/submit", nil).refused(t, 400, "invalid_state"); !strings.Contains(a.text, "no longer accepts the consent") {
				t.Errorf("refused: %s", a.text)
			}
		}
		a := c.call("GET", "/api/tax/connection", nil).want(t, 200)
		if a.in("connection", "status") != "LAPSED" || a.in("connection", "problem") == nil || len(c.events("eventType=tax.connection.lapsed")) != 1 {
			t.Errorf("lapsed: %s", a.text)
		}
		c.connect()
		c.call("POST", path+"/submit", nil).want(t, 200)
	})
}

// A state is valid once, for the organisation that started it, and not after the user has started again; only an
// OWNER can start.
func TestMTDConsent(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c, other := p.trader("A", ourVRN), p.trader(canary, theirVRN)
		for _, role := range []string{"MEMBER", "VIEWER"} {
			code := map[string]string{"MEMBER": "owner_role_required", "VIEWER": "read_only_key"}[role]
			c.as(role).call("POST", "/api/tax/connection", nil).refused(t, 403, code)
			c.as(role).call("DELETE", "/api/tax/connection", nil).refused(t, 403, code)
		}
		mine, theirs := c.signedIn(), other.signedIn()
		replaced, back := mine.consent(), mine.consent()
		if a := p.call("", "GET", back, nil).want(t, 303); !strings.HasPrefix(a.header.Get("Location"), "/sign-in?next=") {
			t.Errorf("without a session, redirected to %q", a.header.Get("Location"))
		}
		theirs.openPage(back).want(t, 400)
		theirs.submitForm(back).want(t, 400)
		mine.openPage(replaced).want(t, 400)
		if a := mine.openPage(back).want(t, 200); !strings.Contains(a.text, ourVRN) || !strings.Contains(a.text, "<dd>A</dd>") {
			t.Errorf("the page does not say what is connected: %s", a.text)
		}
		c.signedIn().openPage(back).want(t, 400) // another session of the organisation
		if hmrc.Calls("token") != 0 {
			t.Error("the code was used before the person confirmed")
		}
		mine.confirm(back).want(t, 303)
		mine.openPage(back).want(t, 400)
		mine.submitForm(back).want(t, 400)
		c.waitForPeriods()
		if hmrc.Calls("token") != 1 {
			t.Errorf("%d tokens", hmrc.Calls("token"))
		}
		if a := other.call("GET", "/api/tax/connection", nil).want(t, 200); a.in("connection", "status") != "NONE" || strings.Contains(a.text, ourVRN) {
			t.Errorf("another organisation: %s", a.text)
		}
		other.call("DELETE", "/api/tax/connection", nil).refused(t, 404, "not_found")
		denied, _ := url.Parse(mine.consent())
		q := denied.Query()
		q.Del("code")
		q.Set("error", "access_denied")
		q.Set("error_description", "user denied the authorization")
		q.Set("error_code", "USER_DENIED_AUTHORIZATION")
		if a := mine.openPage(denied.Path+"?"+q.Encode()).want(t, 400); !strings.Contains(a.text, "You did not give consent at HMRC") {
			t.Errorf("denied: %s", a.text)
		}
		mine.openPage(denied.RequestURI()).want(t, 400)
		for _, nonsense := range []string{"", "?state=&code=x", "?state=x&code=x", "?code=" + strings.Repeat("x", 3000)} {
			mine.openPage("/api/tax/connection/callback"+nonsense).want(t, 400)
		}
		c.call("PATCH", "/api/organisation", map[string]any{"vatNumber": nil}).want(t, 200)
		c.call("POST", "/api/tax/connection", nil).refused(t, 400, "invalid_state")
	})
}

// If HMRC is unavailable, lists still work: known periods stay, and the connection says so.
func TestMTDUnavailable(t *testing.T) {
	withHMRC(t, func(t *testing.T, p *server, hmrc *mtdtest.HMRC) {
		c := p.trader("A", ourVRN)
		c.connect()
		hmrc.InjectFault(mtdtest.Maintenance, mtdtest.Dropped, mtdtest.Maintenance)
		c.eventually("word of HMRC's absence", func() bool {
			return c.call("GET", "/api/tax/connection", nil).want(t, 200).in("connection", "problem") != nil
		})
		if a := c.call("GET", "/api/tax/periods", nil).want(t, 200); len(a.in("periods").([]any)) != quarterCount {
			t.Errorf("periods: %s", a.text)
		}
		c.eventually("HMRC's return", func() bool {
			return c.call("GET", "/api/tax/connection", nil).want(t, 200).in("connection", "problem") == nil
		})
	}, "TIDEWAITER_MTD_EVERY=1s")
}

// Without settings there is no connection, and a return is submitted with the mock reference.
func TestMTDOff(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.trader("A", ourVRN)
		if a := c.call("GET", "/api/tax/connection", nil).want(t, 200); a.in("connection", "status") != "UNAVAILABLE" {
			t.Errorf("off: %s", a.text)
		}
		c.call("POST", "/api/tax/connection", nil).refused(t, 400, "invalid_state")
		c.call("DELETE", "/api/tax/connection", nil).refused(t, 404, "not_found")
		c.signedIn().openPage("/api/tax/connection/callback?state=x&code=x").want(t, 400)
		if a := c.call("POST", c.draft(0, 1)+"/submit", nil).want(t, 200); !strings.Contains(a.in("note").(string), "mock") {
			t.Errorf("submitted: %s", a.text)
		}
	})
}
