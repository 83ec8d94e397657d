package app

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/passkey"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/console/declarations"
	"github.com/tidewaiter/tidewaiter/internal/console/declare"
	"github.com/tidewaiter/tidewaiter/internal/console/filings"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/settings"
	"github.com/tidewaiter/tidewaiter/internal/console/signin"
	"github.com/tidewaiter/tidewaiter/internal/console/statements"
	"github.com/tidewaiter/tidewaiter/internal/console/tables"
	"github.com/tidewaiter/tidewaiter/internal/console/webhooks"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/mail"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

func (a *App) newAccounts() *access.Accounts {
	return &access.Accounts{
		Register: adapter.Of(a.Store), Access: a.Access, Hasher: access.NewHasher(a.IDs), Limiter: a.limiter, Failures: access.DefaultFailures(),
		IDs: a.IDs, Now: a.deps.Now, FreshFor: a.Config.FreshSignIn,
	}
}

// prepareFactors gives the accounts what second factors need: the master key, and the host
// of passkeys.
func (a *App) prepareFactors(ctx context.Context) (err error) {
	a.Accounts.Sealer = a.post.sealer
	if a.Config.SMTPURL != "" {
		if a.mail, err = mail.New(a.Config.SMTPURL, a.Config.MailFrom); err != nil {
			return err
		}
	}
	a.Accounts.Mails = access.Mails{On: a.mail != nil, Public: a.Config.PublicURL}
	if a.Accounts.Passkeys, err = passkey.New(a.Config.PublicURL); err != nil {
		return err
	}
	n, host, err := doctor.PasskeysOfOtherHosts(ctx, a.Store, a.Config)
	if n > 0 {
		a.deps.Log.Warn("passkeys were made for another host than that of public-url and do not work; change public-url back, or have their users add new ones",
			"passkeys", n, "host", host)
	}
	return err
}

// newConsole makes the web application, beside the API and on the same services.
func (a *App) newConsole() (http.Handler, error) {
	a.Identity, a.scim = a.newIdentity(), a.newSCIMServer()
	c, budgets := a.Config, a.budgets()
	hubs, areas := make([]settings.Hub, 0, len(hubs)), make([]filings.Hub, 0, len(hubs))
	for _, h := range a.bookable() {
		hubs = append(hubs, settings.Hub{ID: h.ID, Name: h.Name, Bookable: h.Bookable})
		areas = append(areas, filings.Hub{ID: h.ID, Name: h.Name})
	}
	return console.New(console.Options{
		Options: page.Options{
			Store: consoleStore{a.Store}, Accounts: a.Accounts, Access: a.Access, IDs: a.IDs, Limiter: a.limiter, RefusalBudget: budgets.AuditedRefusals,
			Bodies: a.bodies, RefusedBodyLogs: a.refusals,
			Now: a.deps.Now, Log: a.deps.Log, Observe: a.answered, PublicURL: c.PublicURL, Fallback: a.api,
		},
		Single:   signin.SingleSignOn{Issuer: c.OIDC.Issuer, ClientID: c.OIDC.ClientID, ClientSecret: c.OIDC.ClientSecret, Name: c.OIDC.Name},
		Identity: a.Identity, SCIM: a.newSCIM(), Erasure: a.Erasure(),
		Webhooks: webhooks.Webhooks{Service: a.post.service, Sender: a.post.sender, Schemas: schema.NewSchemas()},
		Tables: tables.Tables{
			Machine: a.deps.machine, Uploads: a.uploads, Exporter: &bulk.Exporter{Store: adapter.Of(a.Store), IDs: a.IDs}, Exports: a.exports, Types: a.everyKind(),
		},
		Filings: filings.Filings{Service: a.Filings, Clerk: a.describer(), Helpers: budgets.AI, Types: kinds(a.Tables, a.estimator()), Hubs: areas, Handmade: handmade, Find: finders()},
		Settings: settings.Settings{
			Hubs: hubs, Exports: a.portability(), Closure: a.closure(), RecordsKept: inWords(a.keeper.Policy.Records), Budgets: []ratelimit.Budget{budgets.Standard, budgets.AI},
			Connection: settings.Customs{Mode: c.Customs.Mode, URL: c.Customs.URL, Check: a.link.check},
		},
		Declare: a.declare(),
		Declarations: declarations.Declarations{
			Customs: a.Customs, Clerk: a.describer(), Filings: a.Filings, Analysis: a.analyst(), Explain: explained, Search: a.search(), Live: a.live, Tariff: a.Tariff, Mode: c.Customs.Mode,
		},
		Statements: statements.Statements{Statements: a.statements(), Filings: a.Filings, VAT: a.VAT, Clerk: a.describer()},
		Deadlines:  a.dueDates(),
		AuditLog:   a.auditTrail(),
		Home:       a.home(),
	})
}

// handmade are the pages of Hubs that are not made from a Type.
var handmade = []filings.Handmade{
	{Hub: cbam.HubID, Path: "/cbam", Name: "Quarterly reports", About: "The report of a quarter, drawn up from the imports recorded in it."},
	{Hub: tax.HubID, Path: "/vat", Name: "VAT returns", About: "The periods that HMRC wants a return for, and the return of nine boxes for each."},
}

// declare is the form of declarations, with the helpers that the API offers.
func (a *App) declare() declare.Declare {
	return declare.Declare{
		Filings: a.Filings, Customs: a.Customs, Clients: a.Filings.Types[customs.Clients.Kind], Shipments: a.Filings.Types[customs.Shipments.Kind],
		Schemas: schema.NewSchemas(), Tariff: a.Tariff.Current, Classify: a.classify(), Judge: a.analyst().Review, Explain: a.explainedOf,
		Read: a.readDocument, Helpers: a.budgets().AI,
	}
}

// readDocument reads a document when it is the organisation's turn, those that are sent
// to the API counted.
func (a *App) readDocument(ctx context.Context, org tenant.ID, in extract.Request) (extract.Extraction, error) {
	end, err := a.extracts.Acquire(ctx, org)
	if err != nil {
		return extract.Extraction{}, err
	}
	end = sync.OnceFunc(end)
	defer end()
	return a.extract(ctx, org, in, end)
}

// check tells whether customs can be reached and lets this service in.
func (l *link) check(ctx context.Context) error {
	if _, err := l.credentials.Token(ctx); err != nil {
		return apierr.New(apierr.CustomsUnreachable, "Customs gives no token: either it cannot be reached, or the service's credentials are not right.").Because(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, l.base, nil)
	if err != nil {
		return fmt.Errorf("app: customs: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return apierr.New(apierr.CustomsUnreachable, "Customs cannot be reached.").Because(err)
	}
	return response.Body.Close()
}

// finders find records by what they go by, where their kind has an index of it.
func finders() map[string]filings.Find {
	return map[string]filings.Find{
		customs.Clients.Kind: func(tx page.Tx, text string, limit int) ([]filing.Filing, error) {
			return customs.FindClients(tx, text, limit)
		},
	}
}
