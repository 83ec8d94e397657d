package faults_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const redirectURL = "http://127.0.0.1:9/api/tax/connection/callback"

// gateway is a proxy before HMRC that kills the service when a return arrives.
type gateway struct {
	hmrc     *mtdtest.HMRC
	onSubmit atomic.Pointer[func(pass func())]
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strike := g.onSubmit.Load(); strike != nil && r.Method == http.MethodPost && r.URL.Path != "/oauth/token" {
		g.onSubmit.Store(nil)
		(*strike)(func() { g.hmrc.ServeHTTP(httptest.NewRecorder(), r) })
		panic(http.ErrAbortHandler)
	}
	g.hmrc.ServeHTTP(w, r)
}

// A service that is killed while it sends a return, before or after HMRC has received it, asks HMRC first when it
// is back, and the return is declared once.
func TestReturnUnderKill(t *testing.T) {
	t.Parallel()
	for name, taken := range map[string]bool{"before HMRC has it": false, "after HMRC has it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, b storetest.Backend) { killSending(t, b, taken) })
		})
	}
}

func killSending(t *testing.T, b storetest.Backend, taken bool) {
	last := tax.PeriodAt(time.Now()).Previous()
	g := &gateway{hmrc: mtdtest.New(mtdtest.Options{
		ClientID: "app", ClientSecret: "secret", RedirectURL: redirectURL, Now: time.Now,
		Obligations: map[string][]mtdtest.Obligation{"123456782": {{PeriodKey: "#001", Start: last.First(), End: last.Last(), Due: last.Due.Format(time.DateOnly)}}},
	})}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	p := newHost(t, b)
	p.Settings["TIDEWAITER_MTD_URL"], p.Settings["TIDEWAITER_MTD_REDIRECT_URL"] = server.URL, redirectURL
	p.Settings["TIDEWAITER_MTD_CLIENT_ID"], p.Settings["TIDEWAITER_MTD_CLIENT_SECRET"] = "app", "secret"
	running, c := p.withOrganisation(t)
	path := c.taxReturn(t, p, last.Key)

	strike := func(pass func()) {
		if taken {
			pass()
		}
		running.Kill()
	}
	g.onSubmit.Store(&strike)
	if a, err := c.do(t.Context(), http.MethodPost, path+"/submit", "once", nil); err == nil {
		t.Fatalf("the killed service answered %d %s", a.status, a.body)
	}
	c.turn(p.serve(t))
	var got struct{ Return struct{ Status string } }
	eventually(t, takeoverLimit, "the return is submitted", func() bool {
		c.must(t, http.MethodGet, path, nil, &got)
		return got.Return.Status == "SUBMITTED"
	})
	if g.hmrc.Returns() != 1 || g.hmrc.Calls("submit") != 1 || g.hmrc.Calls("view") != 1 {
		t.Errorf("HMRC has %d returns of %d submissions and %d queries", g.hmrc.Returns(), g.hmrc.Calls("submit"), g.hmrc.Calls("view"))
	}
	if a, err := c.do(t.Context(), http.MethodPost, path+"/submit", "once", nil); err != nil || !a.ok() {
		t.Errorf("the repeat was answered %d %s, %v", a.status, a.body, err)
	}
	p.verifyAudit(t)
}

// taxReturn connects the organisation to HMRC, draws a return up, and returns its path.
func (c *client) taxReturn(t *testing.T, p host, period string) string {
	t.Helper()
	var anything map[string]any
	c.must(t, http.MethodPost, "/api/hubs/tax", nil, &anything)
	c.must(t, http.MethodPatch, "/api/organisation", map[string]any{"vatNumber": "GB123456782"}, &anything)
	var begun struct{ Consent struct{ URL string } }
	c.must(t, http.MethodPost, "/api/tax/connection", nil, &begun)
	c.connect(t, p, begun.Consent.URL)
	var id string
	eventually(t, takeoverLimit, "HMRC's period is there", func() bool {
		var list struct {
			Periods []struct{ ID, PeriodKey string }
		}
		c.must(t, http.MethodGet, "/api/tax/periods", nil, &list)
		for _, p := range list.Periods {
			if p.PeriodKey == period {
				id = p.ID
			}
		}
		return id != ""
	})
	var drawn struct{ Return struct{ ID string } }
	c.must(t, http.MethodPost, "/api/tax/returns", map[string]any{"periodId": id, "box1VatDueSales": 10}, &drawn)
	return "/api/tax/returns/" + drawn.Return.ID
}

// connect signs an invited OWNER in to the console, who opens the link, gives consent at HMRC, and confirms the
// connection.
func (c *client) connect(t *testing.T, p host, link string) {
	t.Helper()
	var mine struct{ Organisation struct{ ID string } }
	c.must(t, http.MethodGet, "/api/organisation", nil, &mine)
	var invited struct{ Link string }
	p.Read(t, &invited, "user", "invite", "--org", mine.Organisation.ID, "olive@example.com")
	invitation, err := url.Parse(invited.Link)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	send := func(path string, form url.Values, status int) string {
		t.Helper()
		form.Set("organisation-id", mine.Organisation.ID)
		response, err := browser.PostForm(*c.address.Load()+path, form)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		page, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != status {
			t.Fatalf("POST %s answered %d, %v", path, response.StatusCode, err)
		}
		return string(page)
	}
	send(invitation.Path+"/join", url.Values{"name": {"Olive"}, "password": {"harbour-violet-tin-93"}}, http.StatusSeeOther)
	at, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(send(at.Path, url.Values{}, http.StatusOK), `class="button" href="`)
	address, _, _ := strings.Cut(rest, `"`)
	response, err := browser.Get(html.UnescapeString(address))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	send("/vat/connection/confirm", back.Query(), http.StatusSeeOther)
}
