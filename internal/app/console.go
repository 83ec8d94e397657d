package app

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/passkey"
	"github.com/tidewaiter/tidewaiter/internal/access/password"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/console/approvals"
	"github.com/tidewaiter/tidewaiter/internal/console/authorities"
	"github.com/tidewaiter/tidewaiter/internal/console/classification"
	"github.com/tidewaiter/tidewaiter/internal/console/declarations"
	"github.com/tidewaiter/tidewaiter/internal/console/declare"
	"github.com/tidewaiter/tidewaiter/internal/console/design"
	"github.com/tidewaiter/tidewaiter/internal/console/fieldset"
	"github.com/tidewaiter/tidewaiter/internal/console/filings"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/marked"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/palette"
	"github.com/tidewaiter/tidewaiter/internal/console/repeat"
	"github.com/tidewaiter/tidewaiter/internal/console/settings"
	"github.com/tidewaiter/tidewaiter/internal/console/sheets"
	"github.com/tidewaiter/tidewaiter/internal/console/signin"
	"github.com/tidewaiter/tidewaiter/internal/console/statements"
	"github.com/tidewaiter/tidewaiter/internal/console/tables"
	"github.com/tidewaiter/tidewaiter/internal/console/webhooks"
	"github.com/tidewaiter/tidewaiter/internal/console/whatif"
	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/corporate"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
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
		Store: adapter.Of(a.Store), Access: a.Access, Hasher: password.New(a.IDs), Limiter: a.limiter, Failures: access.DefaultFailures(),
		IDs: a.IDs, Now: a.deps.Now, ReauthenticateAfter: a.Config.FreshSignIn,
	}
}

// prepareAccounts gives the accounts the master key, the mail server and the host of passkeys.
func (a *App) prepareAccounts(ctx context.Context) (err error) {
	a.Accounts.Sealer = a.webhooks.sealer
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

// newConsole creates the web console, which uses the same services as the API.
func (a *App) newConsole() (http.Handler, error) {
	a.Identity, a.scim = a.newIdentity(), a.newSCIMServer()
	c, budgets := a.Config, a.budgets()
	hubs, areas := make([]settings.Hub, 0, len(hubs)), make([]filings.Hub, 0, len(hubs))
	for _, h := range a.hubsWithStatus() {
		hubs = append(hubs, settings.Hub{ID: h.ID, Name: h.Name, Bookable: h.Bookable})
		areas = append(areas, filings.Hub{ID: h.ID, Name: h.Name, Menu: menuNames[h.ID]})
	}
	return console.New(console.Options{
		Options: page.Options{
			Store: consoleStore{a.Store}, Accounts: a.Accounts, Access: a.Access, IDs: a.IDs, Limiter: a.limiter, RefusalBudget: budgets.AuditedRefusals,
			Bodies: a.bodyBudget, RefusedBodyLogs: a.refusals,
			Sandboxes: a.sandboxes(), Portal: adapter.Of(a.Store), Assignable: a.assignable(), Mode: modeOf(c),
			Approvals: a.approvalOf, Now: a.deps.Now, Log: a.deps.Log, Observe: a.observeRequest, PublicURL: c.PublicURL, Fallback: a.api,
		},
		Single:   signin.SingleSignOn{Issuer: c.OIDC.Issuer, ClientID: c.OIDC.ClientID, ClientSecret: c.OIDC.ClientSecret, Name: c.OIDC.Name},
		Identity: a.Identity, SCIM: a.newSCIM(), Erasure: a.Erasure(),
		Webhooks: webhooks.Webhooks{Service: a.webhooks.service, Sender: a.webhooks.sender, Schemas: schema.NewSchemas(), Batches: a.batches, Links: a.portal()},
		Tables: tables.Tables{
			SystemClock: a.deps.monotonic, Uploads: a.uploads, Products: a.newProductImporter(), Exporter: &bulk.Exporter{Store: adapter.Of(a.Store), IDs: a.IDs}, Exports: a.exports, Types: a.allKinds(),
		},
		Filings: filings.Filings{
			Service: a.Filings, Decisions: a.decisions, Authorities: a.Exchange, Describer: a.describer(), AssistBudget: budgets.AI, Types: kinds(a.Tables, a.estimator()), Hubs: areas, Links: customPages, RecordLinks: recordLinks, Forms: ownForms, Find: finders(), FindRecords: a.searchRecords().FindRecords, Describe: descriptions,
		},
		Marked: marked.Marked{
			Types: append(kinds(a.Tables, a.estimator()), a.Customs.Type), Batches: a.batches, Filings: a.Filings, Exporter: &bulk.Exporter{Store: adapter.Of(a.Store), IDs: a.IDs},
		},
		Settings: settings.Settings{
			Hubs: hubs, Exports: a.portability(), Closure: a.closure(), RecordsKept: ageText(a.retention.Policy.Records), Budgets: []ratelimit.Budget{budgets.Standard, budgets.AI},
			Connection: settings.Customs{Mode: c.Customs.Mode, URL: c.Customs.URL, Check: a.cds.check},
		},
		Declare: a.declare(),
		WhatIf:  whatif.WhatIf{Service: a.whatIfs, Schemas: schema.NewSchemas()},
		Declarations: declarations.Declarations{
			Customs: a.Customs, Describer: a.describer(), Filings: a.Filings, Analysis: a.analyst(), Explain: explainOffline, Search: a.search(), FindRecords: a.searchRecords().FindRecords, Live: a.pages, Mode: c.Customs.Mode, CheckBody: a.importer().Check, Printer: a.printer,
		},
		Authorities: authorities.Authorities{Service: a.Exchange},
		Statements:  statements.Statements{Printer: a.printer, Statements: a.statements(), Filings: a.Filings, Decisions: a.decisions, VAT: a.VAT, Describer: a.describer()},
		Design:      design.Shown(c.PublicURL),
		Classify:    classification.Classification{Classify: a.classify(), Tariff: a.Tariff.Current, AssistBudget: budgets.AI},
		Palette:     palette.Palette{Find: a.searchRecords().FindRecords, Types: a.allKinds()},
		Connect:     a.connectArea(),
		Deadlines:   a.deadlinesPage(),
		Approving:   approvals.Approvals{Filings: a.Filings, Describer: a.describer(), Types: a.allKinds()},
		AuditLog:    a.auditLogPage(),
		Home:        a.home(),
		Team:        a.team(),
		Repeat:      repeat.Repeat{Filings: a.Filings},
		Sheets:      sheets.Sheets{Types: a.allKinds(), Timelines: a.timelines(), Describer: a.describer()},
	})
}

// menuNames are the names of Hubs in the menu, which has one line for each.
var menuNames = map[string]string{
	gvms.HubID: "Vehicles (GVMS)", emcs.HubID: "Excise (EMCS)", tss.HubID: "Northern Ireland", corporate.HubID: "Company filings", cbam.HubID: "Carbon (CBAM)",
	ics2.HubID: "Entry summaries",
}

// ownForms are the forms of templates: they are made of declarations, and changed with the form of a draft.
var ownForms = map[string]filings.OwnForms{template.Kind: {New: "/declarations/new-template", Change: "/declarations/form/{id}/page"}}

// recordLinks are links on pages of records.
var recordLinks = map[string][]filings.RecordLink{
	emcs.Movements.Kind:    {{Path: "/authorities/records/{id}", Label: "Messages"}},
	gvms.Movements.Kind:    {{Path: "/authorities/records/{id}", Label: "Messages"}},
	ics2.Filings.Kind:      {{Path: "/authorities/records/{id}", Label: "Messages"}},
	customs.Shipments.Kind: {{Path: "/shipments/{id}/timeline", Label: "Timeline"}},
	template.Kind:          {{Path: "/declarations/from-template?template={id}", Label: "New declaration"}, {Path: "/templates/{id}/repeat", Label: "Repeat"}},
}

// descriptions describe the fields of kinds that are in the table of customs fields.
var descriptions = map[string]filings.Describe{
	customs.Clients.Kind:   fieldset.Selection{Record: fields.Client}.Describe,
	customs.Shipments.Kind: fieldset.Selection{Record: fields.Shipment}.Describe,
	template.Kind: func(path string) (form.Description, bool) {
		return form.Description{Hidden: true}, path == "recurrence" // it has a page of its own
	},
}

// customPages are pages of Hubs that are not generated from a Type.
var customPages = []filings.HubLink{
	{Hub: cbam.HubID, Path: "/cbam", Name: "Quarterly reports", Description: "The report of a quarter, made from its imports."},
	{Hub: tax.HubID, Path: "/vat", Name: "VAT returns", Description: "The periods for which HMRC expects a return, and the return with nine boxes for each."},
}

// declare is the form for declarations, with the same assistance as the API.
func (a *App) declare() declare.Declare {
	return declare.Declare{
		Filings: a.Filings, Customs: a.Customs, Clients: a.Filings.Types[customs.Clients.Kind], Shipments: a.Filings.Types[customs.Shipments.Kind],
		Excise:    declare.Excise{Type: a.Filings.Types[emcs.Movements.Kind], Statuses: emcs.Underway(), Export: emcs.ExportedGoods},
		Summaries: a.Filings.Types[ics2.Filings.Kind],
		Schemas:   schema.NewSchemas(), Classify: a.classify(), Review: a.analyst().Review, Explain: a.explainRejection,
		Read: a.readDocument, Lines: a.readLines, Importer: a.importer(), Supplies: product.Supplies, AssistBudget: a.budgets().AI, CheckBudget: a.checkBudget(),
	}
}

// readDocument reads a document. It shares the limit of concurrent documents with the API.
func (a *App) readDocument(ctx context.Context, org tenant.ID, in extract.Request) (extract.Extraction, error) {
	end, err := a.extracts.Acquire(ctx, org)
	if err != nil {
		return extract.Extraction{}, err
	}
	end = sync.OnceFunc(end)
	defer end()
	return a.extract(ctx, org, in, end)
}

// readLines reads the lines of a document within the same limit.
func (a *App) readLines(ctx context.Context, org tenant.ID, file []byte) (source.Document, error) {
	end, err := a.extracts.Acquire(ctx, org)
	if err != nil {
		return source.Document{}, err
	}
	defer end()
	ctx, cancel := context.WithTimeout(ctx, documentTimeout)
	defer cancel()
	return source.Read(ctx, file)
}

// documentTimeout is the longest time for reading the lines of one file.
const documentTimeout = 8 * time.Second

// check returns an error if CDS cannot be reached or gives no token.
func (l *cdsConnection) check(ctx context.Context) error {
	if _, err := l.credentials.Token(ctx); err != nil {
		return apierr.New(apierr.CustomsUnreachable, "CDS gives no token. It cannot be reached, or the credentials of the service are wrong.").WithCause(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, l.base, nil)
	if err != nil {
		return fmt.Errorf("app: customs: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return apierr.New(apierr.CustomsUnreachable, "CDS cannot be reached.").WithCause(err)
	}
	return response.Body.Close()
}

// finders search the kinds that have an index.
func finders() map[string]filings.Find {
	return map[string]filings.Find{
		customs.Clients.Kind: func(tx page.Tx, text string, limit int) ([]filing.Filing, error) {
			return customs.FindClients(tx, text, limit)
		},
	}
}

// checksPerSuggestion is how many checks while a user is typing count like one suggestion. A check asks no language model.
const checksPerSuggestion = 20

// checkBudget is that of checks while users are typing.
func (a *App) checkBudget() ratelimit.Budget {
	b := a.budgets().AI
	b.Name, b.Requests = "check", b.Requests*checksPerSuggestion
	return b
}
