package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/ops/usertoken"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// cdsConnection sends declarations to CDS and authenticates its messages.
type cdsConnection struct {
	simulated   bool // the documents go to a simulator
	metrics     *metrics.Metrics
	base        string
	client      *cds.Client
	forms       *client.Forms
	limiter     client.Limiter
	credentials client.Credentials // of the application, or of the configured user
	consents    *consent.Service   // of the organisations; nil for a simulator
	inbound     cds.Inbound
	log         *slog.Logger
}

// Submit sends a declaration.
func (l *cdsConnection) Submit(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	return l.metrics.CustomsOutcome(metrics.Submit, l.send(ctx, org, func(as client.Credentials) client.Outcome {
		return l.clientFor(org, asked).Submit(ctx, as, document)
	}))
}

// Cancel sends a request for cancellation.
func (l *cdsConnection) Cancel(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	return l.metrics.CustomsOutcome(metrics.Cancel, l.send(ctx, org, func(as client.Credentials) client.Outcome {
		return l.clientFor(org, asked).Cancel(ctx, as, document)
	}))
}

// send sends a document with the tokens of its organisation. HMRC takes the submitter from them.
func (l *cdsConnection) send(ctx context.Context, org tenant.ID, with func(client.Credentials) client.Outcome) client.Outcome {
	if l.consents == nil {
		return with(l.credentials)
	}
	as, found, err := l.consents.Credentials(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	if !found {
		single, err := l.consents.HasSingle(ctx)
		switch {
		case err != nil:
			return client.Unreachable{Cause: err}
		case single:
			return with(l.credentials)
		}
		return client.NoConsent()
	}
	outcome := with(as)
	refused, ok := outcome.(client.Refused)
	if !ok {
		return outcome
	}
	waits, err := as.Refused(context.WithoutCancel(ctx), refused)
	if err != nil {
		l.log.WarnContext(ctx, "cannot store that HMRC does not accept a consent", "organisation", org, "error", err)
	}
	if waits {
		return client.NoConsent()
	}
	return outcome
}

// Amend sends a request for amendment.
func (l *cdsConnection) Amend(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	return l.metrics.CustomsOutcome(metrics.Amend, l.send(ctx, org, func(as client.Credentials) client.Outcome {
		return l.clientFor(org, asked).Amend(ctx, as, document)
	}))
}

// Present sends a notification of the presentation of goods.
func (l *cdsConnection) Present(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	return l.metrics.CustomsOutcome(metrics.Present, l.send(ctx, org, func(as client.Credentials) client.Outcome {
		return l.clientFor(org, asked).Present(ctx, as, document)
	}))
}

// Move sends a movement of an export.
func (l *cdsConnection) Move(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	return l.metrics.CustomsOutcome(metrics.Move, l.send(ctx, org, func(as client.Credentials) client.Outcome {
		return l.clientFor(org, asked).Move(ctx, as, document)
	}))
}

// RequestForms asks for upload forms.
func (l *cdsConnection) RequestForms(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	return l.metrics.CustomsOutcome(metrics.Forms, l.send(ctx, org, func(as client.Credentials) client.Outcome {
		return l.clientFor(org, asked).RequestForms(ctx, as, document)
	}))
}

// PostFile posts a file to an upload form. The form's fields are its only credentials.
func (l *cdsConnection) PostFile(ctx context.Context, form client.Form, file client.FormFile) client.Outcome {
	return l.metrics.CustomsOutcome(metrics.Upload, l.forms.Post(ctx, form, file))
}

// clientFor returns the client for a document. A simulator gets headers that HMRC never gets.
func (l *cdsConnection) clientFor(org tenant.ID, asked simulator.Request) *cds.Client {
	if !l.simulated {
		return l.client
	}
	asked.Organisation = string(org)
	return l.client.WithHeader(asked.Header())
}

// connectCustoms connects to CDS, or starts the built-in simulator.
func (a *App) connectCustoms(ctx context.Context, own net.Addr) (stop func(), err error) {
	c := a.Config.Customs
	stop = func() {}
	base, jwks, clientID, secret := strings.TrimRight(c.URL, "/"), c.JWKS, c.ClientID, c.ClientSecret
	var keys cds.Keys
	if c.Mode == "simulator" && base == "" {
		var in *embeddedSimulator
		if in, err = a.startSimulator(ctx, a.Config, own); err != nil {
			return nil, err
		}
		base, keys, stop = in.address, in.keys, in.stop
		clientID, secret = simulatorClient, simulatorClient
	}
	if keys == nil {
		if keys, err = a.customsKeys(c.Mode, base, jwks); err != nil {
			return nil, err
		}
	}
	a.cds, err = a.newCDSConnection(base, clientID, secret, keys)
	if err != nil {
		stop()
		return nil, err
	}
	routes := &cdsRoutes{live: a.cds, test: a.cds, isTest: a.Store.IsTest}
	a.inbound = []api.InboundSource{{Inbound: a.cds.inbound, Source: customs.FromSimulator}}
	if c.Mode != "simulator" {
		if routes.test, stop, err = a.connectTests(ctx, own); err != nil {
			return nil, err
		}
		a.inbound[0].Source = customs.FromHMRC
		a.inbound = append(a.inbound, api.InboundSource{Inbound: routes.test.inbound, Source: customs.FromSimulator})
	}
	a.Customs.Sender, a.Customs.Source = routes, a.inbound[0].Source
	if c.Mode == "hmrc" {
		a.cds.consents = a.Consents
		a.connectConsents(base)
	}
	return stop, nil
}

// connectTests starts the built-in simulator for test organisations, for an installation that is connected to HMRC.
// None of the settings of that connection apply.
func (a *App) connectTests(ctx context.Context, own net.Addr) (*cdsConnection, func(), error) {
	c := a.Config
	c.Customs.Inbound, c.Customs.Issuer, c.Customs.Audience = "signed", simulatorClient, simulatorClient
	in, err := a.startSimulator(ctx, c, own)
	if err != nil {
		return nil, nil, err
	}
	l := &cdsConnection{simulated: true, metrics: a.metrics, base: in.address, limiter: client.NewLimiter(simulatorRate)}
	oauth := client.OAuth{TokenURL: in.address + "/oauth/token", ClientID: simulatorClient, ClientSecret: simulatorClient, Scope: cds.Scope}
	l.credentials = client.NewTokenEndpoint(oauth, a.deps.trueTime).Application()
	l.client, err = cds.NewClient(client.Settings{BaseURL: in.address, Accept: "application/vnd.hmrc." + c.Customs.Version + "+xml"}, l.limiter, a.deps.trueTime)
	if err == nil {
		l.forms, err = client.NewSimulatorForms(in.address, nil)
	}
	if err == nil {
		l.inbound, err = cds.NewSigned(in.keys, c.Customs.Issuer, c.Customs.Audience, a.deps.trueTime)
	}
	if err != nil {
		in.stop()
		return nil, nil, fmt.Errorf("app: simulator for test organisations: %w", err)
	}
	return l, in.stop, nil
}

// cdsRoutes sends the documents of live organisations to the configured connection, and those of test organisations to
// a simulator.
type cdsRoutes struct {
	live, test *cdsConnection
	isTest     func(context.Context, tenant.ID) (bool, error)
}

// Submit sends a declaration.
func (r *cdsRoutes) Submit(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	l, err := r.of(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return l.Submit(ctx, org, document, asked)
}

// Cancel sends a request for cancellation.
func (r *cdsRoutes) Cancel(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	l, err := r.of(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return l.Cancel(ctx, org, document, asked)
}

// Amend sends a request for amendment.
func (r *cdsRoutes) Amend(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	l, err := r.of(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return l.Amend(ctx, org, document, asked)
}

// Present sends a notification that goods were presented.
func (r *cdsRoutes) Present(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	l, err := r.of(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return l.Present(ctx, org, document, asked)
}

// Move sends a movement of an export.
func (r *cdsRoutes) Move(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	l, err := r.of(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return l.Move(ctx, org, document, asked)
}

// RequestForms asks for upload forms.
func (r *cdsRoutes) RequestForms(ctx context.Context, org tenant.ID, document []byte, asked simulator.Request) client.Outcome {
	l, err := r.of(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return l.RequestForms(ctx, org, document, asked)
}

// PostFile posts a file to an upload form.
func (r *cdsRoutes) PostFile(ctx context.Context, org tenant.ID, form client.Form, file client.FormFile) client.Outcome {
	l, err := r.of(ctx, org)
	if err != nil {
		return client.Unreachable{Cause: err}
	}
	return l.PostFile(ctx, form, file)
}

// of returns the connection of an organisation.
func (r *cdsRoutes) of(ctx context.Context, org tenant.ID) (*cdsConnection, error) {
	test, err := r.isTest(ctx, org)
	if err != nil || !test {
		return r.live, err
	}
	return r.test, nil
}

func (a *App) newCDSConnection(base, clientID, secret string, keys cds.Keys) (*cdsConnection, error) {
	c, now, limiter := a.Config.Customs, a.deps.trueTime, a.customsLimiter()
	toCDS, err := cds.NewClient(client.Settings{BaseURL: base, Accept: "application/vnd.hmrc." + c.Version + "+xml", Middleware: a.middleware(metrics.Customs)}, a.metrics.Limiter(metrics.Customs, limiter), now)
	if err != nil {
		return nil, fmt.Errorf("app: customs: %w", err)
	}
	l := &cdsConnection{
		simulated: c.Mode == "simulator", metrics: a.metrics, base: base, client: toCDS, limiter: limiter, credentials: a.credentials(base, clientID, secret), log: a.deps.Log,
	}
	if l.forms = client.NewForms(c.UploadHosts, a.middleware(metrics.Customs)); l.simulated {
		if l.forms, err = client.NewSimulatorForms(base, a.middleware(metrics.Customs)); err != nil {
			return nil, fmt.Errorf("app: customs: %w", err)
		}
	}
	switch {
	case c.Inbound == "static-token":
		l.inbound, err = cds.NewStaticToken(c.InboundToken)
	case keys == nil:
		a.deps.Log.Warn("no keys of CDS are configured; all messages from CDS will be rejected")
		l.inbound = noKeys{}
	default:
		l.inbound, err = cds.NewSigned(keys, c.Issuer, c.Audience, now)
	}
	if err != nil {
		return nil, fmt.Errorf("app: customs: %w", err)
	}
	return l, nil
}

// credentials returns the credentials of a user or, without a user's token, those of the application.
func (a *App) credentials(base, clientID, secret string) client.Credentials {
	c := a.Config.Customs
	address := c.TokenURL
	if address == "" {
		address = base + "/oauth/token"
	}
	if clientID == "" {
		a.deps.Log.Warn("no OAuth client for CDS is configured; declarations are sent without a token")
		return noCredentials{}
	}
	endpoint := client.NewTokenEndpoint(client.OAuth{TokenURL: address, ClientID: clientID, ClientSecret: secret, Scope: a.customsScopes(), Middleware: a.middleware(metrics.Customs)}, a.deps.trueTime)
	if c.UserToken != "" {
		return endpoint.User(usertoken.New(c.UserToken))
	}
	return endpoint.Application()
}

// customsScopes returns the scopes of tokens for CDS.
func (a *App) customsScopes() string {
	if !a.Config.Customs.Movements {
		return cds.Scope
	}
	return cds.Scope + " " + cds.MovementScope
}

// noCredentials is used if no OAuth client is configured. CDS answers 401.
type noCredentials struct{}

func (noCredentials) Token(context.Context) (string, error)         { return "none", nil }
func (noCredentials) Renew(context.Context, string) (string, error) { return "none", nil }

// customsLimiter keeps to HMRC's rate limit.
func (a *App) customsLimiter() client.Limiter {
	if a.Config.Customs.Mode == "simulator" {
		return client.NewLimiter(simulatorRate)
	}
	return a.hmrcLimiter("customs", a.Config.Customs.Rate)
}

// noKeys rejects all messages, because there is no key to verify them with.
type noKeys struct{}

func (noKeys) Authenticate(context.Context, http.Header) error {
	return cds.Untrusted{Reason: "no keys of CDS are configured"}
}

func (noKeys) Verify(context.Context, http.Header, []byte) error {
	return cds.Untrusted{Reason: "no keys of CDS are configured"}
}

// customsKeys returns the public keys that verify messages of CDS; nil if none are configured.
func (a *App) customsKeys(mode, base, jwks string) (cds.Keys, error) {
	switch {
	case jwks == "" && mode == "simulator":
		return cds.NewRemoteKeys(base+"/jwks.json", a.deps.trueTime), nil
	case jwks == "":
		return nil, nil
	case strings.HasPrefix(jwks, "https://") || strings.HasPrefix(jwks, "http://"):
		return cds.NewRemoteKeys(jwks, a.deps.trueTime), nil
	}
	text, err := os.ReadFile(jwks) // #nosec G304 -- a setting names it
	if err != nil {
		return nil, fmt.Errorf("app: customs keys: %w", err)
	}
	return cds.NewFixedKeys(text)
}
