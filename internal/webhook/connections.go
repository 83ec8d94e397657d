package webhook

import (
	"fmt"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// Limits of kept connections.
const (
	maxConnections = 256             // endpoints that keep their connection between events
	idleConnection = 2 * time.Minute // after which one that is not used is closed
)

// identity is what a connection was opened with. One of an endpoint that has changed is closed.
type identity struct {
	kind, url   string
	config      destination.Config
	credentials Sealed
}

// connection is a destination that is kept from one event to the next.
type connection struct {
	identity
	destination.Destination
	users  int
	usedAt time.Time
	gone   bool // no longer kept: the last user closes it
}

// connections keeps destinations by the id of their endpoint. Its zero value is ready.
type connections struct {
	mu    sync.Mutex
	byID  map[string]*connection
	sweep *time.Timer // closes those that are idle; nil while there are none
}

// connect returns the destination, and a function that gives it back after an attempt.
func (b *broker) connect() (destination.Destination, func(), error) {
	k := &b.sender.connections
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.byID[b.id]
	if c == nil || c.identity != b.identity {
		opened, err := b.open()
		if err != nil {
			return nil, nil, err
		}
		c = &connection{identity: b.identity, Destination: opened}
		k.keep(b.id, c, b.sender.Now)
	}
	c.users++
	c.usedAt = b.sender.Now()
	return c.Destination, func() { k.release(c, b.sender.Now()) }, nil
}

func (b *broker) open() (destination.Destination, error) {
	kind, known := b.sender.Destinations.Kinds[b.identity.kind]
	if !known {
		return nil, fmt.Errorf("webhook: no destination of the kind %s", b.identity.kind)
	}
	return kind.Open(b.sender.Destinations.Network, b.settings)
}

// release ends an attempt.
func (k *connections) release(c *connection, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c.users--
	c.usedAt = now
	if c.gone && c.users == 0 {
		go c.Close()
	}
}

// keep adds a connection. The one that was not used for longest makes room for it.
func (k *connections) keep(id string, c *connection, now func() time.Time) {
	if k.byID == nil {
		k.byID = map[string]*connection{}
	}
	k.drop(id)
	if len(k.byID) >= maxConnections {
		oldest := ""
		for other, known := range k.byID {
			if oldest == "" || known.usedAt.Before(k.byID[oldest].usedAt) {
				oldest = other
			}
		}
		k.drop(oldest)
	}
	k.byID[id] = c
	if k.sweep == nil {
		k.sweep = time.AfterFunc(idleConnection, func() { k.closeIdle(now()) })
	}
}

// drop closes a connection, after the attempts that use it.
func (k *connections) drop(id string) {
	c := k.byID[id]
	if c == nil {
		return
	}
	delete(k.byID, id)
	c.gone = true
	if c.users == 0 {
		go c.Close()
	}
}

// closeIdle closes what was not used for a while, and looks again later if there is more.
func (k *connections) closeIdle(now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, c := range k.byID {
		if c.users == 0 && now.Sub(c.usedAt) >= idleConnection {
			k.drop(id)
		}
	}
	if len(k.byID) == 0 {
		k.sweep = nil
		return
	}
	k.sweep.Reset(idleConnection)
}

// Close ends all connections that are kept.
func (s *Sender) Close() {
	k := &s.connections
	k.mu.Lock()
	defer k.mu.Unlock()
	for id := range k.byID {
		k.drop(id)
	}
}
