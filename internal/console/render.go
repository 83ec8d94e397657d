package console

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

//go:embed templates
var templates embed.FS

// readPages parses every page with the layout and the parts.
func (c *Console) readPages() (map[string]*template.Template, error) {
	base, err := template.New("").Funcs(c.functions()).ParseFS(templates, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("console: templates: %w", err)
	}
	files, err := fs.Glob(templates, "templates/pages/*.html")
	if err != nil {
		return nil, err
	}
	pages := map[string]*template.Template{}
	for _, file := range files {
		page, err := template.Must(base.Clone()).ParseFS(templates, file)
		if err != nil {
			return nil, fmt.Errorf("console: templates: %w", err)
		}
		pages[strings.TrimSuffix(path.Base(file), ".html")] = page
	}
	return pages, nil
}

// page is what a template sees.
type page struct {
	Title        string
	Path         string
	Theme        string // light, dark, or empty for the system's
	SignedIn     bool
	User         access.User
	Org          tenant.ID
	Organisation string
	Role         tenant.Role
	Memberships  []access.Membership
	Areas        []area
	Settings     []settingsPage // where the page is one of them
	Notice       string
	Problem      *problem
	RequestID    string
	Data         any

	sent url.Values // the form that is shown again
}

// May tells whether the user's role covers another, so that nobody sees a button that
// would answer 403.
func (p page) May(role tenant.Role) bool { return p.Role.Covers(role) }

// Here tells whether a path is that of the page, or leads to it.
func (p page) Here(path string) bool {
	return p.Path == path || path != "/" && strings.HasPrefix(p.Path, path+"/")
}

// At tells whether a page of the settings is the one that is shown.
func (p page) At(path string) bool {
	return p.Path == path || path != "/settings" && strings.HasPrefix(p.Path, path+"/")
}

// show answers with a page.
func (v *visit) show(name, title string, data any) error {
	t, ok := v.pages[name]
	if !ok {
		return fmt.Errorf("console: there is no page %q", name)
	}
	p := page{
		Title: title, Path: v.r.URL.Path, Theme: v.theme(), Notice: notices[v.r.URL.Query().Get("done")], Problem: v.problem,
		RequestID: v.visitor.RequestID, Data: data, sent: v.r.PostForm,
	}
	if v.signedIn {
		var err error
		if p.Memberships, err = v.Accounts.Register.Memberships(v.r.Context(), v.guest.UserID); err != nil {
			return err
		}
		p.SignedIn, p.User, p.Org, p.Organisation, p.Role = true, v.guest.User, v.guest.Org, v.guest.Organisation, v.guest.Role
		p.Areas, p.Settings = v.areasOf(), v.settingsOf()
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "layout", p); err != nil {
		return fmt.Errorf("console: %s: %w", name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if v.status == 0 {
		v.status = http.StatusOK
	}
	v.w.WriteHeader(v.status)
	_, _ = out.WriteTo(v.w) // who has left before the page came has left
	return nil
}

func (v *visit) areasOf() (shown []area) {
	for _, a := range areas() {
		if v.guest.Role != "" && (a.Hub == "" || v.guest.Hubs.Has(a.Hub)) {
			shown = append(shown, a)
		}
	}
	return shown
}

func (v *visit) settingsOf() (shown []settingsPage) {
	if !strings.HasPrefix(v.r.URL.Path, "/settings") {
		return nil
	}
	for _, s := range settingsPages() {
		if v.guest.Role.Covers(s.For.role()) {
			shown = append(shown, s)
		}
	}
	return shown
}

// themeCookie remembers whether somebody wants light or dark, whatever the system says.
const (
	themeCookie = "tidewaiter_theme"
	themeLife   = 365 * 24 * time.Hour
)

func (v *visit) theme() string {
	cookie, err := v.r.Cookie(themeCookie)
	if err != nil || cookie.Value != "light" && cookie.Value != "dark" {
		return ""
	}
	return cookie.Value
}

// question is a page that asks before something is done that cannot be undone.
type question struct {
	Title  string
	Text   []string
	Action string // path that the answer is sent to
	Button string
	Back   string // path for no
}

func (v *visit) ask(q question) error { return v.show("ask", q.Title, q) }
