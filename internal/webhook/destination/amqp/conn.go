package amqp

import (
	"context"
	"net"
	"sync"
	"time"

	client "github.com/rabbitmq/amqp091-go"

	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// conn is a connection with a channel.
type conn struct {
	raw        net.Conn
	connection *client.Connection
	channel    *client.Channel
	now        func() time.Time
	returns    chan client.Return // the client fills it before it confirms a message that came back
	closed     chan *client.Error

	mu       sync.Mutex
	returned map[string]string // why messages came back, by id
	blocked  chan client.Blocking
	waits    string        // why the broker takes no messages; empty if it does
	ended    *client.Error // why the channel has ended; nil if it has not, or if the connection broke
}

func (c *conn) openChannel() (err error) {
	if c.channel, err = c.connection.Channel(); err != nil {
		return err
	}
	c.returns = c.channel.NotifyReturn(make(chan client.Return, maxReturned))
	c.closed = c.channel.NotifyClose(make(chan *client.Error, 1))
	c.blocked = c.connection.NotifyBlocked(make(chan client.Blocking, maxReturned))
	return c.channel.Confirm(false)
}

// Alive reports whether the channel is open.
func (c *conn) Alive() bool { return !c.channel.IsClosed() && !c.connection.IsClosed() }

// Close says goodbye to the broker, if that is quick.
func (c *conn) Close() {
	_ = c.connection.CloseDeadline(c.now().Add(closeTimeout))
	_ = c.raw.Close()
}

// publish sends a message. A broker that reads nothing more blocks it until the context ends, which closes the connection.
func (c *conn) publish(ctx context.Context, exchange, key string, m destination.Message) (*client.DeferredConfirmation, error) {
	c.tookBack(m.ID) // from an earlier attempt that ended before
	stop := context.AfterFunc(ctx, func() { _ = c.raw.Close() })
	defer stop()
	return c.channel.PublishWithDeferredConfirm(exchange, key, true, false, publishing(m))
}

// tookBack reports whether a message has come back, and why. It forgets that.
func (c *conn) tookBack(id string) (why string, returned bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read()
	why, returned = c.returned[id]
	delete(c.returned, id)
	return why, returned
}

// read reads what the broker has said so far.
func (c *conn) read() {
	for {
		select {
		case r, open := <-c.returns:
			if !open {
				c.returns = nil // a nil channel is never ready
				continue
			}
			if len(c.returned) >= maxReturned {
				clear(c.returned) // of attempts that ended before
			}
			c.returned[r.MessageId] = destination.Clip(r.ReplyText)
		case b, open := <-c.blocked:
			if !open {
				c.blocked = nil
				continue
			}
			c.waits = ""
			if b.Active {
				c.waits = "the broker takes no messages: " + destination.Clip(b.Reason)
			}
		case err, open := <-c.closed:
			if !open {
				c.closed = nil
				continue
			}
			c.ended = err
		default:
			return
		}
	}
}

// reason returns why a message could not be sent: what the broker said when it ended the channel, or the error.
func (c *conn) reason(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read()
	if c.ended != nil {
		err = c.ended
	}
	return explain(err)
}

// late returns why there was no confirmation in time.
func (c *conn) late(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read()
	if c.waits != "" {
		return destination.Refuse("", c.waits)
	}
	return err
}
