package outbox

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// State is the state of an item. The values are stored.
type State string

// The states of an item.
const (
	Pending State = "pending" // not attempted yet, or in its first attempt
	Unknown State = "unknown" // attempted; the authority may have accepted it
	Sent    State = "sent"    // the authority accepted it
	Refused State = "refused" // the authority certainly did not accept it

	// Held is only the state of a Result: the authority certainly did not accept the item because of something that may
	// change, such as a missing consent. The item stays Pending, with the problem.
	Held State = "held"
)

// Item is the part of a stored filing that the outbox manages. A Hub embeds it in its own type.
type Item struct {
	ID          string
	FilingID    string
	State       State
	Attempts    int64   // completed attempts
	Repeated    bool    // the same bytes may have been sent more than once
	Problem     Problem // zero if there is none
	Request     Request
	CreatedAt   time.Time
	CompletedAt time.Time // of the latest completed attempt
}

// OutboxItem makes every pointer to a type that embeds Item an [Entry].
func (i *Item) OutboxItem() *Item { return i }

// InDoubt reports whether the authority may have accepted the item, so that its filing must not change.
func (i *Item) InDoubt() bool { return i.State == Pending || i.State == Unknown }

// IsHeld reports whether the item waits for something that its Hub has to change.
func (i *Item) IsHeld() bool { return i.State == Pending && i.Problem.Code != "" }

// Err returns the error for a caller whose item was not accepted; nil if it was.
func (i *Item) Err() error {
	if i.State == Sent {
		return nil
	}
	err := apierr.New(i.Problem.Code, "%s", i.Problem.Message)
	err.Details = i.Problem.Details
	return err
}

// IsOf reports whether a call is a repeat of the one that made the item: the same caller, idempotency key and body, while keys
// are kept.
func (i *Item) IsOf(r Request, now time.Time) bool {
	return r.Key != "" && i.Request.Key == r.Key && i.Request.Digest == r.Digest && i.Request.Call.Caller() == r.Call.Caller() &&
		now.Sub(i.CreatedAt) < idempotency.TTL
}

// Request says who submitted an item, which versions of its filing the caller meant, under which idempotency key, and which
// outcome of a simulator the caller asked for.
type Request struct {
	Call     tenant.Call      `json:"call"`
	Key      string           `json:"key,omitempty"`
	Digest   string           `json:"digest,omitempty"`
	If       filing.IfVersion `json:"-"`                  // checked before the item is stored
	Simulate string           `json:"simulate,omitempty"` // header X-Simulate; empty for none
	// SimulatedBy is the header or reference that selects a simulator's outcome; empty if nothing does.
	SimulatedBy string `json:"simulatedBy,omitempty"`
	// Approved is the approval of the submitted bytes; nil if the organisation requires none.
	Approved *filing.Approved `json:"approved,omitempty"`
}

// StoreAnswer stores the answer that a repeat of the request gets, with the version of the record in it; 0 for none.
// Without a key there is nothing to store.
func (r Request) StoreAnswer(tx idempotency.Tx, body []byte, version int64) error {
	return idempotency.StoreSuccess(tx, r.Call.Caller(), r.Key, idempotency.Answer{Digest: r.Digest, Body: string(body), Version: version})
}

// Problem says why an item was not accepted, or that its outcome is unknown.
type Problem struct {
	Code    apierr.Code     `json:"code"`
	Message string          `json:"message"`
	Details []apierr.Detail `json:"details,omitempty"`
}
