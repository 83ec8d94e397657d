// Package webhook notifies other systems of events: endpoints and their
// secrets, the events that they may subscribe to, and the deliveries, each retried
// until the receiver accepts it or the schedule ends.
package webhook

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// MaxEndpoints is the most endpoints of an organisation.
const MaxEndpoints = 100

// All, among the events of an endpoint, means every event; so does an empty list.
const All = "*"

// Endpoint is a receiver of events.
type Endpoint struct {
	ID          string
	Kind        string // a kind of the Destinations; Webhook, or empty, for none
	URL         string
	Config      destination.Config // zero for Webhook
	Description *string
	Events      []string // types of events and patterns such as declaration.*; none for all
	Filter      *Filter  // nil for none
	Options
	MTLS         Sealed // a ClientCertificate in JSON; empty for none
	OAuth        Sealed // a ClientGrant in JSON; empty for none
	Broker       Sealed // destination.Credentials in JSON; empty for none
	Active       bool   // false while it is paused: its deliveries wait
	PausedReason string // why the service has paused it; empty if a user did
	Secret       Sealed
	SecretHint   string
	FormerSecret Sealed    // signs alongside until FormerUntil
	FormerUntil  time.Time // zero when there is none
	FailingSince time.Time // of the first failure since the last success; zero when it answers

	FailingShare  int  // of the alerts that were raised since then, the last share; 0 for none
	MailedGivenUp bool // a mail about a delivery that was given up was sent since then

	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64     // rises with every change; the store counts
	TestClock time.Time // of a leased endpoint of a test organisation: at which its clock stands; zero for real time
}

// Subscribes reports whether a list of subscribed types covers an event. A pattern such as declaration.* covers every type
// that begins with declaration and a full stop.
func Subscribes(events []string, eventType string) bool {
	return len(events) == 0 || slices.ContainsFunc(events, func(subscribed string) bool {
		return subscribed == All || subscribed == eventType || IsPattern(subscribed) && strings.HasPrefix(eventType, strings.TrimSuffix(subscribed, All))
	})
}

// IsPattern reports whether a subscription is a pattern such as declaration.*.
func IsPattern(subscribed string) bool {
	return strings.HasSuffix(subscribed, "."+All) && strings.Count(subscribed, All) == 1
}

// Accepts returns the function that applies the filter to changes; nil without a filter.
func (e *Endpoint) Accepts() func(c *filing.Change, body func() (string, error)) (bool, error) {
	if e.Filter == nil {
		return nil
	}
	return func(c *filing.Change, body func() (string, error)) (bool, error) {
		return e.Filter.accepts(c.Event.Hub, string(c.Filing.Status), body)
	}
}

// Input is what a user enters for an endpoint.
type Input struct {
	Kind        string              `json:"kind,omitempty" enum:"webhook,amqp,kafka,nats,sqs,s3" doc:"Kind of the destination; webhook if it is absent. It cannot be changed" example:"webhook"`
	URL         string              `json:"url" format:"uri" minLength:"1" maxLength:"2048" doc:"Where to deliver: https:// or http:// for a webhook, otherwise the address of the broker (amqps://host/vhost, kafka://host:9093,host2:9093, nats://host), of the queue, or s3://bucket/prefix" example:"https://example.com/hooks/tidewaiter"`
	Config      *destination.Config `json:"config,omitempty" doc:"What a destination of another kind than webhook needs"`
	Description *string             `json:"description,omitempty" nullable:"true" maxLength:"500" doc:"What it is for" example:"Warehouse system"`
	Events      []string            `json:"events,omitempty" maxItems:"500" doc:"Types of events, or patterns such as declaration.*; none, or *, for all" example:"[\"declaration.cleared\"]"`
	Filter      *Filter             `json:"filter,omitempty" doc:"Which of these events are delivered; absent or {} for all"`
	Options
	Credentials
}

// Change is Input with what may be changed later.
type Change struct {
	Input
	Active bool `json:"active" doc:"false pauses the endpoint: its deliveries wait until it is resumed" example:"true"`
}

func (e *Endpoint) isWebhook() bool { return e.Kind == "" || e.Kind == Webhook }

// input returns the user's settings of the endpoint.
func (e *Endpoint) input(c Credentials) Change {
	in := Input{URL: e.URL, Description: e.Description, Events: e.Events, Filter: e.Filter, Options: e.Options, Credentials: c}
	if !e.isWebhook() {
		in.Kind = e.Kind
	}
	if e.Config != (destination.Config{}) {
		in.Config = &e.Config
	}
	return Change{in, e.Active}
}

// apply applies a change.
func (e *Endpoint) apply(c Change, now time.Time) {
	if c.Active && !e.Active {
		e.recover()
		e.PausedReason = ""
	}
	e.URL, e.Description, e.Events, e.Filter, e.Active, e.UpdatedAt = c.URL, c.Description, c.Events, c.Filter.orNil(), c.Active, now
	e.Kind, e.Config = c.kind(), c.config()
	e.Headers, e.Retry = c.Headers, c.Retry.orNil()
}
