package console_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// routeCase says how a page or action of the table is called: with which form, and the status for
// users with a sufficient role. If the path has an ID, record creates the record with that ID in
// the organisation of the given OWNER.
type routeCase struct {
	form   []string
	status int
	record func(owner *user) string
	params []string // pairs for the other holes of the path, such as {hub}, tss
	hub    string   // Hub that must be enabled
}

// routeCases has a case for every row of the table. The cases of each area are in a file of their
// own.
var routeCases = all(signInCases, identityCases, webhookCases, tableCases, statementCases, deadlineCases, auditLogCases, approvalCases, filingsCases, declareCases, declarationCases, whatIfCases, markedCases, viewCases, helpCases, classificationCases, teamCases, authoritiesCases)

func all(areas ...map[string]routeCase) map[string]routeCase {
	joined := map[string]routeCase{}
	for _, area := range areas {
		maps.Copy(joined, area)
	}
	return joined
}

func (p *user) call() tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: p.org, UserID: p.id, Role: tenant.Owner, Type: tenant.ByUser}, IPAddress: "127.0.0.1"}
}

// path replaces the placeholders of a row's path.
func path(r page.Route, id string) string {
	holes := append([]string{"{$}", "", "{id}", id}, routeCases[name(r)].params...)
	return strings.NewReplacer(append(holes, "{hub}", "tss", "{token}", "none")...).Replace(r.Path)
}

func name(r page.Route) string { return r.Method + " " + r.Path }

// personal reports whether a page shows data that belongs to the user, not to the organisation.
func personal(r page.Route) bool {
	return strings.HasPrefix(r.Path, "/account/sessions") || strings.HasPrefix(r.Path, "/account/security/factors") || strings.HasPrefix(r.Path, "/views/")
}

// Every row of the table has a case, and every case has a row.
func TestTableIsCovered(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range console.Table() {
		rows[name(r)] = true
		if p, ok := routeCases[name(r)]; !ok {
			t.Errorf("%s has no case", name(r))
		} else if (p.record != nil) != strings.Contains(r.Path, "{id}") {
			t.Errorf("%s: a path with an id needs a record", name(r))
		}
	}
	for n := range routeCases {
		if !rows[n] {
			t.Errorf("%s is not in the table", n)
		}
	}
}

// Users with a sufficient role can open a page; others get 403. Requests without a session are
// redirected to sign-in and change nothing.
func TestRoles(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		people := []struct {
			may page.Level
			*user
		}{
			{page.ForOwner, owner},
			{page.ForMember, h.member(owner.org, tenant.Member, "mia@example.com")},
			{page.ForViewer, h.member(owner.org, tenant.Viewer, "vera@example.com")},
		}
		for _, r := range console.Table() {
			p, id := routeCases[name(r)], ""
			h.advance(time.Minute)
			if p.record != nil {
				id = p.record(owner)
			}
			if r.For != page.ForEveryone {
				anonymous := h.visitor()
				anonymous.org = owner.org
				a := anonymous.try(r, p, id)
				if r.Method == http.MethodGet && (a.status != http.StatusSeeOther || !strings.HasPrefix(a.header.Get("Location"), "/sign-in")) ||
					r.Method != http.MethodGet && a.status != http.StatusUnauthorized {
					h.Errorf("%s without a session: %d", name(r), a.status)
				}
			}
			for i := len(people) - 1; i >= 0; i-- { // the lowest role first, because an action may consume its record
				who := people[i]
				want := p.status
				if r.For < who.may {
					want = http.StatusForbidden
				} else if h.advance(time.Minute); personal(r) {
					id = p.record(who.user)
				} else if p.record != nil {
					id = p.record(owner)
				}
				h.advance(time.Minute) // unknown browsers wait after a failed sign-in
				if a := who.try(r, p, id); a.status != want {
					h.Errorf("%s as %s: %d, not %d: %s", name(r), who.email, a.status, want, main(a.body))
				}
				if who.get("/account").status != http.StatusOK {
					_, err := h.app.ResetFactors(h.Context(), who.email) // a case may have added one
					h.must(err)
					who.signIn()
				}
			}
		}
	})
}

// try calls a row of the table.
func (p *user) try(r page.Route, with routeCase, id string) pageResponse {
	p.Helper()
	if with.hub != "" {
		p.enable(with.hub)
	}
	if r.Method == http.MethodGet {
		return p.get(path(r, id))
	}
	if r.API {
		return p.json(r.Method, path(r, id), with.form...)
	}
	return p.post(path(r, id), with.form...)
}

// enable enables Hubs that are not enabled yet.
func (p *user) enable(hubs ...string) {
	p.Helper()
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		org, err := tx.Organisation()
		for _, hub := range hubs {
			if err == nil && !org.Hubs.Has(hub) {
				_, err = p.app.Access.EnableHub(tx, p.call(), hub)
			}
		}
		return err
	}))
}

var requestID = regexp.MustCompile(`<span class="code">[0-9a-f-]{36}</span>`)

// A record of another organisation and a record that does not exist get the same response, and no
// page contains data of another organisation.
func TestIsolation(t *testing.T) {
	each(t, func(h *harness) {
		ours, theirs := h.owner("Quay Ltd", "olive@example.com"), h.owner("Foreign Canary Ltd", "canary@example.com")
		for _, make := range []func(*user) string{anInvitation, aColleague, aKey, aSession, aDelivery, anUpload} {
			make(theirs)
		}
		theirs.get("/settings/keys").expect(h, 200, "Canary "+string(theirs.org))
		for _, r := range console.Table() {
			p := routeCases[name(r)]
			if p.record != nil {
				foreign, random := ours.try(r, p, p.record(theirs)), ours.try(r, p, h.app.IDs.UUID())
				for _, id := range []string{"5", "x'--", strings.ToUpper(h.app.IDs.UUID())} {
					if a := ours.try(r, p, url.PathEscape(id)); a.status != http.StatusNotFound {
						h.Errorf("%s of %q: %d", name(r), id, a.status)
					}
				}
				a, b := requestID.ReplaceAllString(main(foreign.body), ""), requestID.ReplaceAllString(main(random.body), "")
				if foreign.status != http.StatusNotFound || random.status != http.StatusNotFound || a != b {
					h.Errorf("%s: record of another organisation: %d %s\nrecord that does not exist: %d %s", name(r), foreign.status, a, random.status, b)
				}
			} else if r.Method == http.MethodGet {
				if a := ours.get(path(r, "")); strings.Contains(a.body, "anary") || strings.Contains(a.body, string(theirs.org)) {
					h.Errorf("%s shows data of another organisation: %s", name(r), main(a.body))
				}
			}
		}
		theirs.get("/settings/keys").expect(h, 200, "Canary "+string(theirs.org), "Active")
	})
}

// Every action rejects a form from another site, whatever headers the browser sends, and a form that
// was made for another organisation.
func TestForeignForms(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	for _, r := range console.Table() {
		if r.Method == http.MethodGet {
			continue
		}
		p, id := routeCases[name(r)], ""
		if p.record != nil {
			id = p.record(owner)
		}
		form := url.Values{"organisation-id": {string(owner.org)}}
		for i := 0; i+1 < len(p.form); i += 2 {
			form.Set(p.form[i], p.form[i+1])
		}
		for _, header := range []http.Header{{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}}, {"Origin": {"null"}}} {
			before, want := len(h.events(owner.org)), http.StatusForbidden
			if r.Link && header.Get("Origin") == "null" {
				want = http.StatusNotFound // browsers send it for the portal's own forms; the token keeps others out
			}
			if a := owner.send(r.Method, path(r, id), form, header); a.status != want || len(h.events(owner.org)) != before {
				h.Errorf("%s with %v: %d", name(r), header, a.status)
			}
		}
		if r.For > page.ForViewer || r.API { // API operations have no organisation-id field
			continue
		}
		for _, org := range []string{"", h.app.IDs.UUID()} {
			form.Set("organisation-id", org)
			before := len(h.events(owner.org))
			if a := owner.send(r.Method, path(r, id), form, nil); a.status != http.StatusBadRequest || len(h.events(owner.org)) != before {
				h.Errorf("%s for organisation %q: %d", name(r), org, a.status)
			}
		}
	}
}

// Every response has the security headers and forbids caching. It has no scripts or styles except
// the service's own files.
func TestHeaders(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	inline := regexp.MustCompile(`(?i)<script(?: [^>]*)?>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:`)
	paths := []string{"/nothing", "/settings/keys/5/revoke"}
	for _, r := range console.Table() {
		if r.Method == http.MethodGet {
			paths = append(paths, path(r, h.app.IDs.UUID()))
		}
	}
	for _, p := range paths {
		a, referrer := owner.get(p), "same-origin"
		if strings.HasPrefix(p, "/portal/") {
			referrer = "no-referrer" // the path is a secret
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": referrer, "Cache-Control": "no-store", "X-Frame-Options": "DENY",
		} {
			if got := a.header.Get(name); got != want {
				h.Errorf("%s: %s is %q", p, name, got)
			}
		}
		policy := a.header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			if !strings.Contains(policy, want) || strings.Contains(policy, "unsafe") {
				h.Errorf("%s: the policy is %q", p, policy)
			}
		}
		if found := inline.FindString(a.body); found != "" {
			h.Errorf("%s has %q", p, found)
		}
		if len(a.body) > 100<<10 {
			h.Errorf("%s has %d bytes", p, len(a.body))
		}
	}
	for _, asset := range regexp.MustCompile(`/assets/[^"]+`).FindAllString(owner.get("/").body, -1) {
		a := h.visitor().get(asset)
		if a.status != http.StatusOK || !strings.Contains(a.header.Get("Cache-Control"), "immutable") || a.header.Get("X-Content-Type-Options") != "nosniff" {
			h.Errorf("%s: %d %v", asset, a.status, a.header)
		}
	}
	h.visitor().get("/assets/console.go").expect(h, http.StatusNotFound)
}
