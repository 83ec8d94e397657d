// Package filings is the area with generic pages for all kinds of filing. The pages of a kind
// are made from its filing.Type; no kind is named here.
package filings

import (
	"context"
	"embed"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/connected"
	"github.com/tidewaiter/tidewaiter/internal/console/decided"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

//go:embed pages parts assets
var files embed.FS

// Hub is the id and the name of a Hub.
type Hub struct {
	ID, Name string
	Menu     string // shorter name for the menu; empty for Name
}

// HubLink is a link on a Hub's page to a page of another area.
type HubLink struct{ Hub, Path, Name, Description string }

// OwnForms are the paths of forms of another area: of the one that makes a record, and of the one that changes the record {id}.
type OwnForms struct{ New, Change string }

// allMembers is the query of the forms of all members of a kind that has other forms too.
const allMembers = "members"

// RecordLink is a link on the pages of a kind's records to a page of another area, whose path has {id} for the record.
type RecordLink struct{ Path, Label string }

// Filings is the area, with the services that it uses.
type Filings struct {
	Service      *filing.Service
	Decisions    *decision.Service
	Authorities  *exchange.Service // that some records are sent to
	Describer    *wording.Describer
	AssistBudget ratelimit.Budget // per organisation, for classification
	Types        []*filing.Type   // the kinds with pages in this area
	Hubs         []Hub
	Links        []HubLink
	RecordLinks  map[string][]RecordLink // by kind
	Forms        map[string]OwnForms     // by kind, for kinds that have other forms than those of all members
	Find         map[string]Find         // by kind, for kinds with an index of names
	Describe     map[string]Describe     // by kind, for kinds whose fields have descriptions of their own

	// FindRecords finds records of all kinds by their texts; nil for none.
	FindRecords Search
	// DeclarationFindings returns the findings of a declaration, for the pages of clients and shipments; nil for none.
	DeclarationFindings func(page.Tx, *filing.Type, *filing.Filing) ([]rules.Finding, error)

	kinds     map[string]*kind // by path
	hubs      map[string]Hub
	connected connected.Reader
}

// Search returns the newest records of all kinds that contain a text.
type Search func(context.Context, tenant.ID, search.Query) (search.FoundPage, error)

// Describe returns the description of a field.
type Describe func(path string) (form.Description, bool)

// kind is a filing type with its forms.
type kind struct {
	*filing.Type
	Base    string // path of its list
	HubInfo Hub    // empty for the foundational Hub, which has no page
	body    *form.Form
	adds    *form.Form // nil if the service adds nothing
	answer  *form.Form // answer of the classifier; nil if the kind has none

	operations []operation // further messages to the authority
}

// topLevelPaths are the paths of the foundational Hub's kinds, which have no /hubs prefix.
var topLevelPaths = []string{"/clients", "/shipments", "/products", "/templates"}

// Area returns the area's routes, pages and texts.
func (a *Filings) Area() page.Area {
	a.kinds, a.hubs = map[string]*kind{}, map[string]Hub{}
	a.connected = connected.Reader{Find: a.FindRecords, Findings: a.DeclarationFindings, Kinds: map[string]connected.Kind{}}
	for _, h := range a.Hubs {
		a.hubs[h.ID] = h
	}
	schemas := schema.NewSchemas()
	for _, t := range a.Types {
		k := &kind{Type: t, Base: "/hubs/" + t.Hub + "/" + t.Plural, HubInfo: a.hubs[t.Hub], body: form.New(schemas, t.Body, t.ChoiceTexts).Describe(a.Describe[t.Kind]).Layout(t.Layout)}
		if t.Hub == access.FoundationalHub {
			k.Base, k.HubInfo = "/"+t.Plural, Hub{}
		}
		if t.Adds != nil {
			k.adds = form.New(schemas, t.Adds, t.ChoiceTexts)
		}
		if t.Classifier != nil {
			k.answer = form.New(schemas, t.Classifier.Answer, t.ChoiceTexts)
		}
		k.operations = operationsOf(schemas, t)
		for _, state := range t.Lifecycle.States {
			k.body.SetText(string(state), strings.ToLower(form.Words(string(state))))
		}
		a.kinds[k.Base] = k
		a.connected.Kinds[k.Kind] = connected.Kind{Singular: upperFirst(k.Singular), Plural: upperFirst(k.Plural), Path: k.Base, OfHub: k.HubInfo.ID != "", Title: k.title}
	}
	parts, _ := fs.Sub(files, "parts")
	return page.Area{
		Name: "filings", Navigation: a.entries(), Actions: a.actions(), Routes: a.routes(), Pages: files, Partials: []fs.FS{form.Parts(), wording.Partials(), connected.Partials(), decided.Partials(), parts}, Assets: files,
		Functions: map[string]any{"capital": upperFirst}, Notices: notices, RecordPaths: a.records(),
	}
}

// entries returns navigation entries for the kinds of the foundational Hub, and for the other Hubs.
func (a *Filings) entries() (entries []page.NavigationEntry) {
	for _, t := range a.Types {
		if t.Hub == access.FoundationalHub {
			entries = append(entries, page.NavigationEntry{Path: "/" + t.Plural, Name: upperFirst(t.Plural)})
		}
	}
	for _, h := range a.Hubs {
		if h.ID != access.FoundationalHub && slices.ContainsFunc(a.Types, func(t *filing.Type) bool { return t.Hub == h.ID }) {
			entries = append(entries, page.NavigationEntry{Path: "/hubs/" + h.ID, Name: h.Name, Menu: h.Menu, Group: "Hubs", Hub: h.ID})
		}
	}
	return entries
}

// actions returns an action for each kind of which users can make a record.
func (a *Filings) actions() (all []page.Action) {
	for _, base := range slices.Sorted(maps.Keys(a.kinds)) {
		k := a.kinds[base]
		action := page.Action{Path: base + "/new", Name: "New " + k.Singular, About: k.HubInfo.Name, For: page.ForMember}
		if k.Hub != access.FoundationalHub && !k.HubOptional {
			action.Hub = k.Hub
		}
		all = append(all, action)
	}
	return all
}

// records returns the path patterns of records by kind.
func (a *Filings) records() map[string]string {
	paths := map[string]string{}
	for base, k := range a.kinds {
		paths[k.Kind] = base + "/{id}"
	}
	return paths
}

func (a *Filings) routes() []page.Route {
	routes := []page.Route{page.Get("/hubs/{hub}", page.ForViewer, a.hubPage)}
	for _, base := range append([]string{"/hubs/{hub}/{many}"}, topLevelPaths...) {
		routes = append(routes,
			page.Get(base, page.ForViewer, a.list),
			page.Get(base+"/new", page.ForMember, a.newPage),
			page.Post(base+"/new", page.ForMember, a.create),
			page.Get(base+"/{id}", page.ForViewer, a.show),
			page.Post(base+"/{id}/review", page.ForViewer, a.review),
			page.Get(base+"/{id}/edit", page.ForMember, a.editPage),
			page.Post(base+"/{id}/edit", page.ForMember, a.amend),
			page.Get(base+"/{id}/steps/{action}", page.ForMember, a.stepPage),
			page.Post(base+"/{id}/steps/{action}", page.ForMember, a.step),
		)
	}
	routes = append(routes, a.messageRoutes()...)
	return append(routes,
		page.Post("/hubs/{hub}/{many}/{id}/classify", page.ForViewer, a.classify),
		page.Get("/hubs/{hub}/{many}/{id}/operations/{operation}", page.ForMember, a.operationPage),
		page.Post("/hubs/{hub}/{many}/{id}/operations/{operation}", page.ForMember, a.operate),
		page.Get("/hubs/{hub}/{many}/{id}/marks/{action}", page.ForOwner, a.markPage),
		page.Post("/hubs/{hub}/{many}/{id}/marks/{action}", page.ForOwner, a.mark).WithMaxUpload(decided.MaxForm),
		page.Get("/hubs/{hub}/{many}/{id}/files/{file}", page.ForViewer, a.file),
	)
}

var notices = map[string]string{
	"filing-created":  "The record is saved.",
	"filing-amended":  "The changes are saved.",
	"filing-imported": "The message is imported as a draft.",
	"filing-copied":   "This draft has the same details. Correct it, then submit it in place of the other.",
	"filing-reviewed": "The review is recorded in the audit trail.",
	"filing-stepped":  "The status is updated.",
	"filing-operated": "The message is sent. The record changes when the authority has answered.",
}

// kind returns the kind of the page.
func (a *Filings) kind(c *page.Context) (*kind, error) {
	base := c.R.URL.Path
	if hub := c.R.PathValue("hub"); hub != "" {
		base = path.Join("/hubs", hub, c.R.PathValue("many"))
	} else if top := slices.IndexFunc(topLevelPaths, func(p string) bool { return base == p || strings.HasPrefix(base, p+"/") }); top >= 0 {
		base = topLevelPaths[top]
	}
	k, ok := a.kinds[base]
	if !ok {
		return nil, apierr.Missing()
	}
	return k, nil
}

// enabledKind returns the kind of the page. If its Hub is disabled, it shows that and returns disabled.
func (a *Filings) enabledKind(c *page.Context) (k *kind, disabled bool, err error) {
	if k, err = a.kind(c); err != nil {
		return nil, false, err
	}
	if k.HubOptional || k.Hub == access.FoundationalHub || c.Session.Hubs.Has(k.Hub) {
		return k, false, nil
	}
	return k, true, a.showDisabled(c, k.Hub)
}

// showDisabled shows that a Hub is not enabled, and how to enable it.
func (a *Filings) showDisabled(c *page.Context, hub string) error {
	c.Status = http.StatusPaymentRequired
	return c.Show("filings-disabled", a.hubs[hub].Name, a.hubs[hub])
}

func upperFirst(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// FirstAction says how to make the first record of the kind.
func (k *kind) FirstAction() string {
	text := "Begin with “New " + k.Singular + "”."
	if k.Layout != nil && slices.ContainsFunc(k.Layout.Sections, func(s layout.Section) bool { return len(s.Sources) > 0 }) {
		text += " Its form takes details from your clients, shipments and declarations, so that you type them only once."
	}
	if len(k.Rules) > 0 {
		text += " The review shows what the authority would reject before you send anything."
	}
	return text
}
