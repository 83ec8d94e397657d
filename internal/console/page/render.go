package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

//go:embed templates
var templates embed.FS

// readPages registers every page. Its template is parsed at the first request, which saves a quarter of the time to
// start and half of the memory after it.
func (s *Site) readPages(own *Area, areas []Area) (err error) {
	base := sync.OnceValues(func() (*template.Template, error) {
		return template.New("").Funcs(s.functions()).ParseFS(templates, "templates/*.html")
	})
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

func (s *Site) readArea(base func() (*template.Template, error), a *Area) error {
	if a.Pages == nil {
		return nil
	}
	shared := sync.OnceValues(func() (*template.Template, error) { return parse(base, a.Functions, a.Partials, "*.html") })
	files, err := fs.Glob(a.Pages, "pages/*.html")
	if err != nil {
		return err
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if _, taken := s.pages[name]; taken {
			return fmt.Errorf("page %s exists already", name)
		}
		s.pages[name] = pageTemplate{sync.OnceValues(func() (*template.Template, error) { return parse(shared, nil, []fs.FS{a.Pages}, file) }), a}
	}
	return nil
}

// parse returns a copy of a template with the files of folders added, and with further functions.
func parse(from func() (*template.Template, error), functions template.FuncMap, folders []fs.FS, pattern string) (*template.Template, error) {
	t, err := from()
	if err != nil {
		return nil, err
	}
	if t, err = t.Clone(); err != nil {
		return nil, err
	}
	t.Funcs(functions)
	for _, folder := range folders {
		if _, err := t.ParseFS(folder, pattern); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Page is the data of every template.
type Page struct {
	Title        string
	Path         string
	Theme        string // light, dark, or empty for the system setting
	Comfortable  bool   // whether rows of lists are high; otherwise they are compact
	SignedIn     bool
	User         access.User
	Org          tenant.ID
	Organisation string
	Role         tenant.Role
	Policy       access.StoredPolicy
	Memberships  []access.Membership
	Mode         tenant.Mode
	TestClock    time.Time // at which the clock of a test organisation stands; zero for real time
	Sidebar      string    // narrow, wide, or empty for narrow in small windows
	Area         string    // name of the page's area
	Navigation   []navigationGroup
	Tabs         []Tab
	Notice       string
	Help         string // path of the part of the guide that explains the page; empty for none
	Problem      *Problem
	RequestID    string
	Portal       *portalPage // of a page of the webhook portal; nil for others
	Data         any

	sent url.Values // the submitted form, if it is shown again
	held func(id string) ([]retention.ActiveHold, error)
	note func(kind, id string) (*ApprovalNote, error)
	team func(kind, id string, added json.RawMessage) (Team, error)
}

// Approval returns what the page of a record says about its approval; nil for nothing. It opens a transaction.
func (p Page) Approval(kind, id string) (*ApprovalNote, error) { return p.note(kind, id) }

// Held returns the legal holds on a record. It opens a transaction.
func (p Page) Held(id string) ([]retention.ActiveHold, error) { return p.held(id) }

// May reports whether the user's role covers role. Templates use it to hide actions that
// would be refused with 403.
func (p Page) May(role tenant.Role) bool { return p.Role.Covers(role) }

// ManagesWebhooks reports whether the user may change webhook endpoints. The holder of a link to the portal may pause them and
// rotate their secrets.
func (p Page) ManagesWebhooks() bool {
	return p.Portal != nil && p.May(tenant.Member) || p.Policy.Policy().ManagesWebhooks(p.Role)
}

// ModeName is the label of the mode.
func (p Page) ModeName() string {
	return map[tenant.Mode]string{tenant.Test: "Test", tenant.Live: "Live", tenant.Simulator: "Simulator"}[p.Mode]
}

// CanOpenTest reports whether the user can switch to the test organisation.
func (p Page) CanOpenTest() bool { return p.Role != "" && p.Mode != tenant.Test && p.Navigation != nil }

// CanCloseTest reports whether the user can return from the test organisation to the live one.
func (p Page) CanCloseTest() bool { return p.Role != "" && p.Mode == tenant.Test }

// InPath reports whether path is the page's path or a parent of it.
func (p Page) InPath(path string) bool {
	return p.Path == path || path != "/" && strings.HasPrefix(p.Path, path+"/")
}

// TabSelected reports whether the tab with this path is the selected one: the one with the
// longest path that is the page's path or a parent of it.
func (p Page) TabSelected(path string) bool {
	best := ""
	for _, t := range p.Tabs {
		if p.InPath(t.Path) && len(t.Path) > len(best) {
			best = t.Path
		}
	}
	return path == best
}

// Show renders a page.
func (c *Context) Show(name, title string, data any) error {
	page, ok := c.pages[name]
	if !ok {
		return fmt.Errorf("console: page %q does not exist", name)
	}
	t, err := page.template()
	if err != nil {
		return fmt.Errorf("console: %s: %w", name, err)
	}
	p := Page{
		Title: title, Path: c.R.URL.Path, Theme: c.theme(), Comfortable: c.comfortable(), Notice: c.notice(), Problem: c.Problem,
		RequestID: c.Visitor.RequestID, Data: data, Area: page.area.Name, Mode: c.Mode(), TestClock: c.Session.TestClock, sent: c.R.PostForm, held: c.holdsOn, team: c.teamOf, note: c.approvalNote,
	}
	layout := "layout"
	if c.link != nil {
		layout, p.Theme, p.Comfortable, p.Portal, p.Role = "portal", "", false, c.link, c.Session.Role
	} else if c.HelpTopic != nil {
		p.Help = "/help#" + c.HelpTopic(p.Path)
	}
	if c.SignedIn {
		if p.Memberships, err = c.memberships(); err != nil {
			return err
		}
		p.SignedIn, p.User, p.Org, p.Organisation, p.Role, p.Policy = true, c.Session.User, c.Session.Org, c.Session.Organisation, c.Session.Role, c.Session.Policy
		p.Navigation, p.Tabs, p.Sidebar = c.navigation(), c.tabs(page.area), c.sidebar()
		if err := c.countWork(p.Navigation); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, layout, p); err != nil {
		return fmt.Errorf("console: %s: %w", name, err)
	}
	c.W.Header().Set("Content-Type", "text/html; charset=utf-8")
	if c.Status == 0 {
		c.Status = http.StatusOK
	}
	c.W.WriteHeader(c.Status)
	_, _ = out.WriteTo(c.W) // fails only if the client has gone
	return nil
}

// memberships returns the organisations that the user can open.
func (c *Context) memberships() (open []access.Membership, err error) {
	all, err := c.Accounts.Store.Memberships(c.R.Context(), c.Session.UserID)
	for _, m := range all {
		if m.Opens() {
			open = append(open, m)
		}
	}
	return open, err
}

// navigationGroup is the entries of the navigation under one heading.
type navigationGroup struct {
	Group   string
	Entries []navigationLink
}

// navigation returns the entries that the user can open, by group.
func (c *Context) navigation() (shown []navigationGroup) {
	if c.Session.Role == "" || c.Session.Closing.Closed() {
		return nil
	}
	for _, a := range c.areas {
		for _, e := range a.Navigation {
			if e.Hub != "" && !c.Session.Hubs.Has(e.Hub) || e.Approval && !c.Session.Policy.Policy().ApprovalRequired {
				continue
			}
			at := slices.IndexFunc(shown, func(g navigationGroup) bool { return g.Group == e.Group })
			if at < 0 {
				at, shown = len(shown), append(shown, navigationGroup{Group: e.Group})
			}
			shown[at].Entries = append(shown[at].Entries, navigationLink{NavigationEntry: e, Icon: iconOf(e.Path)})
		}
	}
	return shown
}

// Place is a page or an action that the user can open by its name.
type Place struct{ Group, Name, About, Path string }

// Groups of places.
const (
	Pages   = "Pages"
	Actions = "Actions"
)

// Places returns the actions, and the pages of the navigation with their tabs.
func (c *Context) Places() (all []Place) {
	for _, a := range c.areas {
		for _, action := range a.Actions {
			if (action.Hub == "" || c.Session.Hubs.Has(action.Hub)) && c.Session.Role.Covers(action.For.role()) {
				all = append(all, Place{Actions, action.Name, action.About, action.Path})
			}
		}
	}
	for _, group := range c.navigation() {
		for _, e := range group.Entries {
			all = append(all, Place{Pages, e.Name, "", e.Path})
		}
	}
	for i := range c.areas {
		for _, t := range c.tabs(&c.areas[i]) {
			all = append(all, Place{Pages, t.Name, "", t.Path})
		}
	}
	return all
}

func (c *Context) tabs(a *Area) (shown []Tab) {
	for _, t := range a.Tabs {
		if c.Session.Role.Covers(t.For.role()) && !c.Session.Closing.Closed() {
			shown = append(shown, t)
		}
	}
	return shown
}

// ThemeCookie stores whether the user has chosen light or dark colours; without it the system setting applies.
const (
	ThemeCookie = "tidewaiter_theme"
	ThemeLife   = 365 * 24 * time.Hour
)

func (c *Context) theme() string {
	cookie, err := c.R.Cookie(ThemeCookie)
	if err != nil || cookie.Value != "light" && cookie.Value != "dark" {
		return ""
	}
	return cookie.Value
}

// DensityCookie stores that the user has chosen comfortable rows; without it rows are compact.
const (
	DensityCookie = "tidewaiter_density"
	Comfortable   = "comfortable"
)

func (c *Context) comfortable() bool {
	cookie, err := c.R.Cookie(DensityCookie)
	return err == nil && cookie.Value == Comfortable
}

// Confirmation is a page that asks before an action that cannot be undone.
type Confirmation struct {
	Title  string
	Text   []string
	Action string // path of the action
	Button string
	Back   string // path of the link that cancels
	Safe   bool   // it takes nothing away, so its button is not red
}

// Confirm shows a confirmation page, whose form posts to the action.
func (c *Context) Confirm(q Confirmation) error { return c.Show("confirmation", q.Title, q) }
