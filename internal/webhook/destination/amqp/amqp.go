// Package amqp delivers events to an exchange over AMQP 0.9.1, which RabbitMQ speaks. A message counts as delivered when the
// broker has confirmed it; one that no queue gets comes back, and counts as failed.
package amqp

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	client "github.com/rabbitmq/amqp091-go"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// Limits of a connection.
const (
	heartbeat    = 10 * time.Second // without a sign of the broker for two of these the connection ends
	closeTimeout = time.Second
	maxReturned  = 1024 // messages that came back and were not read yet: far more than are sent at a time
)

var schemes = map[string]bool{"amqps": false, "amqp": true}

// Kind is the kind amqp.
type Kind struct{}

// Problems returns every problem of settings that shows without a connection.
func (Kind) Problems(n destination.Network, s destination.Settings) []apierr.Detail {
	_, err := readAddress(n, s.URL)
	details := append(destination.Problem("url", err), s.Config.Problems("amqp", nil, []string{"exchange", "routingKey"})...)
	if s.Config.Exchange == "" && s.Config.RoutingKey == "" {
		details = append(details, apierr.Detail{Field: "config.exchange", Message: "is required, unless routingKey names a queue of the default exchange"})
	}
	return append(details, s.Credentials.Problems(destination.Password)...)
}

func readAddress(n destination.Network, text string) (destination.Address, error) {
	address, err := n.ReadAddress(text, schemes, "5671")
	if err == nil {
		err = address.OneHost()
	}
	if err == nil {
		if _, problem := client.ParseURI(text); problem != nil {
			err = errors.New("must be an address such as amqps://broker.example.com/vhost")
		}
	}
	return address, err
}

// Open returns a destination.
func (Kind) Open(n destination.Network, s destination.Settings) (destination.Destination, error) {
	address, err := readAddress(n, s.URL)
	if err != nil {
		return nil, err
	}
	d := &exchange{network: n, plain: address.Plain, settings: s}
	d.link = destination.NewLink(d.connect)
	return d, nil
}

// exchange is a destination.
type exchange struct {
	network  destination.Network
	plain    bool // without TLS
	settings destination.Settings
	link     *destination.Link[*conn]
}

// connect connects and opens a channel on which the broker confirms every message.
func (d *exchange) connect(ctx context.Context) (*conn, error) {
	c := &conn{now: d.network.Now, returned: map[string]string{}}
	leave := func() bool { return true }
	config := client.Config{
		SASL:            []client.Authentication{&client.PlainAuth{Username: d.settings.Credentials.Username, Password: d.settings.Credentials.Password}},
		TLSClientConfig: d.network.TLS(""), Heartbeat: heartbeat, Properties: client.Table{"product": "Tidewaiter"}, Locale: "en_US",
		Dial: func(network, address string) (raw net.Conn, err error) {
			if raw, err = d.network.Guard.Dialer(d.plain)(ctx, network, address); err == nil {
				raw = gather(raw)
				c.raw, leave = raw, context.AfterFunc(ctx, func() { _ = raw.Close() })
			}
			return raw, err
		},
	}
	connection, err := client.DialConfig(d.settings.URL, config)
	if err == nil {
		c.connection = connection
		err = c.openChannel()
	}
	if !leave() {
		err = ctx.Err() // the time was over, which closed the connection
	}
	if err != nil {
		if c.raw != nil {
			_ = c.raw.Close()
		}
		return nil, explain(err)
	}
	return c, nil
}

// Send publishes a message as one that must reach a queue, and waits for the broker's confirmation.
func (d *exchange) Send(ctx context.Context, messages []destination.Message) (destination.Answer, error) {
	m := messages[0]
	c, err := d.link.Get(ctx)
	if err != nil {
		return destination.Answer{}, err
	}
	key := d.settings.Config.RoutingKey
	if key == "" {
		key = m.Type
	}
	confirmation, err := c.publish(ctx, d.settings.Config.Exchange, key, m)
	switch {
	case err != nil && ctx.Err() != nil:
		return destination.Answer{}, c.late(ctx.Err())
	case err != nil:
		return destination.Answer{}, c.reason(err)
	}
	acked, err := confirmation.WaitContext(ctx)
	why, returned := c.tookBack(m.ID)
	switch {
	case returned:
		return destination.Answer{}, destination.Refuse("config.routingKey", "no queue gets messages with the routing key "+destination.Clip(key)+": "+why)
	case err != nil:
		return destination.Answer{}, c.late(err)
	case !acked && !c.Alive():
		return destination.Answer{}, c.reason(client.ErrClosed)
	case !acked:
		return destination.Answer{}, destination.Refuse("", "the broker refused the message: a queue is full, or could not store it")
	}
	return destination.Answer{Text: "confirmed by the broker"}, nil
}

// publishing returns a message as AMQP has it.
func publishing(m destination.Message) client.Publishing {
	out := client.Publishing{
		Headers: client.Table{}, ContentType: m.Header.Get("Content-Type"), DeliveryMode: client.Persistent, MessageId: m.ID, Type: m.Type,
		Timestamp: m.CreatedAt, AppId: "tidewaiter", Body: []byte(m.Body),
	}
	for name, values := range m.Header {
		out.Headers[name] = strings.Join(values, ", ")
	}
	return out
}

// Check asks whether the exchange exists; for the default exchange, whether the queue does.
func (d *exchange) Check(ctx context.Context) error {
	c, err := d.link.Get(ctx)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.raw.Close() })
	defer stop()
	channel, err := c.connection.Channel() // of its own, because a refusal ends the channel
	if err != nil {
		return explain(err)
	}
	defer channel.Close()
	field := "config.exchange"
	if name := d.settings.Config.Exchange; name != "" {
		err = channel.ExchangeDeclarePassive(name, client.ExchangeTopic, true, false, false, false, nil)
	} else {
		field = "config.routingKey"
		_, err = channel.QueueDeclarePassive(d.settings.Config.RoutingKey, true, false, false, false, nil)
	}
	var said *client.Error
	if errors.As(err, &said) && said.Code == client.NotFound {
		return destination.Refuse(field, "does not exist on the broker")
	}
	return explain(err)
}

// Close ends the connection.
func (d *exchange) Close() { d.link.Close() }

// explain returns the reason of an error of the client in plain words; an error of the network as it is.
func explain(err error) error {
	var said *client.Error
	switch {
	case err == nil || !errors.As(err, &said):
		return err
	case errors.Is(err, client.ErrCredentials), errors.Is(err, client.ErrSASL):
		return destination.Refuse("credentials", "the broker refused the credentials")
	case errors.Is(err, client.ErrVhost), said.Code == client.NotAllowed:
		return destination.Refuse("url", "the virtual host does not exist, or the user may not use it")
	case said.Code == client.AccessRefused:
		return destination.Refuse("credentials", "the broker refused: "+destination.Clip(said.Reason))
	case said.Code == client.NotFound:
		return destination.Refuse("config.exchange", "does not exist on the broker: "+destination.Clip(said.Reason))
	case said.Code == client.FrameError, said.Code == client.ChannelError, errors.Is(err, client.ErrClosed):
		return destination.Refuse("", "the connection was closed without an answer")
	}
	return destination.Refuse("", "the broker ended the connection: "+destination.Clip(said.Reason))
}
