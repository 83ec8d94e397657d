// Package app wires settings, store, services and servers together, and lists the kinds of filing.
package app

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/provider"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/ops/filemode"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/platform/certfile"
	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/graceful"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
	"github.com/tidewaiter/tidewaiter/internal/platform/mail"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/sdnotify"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/platform/tracing"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Deps are what tests replace. The zero value is right for a program.
type Deps struct {
	Now    func() time.Time // the time for everything; nil for the machine's clock, corrected by the database's
	Random io.Reader
	Log    *slog.Logger

	ReloadSignals <-chan os.Signal // SIGHUP: reload what can be reloaded; nil for none
	Reload        func() error     // called on SIGHUP, to reload for example the log level
	Getenv        func(string) string

	Version string // of the program

	Statement func(query string) // called with every SQL statement of a transaction; nil for none
	Existing  bool               // fail if the database does not exist
	Server    bool               // fail if another server uses the data folder
	Resolver  *net.Resolver      // looks up the DNS records of mail domains; nil for the system's
	clock     *clock.Clock       // nil if Now was given
	trueTime  func() time.Time   // for comparison with other machines, such as the expiry of their tokens
	monotonic func() time.Time   // monotonic, for durations and timeouts
}

func (d Deps) orDefault() Deps {
	switch {
	case d.clock != nil: // already set
	case d.Now == nil:
		d.clock = clock.New(machineClock())
		d.Now, d.trueTime, d.monotonic = d.clock.Now, d.clock.TrueTime, time.Now
	default:
		d.trueTime, d.monotonic = d.Now, d.Now
	}
	if d.Random == nil {
		d.Random = bufio.NewReader(rand.Reader)
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Getenv == nil {
		d.Getenv = func(string) string { return "" }
	}
	if d.Version == "" {
		d.Version = "development"
	}
	return d
}

// App is the wired program.
type App struct {
	*operator.Operator

	Config    config.Config
	Store     *store.Store
	Access    *access.Service
	Accounts  *access.Accounts
	Filings   *filing.Service
	Customs   *customs.Service
	decisions *decision.Service
	Consents  *consent.Service // at customs
	VAT       *submission.Service
	Exchange  *exchange.Service // with authorities besides customs and VAT
	IDs       *ident.Source
	Tables    *reference.Library // imported tables; empty until the service runs
	Tariff    *official.Library  // the tariff in force; the embedded table until the service runs
	Rates     *rates.Library     // exchange rates; empty until the service runs
	Origin    *origin.Library    // rules of origin; empty until the service runs

	deps        Deps
	sealer      secret.Sealer
	carbonPrice quantity.Money // of the emissions of one tonne
	metrics     *metrics.Metrics
	tracer      *tracing.Tracer // nil if traces are not configured

	makeTypes, makeWords sync.Once
	types                []*filing.Type     // all kinds; see allKinds
	words                *wording.Describer // of audit events; see describer

	classifier *assist.Classifier
	extract    api.Extract
	extracts   *bulk.Semaphore
	api        *api.Server
	console    http.Handler
	limiter    ratelimit.Limiter
	model      *provider.Client // nil if no language model is configured
	deadlines  *deadline.Service
	pages      *sse.Hub // browser pages that follow changes
	verifier   *audit.Verifier
	notary     *audit.Notary
	retention  *retention.Sweeper
	mail       *mail.Server // nil if no mail server is configured
	cds        *cdsConnection
	connectors []connector       // of authorities besides customs and VAT
	requests   *consent.Requests // for consent, at all authorities
	inbound    []api.InboundSource
	webhooks   *webhookServices
	exports    *bulk.Semaphore
	imports    *bulk.Semaphore
	uploads    *bulk.Uploads
	batches    *batch.Service
	whatIfs    *whatif.Service
	printer    *print.Service
	server     *graceful.Server
	callback   net.Listener          // for messages of the built-in simulator if the service uses TLS
	cert       *certfile.Certificate // nil without TLS
	manager    sdnotify.Notifier
	bodyBudget *membudget.Budget
	refusals   *lograte.Limiter // limits log lines about rejected bodies
	scim       http.Handler
	Identity   *oidc.Service // single sign-on of organisations; nil until the service runs
}

// Open opens the store and creates the services. It does not listen.
func Open(ctx context.Context, c config.Config, d Deps) (*App, error) {
	d = d.orDefault()
	if err := CheckSettings(c); err != nil {
		return nil, err
	}
	carbon, err := carbonPrice(c)
	if err != nil {
		return nil, err
	}
	ids, pages := ident.NewSource(d.Random, d.Now), &sse.Hub{}
	a := &App{
		Config: c, IDs: ids, metrics: metrics.New(d.Version, d.monotonic), pages: pages,
		Access: &access.Service{IDs: ids}, Tables: &reference.Library{}, Tariff: &official.Library{}, Rates: &rates.Library{}, Origin: &origin.Library{}, carbonPrice: carbon,
		exports: bulk.NewExportSemaphore(), imports: bulk.NewImportSemaphore(), bodyBudget: newBodies(c), refusals: newRefusals(d),
	}
	d.Log = a.metrics.CountLines(d.Log)
	a.deps = d
	if a.tracer, err = a.newTracer(); err != nil {
		return nil, err
	}
	d.Log = a.tracer.Log(d.Log)
	a.deps = d
	if c.Writes != "" {
		d.Log.Warn("the setting writes has no effect any more; remove it")
	}
	filemode.Enforce(c.Data, d.Log)
	o, err := d.Environment().OwnDatabase(c)
	if err != nil {
		return nil, err
	}
	o.Existing, o.Server = d.Existing, d.Server
	o.NewID, o.Random, o.OnCommit, o.Observer = ids.UUID, ids.Bytes, pages.Notify, a.jobObserver()
	o.Mode = modeOf(c)
	s, err := store.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	a.Store = s
	if !d.Existing {
		if err := installation.Identify(ctx, s, c, d.Log); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if err := a.observeClock(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if a.limiter, err = a.newLimiter(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	a.model = a.newModel()
	a.sealer = newLazySealer(c)
	a.Access.Sealer = a.sealer
	a.Accounts = a.newAccounts()
	a.Access.KeyMail = a.Accounts
	a.Filings = &filing.Service{IDs: ids, Facts: a.facts, Types: byKind(a.allKinds()), Sealer: a.sealer, Notify: webhook.NotifyOf(ids.UUID)}
	a.Customs = &customs.Service{
		Simulated: func(*access.Organisation) bool { return a.Config.Customs.Mode == "simulator" },
		Store:     adapter.Of(s), Filings: a.Filings, Type: declarationType(a.Tariff, a.Rates), Tariff: a.Tariff, Rates: a.Rates, IDs: ids, Log: d.Log,
		Attachments: &attachment.Store{Quota: int64(c.AttachmentQuota), IDs: ids}, Scanner: newScanner(c),
	}
	a.connectDecisions()
	if a.Customs.DemandDays, err = customs.ParseDemandDays(c.DemandDays); err != nil {
		return nil, errors.Join(fmt.Errorf("demand-days: %w", err), s.Close())
	}
	a.VAT = &submission.Service{
		Store: adapter.Of(s), Filings: a.Filings, Returns: a.Filings.Types[tax.Kind], Periods: a.Filings.Types[tax.PeriodKind], IDs: ids,
		Interval: c.MTD.Every, Log: d.Log,
	}
	if a.retention, err = a.newSweeper(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	a.classifier, a.Exchange = a.newClassifier(), a.newExchange()
	a.verifier = audit.NewVerifier(adapter.Of(s), ids.UUID, d.Log)
	a.verifier.Compare = func(ctx context.Context, org tenant.ID) (audit.Compared, error) {
		return verify.Compare(ctx, s, kindNames(), org)
	}
	a.Operator = a.newOperator()
	return a, nil
}

// Close closes the store and sends the remaining spans.
func (a *App) Close() error {
	err := a.Store.Close()
	grace, cancel := context.WithTimeout(context.Background(), traceGrace)
	defer cancel()
	a.tracer.Close(grace)
	return err
}

// Serve listens and works until ctx ends. Then it accepts no new requests and waits for those that are running. It
// calls ready with the address when requests are answered.
func (a *App) Serve(ctx context.Context, ready func(address string)) error {
	listener, err := a.listen(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = a.callback.Close() }()
	a.Tables.RefreshOrLog(ctx, a.Store, a.deps.Log)
	a.Rates.RefreshOrLog(ctx, a.Store, a.deps.Log)
	defer a.watchTariff(ctx)()
	if a.webhooks, err = a.newWebhooks(ctx, a.allKinds()); err != nil {
		_ = listener.Close()
		return err
	}
	defer a.webhooks.instance.Close()
	if err := a.sealStored(ctx); err != nil {
		_ = listener.Close()
		return err
	}
	if err := a.prepareAccounts(ctx); err != nil {
		_ = listener.Close()
		return err
	}
	if a.notary, err = a.newNotary(ctx, a.webhooks.sealer); err != nil {
		_ = listener.Close()
		return err
	}
	a.requests = a.newRequests()
	a.VAT.Requests, a.Consents.Requests = a.requests, a.requests
	disconnect, err := a.connect(ctx, listener.Addr())
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer disconnect()
	if a.api, err = a.newAPI(); err != nil {
		_ = listener.Close()
		return err
	}
	a.uploads = a.newUploads(a.Filings.Types[customs.Clients.Kind])
	if a.console, err = a.newConsole(); err != nil {
		_ = listener.Close()
		return err
	}
	stopMetrics, err := a.serveMetrics()
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer stopMetrics()

	a.server = a.newServer()
	failed := make(chan error, 1)
	go func() { failed <- a.server.Serve(listener) }()
	a.serveCallback()
	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	finished := a.startBackground(working)
	a.notify(a.manager.Ready())
	ready(listener.Addr().String())
	release := time.AfterFunc(releaseAfter, func() { a.releaseMemory(working) })
	defer release.Stop()

	select {
	case <-ctx.Done():
	case err := <-failed:
		return fmt.Errorf("app: serve: %w", err)
	}
	a.deps.Log.Info("stopping")
	a.notify(a.manager.Stopping())
	err = a.stop()
	stopWork()
	finished()
	return err
}

// releaseAfter is the time from the start of the service until memory that only the start needed is given back. The
// first requests do not wait for it.
const releaseAfter = 2 * time.Second

// startBackground starts the job queues and all periodic work. The returned function waits until they have ended.
func (a *App) startBackground(ctx context.Context) (wait func()) {
	var all sync.WaitGroup
	for _, q := range a.queues() {
		pump := &jobs.Pump{Queue: q, Store: a.Store, Log: a.deps.Log, Watch: a.observeJob}
		all.Go(func() { a.withTariff(ctx, pump.Run) })
	}
	all.Go(func() { a.webhooks.dispatcher.Run(ctx) })
	all.Go(func() { a.collector().Run(ctx) })
	all.Go(func() { a.withTariff(ctx, a.Sweeper().Run) })
	all.Go(func() { a.cleanup(ctx) })
	all.Go(func() { a.syncClock(ctx) })
	all.Go(func() { a.refreshSignOn(ctx) })
	all.Go(func() { a.retention.Run(ctx) })
	all.Go(func() { a.deleteClosedOrganisations(ctx) })
	all.Go(func() {
		(&search.Indexer{Service: a.search(), Now: a.deps.Now, Log: a.deps.Log, Indexed: a.metrics.Sweep(metrics.Search)}).Run(ctx)
	})
	all.Go(func() { (&search.Indexer{Service: a.searchRecords(), Now: a.deps.Now, Log: a.deps.Log}).Run(ctx) })
	all.Go(func() { a.reloadOnSignal(ctx) })
	all.Go(func() { a.pingWatchdog(ctx) })
	all.Go(func() { a.pages.Run(ctx, a.Store, a.deps.Log) })
	all.Go(func() { a.verifier.Run(ctx) })
	all.Go(func() { a.tiler().Run(ctx) })
	a.watchPublished(ctx, &all)
	all.Go(func() { a.withTariff(ctx, a.classifier.Run) })
	return all.Wait
}

// queues returns the job queues.
func (a *App) queues() []jobs.Queue {
	return append(append(append(a.hmrcQueues(), a.tariffQueues()...), a.authorityQueues()...),
		jobs.Queue{Name: customs.SendQueue, Workers: 8, Do: a.Customs.Send, Backoff: sendBackoff},
		jobs.Queue{Name: customs.FormsQueue, Workers: 4, Do: a.Customs.SendForms, Backoff: sendBackoff},
		jobs.Queue{Name: customs.FileQueue, Workers: 4, Do: a.Customs.SendFile, Backoff: fileBackoff},
		jobs.Queue{Name: customs.InboxQueue, Workers: 16, Do: a.Customs.Apply, Backoff: customs.InboxBackoff},
		a.clearQueue(),
		a.mailQueue(),
		jobs.Queue{Name: erasure.Queue, Workers: 1, Do: a.Erasure().Do, Backoff: sendBackoff},
		a.importQueue(),
		jobs.Queue{Name: batch.Queue, Workers: 8, Do: a.batches.Run, Backoff: batch.Backoff},
		a.whatIfQueue(),
	)
}
