package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Purposes of what is sent to customs.
const (
	toSubmit = "submit"
	toCancel = "cancel"
)

// States of a transmission.
const (
	pending = "pending" // about to be sent, or under way
	sent    = "sent"    // customs has it
	refused = "refused" // customs certainly has not got it
	unknown = "unknown" // customs may have it
)

// Transmission is one attempt to tell customs something: the exact bytes that were
// sent, and what became of them.
type Transmission struct {
	ID             string
	FilingID       string
	Purpose        string
	Reference      string // what customs echoes: the LRN, or the own reference of a cancellation
	LRN            string // of the declaration that it is about
	State          string
	Body           string
	ConversationID string
	Problem        string // code and sentence of what went wrong
	Request        Request
	CreatedAt      time.Time
	SettledAt      time.Time
}

// Request is who asked for a transmission, and under which idempotency key.
type Request struct {
	Call   tenant.Call `json:"call"`
	Key    string      `json:"key,omitempty"`
	Digest string      `json:"digest,omitempty"`
}

// Message is one thing that customs said of a declaration.
type Message struct {
	ID             string
	FilingID       string
	ConversationID string
	MessageID      string
	Purpose        string // of the transmission that it answers
	LRN            string // of the same
	ReceivedAt     time.Time
	InboxID        string
	Said           notification.Notification
}

// Inbound is a message from customs as it came: raw, before anybody looked inside.
type Inbound struct {
	ID             string
	ConversationID string // as the header says
	Digest         string // SHA-256 of the body, hex
	Headers        string // JSON, without the credentials
	Body           []byte
	ReceivedAt     time.Time
}

// States of an inbound message.
const (
	Applied    = "applied"
	Unmatched  = "unmatched"
	Unreadable = "unreadable"
)
