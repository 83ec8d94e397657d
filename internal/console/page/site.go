// Package page is what every page of the console stands on: the gate that each
// request passes, the visit that a handler sees, the layout, and the parts of pages.
//
// A page is three things: a row in the table of routes of its area, a handler, and a
// file in the area's pages. The gate has settled who asks, in which role and
// organisation, from which origin and how much, before the handler sees a *Visit. A
// handler reads with v.View, writes with v.Update, shows with v.Show, goes on with
// v.Done, and answers a form that is not right with v.Again, which keeps what was
// typed. Every form of an organisation's page begins with {{template "organisation-id" $}}. A
// destructive step has a page that asks (v.Ask). Every row needs a case in the tests
// of package console, which go through the table.
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
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Tx is all that the pages do inside one organisation.
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
	retention.HoldTx
	search.Lists
	DeadlinesOf(filingID string) ([]filing.Deadline, error) // soonest first
	Briefs(ids []string) (map[string]filing.Filing, error)  // records of any kind, as lists show them
	filing.Tallies
	webhook.Tallies
}

// Store opens transactions.
type Store interface {
	View(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	Update(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Options are what every page stands on.
type Options struct {
	Store                Store
	Accounts             *access.Accounts
	Access               *access.Service
	IDs                  *ident.Source
	Limiter              ratelimit.Limiter
	Bodies               *membudget.Budget // memory of request bodies; nil for no limit
	RefusedBodyLogs      *lograte.Limiter  // of log lines about refused bodies, by address; nil for no limit
	RefusalBudget        ratelimit.Budget  // per user, of refusals that the trail tells of
	Now                  func() time.Time
	Log                  *slog.Logger
	Observe              func(ctx context.Context, operation string, status int, took time.Duration)
	PublicURL            string
	ShowSignIn           func(c *Context, next string, kept []SavedField) error // shows the sign-in page
	ShowReauthentication func(c *Context, next string, kept []SavedField) error // shows the page that asks who is at the browser
	Fallback             http.Handler                                           // answers unknown paths to whoever is no browser
}

// Site is all areas as an http.Handler.
type Site struct {
	Options
	areas   []Area
	byName  map[string]Route // by pattern of the mux
	mux     *http.ServeMux
	pages   map[string]pageTemplate
	assets  map[string]asset
	labels  map[string]string
	notices map[string]string
	records map[string]string
	origin  *http.CrossOriginProtection
	secure  bool // whether users come by https
}

// pageTemplate is a page's template, and its area.
type pageTemplate struct {
	template func() (*template.Template, error) // parsed by the first call
	area     *Area
}

// New puts the areas together.
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

// add takes up what an area has, but for its pages, which may call what other areas
// have.
func (s *Site) add(a *Area) error {
	if a.Assets != nil {
		if err := s.readAssets(a.Assets); err != nil {
			return err
		}
	}
	for _, texts := range []struct{ all, more map[string]string }{{s.labels, a.Labels}, {s.notices, a.Notices}, {s.records, a.RecordPaths}} {
		for name, text := range texts.more {
			if _, taken := texts.all[name]; taken {
				return fmt.Errorf("%s is taken", name)
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

// RecordPath is the path of a record's page; empty for a kind that has none.
func (s *Site) RecordPath(kind, id string) string {
	return strings.Replace(s.records[kind], "{id}", id, 1)
}

// ListPath is the path of the page that lists a kind's records: of their own, or of
// the area that shows them; empty for a kind that has none.
func (s *Site) ListPath(kind string) string {
	for folder := path.Dir(s.records[kind]); len(folder) > 1; folder = path.Dir(folder) {
		_, pattern := s.mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: folder}})
		if strings.HasSuffix(pattern, "}") || strings.HasSuffix(pattern, folder) {
			return folder
		}
	}
	return ""
}

// Secure tells whether users come by https.
func (s *Site) Secure() bool { return s.secure }
