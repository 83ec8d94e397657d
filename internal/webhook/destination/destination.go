// Package destination is what the kinds of destinations besides HTTPS have in common: their settings, the messages that they
// get, and the errors that explain why one was not taken. Each kind is a package of its own below this one.
package destination

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// MaxBatch is the most messages of one batch.
const MaxBatch = 64

// Kind is a kind of destination, such as amqp.
type Kind interface {
	// Problems returns every problem of settings that shows without a connection.
	Problems(n Network, s Settings) []apierr.Detail
	// Open returns a destination, which connects when it is used. The settings have no problems.
	Open(n Network, s Settings) (Destination, error)
}

// Batching is a Kind that takes messages in batches.
type Batching interface {
	// Every returns how long a message waits for others of its batch.
	Every(s Settings) time.Duration
}

// Destination is a receiver of messages. It is safe for concurrent use, connects again after its connection has ended, and
// keeps every message until the receiver has confirmed it.
type Destination interface {
	// Send sends messages, all or none, and returns what the receiver answered when it has them. Only a kind with batches gets
	// more than one message at a time. The error is a *Refusal if the receiver said why it does not take them.
	Send(ctx context.Context, messages []Message) (Answer, error)
	// Check connects and makes sure that the receiver accepts the credentials and has what the settings name.
	Check(ctx context.Context) error
	// Close ends the connections.
	Close()
}

// Message is one event as the receiver gets it.
type Message struct {
	ID        string // of the delivery: the same in each attempt
	EventID   string
	Type      string // of the event
	RecordID  string // of the record: its messages are in order
	Sequence  int64  // of the event in the organisation's trail
	CreatedAt time.Time
	Header    http.Header // headers of a webhook, each with one value
	Body      string      // body of a webhook
	Sign      Sign        // headers of a webhook for a body that is made of several messages
}

// Sign returns the headers of a webhook whose event has an id.
type Sign func(id, body string) http.Header

// Answer is what the receiver said.
type Answer struct {
	Status int    // of HTTP; 0 for other protocols
	Text   string // for the log, such as the place of the message in a stream
}

// Settings are the address of a destination and how it is used.
type Settings struct {
	URL         string
	Config      Config
	Credentials Credentials
}

// Network is the way to destinations.
type Network struct {
	Guard *ssrf.Guard
	Roots *x509.CertPool   // authorities; nil for those of the system
	Now   func() time.Time // the time as receivers have it, for signatures
}

// TLS returns the settings of a connection with TLS to a host.
func (n Network) TLS(host string) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: n.Roots, ServerName: host}
}

// Transport returns a guarded transport. Plain is without TLS.
func (n Network) Transport(plain bool) *http.Transport {
	if plain {
		return n.Guard.PlainTransport()
	}
	t := n.Guard.Transport()
	t.TLSClientConfig.RootCAs = n.Roots
	return t
}

// Refusal is why a receiver does not take a message, or cannot be used. It names no secret and no address inside the service's network.
type Refusal struct {
	Field  string // of the settings, such as config.topic; empty for url
	Why    string
	Status int // of HTTP; 0 for other protocols
}

func (r *Refusal) Error() string { return r.Why }

// Refuse returns a Refusal.
func Refuse(field, why string) error { return &Refusal{Field: field, Why: why} }

// Clip returns a receiver's words, shortened so that they fit into a log.
func Clip(text string) string { return text[:min(len(text), maxWords)] }

const maxWords = 200
