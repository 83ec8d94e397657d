package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// probe is how a page or an action of the table is called: with which form, and what
// it answers to whoever may. Where the path has an id, record makes what it names in
// the organisation of the given OWNER.
type probe struct {
	form   []string
	status int
	record func(owner *person) string
}

// probes has a case for every row of the table.
var probes = map[string]probe{
	"GET /sign-in":                             {status: 303}, // to the front page, of who has signed in
	"POST /sign-in":                            {form: []string{"email", "nobody@example.com", "password", "x"}, status: 401},
	"POST /sign-out":                           {status: 303},
	"GET /set-up/{token}":                      {status: 404},
	"POST /set-up/{token}":                     {status: 404},
	"GET /reset/{token}":                       {status: 404},
	"POST /reset/{token}":                      {status: 404},
	"POST /theme":                              {form: []string{"theme", "dark"}, status: 303},
	"POST /switch":                             {form: []string{"organisation", "x"}, status: 404},
	"GET /sign-in/single":                      {status: 404},
	"GET /sign-in/single/callback":             {status: 404},
	"GET /invitations/{token}":                 {status: 404},
	"POST /invitations/{token}/join":           {status: 404},
	"POST /invitations/{token}/accept":         {status: 404},
	"GET /{$}":                                 {status: 200},
	"GET /settings":                            {status: 200},
	"POST /settings":                           {form: []string{"name", "Quay Ltd"}, status: 303},
	"POST /settings/connection":                {status: 200},
	"GET /settings/users":                      {status: 200},
	"POST /settings/users/invite":              {form: []string{"email", "new@example.com", "role", "VIEWER", "days", "3"}, status: 200},
	"POST /settings/invitations/{id}/withdraw": {status: 303, record: anInvitation},
	"POST /settings/users/{id}/role":           {form: []string{"role", "MEMBER"}, status: 303, record: aColleague},
	"GET /settings/users/{id}/remove":          {status: 200, record: aColleague},
	"POST /settings/users/{id}/remove":         {status: 303, record: aColleague},
	"GET /settings/keys":                       {status: 200},
	"POST /settings/keys":                      {form: []string{"name", "A key", "role", "VIEWER"}, status: 200},
	"GET /settings/keys/{id}/revoke":           {status: 200, record: aKey},
	"POST /settings/keys/{id}/revoke":          {status: 303, record: aKey},
	"GET /settings/hubs":                       {status: 200},
	"POST /settings/hubs/{hub}/enable":         {status: 303},
	"GET /settings/hubs/{hub}/disable":         {status: 200},
	"POST /settings/hubs/{hub}/disable":        {status: 303},
	"GET /settings/usage":                      {status: 200},
	"GET /account":                             {status: 200},
	"POST /account/name":                       {form: []string{"name", "Another"}, status: 303},
	"POST /account/password":                   {form: []string{"current", "wrong", "password", "long enough it is"}, status: 400},
	"POST /account/sessions/{id}/end":          {status: 303, record: aSession},
	"GET /account/sign-out-everywhere":         {status: 200},
	"POST /account/sign-out-everywhere":        {status: 303},
}

func anInvitation(owner *person) (id string) {
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		i, _, err := owner.app.Access.Invite(tx, owner.call(), "guest@example.com", tenant.Member, 3)
		id = i.ID
		return err
	}))
	return id
}

func aColleague(owner *person) string {
	id := owner.app.IDs.UUID()
	owner.must(owner.app.Store.AddUser(owner.Context(), access.User{ID: id, Name: "Canary " + string(owner.org)}))
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error { return tx.AddMember(id, tenant.Viewer) }))
	return id
}

func aKey(owner *person) string {
	k, _, err := owner.app.IssueKey(owner.Context(), owner.org, tenant.Viewer, "Canary "+string(owner.org), 0)
	owner.must(err)
	return k.ID
}

func aSession(owner *person) string {
	again := owner.stranger()
	again.email = owner.email
	again.signIn()
	guest, _, err := owner.app.Store.GuestByHash(owner.Context(), access.Hash(again.cookie()))
	owner.must(err)
	return guest.ID
}

func (p *person) call() tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: p.org, UserID: p.id, Role: tenant.Owner, Type: tenant.ByUser}}
}

// path fills the holes of a pattern.
func path(pattern, id string) string {
	return strings.NewReplacer("{$}", "", "{id}", id, "{hub}", "tss", "{token}", "none").Replace(pattern)
}

func name(r console.Route) string { return r.Method + " " + r.Path }

// Every row of the table has a case, and every case a row.
func TestTableIsCovered(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range console.Table() {
		rows[name(r)] = true
		if p, ok := probes[name(r)]; !ok {
			t.Errorf("%s has no case", name(r))
		} else if (p.record != nil) != strings.Contains(r.Path, "{id}") {
			t.Errorf("%s: a path with an id needs a record", name(r))
		}
	}
	for n := range probes {
		if !rows[n] {
			t.Errorf("%s is not in the table", n)
		}
	}
}

// Whoever may see a page sees it, whoever may not gets 403, and who has not signed in
// is asked to, without anything being done.
func TestRoles(t *testing.T) {
	each(t, func(h *house) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		people := []struct {
			may console.Level
			*person
		}{
			{console.ForOwner, owner},
			{console.ForMember, h.colleague(owner.org, tenant.Member, "mia@example.com")},
			{console.ForViewer, h.colleague(owner.org, tenant.Viewer, "vera@example.com")},
		}
		for _, r := range console.Table() {
			p, id := probes[name(r)], ""
			if p.record != nil {
				id = p.record(owner)
			}
			if r.For != console.ForAnybody {
				nobody := h.stranger()
				nobody.org = owner.org
				a := nobody.try(r, p, id)
				if r.Method == http.MethodGet && (a.status != http.StatusSeeOther || !strings.HasPrefix(a.header.Get("Location"), "/sign-in")) ||
					r.Method != http.MethodGet && a.status != http.StatusUnauthorized {
					h.Errorf("%s without a session: %d", name(r), a.status)
				}
			}
			for i := len(people) - 1; i >= 0; i-- { // the least role first, as an action may use its record up
				who := people[i]
				want := p.status
				if r.For < who.may {
					want = http.StatusForbidden
				} else if strings.HasPrefix(r.Path, "/account/sessions") {
					id = aSession(who.person)
				} else if p.record != nil {
					id = p.record(owner)
				}
				if a := who.try(r, p, id); a.status != want {
					h.Errorf("%s as %s: %d, not %d: %s", name(r), who.email, a.status, want, main(a.body))
				}
				if who.get("/account").status != http.StatusOK {
					who.signIn()
				}
			}
		}
	})
}

// call_ calls a row of the table.
func (p *person) try(r console.Route, with probe, id string) answer {
	p.Helper()
	if r.Method == http.MethodGet {
		return p.get(path(r.Path, id))
	}
	return p.post(path(r.Path, id), with.form...)
}

var requestID = regexp.MustCompile(`<span class="code">[0-9a-f-]{36}</span>`)

// Another organisation's record and one that was never there are answered alike, and
// no page says anything of another organisation.
func TestIsolation(t *testing.T) {
	each(t, func(h *house) {
		ours, theirs := h.owner("Quay Ltd", "olive@example.com"), h.owner("Foreign Canary Ltd", "canary@example.com")
		for _, make := range []func(*person) string{anInvitation, aColleague, aKey, aSession} {
			make(theirs)
		}
		theirs.get("/settings/keys").is(h, 200, "Canary "+string(theirs.org))
		for _, r := range console.Table() {
			p := probes[name(r)]
			if p.record != nil {
				foreign, random := ours.try(r, p, p.record(theirs)), ours.try(r, p, h.app.IDs.UUID())
				for _, id := range []string{"5", "x'--", strings.ToUpper(h.app.IDs.UUID())} {
					if a := ours.try(r, p, url.PathEscape(id)); a.status != http.StatusNotFound {
						h.Errorf("%s of %q: %d", name(r), id, a.status)
					}
				}
				a, b := requestID.ReplaceAllString(main(foreign.body), ""), requestID.ReplaceAllString(main(random.body), "")
				if foreign.status != http.StatusNotFound || random.status != http.StatusNotFound || a != b {
					h.Errorf("%s: another's %d %s\nand none %d %s", name(r), foreign.status, a, random.status, b)
				}
			} else if r.Method == http.MethodGet {
				if a := ours.get(path(r.Path, "")); strings.Contains(a.body, "anary") || strings.Contains(a.body, string(theirs.org)) {
					h.Errorf("%s says something of another organisation: %s", name(r), main(a.body))
				}
			}
		}
		theirs.get("/settings/keys").is(h, 200, "Canary "+string(theirs.org), "Active")
	})
}

// A form from another site is refused at every action, whatever the browser calls it,
// and so is one that was made for another organisation.
func TestForeignForms(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	for _, r := range console.Table() {
		if r.Method == http.MethodGet {
			continue
		}
		p, id := probes[name(r)], ""
		if p.record != nil {
			id = p.record(owner)
		}
		form := url.Values{"organisation-id": {string(owner.org)}}
		for i := 0; i+1 < len(p.form); i += 2 {
			form.Set(p.form[i], p.form[i+1])
		}
		for _, header := range []http.Header{{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.example"}}, {"Origin": {"null"}}} {
			before := len(h.events(owner.org))
			if a := owner.send(r.Method, path(r.Path, id), form, header); a.status != http.StatusForbidden || len(h.events(owner.org)) != before {
				h.Errorf("%s with %v: %d", name(r), header, a.status)
			}
		}
		if r.For > console.ForViewer {
			continue
		}
		for _, org := range []string{"", h.app.IDs.UUID()} {
			form.Set("organisation-id", org)
			before := len(h.events(owner.org))
			if a := owner.send(r.Method, path(r.Path, id), form, nil); a.status != http.StatusBadRequest || len(h.events(owner.org)) != before {
				h.Errorf("%s for organisation %q: %d", name(r), org, a.status)
			}
		}
	}
}

// Every answer is hardened, is not kept by anybody, and has no script or style but
// those of the service's own files.
func TestHeaders(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	inline := regexp.MustCompile(`(?i)<script(?: [^>]*)?>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:`)
	paths := []string{"/nothing", "/settings/keys/5/revoke"}
	for _, r := range console.Table() {
		if r.Method == http.MethodGet {
			paths = append(paths, path(r.Path, h.app.IDs.UUID()))
		}
	}
	for _, p := range paths {
		a := owner.get(p)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
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
		a := h.stranger().get(asset)
		if a.status != http.StatusOK || !strings.Contains(a.header.Get("Cache-Control"), "immutable") || a.header.Get("X-Content-Type-Options") != "nosniff" {
			h.Errorf("%s: %d %v", asset, a.status, a.header)
		}
	}
	h.stranger().get("/assets/console.go").is(h, http.StatusNotFound)
}
