package webhook

import (
	"context"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// Webhook is the kind of an endpoint that gets HTTP requests.
const Webhook = "webhook"

// Destinations are the kinds of endpoints besides webhooks, and the way to them.
type Destinations struct {
	Kinds   map[string]destination.Kind
	Network destination.Network
}

// broker is how an attempt gets to a destination that is not a webhook.
type broker struct {
	sender   *Sender
	id       string // of the endpoint
	identity identity
	settings destination.Settings
	every    time.Duration // how long deliveries wait for others of their batch; 0 for no batches
}

// broker opens the credentials of an endpoint. It does not connect.
func (s *Sender) broker(sealer Sealer, org tenant.ID, e *Endpoint) (*broker, error) {
	c, err := openCredentials(sealer, org, e)
	if err != nil {
		return nil, err
	}
	b := &broker{
		sender: s, id: e.ID, identity: identity{e.Kind, e.URL, e.Config, e.Broker},
		settings: destination.Settings{URL: e.URL, Config: e.Config},
	}
	if c.Broker != nil {
		b.settings.Credentials = *c.Broker
	}
	if batching, ok := s.Destinations.Kinds[e.Kind].(destination.Batching); ok {
		b.every = batching.Every(b.settings)
	}
	return b, nil
}

// publish sends deliveries to a destination that is not a webhook.
func (t *target) publish(ctx context.Context, all []*delivery, r *Result) error {
	d, release, err := t.broker.connect()
	if err != nil {
		return err
	}
	defer release()
	messages := make([]destination.Message, len(all))
	for i, p := range all {
		messages[i] = t.message(p, r.At)
	}
	answer, err := d.Send(ctx, messages)
	r.HTTPStatus, r.Response = answer.Status, answer.Text
	return err
}

// message returns a delivery as a destination gets it.
func (t *target) message(p *delivery, at time.Time) destination.Message {
	return destination.Message{
		ID: p.ID, EventID: p.EventID, Type: p.EventType, RecordID: p.ResourceID, Sequence: p.Sequence, CreatedAt: p.CreatedAt,
		Header: headersOf(p, t.signers, at), Body: p.body,
		Sign: func(id, body string) http.Header {
			h := http.Header{}
			sign(h, t.signers, id, at, []byte(body))
			return h
		},
	}
}
