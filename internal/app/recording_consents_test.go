package app_test

import (
	"context"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/console/authorities"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// vrn is the VAT number of the demo's broker, without GB.
const vrn = "987654353"

// customsCallback is where HMRC sends a person back after a consent for customs.
const customsCallback = "/customs/consent/callback"

// connected are the settings of a service that is connected to customs at an address.
func (r *recorder) connected(url string) config.Config {
	c := apptest.Simulated(r.t)
	c.PublicURL = recordedURL
	c.Customs = config.Customs{
		Mode: "hmrc", URL: url, ClientID: "app", ClientSecret: "secret", RedirectURL: recordedURL + customsCallback,
		Inbound: "static-token", InboundToken: "Basic secret", Version: "1.0", Rate: 1000,
	}
	return c
}

// newOrganisation creates an organisation like that of the demo, whose key makes the calls from now on, and signs its OWNER in.
func (r *recorder) newOrganisation(ctx context.Context) consenting {
	made, err := r.app.CreateOrganisation(ctx, "Harbour Customs Services Ltd", "GB987654312000")
	if err != nil {
		r.t.Fatal(err)
	}
	r.demo.Key, r.demo.OrganisationID = made.Secret, made.Organisation.ID
	owner := r.signInAs(ctx, string(made.Organisation.ID))
	r.silently(func() { r.want(r.call("PATCH", "/api/organisation", r.copied["organisation"])) })
	return owner
}

// recordConnections records how an organisation connects itself to HMRC, and what happens while customs cannot be reached.
func (r *recorder) recordConnections() {
	vat, customs := r.hmrc("/api/tax/connection/callback"), r.hmrc(customsCallback)
	c := r.connected(customs.URL)
	c.MTD = config.MTD{URL: vat.URL, ClientID: "app", ClientSecret: "secret", RedirectURL: recordedURL + "/api/tax/connection/callback", PublicIP: "203.0.113.6"}
	excise := r.hmrc(authorities.CallbackPath)
	c.EMCS = config.Authority{Mode: "hmrc-sandbox", URL: excise.URL, ClientID: "app", ClientSecret: "secret", Scope: "write:vat", Rate: 1000}
	r.run(c, func(ctx context.Context) {
		owner := r.newOrganisation(ctx)
		r.silently(func() {
			r.want(r.call("POST", "/api/hubs/tax", nil))
			r.want(r.call("GET", "/api/tax/periods", nil)) // those of the calendar, which HMRC's replace
		})
		begun := r.rehearsed("/api/tax/connection", nil)
		owner.consent(r.text(begun, "consent", "url"), "/vat/connection/confirm")
		r.eventually("/api/tax/connection", func(a answered) bool { return at(a.body, "connection", "periodsAt") != nil })
		r.want(r.call("GET", "/api/tax/connection", nil))
		begun = r.want(r.call("POST", "/api/customs/consent", nil))
		owner.consent(r.text(begun, "authorizeUrl"), "/customs/consent/confirm")
		r.want(r.call("GET", "/api/customs/consent", nil))
		begun = r.want(r.call("POST", "/api/authorities/emcs/consent", object{"identifier": "GBWK002281023"}))
		owner.consent(r.text(begun, "authorizeUrl"), "/authorities/consent/confirm")
		r.want(r.call("GET", "/api/authorities", nil))
		r.want(r.call("DELETE", "/api/authorities/emcs/consent?identifier=GBWK002281023", nil))
		r.recordUnreachable(customs)
		r.want(r.call("DELETE", "/api/tax/connection", nil))
		r.want(r.call("DELETE", "/api/customs/consent", nil))
		r.keepOtherEvents()
	})
}

// keepOtherEvents keeps the events of a service that earlier ones did not have.
func (r *recorder) keepOtherEvents() {
	events := r.events
	r.events = map[string]any{}
	r.silently(r.keepEvents)
	maps.Copy(r.events, events)
}

// hmrc starts a stand-in of HMRC for an organisation's consents.
func (r *recorder) hmrc(callback string) *httptest.Server {
	server := httptest.NewServer(mtdtest.New(mtdtest.Options{
		ClientID: "app", ClientSecret: "secret", RedirectURL: recordedURL + callback, Now: func() time.Time { return recordedAt },
		Obligations: map[string][]mtdtest.Obligation{vrn: {{PeriodKey: "26A4", Start: "2026-10-01", End: "2026-12-31", Due: "2027-02-07"}}},
	}))
	r.t.Cleanup(server.Close)
	return server
}

// recordUnreachable submits a declaration while customs cannot be reached.
func (r *recorder) recordUnreachable(customs *httptest.Server) {
	id := r.makeCopy()
	customs.Close()
	a := r.call("POST", "/api/cds/submit", object{"declarationId": id})
	if a.status != http.StatusBadGateway {
		r.t.Errorf("submitted without a connection: %d %s", a.status, a.text)
	}
}

// makeCopy creates a declaration like that of the demo, with its client and shipment.
func (r *recorder) makeCopy() (id string) {
	r.silently(func() {
		client, shipment, declaration := r.copied["client"], r.copied["shipment"], r.copied["declaration"]
		shipment["clientId"] = r.text(r.want(r.call("POST", "/api/clients", client)), "id")
		declaration["shipmentId"] = r.text(r.want(r.call("POST", "/api/shipments", shipment)), "id")
		id = r.text(r.want(r.call("POST", "/api/declarations", declaration)), "id")
	})
	return id
}

// consenting is an OWNER in a browser.
type consenting struct {
	*recorder
	org, cookie string
}

func (c consenting) page(method, path, form string) (a answered) {
	c.silently(func() {
		a = c.as("", method, path, form+"&organisation-id="+c.org, "Cookie", c.cookie, "Content-Type", "application/x-www-form-urlencoded", "Origin", recordedURL, "Accept", "text/html")
	})
	return a
}

// consent opens the link of a consent, gives it at HMRC, and confirms it.
func (c consenting) consent(link, confirm string) {
	c.t.Helper()
	begun, err := url.Parse(link)
	if err != nil {
		c.t.Fatal(err)
	}
	c.page("GET", begun.Path, "")
	shown := c.page("POST", begun.Path, "")
	_, rest, _ := strings.Cut(string(shown.text), `class="button" href="`)
	address, _, _ := strings.Cut(rest, `"`)
	res, err := visitor.Get(html.UnescapeString(address))
	if err != nil {
		c.t.Fatalf("%v: %s", err, shown.text)
	}
	_ = res.Body.Close()
	back, err := url.Parse(res.Header.Get("Location"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.page("GET", back.RequestURI(), "")
	c.page("POST", confirm, back.RawQuery)
}

// signInAs invites an OWNER, who signs in to the console.
func (r *recorder) signInAs(ctx context.Context, org string) consenting {
	r.t.Helper()
	link, err := r.app.Invite(ctx, tenant.ID(org), "olive@example.com", tenant.Owner)
	if err != nil {
		r.t.Fatal(err)
	}
	_, token, _ := strings.Cut(link, "/invitations/")
	session, err := r.app.Accounts.Join(ctx, access.Visitor{}, token, "Olive", "harbour-violet-tin-93")
	if err != nil {
		r.t.Fatal(err)
	}
	return consenting{r, org, page.SessionCookieOf(recordedURL) + "=" + session}
}
