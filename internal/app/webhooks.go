package app

import (
	"context"
	"crypto/tls"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/ops/instance"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/amqp"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/kafka"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/nats"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/s3"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/sqs"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// webhookServices are the services that store and send webhook deliveries.
type webhookServices struct {
	service    *webhook.Service
	sender     *webhook.Sender
	dispatcher *webhook.Dispatcher
	sealer     webhook.Sealer
	instance   *instance.Instance
}

func (a *App) newWebhooks(ctx context.Context, types []*filing.Type) (*webhookServices, error) {
	sealer, err := masterkey.Open(a.Config)
	if err != nil {
		return nil, err
	}
	if err := masterkey.Check(ctx, a.Store, sealer); err != nil {
		return nil, err
	}
	proxy, err := a.Config.WebhookProxyURL()
	if err != nil {
		return nil, err
	}
	g := ssrf.New(ssrf.Settings{AllowPrivate: a.Config.AllowPrivateWebhooks, Allowed: a.Config.WebhookAllow, Ports: a.Config.WebhookPorts, Proxy: proxy})
	destinations := webhook.Destinations{Kinds: destinationKinds, Network: destination.Network{Guard: g, Now: a.deps.trueTime}}
	p := &webhookServices{
		service: &webhook.Service{
			Catalogue: webhook.NewCatalogue(types), Examples: demo.Examples(), Guard: g, Sealer: sealer, IDs: a.IDs, Destinations: destinations,
		},
		sender: webhook.NewSender(a.webhookTransport(g), a.deps.Now),
		sealer: sealer,
	}
	p.sender.Stamp, p.sender.Destinations = a.deps.trueTime, destinations
	p.sender.Certified = func(c tls.Certificate) http.RoundTripper { return a.webhookTransport(g, c) }
	if a.tracer != nil {
		p.sender.ContinueTrace = a.tracer.Follow
	}
	p.instance = a.openInstance()
	p.dispatcher = &webhook.Dispatcher{
		Holder: p.instance.ID, Store: adapter.Of(a.Store), Sender: p.sender, Sealer: sealer, IDs: a.IDs, Log: a.deps.Log, Observe: a.metrics.Delivery,
		MailAlert: a.Accounts.MailEndpointAlert,
	}
	return p, nil
}

// destinationKinds are the kinds of endpoints besides webhooks.
var destinationKinds = map[string]destination.Kind{"amqp": amqp.Kind{}, "kafka": kafka.New(), "nats": nats.Kind{}, "sqs": sqs.Kind{}, "s3": s3.Kind{}}

// webhookTransport returns a guarded transport that shows certificates to receivers. How long an answer may take is up to
// each endpoint.
func (a *App) webhookTransport(g *ssrf.Guard, shown ...tls.Certificate) http.RoundTripper {
	t := g.Transport()
	t.ResponseHeaderTimeout = 0
	t.TLSClientConfig.Certificates = shown
	return a.middleware(metrics.Webhook)(t)
}

// openInstance returns what this process is called among several. Without a name that it has again after a restart, it
// takes over its endpoints a second later.
func (a *App) openInstance() *instance.Instance {
	i, err := instance.Open(a.Config.Data, a.IDs.UUID)
	if err != nil {
		a.deps.Log.Warn("the instance gets a new name with each start", "error", err)
	}
	return i
}

// collector brings the numbers of deliveries up to date.
func (a *App) collector() *webhook.Collector {
	return &webhook.Collector{Store: adapter.Of(a.Store), Log: a.deps.Log}
}

// clearQueue removes the logs of deleted endpoints.
func (a *App) clearQueue() jobs.Queue {
	return jobs.Queue{Name: webhook.ClearQueue, Workers: 1, Do: webhook.Clear(adapter.Of(a.Store)), Backoff: sendBackoff}
}

// portal makes and revokes links to the webhook portal.
func (a *App) portal() *portal.Service { return &portal.Service{IDs: a.IDs} }
