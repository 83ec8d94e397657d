package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

//go:embed templates
var templates embed.FS

// readPages parses every page with the layout and the parts.
func (s *Site) readPages(own *Area, areas []Area) error {
	base, err := template.New("").Funcs(s.functions()).ParseFS(templates, "templates/*.html")
	if err != nil {
		return fmt.Errorf("console: templates: %w", err)
	}
	if own.Pages, err = fs.Sub(templates, "templates"); err != nil {
		return err
	}
	if err := s.readArea(base, own); err != nil {
		return err
	}
	for i := range areas {
		if err := s.readArea(base, &areas[i]); err != nil {
			return fmt.Errorf("console: %s: %w", areas[i].Name, err)
		}
	}
	return nil
}

func (s *Site) readArea(base *template.Template, a *Area) error {
	shared := template.Must(base.Clone()).Funcs(a.Calls)
	for _, parts := range a.Parts {
		if _, err := shared.ParseFS(parts, "*.html"); err != nil {
			return err
		}
	}
	files, err := fs.Glob(a.Pages, "pages/*.html")
	if err != nil {
		return err
	}
	for _, file := range files {
		t, err := template.Must(shared.Clone()).ParseFS(a.Pages, file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(path.Base(file), ".html")
		if _, taken := s.pages[name]; taken {
			return fmt.Errorf("page %s is taken", name)
		}
		s.pages[name] = leaf{t, a}
	}
	return nil
}

// Page is what a template sees.
type Page struct {
	Title        string
	Path         string
	Theme        string // light, dark, or empty for the system's
	SignedIn     bool
	User         access.User
	Org          tenant.ID
	Organisation string
	Role         tenant.Role
	Policy       access.StoredPolicy
	Memberships  []access.Membership
	Area         string // name of the page's
	Areas        []entries
	Tabs         []Tab
	Notice       string
	Problem      *Problem
	RequestID    string
	Data         any

	sent url.Values // the form that is shown again
	held func(id string) ([]retention.Standing, error)
}

// Held are the legal holds that keep a record. It opens a transaction of its own.
func (p Page) Held(id string) ([]retention.Standing, error) { return p.held(id) }

// May tells whether the user's role covers another, so that nobody sees a button that
// would answer 403.
func (p Page) May(role tenant.Role) bool { return p.Role.Covers(role) }

// ManagesWebhooks reports whether the user may change webhook endpoints.
func (p Page) ManagesWebhooks() bool { return p.Policy.Policy().ManagesWebhooks(p.Role) }

// Here tells whether a path is that of the page, or leads to it.
func (p Page) Here(path string) bool {
	return p.Path == path || path != "/" && strings.HasPrefix(p.Path, path+"/")
}

// At tells whether a tab is that of the page: the one with the longest path that
// leads here.
func (p Page) At(path string) bool {
	best := ""
	for _, t := range p.Tabs {
		if p.Here(t.Path) && len(t.Path) > len(best) {
			best = t.Path
		}
	}
	return path == best
}

// Show answers with a page.
func (v *Visit) Show(name, title string, data any) error {
	t, ok := v.pages[name]
	if !ok {
		return fmt.Errorf("console: there is no page %q", name)
	}
	p := Page{
		Title: title, Path: v.R.URL.Path, Theme: v.theme(), Notice: v.notices[v.R.URL.Query().Get("done")], Problem: v.Problem,
		RequestID: v.Visitor.RequestID, Data: data, Area: t.area.Name, sent: v.R.PostForm, held: v.held,
	}
	if v.SignedIn {
		var err error
		if p.Memberships, err = v.memberships(); err != nil {
			return err
		}
		p.SignedIn, p.User, p.Org, p.Organisation, p.Role, p.Policy = true, v.Session.User, v.Session.Org, v.Session.Organisation, v.Session.Role, v.Session.Policy
		p.Areas, p.Tabs = v.entries(), v.tabs(t.area)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "layout", p); err != nil {
		return fmt.Errorf("console: %s: %w", name, err)
	}
	v.W.Header().Set("Content-Type", "text/html; charset=utf-8")
	if v.Status == 0 {
		v.Status = http.StatusOK
	}
	v.W.WriteHeader(v.Status)
	_, _ = out.WriteTo(v.W) // who has left before the page came has left
	return nil
}

// memberships are the organisations that the user can look at.
func (v *Visit) memberships() (open []access.Membership, err error) {
	all, err := v.Accounts.Register.Memberships(v.R.Context(), v.Session.UserID)
	for _, m := range all {
		if m.Opens() {
			open = append(open, m)
		}
	}
	return open, err
}

// entries are those of the navigation under one heading.
type entries struct {
	Group   string
	Entries []Entry
}

// entries are what the visitor may go to, group by group.
func (v *Visit) entries() (shown []entries) {
	if v.Session.Role == "" || v.Session.Closing.Closed() {
		return nil
	}
	for _, a := range v.areas {
		for _, e := range a.Entries {
			if e.Hub != "" && !v.Session.Hubs.Has(e.Hub) {
				continue
			}
			at := slices.IndexFunc(shown, func(g entries) bool { return g.Group == e.Group })
			if at < 0 {
				at, shown = len(shown), append(shown, entries{Group: e.Group})
			}
			shown[at].Entries = append(shown[at].Entries, e)
		}
	}
	return shown
}

func (v *Visit) tabs(a *Area) (shown []Tab) {
	for _, t := range a.Tabs {
		if v.Session.Role.Covers(t.For.role()) && !v.Session.Closing.Closed() {
			shown = append(shown, t)
		}
	}
	return shown
}

// ThemeCookie remembers whether somebody wants light or dark, whatever the system says.
const (
	ThemeCookie = "tidewaiter_theme"
	ThemeLife   = 365 * 24 * time.Hour
)

func (v *Visit) theme() string {
	cookie, err := v.R.Cookie(ThemeCookie)
	if err != nil || cookie.Value != "light" && cookie.Value != "dark" {
		return ""
	}
	return cookie.Value
}

// Question is a page that asks before something is done that cannot be undone.
type Question struct {
	Title  string
	Text   []string
	Action string // path that the answer is sent to
	Button string
	Back   string // path for no
}

// Ask shows a question; the answer is a form of its own.
func (v *Visit) Ask(q Question) error { return v.Show("ask", q.Title, q) }
