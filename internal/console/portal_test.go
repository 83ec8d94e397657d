package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// by returns the last event of an organisation, and the link whose holder caused it.
func (h *harness) by(org tenant.ID) (last audit.Event, link string) {
	h.Helper()
	h.must(h.app.Store.View(h.Context(), org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error { last = e; return nil })
	}))
	return last, portal.LinkOf(&last)
}

// The holder of a link sees its endpoints and works on them without an account. Every change is in the audit trail with the link
// and who made it. Another endpoint of the organisation does not exist, and neither does anything else of the console.
func TestPortal(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o := h.owner("Quay Ltd", "olive@example.com")
		other := o.makeEndpoint("https://other.invalid/hook")
		mine := o.makeEndpoint(h.listener(503, "closed"))
		link, root := o.portalLink(portal.PortalInput{ExpiresInMinutes: 60, EndpointIDs: []string{mine}})
		guest := h.visitor()
		guest.get(root).expect(h, 200, "Quay Ltd", "This link works until", root+"/endpoints/"+mine)
		if a := guest.get(root); strings.Contains(a.body, "other.invalid") || a.header.Get("Set-Cookie") != "" {
			h.Errorf("the list of the link's endpoints: %v %s", a.header, a.body)
		}
		one := root + "/endpoints/" + mine
		guest.get(one).expect(h, 200, "Webhook (HTTPS)", "Active", "Send test event", "Rotate secret", "whsec_…")
		tested := guest.post(one + "/test")
		tested.expect(h, 303)
		delivery := strings.Split(tested.header.Get("Location"), "?")[0]
		guest.get(tested.header.Get("Location")).expect(h, 200, "The test event was sent", "503", "closed", "X-Service-Signature: t=", "webhook.ping", root+"/deliveries/")
		guest.get(one).expect(h, 200, delivery)
		if last, by := h.by(o.org); by != link.ID || last.ActorUserID != o.id || last.Type != "webhook.endpoint.tested" {
			h.Errorf("the event of a test: %+v", last)
		}
		guest.post(delivery+"/resend").expect(h, 303)
		guest.get(one+"/recover").expect(h, 200, "Failed deliveries", one+"/recover")
		guest.post(one+"/recover", "since", "ever").expect(h, 303)
		guest.get(one+"/rotate").expect(h, 200, "Create a new signing secret?", one+"/rotate")
		before := shownOnce(h, guest.post(one+"/rotate"))
		if again := guest.get(one); strings.Contains(again.body, before) {
			h.Error("the secret is shown again")
		}
		guest.post(one+"/pause").expect(h, 303)
		guest.get(one).expect(h, 200, "Paused", "Resume")
		guest.post(one+"/resume").expect(h, 303)
		if last, by := h.by(o.org); by != link.ID || last.Type != "webhook.endpoint.resumed" || last.ResourceID != mine {
			h.Errorf("the event of a resumption: %+v", last)
		}
		o.get("/audit").expect(h, 200, "The holder of a portal link from Quay Ltd")

		foreign := o.deliveryOf(other)
		for _, path := range []string{"/endpoints/" + other, "/deliveries/" + foreign, "/endpoints/" + other + "/rotate", "/endpoints/" + other + "/recover", "/endpoints/" + other + "/edit", "/endpoints/" + mine + "/edit", "/new", "/metrics"} {
			guest.get(root+path).expect(h, 404)
		}
		count := len(h.events(o.org))
		for _, path := range []string{"/deliveries/" + foreign + "/resend", "/endpoints/" + other + "/test", "/endpoints/" + other + "/pause", "/endpoints/" + other + "/resume", "/endpoints/" + other + "/rotate"} {
			guest.post(root+path).expect(h, 404)
		}
		guest.post(root+"/endpoints/"+other+"/recover", "since", "ever").expect(h, 404)
		if n := len(h.events(o.org)); n != count {
			h.Errorf("%d events after requests for another endpoint, not %d", n, count)
		}
		guest.get("/webhooks").expect(h, 303) // to sign in
		if !strings.Contains(h.log.String(), link.ID) || strings.Contains(h.log.String(), strings.TrimPrefix(root, "/portal/")) {
			h.Error("the log does not name the link, or has its token")
		}
	}, private)
}

// deliveryOf stores a delivery of an endpoint.
func (p *user) deliveryOf(endpoint string) (id string) {
	p.Helper()
	tested := p.post("/webhooks/endpoints/" + endpoint + "/test")
	tested.expect(p, 303)
	return strings.TrimPrefix(strings.Split(tested.header.Get("Location"), "?")[0], "/webhooks/deliveries/")
}

// A link ends by the clock, when it is revoked, when its maker is no OWNER any more, when the organisation is closed, and with
// every letter that is changed. All answers are alike.
func TestPortalLinkEnds(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o, guest := h.owner("Quay Ltd", "olive@example.com"), h.visitor()
		mia := h.member(o.org, tenant.Owner, "mia@example.com")
		endpoint := o.makeEndpoint("https://receiver.invalid/")
		gone := guest.get("/portal/none")
		gone.expect(h, 404, "This link is not valid")
		ended := func(why, root string) {
			h.Helper()
			for _, path := range []string{root, root + "/endpoints/" + endpoint} {
				if a := guest.get(path); a.status != 404 || requestID.ReplaceAllString(main(a.body), "") != requestID.ReplaceAllString(main(gone.body), "") {
					h.Errorf("%s: %s: %d %s", why, path, a.status, main(a.body))
				}
			}
		}
		link, root := o.portalLink(portal.PortalInput{ExpiresInMinutes: 1})
		for _, changed := range []string{strings.ToUpper(root[8:]), root[8:] + "A", root[9:], "x" + root[9:]} {
			ended("changed", "/portal/"+changed)
		}
		for at := 8; at < len(root); at += 5 {
			letter := "A"
			if root[at] == 'A' {
				letter = "B"
			}
			ended("one letter", root[:at]+letter+root[at+1:])
		}
		h.advance(time.Minute - time.Millisecond)
		guest.get(root).expect(h, 200)
		h.advance(time.Millisecond)
		ended("by the clock", root)

		link, root = o.portalLink(portal.PortalInput{ExpiresInMinutes: 60})
		guest.get(root).expect(h, 200)
		o.get("/webhooks/portal").expect(h, 200, "All endpoints", link.ID)
		o.post("/webhooks/portal/"+link.ID+"/revoke").expect(h, 303)
		ended("revoked", root)
		o.post("/webhooks/portal/"+link.ID+"/revoke").expect(h, 404)

		_, hers := mia.portalLink(portal.PortalInput{ExpiresInMinutes: 60})
		guest.get(hers).expect(h, 200)
		role := func(role tenant.Role) {
			h.must(h.app.Store.Update(h.Context(), o.org, func(tx *store.Tx) error { return h.app.Access.ChangeRole(tx, o.call(), mia.id, role) }))
		}
		role(tenant.Member)
		ended("of a MEMBER", hers)
		role(tenant.Owner)
		guest.get(hers).expect(h, 200)
		h.must(h.app.Store.Update(h.Context(), o.org, func(tx *store.Tx) error { return h.app.Access.RemoveMember(tx, o.call(), mia.id) }))
		h.join(o.org, mia.id, tenant.Owner)
		ended("of a member who left and came back", hers)

		_, named := o.portalLink(portal.PortalInput{ExpiresInMinutes: 60, EndpointIDs: []string{endpoint}})
		_, all := o.portalLink(portal.PortalInput{ExpiresInMinutes: 60})
		o.post("/webhooks/endpoints/"+endpoint+"/delete").expect(h, 303)
		guest.get(named).expect(h, 200, "No endpoints")
		guest.get(named+"/endpoints/"+endpoint).expect(h, 404)
		later := o.makeEndpoint("https://later.invalid/")
		guest.get(named+"/endpoints/"+later).expect(h, 404)
		guest.get(all).expect(h, 200, "later.invalid")

		h.advance(time.Minute)
		o.json("DELETE", "/api/organisation", "name", "Quay Ltd").expect(h, 200)
		ended("of a closed organisation", all)
		o.json("POST", "/api/organisation/restore").expect(h, 200)
		ended("of a restored organisation", all)
	})
}

var signature = regexp.MustCompile(`v1=[0-9a-f]{64}`)

// A read-only link shows everything but signatures, and refuses each action however it is sent. The attempt is recorded.
func TestReadOnlyPortal(t *testing.T) {
	h := open(t, storetest.SQLite(t), private)
	o, guest := h.owner("Quay Ltd", "olive@example.com"), h.visitor()
	endpoint := o.makeEndpoint(h.listener(200, "fine"))
	delivery := o.deliveryOf(endpoint)
	link, root := o.portalLink(portal.PortalInput{ExpiresInMinutes: 60, ReadOnly: true})
	guest.get(root).expect(h, 200, "for looking only")
	for _, path := range []string{"/endpoints/" + endpoint, "/deliveries/" + delivery} {
		a := guest.get(root + path)
		a.expect(h, 200)
		if strings.Contains(main(a.body), `method="post"`) || signature.MatchString(a.body) || strings.Contains(a.body, "/rotate") || strings.Contains(a.body, "/recover") {
			h.Errorf("%s offers an action, or shows a signature: %s", path, main(a.body))
		}
	}
	actions := 0
	for _, r := range console.Table() {
		if !r.Link || !r.Changes {
			continue
		}
		actions++
		id := endpoint
		if strings.Contains(r.Path, "/deliveries/") {
			id = delivery
		}
		path := strings.NewReplacer("/portal/{token}", root, "{id}", id).Replace(r.Path)
		if a := guest.send(r.Method, path, url.Values{"since": {"ever"}}, nil); a.status != http.StatusForbidden {
			h.Errorf("%s %s: %d", r.Method, r.Path, a.status)
		}
		if last, by := h.by(o.org); r.Method == http.MethodPost && (by != link.ID || !strings.HasSuffix(last.Type, ".refused")) {
			h.Errorf("%s %s is recorded as %+v", r.Method, r.Path, last)
		}
	}
	for _, r := range console.Table() {
		if r.Link && r.Method != http.MethodGet && !r.Changes {
			h.Errorf("%s %s changes something, and a read-only link may do it", r.Method, r.Path)
		}
	}
	if actions != 8 {
		h.Errorf("%d actions of the portal were tried, not 8", actions)
	}
	var active bool
	h.must(h.app.Store.View(h.Context(), o.org, func(tx *store.Tx) error {
		e, err := tx.Endpoint(endpoint)
		active = e.Active && e.FormerUntil.IsZero()
		return err
	}))
	if !active {
		h.Error("the endpoint was changed")
	}
}

// Only the sites of the organisation's list may show the portal in a frame, and the console never. The accent colour is in a
// stylesheet of its own.
func TestPortalAppearance(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o, guest := h.owner("Quay Ltd", "olive@example.com"), h.visitor()
	_, root := o.portalLink(portal.PortalInput{ExpiresInMinutes: 60})
	frames := func(path, want, old string) {
		t.Helper()
		a := guest.get(path)
		policy := a.header.Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, "frame-ancestors "+want) || a.header.Get("X-Frame-Options") != old || a.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", path, a.header)
		}
	}
	frames(root, "'none'", "DENY")
	o.post("/settings/portal", "portal.accentColour", "#ffd500", "portal.embedOrigins", "https://app.example.com\nhttps://*.example.com").
		expect(t, 400, "The colour has a contrast of 1.4", "The list of sites must be an origin", "#ffd500")
	o.post("/settings/portal", "portal.accentColour", "#7a1f5c", "portal.embedOrigins", "https://app.example.com\nhttps://b.example").expect(t, 303)
	frames(root, "https://app.example.com https://b.example", "")
	frames("/portal/none", "'none'", "DENY")
	guest.get(root+"/colours.css").expect(t, 200, "--act: #7a1f5c")
	guest.get(root).expect(t, 200, root+"/colours.css")
	o.post("/settings", "name", "Quay Ltd", "city", "Hull").expect(t, 303)
	frames(root, "https://app.example.com https://b.example", "")
	if a := o.get("/settings"); !strings.Contains(a.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("the console may be shown in a frame: %v", a.header)
	}
	o.post("/settings/portal", "portal.accentColour", "", "portal.embedOrigins", "").expect(t, 303)
	frames(root, "'none'", "DENY")
	guest.get(root+"/colours.css").expect(t, 200)
}

// The console makes links of chosen endpoints, shows the address once, and refuses endpoints of another organisation. Requests
// with one link, and wrong links from one network, are limited.
func TestPortalLinksAreMade(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	o, theirs, guest := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "pia@example.com"), h.visitor()
	mine, foreign := o.makeEndpoint("https://mine.invalid/"), theirs.makeEndpoint("https://foreign.invalid/")
	o.post("/webhooks/portal", "which", "some", "expiresInMinutes", "60").expect(t, 400, "The list of endpoints is empty")
	o.post("/webhooks/portal", "which", "all", "expiresInMinutes", "1441").expect(t, 400, "The number of minutes must be 1 to 1440")
	o.post("/webhooks/portal", "which", "some", "endpoints", foreign, "expiresInMinutes", "60").expect(t, 404)
	made := o.post("/webhooks/portal", "which", "some", "endpoints", mine, "expiresInMinutes", "60", "readOnly", "yes")
	address := shownOnce(t, made)
	if strings.Contains(o.get("/webhooks/portal").body, address[len(address)-20:]) {
		t.Error("the address is shown again")
	}
	o.get("/webhooks/portal").expect(t, 200, "mine.invalid", "Look only", "Quay Ltd&#39;s owner")
	root := h.local(address)
	guest.get(root).expect(t, 200, "mine.invalid", "Quay Ltd")
	guest.get(root+"/endpoints/"+foreign).expect(t, 404)
	created, _ := h.by(o.org)
	var data struct {
		EndpointIDs []string `json:"endpointIds"`
		ReadOnly    bool     `json:"readOnly"`
	}
	if err := json.Unmarshal(created.Data, &data); err != nil || created.Type != portal.LinkCreated || !slices.Equal(data.EndpointIDs, []string{mine}) || !data.ReadOnly {
		t.Errorf("the event: %+v %v", created, err)
	}
	var status int
	for range 400 {
		if status = guest.get(root + "/colours.css").status; status != http.StatusOK {
			break
		}
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("after 400 requests in a minute: %d", status)
	}
	for range 200 {
		if status = guest.get("/portal/none").status; status != http.StatusNotFound {
			break
		}
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("after 200 wrong links in a minute: %d", status)
	}
	h.advance(time.Minute)
	guest.get(root).expect(t, 200)
}
