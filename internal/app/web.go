package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/api"
	scimapi "github.com/tidewaiter/tidewaiter/internal/api/scim"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/settings"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/timeline"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Limits of rejected requests, per minute.
const (
	rejectedPerMinute = 60 // with a wrong key, by address
	recordedPerMinute = 60 // rejections of a key that become audit events
)

// Limits of documents that are read at the same time: by each organisation, and in all.
const extractsEach, extractsAll = 2, 4

func (a *App) newAPI() (*api.Server, error) {
	budgets := a.budgets()
	a.deadlines = &deadline.Service{Calendars: calendars, PublicURL: a.Config.PublicURL, Paths: paths(a.allKinds())}
	a.extract, a.extracts = a.newExtractor(), bulk.NewSemaphore(extractsEach, extractsAll)
	a.batches = &batch.Service{Store: adapter.Of(a.Store), Sealer: a.sealer, NewID: a.IDs.UUID}
	a.whatIfs = a.newWhatIfs()
	var err error
	if a.printer, err = a.newPrinter(); err != nil {
		return nil, err
	}
	server := api.New(api.Options{
		Store: apiStore{a.Store}, Access: a.Access, Sandboxes: a.sandboxes(), Anonymous: a.Config.AllowSandboxes, MakeDue: a.makeDue, Reset: a.deleter().Reset, Filings: a.Filings, Decisions: a.decisions, Timelines: a.timelines(), Customs: a.Customs, Analyse: a.analyst().Analyse, Statements: a.statements(), Inbound: a.inbound, VAT: a.VAT, Authorities: a.Exchange, PushSecrets: a.pushSecrets(), SCIM: a.newSCIM(),
		Webhooks: a.webhooks.service, Portal: a.portal(), Sender: a.webhooks.sender, Sealer: a.webhooks.sealer,
		Tables: adapter.Of(a.Store), Exports: a.exports, Imports: a.imports, Mapper: mapOffline, Classify: a.classify(), Explainer: explainOffline, Extract: a.extract, Extracts: a.extracts,
		Types: a.prepared(kinds(a.Tables, a.estimator())), Tariff: a.Tariff.Current, Rates: a.Rates.Current, Calculate: a.calculate, Editions: a.Store, AwaitTariff: a.Tariff.Await, Origin: a.Origin.Await, Hubs: a.hubsWithStatus(), IDs: a.IDs, Limiter: a.limiter,
		Budgets: budgets, Bodies: a.bodyBudget, Refusals: a.refusals,
		Now: a.deps.Now, WallClock: a.deps.monotonic, Log: a.deps.Log, Observe: a.observeRequest, PublicURL: a.Config.PublicURL, Mode: modeOf(a.Config), Examples: demo.Calls,
		Deadlines: a.deadlines, Trail: a.auditExporter(), Notary: a.notary, Live: a.pages, Evidence: a.evidence(), Printer: a.printer, Archive: a.portability(), Batches: a.batches, WhatIfs: a.whatIfs, Comments: a.comments(), Search: a.searchRecords(),
	})
	a.batches.RunRow = server.RunRow
	return server, nil
}

// modeOf is the mode of live organisations: live with at least one connection to HMRC or the HMRC sandbox.
func modeOf(c config.Config) tenant.Mode {
	connected := slices.ContainsFunc(config.AuthorityIDs, func(id string) bool { return c.Authority(id).IsHMRC() })
	if connected || c.Customs.Mode == "hmrc" || c.MTD.URL != "" {
		return tenant.Live
	}
	return tenant.Simulator
}

func (a *App) auditExporter() *audit.Exporter {
	return &audit.Exporter{Store: adapter.Of(a.Store), NewID: a.IDs.UUID}
}

func (a *App) budgets() api.Budgets {
	c := a.Config
	return api.Budgets{
		Standard:        ratelimit.Budget{Name: "standard", Requests: c.LimitStandard, Window: time.Minute},
		AI:              ratelimit.Budget{Name: "ai", Requests: c.LimitAI, Window: time.Minute},
		Public:          ratelimit.Budget{Name: "public", Requests: c.LimitPublic, Window: time.Hour},
		Refused:         ratelimit.Budget{Name: "refused", Requests: rejectedPerMinute, Window: time.Minute},
		AuditedRefusals: ratelimit.Budget{Name: "noted", Requests: recordedPerMinute, Window: time.Minute},
	}
}

// analyst checks declarations with what the service knows itself: the tariff in force, and the codes that descriptions
// suggest.
func (a *App) analyst() *analysis.Service {
	return &analysis.Service{
		Store: adapter.Of(a.Store), Customs: a.Customs, Filings: a.Filings, Facts: a.facts, Knowledge: a.knowledge,
	}
}

// knowledge returns what the tariff in force says. Only a published nomenclature is complete, so that a code that it
// does not contain does not exist.
func (a *App) knowledge() analysis.Knowledge {
	t := a.Tariff.Current()
	k := analysis.Knowledge{Tariff: t.Tariff, Charges: customs.ChargeSource(a.Tariff, a.Rates), Contradict: a.contradict, Customs: customs.PreviewOptions{Goods: goodsOf(a.Tariff), All: a.Config.SimulatorStrict == "all"}}
	if t.Version > 0 && t.Source != tariff.EmbeddedSource {
		k.CodeStatus = analysis.StatusFromTree(t.Tree)
	}
	return k
}

// hubIDs returns the ids of all Hubs.
func hubIDs() []string {
	ids := make([]string, len(hubs))
	for i, h := range hubs {
		ids[i] = h.ID
	}
	return ids
}

func (a *App) hubsWithStatus() []api.Hub {
	all := slices.Clone(hubs)
	for i := range all {
		all[i].Bookable = !slices.Contains(a.Config.HubsOff, all[i].ID)
	}
	return all
}

func (a *App) newLimiter() (ratelimit.Limiter, error) {
	local := ratelimit.NewMemory(a.deps.Now)
	if a.Config.RedisURL == "" {
		return a.metrics.CountChecks("memory", local), nil
	}
	shared, err := ratelimit.OpenRedis(a.Config.RedisURL, a.deps.Now)
	if err != nil {
		return nil, fmt.Errorf("app: redis: %w", err)
	}
	return &ratelimit.Fallback{Shared: a.metrics.CountChecks("redis", shared), Local: a.metrics.CountChecks("memory", local), Now: a.deps.Now, Log: a.deps.Log}, nil
}

// handler serves the API, health checks and the console. Paths below /api/ do not use ServeMux, which would redirect a
// path such as /api//clients.
func (a *App) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", a.tracer.Handler(a.afterTariff(a.console)))
	mux.HandleFunc("GET /healthz", a.api.WithRequestID(func(w http.ResponseWriter, _ *http.Request) { health(w, http.StatusOK, "alive") }))
	mux.HandleFunc("GET /readyz", a.api.WithRequestID(a.ready))
	below := a.tracer.Handler(http.HandlerFunc(a.serveAPI))
	clients := &clientaddr.Resolver{Trusted: a.Config.TrustedProxies, Header: clientaddr.Header(a.Config.ForwardedHeader)}
	mode := string(modeOf(a.Config))
	return clients.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(api.ModeHeader, mode) // API and console set that of the caller's organisation
		if r.TLS != nil {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			below.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// serveAPI serves the API. HMRC's redirect after consent and operations with a session are pages of the console.
func (a *App) serveAPI(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.EscapedPath() == callback {
		a.console.ServeHTTP(w, r)
		return
	}
	if a.isSessionOperation(r) {
		a.console.ServeHTTP(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, scimapi.Path+"/") {
		a.scim.ServeHTTP(w, r)
		return
	}
	a.api.ServeHTTP(w, r)
}

// isSessionOperation reports whether a request has a session and is for an operation that needs one. With a key the API
// answers that it needs a session.
func (a *App) isSessionOperation(r *http.Request) bool {
	operation := r.Method == http.MethodDelete && r.URL.EscapedPath() == settings.OrganisationPath ||
		r.Method == http.MethodPost && (r.URL.EscapedPath() == settings.RestorePath || strings.HasSuffix(r.URL.EscapedPath(), "/approval"))
	if !operation || r.Header.Get("Authorization") != "" {
		return false
	}
	_, err := r.Cookie(page.SessionCookieOf(a.Config.PublicURL))
	return err == nil
}

// pingTimeout is how long the database may take to answer.
const pingTimeout = 2 * time.Second

func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	if a.server.Stopping() {
		health(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pingTimeout)
	defer cancel()
	if err := a.Store.Ping(ctx); err != nil {
		status := "the database does not answer"
		if f, ok := apierr.As(err); ok {
			status = f.Message
		}
		health(w, http.StatusServiceUnavailable, status)
		return
	}
	health(w, http.StatusOK, "ready")
}

func health(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"status": text})
}

// loopback returns an address on this machine for a listener that may listen on all addresses.
func loopback(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return address.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}

// localhost returns an address for users on this machine. Browsers allow passkeys on localhost but not on an IP
// address.
func localhost(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// timelines reads the timelines of shipments.
func (a *App) timelines() *timeline.Service {
	return &timeline.Service{Types: a.Filings.Types, Find: a.searchRecords().FindAny}
}
