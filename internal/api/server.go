// Package api is the REST API: huma operations generated from the kinds of filing,
// one ServeHTTP that authenticates and authorises every request, and one error format.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/records/timeline"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// Tx combines the transaction interfaces that the handlers need, within one organisation.
type Tx interface {
	filing.Tx
	// SelectSingle reads a page of records, as lists show them, if one statement suffices; otherwise SelectMatching does.
	SelectSingle(filing.Selection) (page []filing.Filing, complete bool, err error)
	SelectMatching(filing.Selection) ([]filing.Filing, error)
	access.Tx
	audit.Trail
	audit.Recorder
	idempotency.Tx
	customs.Tx
	webhook.Tx
	webhook.HistoryTx
	portal.Tx
	deadline.View
	bulk.Tx
	submission.Tx
	exchange.Tx
	retention.HoldTx
	scim.Tx
	batch.Tx
	whatif.Tx
	comment.Tx
	inbox.Tx
	RecordCounts() (map[string]int64, error) // by kind
	FilingsByID(kind string, ids []string, size int) ([]filing.Filing, error)
	DocumentBytes() (int64, error) // size of stored files
}

// Store opens transactions and looks up keys by the hash of their secret.
type Store interface {
	View(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	ViewSingle(ctx context.Context, org tenant.ID, fn func(Tx) error) error // View for one statement
	Update(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	KeyByHash(ctx context.Context, hash string) (access.Holder, bool, error)
	KeyByID(ctx context.Context, org tenant.ID, id string) (access.Holder, bool, error)
	MemberByID(ctx context.Context, org tenant.ID, userID string) (access.Holder, bool, error)
	FeedByHash(ctx context.Context, hash string) (access.Holder, bool, error)
	Members(ctx context.Context, org tenant.ID) ([]access.Member, error)
	LinkAll(ctx context.Context, org tenant.ID) error // makes the records of older programs findable by Select
	Ping(ctx context.Context) error
}

// Budgets are the rate limits of requests, and of refused requests.
type Budgets struct {
	Standard        ratelimit.Budget // per organisation
	AI              ratelimit.Budget // per organisation
	Public          ratelimit.Budget // per address, for requests without a key
	Refused         ratelimit.Budget // per address, for 401
	AuditedRefusals ratelimit.Budget // per key, for refusals that are written to the audit trail
}

// Hub is an area that an organisation can enable if Bookable is set.
type Hub struct {
	ID, Name   string
	Tag, About string // heading of its operations in the API document, and a description; empty if other Hubs share the heading
	Bookable   bool
}

// Options are the services and settings that the API depends on.
type Options struct {
	Store      Store
	Access     *access.Service
	Sandboxes  *access.Sandboxes
	Anonymous  bool                                                                     // whether anyone may create a sandbox
	MakeDue    func(ctx context.Context, test tenant.ID, now time.Time) error           // does what is due by a test clock
	Reset      func(context.Context, tenant.Call) (removed map[string]int64, err error) // empties a test organisation
	Filings    *filing.Service
	Customs    *customs.Service
	Decisions  *decision.Service
	Timelines  *timeline.Service
	Analyse    Analyse
	Statements *statement.Service
	SCIM       *scim.Service
	VAT        *submission.Service // submits VAT returns to HMRC

	Authorities *exchange.Service // sends records of Hubs to their authorities
	PushSecrets map[string]string // by authority, with which HMRC signs notifications; empty for none

	Webhooks  *webhook.Service
	Portal    *portal.Service
	Sender    *webhook.Sender // sends tests and resends during the request
	Sealer    webhook.Sealer  // encrypts stored responses that contain a secret
	Deadlines *deadline.Service
	Trail     *audit.Exporter
	Notary    *audit.Notary
	Live      *sse.Hub // wakes readers of the audit feed and of the stream of events
	Evidence  *evidence.Service
	Printer   *print.Service
	Archive   *portability.Service
	Search    *search.Service // over the records of all kinds
	Batches   *batch.Service
	WhatIfs   *whatif.Service
	Comments  *comment.Service
	Inbound   []InboundSource // at least one
	Tables    bulk.Store
	Exports   *bulk.Semaphore
	Imports   *bulk.Semaphore // also limits previews
	Mapper    bulk.Mapper
	Explainer Explainer
	Classify  Classify
	Extract   Extract
	Extracts  *bulk.Semaphore // limits documents that are read at the same time
	Types     []*filing.Type
	Tariff    func() *tariff.Snapshot                         // returns the tariff in force
	Rates     func() *rates.Table                             // returns the exchange rates that are held
	Origin    func(context.Context) (d *origin.Data, ok bool) // returns the rules of origin that are held; not ok while they are loaded
	Calculate Calculate                                       // computes duties and taxes
	Editions  official.Store                                  // the stored editions of the tariff
	// AwaitTariff waits until the tariff in force is in memory, and fails if that takes too long; nil if there is nothing to wait for.
	AwaitTariff func(context.Context) error
	Hubs        []Hub
	IDs         *ident.Source
	Limiter     ratelimit.Limiter
	Bodies      *membudget.Budget // memory of request bodies; nil for no limit
	Refusals    *lograte.Limiter  // log lines about refused bodies, per address; nil for no limit
	Budgets     Budgets
	Now         func() time.Time
	WallClock   func() time.Time // wall clock, for deadlines of connections
	Log         *slog.Logger
	Observe     func(ctx context.Context, operation string, status int, took time.Duration)
	PublicURL   string
	Examples    func() schema.Examples // recorded calls; nil for none
	Mode        tenant.Mode            // of live organisations: simulator or live
	Version     string
}

// Server is the REST interface as an http.Handler.
type Server struct {
	Options
	api           huma.API
	mux           *http.ServeMux
	bodyReader    schema.Validator
	schemas       *schema.Schemas  // of request bodies
	routes        map[string]route // by mux pattern
	kinds         map[string]kind  // by name
	running       idempotency.Running
	rowKeys       rowKeys
	writingKeyUse sync.Map // IDs of keys whose last use is being written
	draining      chan struct{}

	eventTypes    []eventTypeBody
	eventExamples map[string]webhook.Example
	served        func() documents // the OpenAPI document as it is sent
}

// installErrorFormat makes huma report errors in the format of this API. Huma has one global hook for this, so
// all servers of a process share it.
var installErrorFormat = sync.OnceFunc(func() {
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		p := requestInfoOf(ctx.Context())
		return p.server.fromHuma(p.call.RequestID, p.claim, status, message, errs)
	}
})

// New builds the API.
func New(o Options) *Server {
	s := &Server{Options: o, mux: http.NewServeMux(), routes: map[string]route{}, kinds: map[string]kind{}, draining: make(chan struct{})}
	s.served = sync.OnceValue(s.documents)
	s.schemas = schema.NewSchemas()
	s.schemas.RegisterTypeAlias(reflect.TypeFor[extract.Confidence](), reflect.TypeFor[confidenceSchema]())
	s.bodyReader = schema.Validator{Schemas: s.schemas}
	config := document(o.PublicURL, s.schemas.Registry, o.Hubs)
	installErrorFormat()
	s.api = humago.New(s.mux, config)
	s.describeErrors()

	s.mountDeclarations()
	s.mountAnalyse()
	for _, t := range o.Types {
		s.mountFilings(t)
	}
	for _, st := range o.Statements.Kinds {
		s.mountStatement(st)
	}
	for _, st := range o.Statements.CalendarRecords {
		s.mountStanding(st)
	}
	s.mountConnection()
	s.mountConsent()
	s.mountAuthorities()
	s.mountAuthorityConsents()
	s.mountCustoms()
	s.mountPushes()
	s.mountTariff()
	s.mountRates()
	s.mountCalculate()
	s.mountEditions()
	s.mountOrigin()
	s.mountWhatIf()
	s.mountHubs()
	s.mountOrganisation()
	s.mountKeys()
	s.mountSandbox()
	s.mountMe()
	s.mountUsage()
	s.mountSearch()
	s.mountSCIMToken()
	s.mountPortability()
	s.mountHolds()
	s.mountComments()
	s.mountInbox()
	s.mountDeadlines()
	s.mountFeed()
	s.mountAudit()
	s.mountWebhooks()
	s.mountHistory()
	s.mountBulk()
	s.mountBatches()
	s.mountImports()
	s.mountExplain()
	s.mountCommodity()
	s.mountExtract()
	s.mountDocument()
	s.checkScopes()
	return s
}

// Drain ends responses that have no end of their own, such as audit feeds.
func (s *Server) Drain() { close(s.draining) }
