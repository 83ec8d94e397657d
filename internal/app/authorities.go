package app

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/authorities"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	hmrcgvms "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/enssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/gvmssim"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms/haulier"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2/connection"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// connector makes the parts of one authority that call it.
type connector struct {
	authority *exchange.Authority
	simulator func(simulator.Options) (simulatorServer, error)
	// channel makes a channel of a client with some settings.
	channel func(exchange.Mode, client.Settings, client.Limiter) (*exchange.Channel, error)
}

// newConnectors returns one connector for each authority, in the order of config.AuthorityIDs.
func (a *App) newConnectors() []connector {
	return []connector{a.gvmsConnector(), a.ensConnector(), a.emcsConnector()}
}

// connect connects to customs, HMRC's VAT API and all other authorities.
func (a *App) connect(ctx context.Context, own net.Addr) (disconnect func(), err error) {
	stopCustoms, err := a.connectCustoms(ctx, own)
	if err != nil {
		return nil, err
	}
	if err := a.connectHMRC(); err != nil {
		stopCustoms()
		return nil, err
	}
	stopAuthorities, err := a.connectAuthorities(ctx)
	if err != nil {
		stopCustoms()
		return nil, err
	}
	return func() { stopAuthorities(); stopCustoms() }, nil
}

// newExchange returns the service of all authorities, and lets the engine use it. They are connected by connectAuthorities.
func (a *App) newExchange() *exchange.Service {
	a.connectors = a.newConnectors()
	s := &exchange.Service{Store: adapter.Of(a.Store), Filings: a.Filings, IDs: a.IDs, Log: a.deps.Log}
	a.Filings.Connections, a.Filings.Routes = map[string]filing.Connection{}, s.ListedRoutes
	for _, c := range a.connectors {
		c.authority.Type.Ready, c.authority.Consents = s.Ready(c.authority), a.consentsAt(c.authority)
		s.Authorities = append(s.Authorities, c.authority)
		a.Filings.Connections[c.authority.Type.Kind] = s
	}
	a.Filings.Encoders = a.encoders(s)
	return s
}

// gvmsConnector connects goods movement records.
func (a *App) gvmsConnector() connector {
	h := haulier.New(a.Filings.Types[gvms.Movements.Kind], a.deps.Now)
	return connector{
		authority: h.Authority(),
		simulator: func(o simulator.Options) (simulatorServer, error) {
			return gvmssim.New(o)
		},
		channel: func(m exchange.Mode, s client.Settings, l client.Limiter) (*exchange.Channel, error) {
			c, err := hmrcgvms.New(s, l, a.deps.trueTime)
			if err != nil {
				return nil, err
			}
			return h.Channel(m, c), nil
		},
	}
}

// ensConnector connects entry summary declarations for Great Britain.
func (a *App) ensConnector() connector {
	authority := connection.Authority(a.Filings.Types[ics2.Filings.Kind])
	return connector{
		authority: authority,
		simulator: func(o simulator.Options) (simulatorServer, error) {
			return enssim.New(o)
		},
		channel: func(m exchange.Mode, s client.Settings, l client.Limiter) (*exchange.Channel, error) {
			c, err := ensapi.New(s, l, a.deps.trueTime)
			if err != nil {
				return nil, err
			}
			return connection.Channel(authority, m, c), nil
		},
	}
}

// connectAuthorities starts the simulators of all authorities, for test organisations at least, and connects the organisations as
// the settings say.
func (a *App) connectAuthorities(ctx context.Context) (stop func(), err error) {
	frame := &simulatorFrame{app: a}
	for _, c := range a.connectors {
		if err := a.connectAuthority(ctx, c, frame); err != nil {
			frame.stop()
			return nil, fmt.Errorf("app: %s: %w", c.authority.ID, err)
		}
	}
	if err := a.Exchange.SubscribeAll(ctx); err != nil {
		frame.stop()
		return nil, err
	}
	return frame.stop, nil
}

func (a *App) connectAuthority(ctx context.Context, c connector, frame *simulatorFrame) (err error) {
	c.authority.Consents.Requests, c.authority.Consents.Sealer = a.requests, a.webhooks.sealer
	address, err := frame.start(ctx, c)
	if err != nil {
		return err
	}
	c.authority.Simulator, err = c.channel(exchange.Simulator, client.Settings{BaseURL: address, Middleware: a.middleware(c.authority.ID)}, client.NewLimiter(simulatorRate))
	if err != nil {
		return err
	}
	c.authority.Simulator.Application = noCredentials{}
	if err := a.Exchange.Prepare(ctx, c.authority.Simulator); err != nil {
		return err
	}
	settings := a.Config.Authority(c.authority.ID)
	switch mode := exchange.Mode(settings.Mode); mode {
	case exchange.Simulator:
		c.authority.Channel = c.authority.Simulator
	case exchange.Sandbox, exchange.Live:
		c.authority.Channel, err = a.liveChannel(c, mode, settings)
	}
	return err
}

// liveChannel returns the channel to HMRC or its sandbox.
func (a *App) liveChannel(c connector, mode exchange.Mode, s *config.Authority) (*exchange.Channel, error) {
	base := client.Production
	if mode == exchange.Sandbox {
		base = client.Sandbox
	}
	base = cmp.Or(s.URL, base)
	id := c.authority.ID
	ch, err := c.channel(mode, client.Settings{BaseURL: base, Middleware: a.middleware(id)}, a.metrics.Limiter(id, a.hmrcLimiter(id, s.Rate)))
	if err != nil {
		return nil, err
	}
	endpoint := client.NewTokenEndpoint(client.OAuth{
		TokenURL: cmp.Or(s.TokenURL, base+"/oauth/token"), ClientID: s.ClientID, ClientSecret: s.ClientSecret, Scope: s.Scope, Middleware: a.middleware(id),
		ConsentURL: cmp.Or(s.ConsentURL, base+"/oauth/authorize"), RedirectURL: cmp.Or(s.RedirectURL, strings.TrimRight(a.Config.PublicURL, "/")+authorities.CallbackPath),
	}, a.deps.trueTime)
	if s.PushSecret == "" { // nothing could be received
		ch.Subscription = nil
	}
	a.requests.Authorities[id] = endpoint.Consent
	c.authority.Consents.Endpoint, ch.Consents = endpoint, c.authority.Consents
	if s.Rate > 0 {
		c.authority.Consents.Gap = time.Duration(float64(time.Second) / s.Rate)
	}
	return ch, nil
}

// consentsAt returns the consents of organisations at an authority. They can be given once liveChannel has been called.
func (a *App) consentsAt(authority *exchange.Authority) *consent.Service {
	prefix := "TIDEWAITER_" + strings.ToUpper(authority.ID)
	return &consent.Service{
		Authority: authority.ID, Kind: a.Filings.Types[customs.ConsentKind], Queues: []string{exchange.SendQueue, exchange.PollQueue},
		Other: &consent.Other{Name: authority.Title, Identifier: authority.ConsentBy, NotEnrolled: authority.NotEnrolled, Settings: prefix + "_MODE=live, " + prefix + "_CLIENT_ID, " + prefix + "_CLIENT_SECRET and " + prefix + "_SCOPE"},
		Given: func(tx consent.Tx, identifier string) error {
			return a.Exchange.Consented(tx, authority.ID, identifier)
		},
		Ended: func(tx consent.Tx, identifier string) (bool, error) {
			return a.Exchange.ConsentEnded(tx, authority.ID, identifier)
		},
		Store: adapter.Of(a.Store), Filings: a.Filings, IDs: a.IDs, Log: a.deps.Log,
	}
}

// prepared returns kinds whose new records wait for what their authority needs first.
func (a *App) prepared(types []*filing.Type) []*filing.Type {
	for _, t := range types {
		if authority := a.Exchange.Of(t.Kind); authority != nil {
			t.Ready = a.Exchange.Ready(authority)
		}
	}
	return types
}

// authorityQueues returns the queues of authorities. Fetching has few workers, so that messages to authorities never wait long for
// the authority's rate limit.
func (a *App) authorityQueues() []jobs.Queue {
	return []jobs.Queue{
		{Name: exchange.SendQueue, Workers: 4, Do: a.Exchange.Send, Backoff: sendBackoff},
		{Name: exchange.PollQueue, Workers: 2, Do: a.Exchange.RunPoll, Backoff: pollBackoff},
		{Name: exchange.ApplyQueue, Workers: 4, Do: a.Exchange.Apply, Backoff: sendBackoff},
		{Name: exchange.SubscribeQueue, Workers: 1, Do: a.Exchange.RunSubscription, Backoff: pollBackoff},
	}
}

// pollBackoff is for errors of this service while it fetches messages: retries for two days. A failure of the authority schedules
// the next call itself.
var pollBackoff = []time.Duration{time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 17 * time.Hour, 24 * time.Hour}

// pushSecrets returns the secrets of notifications by authority.
func (a *App) pushSecrets() map[string]string {
	all := map[string]string{}
	for _, id := range config.AuthorityIDs {
		all[id] = a.Config.Authority(id).PushSecret
	}
	return all
}
