package mtd_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

const vrn = "123456782"

func newClock() *hmrctest.Clock {
	return hmrctest.NewClock(time.Date(2026, 10, 12, 9, 0, 0, 0, time.UTC))
}

// fixture is a client, a simulator behind a real socket, and a person who gave consent.
type fixture struct {
	hmrc   *mtdtest.HMRC
	client *mtd.Client
	clock  *hmrctest.Clock
	tokens *hmrctest.TokenStore
	caller mtd.Caller
}

func newClient(t *testing.T, s mtd.Settings, now func() time.Time) *mtd.Client {
	t.Helper()
	c, err := mtd.New(s, hmrctest.NoLimit{}, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

const redirect = "http://127.0.0.1:8080/tax/consent"

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{clock: newClock(), tokens: &hmrctest.TokenStore{}}
	w.hmrc = mtdtest.New(mtdtest.Options{
		ClientID: "app", ClientSecret: "s&cret", RedirectURL: redirect, Now: w.clock.Now,
		Obligations: map[string][]mtdtest.Obligation{vrn: {
			{PeriodKey: "26D1", Start: "2026-10-01", End: "2026-12-31", Due: "2027-02-07"},
			{PeriodKey: "26C1", Start: "2026-07-01", End: "2026-09-30", Due: "2026-11-07"},
			{PeriodKey: "#001", Start: "2026-04-01", End: "2026-06-30", Due: "2026-08-07"},
		}},
	})
	w.client = newClient(t, mtd.Settings{
		BaseURL: hmrctest.Serve(t, w.hmrc.ServeHTTP), ClientID: "app", ClientSecret: "s&cret", RedirectURL: redirect, Vendor: vendor, Deadline: 5 * time.Second,
	}, w.clock.Now)
	w.caller = mtd.Caller{VRN: vrn, Tokens: w.tokens, Origin: origin}
	token, err := w.client.Exchange(t.Context(), w.consent(t, "state"), verifier)
	if err != nil {
		t.Fatal(err)
	}
	w.tokens.Token = token
	return w
}

// consent is what a person's browser does: it follows the link and comes back with a code.
func (w *fixture) consent(t *testing.T, state string) string {
	t.Helper()
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.Get(w.client.Consent(state, verifier))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	back, err := url.Parse(response.Header.Get("Location"))
	if err != nil || back.Query().Get("state") != state || back.Query().Get("code") == "" {
		t.Fatalf("consent led to %q: %v", response.Header.Get("Location"), err)
	}
	return back.Query().Get("code")
}

var vendor = mtd.Vendor{
	Product: "Tidewaiter & Co", Versions: []mtd.Pair{{Name: "tidewaiter", Value: "1.2.0"}, {Name: "console", Value: "1.2"}},
	PublicIP: netip.MustParseAddr("203.0.113.6"),
}

var origin = mtd.Origin{
	UserAgent: "Mozilla/5.0 (X11; Linux x86_64)", DeviceID: "beec798b-b366-47fa-b1f8-92cede14a1ce", Timezone: "UTC+00:00",
	Screens:  []mtd.Screen{{Size: mtd.Size{Width: 1920, Height: 1080}, Scaling: "1", Depth: 24}, {Size: mtd.Size{Width: 3000, Height: 2000}, Scaling: "1.25", Depth: 24}},
	Window:   mtd.Size{Width: 1256, Height: 803},
	Factors:  []mtd.Factor{{Type: "TOTP", At: time.Date(2026, 10, 12, 8, 30, 0, 0, time.UTC), Reference: "c672b8d1ef56ed28"}},
	PublicIP: netip.MustParseAddr("198.51.100.7"), PublicPort: 47138, SeenAt: time.Date(2026, 10, 12, 9, 0, 0, 123e6, time.UTC),
	User: mtd.Pair{Name: "tidewaiter", Value: "019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a70"},
}

func money(text string) quantity.Money { return quantity.MustMoney(text) }

// submission is a return for July to September.
func submission() mtd.Submission {
	return mtd.Submission{Finalised: true, Return: mtd.Return{
		PeriodKey: "26C1", VATDueSales: money("8420.50"), TotalVATDue: money("8420.50"), VATReclaimed: money("2725.15"), NetVATDue: money("5695.35"),
		TotalSales: money("46780"), TotalPurchases: money("19340"),
	}}
}

// outcomeName names an outcome or an error.
func outcomeName(what any) string {
	switch o := what.(type) {
	case nil:
		return "none"
	case mtd.Accepted:
		if o.Found {
			return "found"
		}
		return "accepted"
	case client.Refused:
		return "refused " + o.Code
	case client.Unreachable:
		return "unreachable"
	case client.Unknown:
		return "unknown"
	}
	return "something else"
}
