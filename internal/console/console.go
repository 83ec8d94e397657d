// Package console is the web application: server-rendered pages over the services
// that the API stands on, with the session's principal, so that it can do nothing
// that the API cannot.
//
// A page is three things: a row in the table of routes of its area (routes.go names
// the areas, and each area's file its rows), a handler, and a file in
// templates/pages. The gate has settled who asks, in which role and organisation,
// from which origin and how much, before the handler sees a *visit. A handler reads
// with v.view, writes with v.update, shows with v.show, goes on with v.done, and
// answers a form that is not right with v.again, which keeps what was typed. Every
// form of an organisation's page begins with {{template "guard" $}}. A destructive
// step has a page that asks (v.ask). Every row needs a case in the tests of this
// package, which go through the table.
package console

import (
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/bulk"
	"github.com/tidewaiter/tidewaiter/internal/customs"
	"github.com/tidewaiter/tidewaiter/internal/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/limit"
	"github.com/tidewaiter/tidewaiter/internal/statement"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Tx is all that the pages do inside one organisation.
type Tx interface {
	filing.Tx
	access.Tx
	audit.View
	audit.Recorder
	customs.Tx
	webhook.Tx
	deadline.View
	bulk.Tx
}

// Store opens transactions.
type Store interface {
	View(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	Update(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Hub is an area that an organisation may book.
type Hub struct {
	ID, Name string
	Bookable bool
}

// Customs is what the settings tell of the connection to customs, which is the
// operator's.
type Customs struct {
	Mode  string // simulator or hmrc
	URL   string // empty for the service's own simulator
	Check func(context.Context) error
}

// Options are the parts that the console stands on.
type Options struct {
	Store      Store
	Accounts   *access.Accounts
	Single     SingleSignOn // empty where there is none
	Access     *access.Service
	Filings    *filing.Service
	Customs    *customs.Service
	Connection Customs
	Statements *statement.Service
	Webhooks   *webhook.Service
	Sender     *webhook.Sender
	Deadlines  *deadline.Service
	Tables     bulk.Store
	Mapper     bulk.Mapper
	Types      []*filing.Type
	Tariff     func() *tariff.Snapshot
	Hubs       []Hub
	IDs        *ident.Source
	Limiter    limit.Limiter
	Budgets    []limit.Budget // of the organisation, shown with what is left
	Noted      limit.Budget   // per user, of refusals that the trail tells of
	Now        func() time.Time
	Log        *slog.Logger
	Observe    func(operation string, status int, took time.Duration)
	PublicURL  string
	Otherwise  http.Handler // answers unknown paths to whoever is no browser
}

// Console is the web application as an http.Handler.
type Console struct {
	Options
	byName   map[string]Route // by pattern of the mux
	mux      *http.ServeMux
	pages    map[string]*template.Template
	assets   map[string]asset
	origin   *http.CrossOriginProtection
	secure   bool // whether users come by https
	provider *provider
}

// New builds the console.
func New(o Options) (*Console, error) {
	c := &Console{Options: o, byName: map[string]Route{}, mux: http.NewServeMux(), origin: http.NewCrossOriginProtection()}
	if public, err := url.Parse(o.PublicURL); err == nil && public.Host != "" {
		if err := c.origin.AddTrustedOrigin(public.Scheme + "://" + public.Host); err != nil {
			return nil, err
		}
		c.secure = public.Scheme == "https"
	}
	c.provider = newProvider(o.Single, strings.TrimRight(o.PublicURL, "/")+callbackPath)
	var err error
	if c.assets, err = readAssets(); err != nil {
		return nil, err
	}
	if c.pages, err = c.readPages(); err != nil {
		return nil, err
	}
	for _, r := range c.table() {
		pattern := r.Method + " " + r.Path
		c.byName[pattern] = r
		c.mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) { visitOf(req).enterRoute(req, r) })
	}
	return c, nil
}

// Table is every page and action, for tests that go through all of them.
func Table() []Route { return (&Console{}).table() }
