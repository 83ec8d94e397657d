// Package page is the framework of the console: access checks for every request, the
// Context that a handler gets, the layout, and template partials.
//
// A page is a route in its area's table, a handler, and a template in the area's pages.
// Origin, session, role, organisation and size of the request have been checked before
// the handler gets a *Context. A handler reads with c.View, writes with c.Update, renders
// with c.Show, redirects with c.Redirect, and shows an invalid form again with
// c.Redisplay, which keeps the submitted values. Every form in an organisation begins
// with {{template "organisation-id" $}}. An action that cannot be undone has a
// confirmation page (c.Confirm). Every route needs a case in the tests of package
// console, which go through all routes.
package page

import (
	"context"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/alert"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// Tx is a transaction in one organisation, with everything that pages read and write.
type Tx interface {
	filing.Tx
	filing.LedgerView
	access.Tx
	audit.View
	audit.Recorder
	customs.Tx
	customs.Names
	webhook.Tx
	deadline.View
	bulk.Tx
	worksheet.Tx
	submission.Tx
	exchange.Tx
	retention.HoldTx
	search.Views
	batch.Tx
	DeadlinesOf(filingID string) ([]filing.Deadline, error) // soonest first
	Briefs(ids []string) (map[string]filing.Filing, error)  // records of any kind without their bodies
	filing.Tallies
	Select(filing.Selection) ([]filing.Filing, error)           // a page of a list with filters
	ClientPlace(id string) (string, error)                      // the value of a record's position in the order of clients
	LinkedSums(filing.LinkedLedgers) (filing.LinkedSums, error) // of the latest records of a shipment
	webhook.CountReader
	comment.Tx
	inbox.Tx
	portal.Tx
	TariffAlerts(since time.Time, limit int) ([]alert.Alert, error) // of changes of the tariff that touch products, newest first
}

// Store opens transactions.
type Store interface {
	View(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	Update(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Options are the services that the framework uses.
type Options struct {
	Store                Store
	Accounts             *access.Accounts
	Access               *access.Service
	IDs                  *ident.Source
	Limiter              ratelimit.Limiter
	Bodies               *membudget.Budget // memory of request bodies; nil for no limit
	RefusedBodyLogs      *lograte.Limiter  // limits log lines about refused bodies, by address; nil for no limit
	RefusalBudget        ratelimit.Budget  // audit events about refusals, per user
	Sandboxes            *access.Sandboxes
	Portal               portal.Store    // finds links to the webhook portal
	Assignable           map[string]bool // kinds whose records are given to members
	Mode                 tenant.Mode     // of live organisations
	Now                  func() time.Time
	Log                  *slog.Logger
	Observe              func(ctx context.Context, operation string, status int, took time.Duration)
	PublicURL            string
	ShowSignIn           func(c *Context, next string, kept []SavedField) error // shows the sign-in page
	ShowReauthentication func(c *Context, next string, kept []SavedField) error // shows the page on which users prove their identity
	HelpTopic            func(path string) string                               // returns the section of the guide that explains a page; nil for no help
	// Approvals reads the approval of what would be submitted of a record; nil for no approvals.
	Approvals func(tx Tx, kind, id string) (filing.RecordApproval, error)
	Fallback  http.Handler // serves unknown paths to clients that do not accept HTML
}

// Site serves all areas; it is an http.Handler.
type Site struct {
	Options
	areas   []Area
	byName  map[string]Route // by mux pattern
	mux     *http.ServeMux
	pages   map[string]pageTemplate
	assets  map[string]asset
	labels  map[string]string
	notices map[string]string
	records map[string]string
	origin  *http.CrossOriginProtection
	secure  bool // whether the public URL is HTTPS
}

// pageTemplate is a page's template with its area.
type pageTemplate struct {
	template func() (*template.Template, error) // parsed by the first call
	area     *Area
}

// New builds the console from its areas.
func New(o Options, areas []Area) (*Site, error) {
	s := &Site{
		Options: o, areas: areas, byName: map[string]Route{}, mux: http.NewServeMux(), pages: map[string]pageTemplate{}, assets: map[string]asset{},
		labels: map[string]string{}, notices: map[string]string{}, records: map[string]string{}, origin: http.NewCrossOriginProtection(),
	}
	if public, err := url.Parse(o.PublicURL); err == nil && public.Host != "" {
		if err := s.origin.AddTrustedOrigin(public.Scheme + "://" + public.Host); err != nil {
			return nil, err
		}
		s.secure = public.Scheme == "https"
	}
	if err := s.readAssets(assetFiles); err != nil {
		return nil, err
	}
	for i := range areas {
		if err := s.add(&areas[i]); err != nil {
			return nil, fmt.Errorf("console: %s: %w", areas[i].Name, err)
		}
	}
	if err := s.readPages(&Area{Pages: templates}, areas); err != nil {
		return nil, err
	}
	return s, nil
}

// add registers an area's assets, texts and routes. Its pages are read later, because their
// templates may use assets of other areas.
func (s *Site) add(a *Area) error {
	if a.Assets != nil {
		if err := s.readAssets(a.Assets); err != nil {
			return err
		}
	}
	for _, texts := range []struct{ all, more map[string]string }{{s.labels, a.Labels}, {s.notices, a.Notices}, {s.records, a.RecordPaths}} {
		for name, text := range texts.more {
			if _, taken := texts.all[name]; taken {
				return fmt.Errorf("%s exists already", name)
			}
			texts.all[name] = text
		}
	}
	for _, r := range a.Routes {
		pattern := r.Method + " " + r.Path
		s.byName[pattern] = r
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) { contextOf(req).serveRoute(req, r) })
	}
	return nil
}

// RecordPath returns the path of a record's page; empty if the kind has no page.
func (s *Site) RecordPath(kind, id string) string {
	return strings.Replace(s.records[kind], "{id}", id, 1)
}

// ListPath returns the path of the page that lists a kind's records: the kind's own list, or
// the home page of its area; empty if there is none.
func (s *Site) ListPath(kind string) string {
	for folder := path.Dir(s.records[kind]); len(folder) > 1; folder = path.Dir(folder) {
		_, pattern := s.mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: folder}})
		if strings.HasSuffix(pattern, "}") || strings.HasSuffix(pattern, folder) {
			return folder
		}
	}
	return ""
}

// Secure reports whether the public URL is HTTPS.
func (s *Site) Secure() bool { return s.secure }
