// Package api is the REST interface: huma operations made from the kinds of
// filing, one gate that every request passes, and one form for every fault.
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
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Tx is all that the handlers do inside one organisation.
type Tx interface {
	filing.Tx
	access.Tx
	audit.Trail
	audit.Recorder
	idempotency.Tx
	customs.Tx
	webhook.Tx
	deadline.View
	bulk.Tx
	submission.Tx
	retention.HoldTx
	scim.Tx
}

// Store opens transactions and finds keys.
type Store interface {
	View(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	Glance(ctx context.Context, org tenant.ID, fn func(Tx) error) error // View for a single statement
	Update(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	KeyByHash(ctx context.Context, hash string) (access.Holder, bool, error)
	FeedByHash(ctx context.Context, hash string) (access.Holder, bool, error)
	Members(ctx context.Context, org tenant.ID) ([]access.Member, error)
	Ping(ctx context.Context) error
}

// Budgets are the three rate limits, and those on requests that are refused.
type Budgets struct {
	Standard ratelimit.Budget // per organisation
	AI       ratelimit.Budget // per organisation
	Public   ratelimit.Budget // per address, for requests without a key
	Refused  ratelimit.Budget // per address, for 401
	Noted    ratelimit.Budget // per key, for refusals that the trail tells of
}

// Hub is an area that an organisation may book.
type Hub struct {
	ID, Name   string
	Tag, About string // heading of its operations in the API document, and a description; empty if other Hubs share the heading
	Bookable   bool
}

// Options are the parts that the interface stands on.
type Options struct {
	Store      Store
	Access     *access.Service
	Filings    *filing.Service
	Customs    *customs.Service
	Analyse    Analyse
	Statements *statement.Service
	SCIM       *scim.Service
	VAT        *submission.Service // the way of VAT returns to HMRC
	Webhooks   *webhook.Service
	Sender     *webhook.Sender // of tests and resends
	Sealer     webhook.Sealer  // of answers that hold a secret
	Deadlines  *deadline.Service
	Trail      *audit.Exporter
	Notary     *audit.Notary
	Live       *sse.Hub // wakes those who follow the trail
	Evidence   *evidence.Service
	Archive    *portability.Service
	Inbound    Inbound
	Tables     bulk.Store
	Exports    *bulk.Turns
	Imports    *bulk.Turns // of previews, too
	Mapper     bulk.Mapper
	Explainer  Explainer
	Classify   Classify
	Extract    Extract
	Extracts   *bulk.Turns // whose turn it is to have a document read
	Types      []*filing.Type
	Tariff     func() *tariff.Snapshot // in force
	Hubs       []Hub
	IDs        *ident.Source
	Limiter    ratelimit.Limiter
	Bodies     *membudget.Budget // memory of request bodies; nil for no limit
	Refusals   *lograte.Limiter  // of log lines about refused bodies, by address; nil for no limit
	Budgets    Budgets
	Now        func() time.Time
	Machine    func() time.Time // of this process, for deadlines of connections
	Log        *slog.Logger
	Observe    func(ctx context.Context, operation string, status int, took time.Duration)
	PublicURL  string
	Mode       string // of the organisations' connections: simulator or live
	Version    string
}

// Server is the REST interface as an http.Handler.
type Server struct {
	Options
	api      huma.API
	mux      *http.ServeMux
	strict   schema.Reader
	schemas  *schema.Schemas  // of bodies
	routes   map[string]route // by pattern of the mux
	kinds    map[string]kind  // by name
	running  idempotency.Running
	noting   sync.Map // keys whose last use is being written
	draining chan struct{}

	eventTypes []eventTypeBody
	documented sync.Once
	document   []byte
}

// sayFaults makes huma say what it finds in the form of this interface. The library has
// one place for that, which all servers of a process share.
var sayFaults = sync.OnceFunc(func() {
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		p := passedOf(ctx.Context())
		return p.server.fromHuma(p.call.RequestID, p.claim, status, message, errs)
	}
})

// New builds the interface.
func New(o Options) *Server {
	s := &Server{Options: o, mux: http.NewServeMux(), routes: map[string]route{}, kinds: map[string]kind{}, draining: make(chan struct{})}
	s.schemas = schema.NewSchemas()
	s.schemas.RegisterTypeAlias(reflect.TypeFor[extract.Confidence](), reflect.TypeFor[confidenceSchema]())
	s.strict = schema.Reader{Schemas: s.schemas}
	config := document(o.PublicURL, s.schemas.Registry, o.Hubs)
	sayFaults()
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
	for _, st := range o.Statements.Standing {
		s.mountStanding(st)
	}
	s.mountConnection()
	s.mountCustoms()
	s.mountTariff()
	s.mountHubs()
	s.mountOrganisation()
	s.mountKeys()
	s.mountMe()
	s.mountSCIMToken()
	s.mountPortability()
	s.mountHolds()
	s.mountDeadlines()
	s.mountFeed()
	s.mountAudit()
	s.mountWebhooks()
	s.mountBulk()
	s.mountExplain()
	s.mountCommodity()
	s.mountExtract()
	s.mountDocument()
	s.checkScopes()
	return s
}

// Drain ends answers that have no end of their own, such as feeds that wait for more.
func (s *Server) Drain() { close(s.draining) }
