// Package filings is the pages of everything that is filed: each kind gets its own
// from its Type, and nothing here knows a kind by name.
package filings

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

//go:embed pages parts assets
var files embed.FS

// Hub is an area that an organisation may use.
type Hub struct{ ID, Name string }

// Handmade is a page of another area that belongs to a Hub, for its front page.
type Handmade struct{ Hub, Path, Name, About string }

// Filings is the area, with the services that it uses.
type Filings struct {
	Service  *filing.Service
	Clerk    *wording.Describer
	Helpers  ratelimit.Budget // of the organisation, for all who help
	Types    []*filing.Type   // the kinds that have their pages here
	Hubs     []Hub
	Handmade []Handmade
	Find     map[string]Find // by kind, for those that have an index of what they are called
	Now      func() time.Time

	kinds map[string]*kind // by path
	hubs  map[string]Hub
}

// kind is a Type with its forms.
type kind struct {
	*filing.Type
	Base string // path of its list
	Of   Hub    // with a front page; empty for the foundational one
	body *form.Form
	adds *form.Form // nil where the service adds nothing
	says *form.Form // under which rules goods fall; nil where the kind does not classify
}

// atTop are the kinds of the foundational Hub, which need not say so in their path.
var atTop = []string{"/clients", "/shipments"}

// Area returns the area's routes, pages and texts.
func (a *Filings) Area() page.Area {
	a.kinds, a.hubs = map[string]*kind{}, map[string]Hub{}
	for _, h := range a.Hubs {
		a.hubs[h.ID] = h
	}
	schemas := schema.NewSchemas()
	for _, t := range a.Types {
		k := &kind{Type: t, Base: "/hubs/" + t.Hub + "/" + t.Many, Of: a.hubs[t.Hub], body: form.New(schemas, t.Body, t.ChoiceTexts)}
		if t.Hub == access.FoundationalHub {
			k.Base, k.Of = "/"+t.Many, Hub{}
		}
		if t.Adds != nil {
			k.adds = form.New(schemas, t.Adds, t.ChoiceTexts)
		}
		if t.Classifier != nil {
			k.says = form.New(schemas, t.Classifier.Answer, t.ChoiceTexts)
		}
		for _, state := range t.Lifecycle.States {
			k.body.Say(string(state), strings.ToLower(form.Words(string(state))))
		}
		a.kinds[k.Base] = k
	}
	parts, _ := fs.Sub(files, "parts")
	return page.Area{
		Name: "filings", Navigation: a.entries(), Routes: a.routes(), Pages: files, Partials: []fs.FS{form.Parts(), wording.Partials(), parts}, Assets: files,
		Functions: map[string]any{"capital": capital}, Notices: notices, RecordPaths: a.records(),
	}
}

// entries are the kinds of the foundational Hub, and the other Hubs that have any.
func (a *Filings) entries() (entries []page.NavigationEntry) {
	for _, t := range a.Types {
		if t.Hub == access.FoundationalHub {
			entries = append(entries, page.NavigationEntry{Path: "/" + t.Many, Name: capital(t.Many)})
		}
	}
	for _, h := range a.Hubs {
		if h.ID != access.FoundationalHub && slices.ContainsFunc(a.Types, func(t *filing.Type) bool { return t.Hub == h.ID }) {
			entries = append(entries, page.NavigationEntry{Path: "/hubs/" + h.ID, Name: h.Name, Group: "Hubs", Hub: h.ID})
		}
	}
	return entries
}

// records are where the records of each kind are.
func (a *Filings) records() map[string]string {
	paths := map[string]string{}
	for base, k := range a.kinds {
		paths[k.Kind] = base + "/{id}"
	}
	return paths
}

func (a *Filings) routes() []page.Route {
	routes := []page.Route{page.Get("/hubs/{hub}", page.ForViewer, a.hubPage)}
	for _, base := range append([]string{"/hubs/{hub}/{many}"}, atTop...) {
		routes = append(routes,
			page.Get(base, page.ForViewer, a.list),
			page.Get(base+"/new", page.ForMember, a.newPage),
			page.Post(base+"/new", page.ForMember, a.create),
			page.Get(base+"/{id}", page.ForViewer, a.show),
			page.Post(base+"/{id}/review", page.ForViewer, a.review),
			page.Get(base+"/{id}/edit", page.ForMember, a.editPage),
			page.Post(base+"/{id}/edit", page.ForMember, a.amend),
		)
	}
	return append(routes,
		page.Post("/hubs/{hub}/{many}/{id}/classify", page.ForViewer, a.classify),
		page.Get("/hubs/{hub}/{many}/{id}/steps/{action}", page.ForMember, a.stepPage),
		page.Post("/hubs/{hub}/{many}/{id}/steps/{action}", page.ForMember, a.step),
		page.Get("/hubs/{hub}/{many}/{id}/marks/{action}", page.ForOwner, a.markPage),
		page.Post("/hubs/{hub}/{many}/{id}/marks/{action}", page.ForOwner, a.mark),
	)
}

var notices = map[string]string{
	"filing-created":  "It is saved.",
	"filing-amended":  "The changes are saved.",
	"filing-reviewed": "The review is in the trail, with what it found.",
	"filing-stepped":  "It is done.",
}

// kind is that of the page.
func (a *Filings) kind(c *page.Context) (*kind, error) {
	base := c.R.URL.Path
	if hub := c.R.PathValue("hub"); hub != "" {
		base = path.Join("/hubs", hub, c.R.PathValue("many"))
	} else if top := slices.IndexFunc(atTop, func(p string) bool { return base == p || strings.HasPrefix(base, p+"/") }); top >= 0 {
		base = atTop[top]
	}
	k, ok := a.kinds[base]
	if !ok {
		return nil, apierr.Missing()
	}
	return k, nil
}

// open is the kind of a page that needs its Hub, as listing and creating do.
func (a *Filings) open(c *page.Context) (k *kind, shut bool, err error) {
	if k, err = a.kind(c); err != nil {
		return nil, false, err
	}
	if k.HubOptional || k.Hub == access.FoundationalHub || c.Session.Hubs.Has(k.Hub) {
		return k, false, nil
	}
	return k, true, a.shut(c, k.Hub)
}

// shut says that a Hub is not enabled, and how it gets enabled.
func (a *Filings) shut(c *page.Context, hub string) error {
	c.Status = http.StatusPaymentRequired
	return c.Show("filings-shut", a.hubs[hub].Name, a.hubs[hub])
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
