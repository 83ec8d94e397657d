package filing

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Notification is the event of a change as webhook endpoints receive it. It is stored in
// the transaction of the change and sent after it.
type Notification struct {
	ID         string // of the event, as endpoints know it
	Body       string // JSON
	Deliveries []Delivery
}

// Delivery is one sending of a notification to one endpoint.
type Delivery struct {
	ID         string
	EndpointID string
}

// Subscriber is an endpoint with the types of events that it receives.
type Subscriber struct {
	EndpointID string
	Events     []string
	// Accepts reports whether the endpoint gets the event of a change. It calls body, which returns the body of the
	// event, only if it needs it. Nil accepts every event.
	Accepts func(c *Change, body func() (string, error)) (bool, error)
}

// NotifyTx is the part of the transaction that a Notify function reads.
type NotifyTx interface {
	Org() tenant.ID
	Mode() tenant.Mode
	// Subscribers lists the endpoints of the organisation. It is read once per commit.
	Subscribers() ([]Subscriber, error)
	// NextEventTime returns the time that the next recorded event of the organisation gets.
	NextEventTime() (time.Time, error)
}

// Notify builds the notification of a change that is about to be written. It leaves the
// notification empty if no endpoint subscribes to the event.
type Notify func(tx NotifyTx, c *Change) (Notification, error)
