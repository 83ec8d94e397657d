package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

// Purposes of a transmission. The values are stored.
const (
	toSubmit  = "submit"
	toCancel  = "cancel"
	toPresent = "present"
	toAmend   = "amend"
	toUpload  = "upload" // asks for upload forms; in a queue of its own
	toMove    = "move"   // a movement of an export, by inventory linking
)

// Transmission is a document that is sent to CDS: the exact bytes, but for access codes of guarantees, and the outcome.
type Transmission struct {
	outbox.Item
	Purpose        string
	Reference      string // that CDS repeats in its messages: the LRN, or the cancellation request's own reference
	LRN            string // of the declaration
	Body           string
	ConversationID string
	Detail         RequestDetail // of a request about a declaration
}

// RequestDetail is what the caller of a request stated.
type RequestDetail struct {
	ReasonCode  string `json:"reasonCode,omitempty"`
	Reason      string `json:"reason,omitempty"`
	PresentedAt string `json:"presentedAt,omitempty"`
	Answered    bool   `json:"answered,omitempty"` // the answer is the request and not the declaration

	Amendment *AmendmentDetail `json:"amendment,omitempty"`

	// Of a submission: whether its body names a data set, and what the service has added to it.
	HasDataSet bool             `json:"hasDataSet,omitempty"`
	Derived    []filing.Derived `json:"derived,omitempty"`

	Files           []string `json:"files,omitempty"`           // of a request for upload forms: the IDs of the files, in its order
	DischargePeriod string   `json:"dischargePeriod,omitempty"` // of the authorisation for the special procedure

	Movement *MovementDetail `json:"movement,omitempty"` // of an export

	Sealed string `json:"sealed,omitempty"` // the bytes to send, encrypted, if the body masks access codes
}

// Request says who submits or cancels a declaration.
type Request = outbox.Request

// Message is one notification of CDS about a declaration.
type Message struct {
	ID             string
	FilingID       string
	ConversationID string
	MessageID      string
	Purpose        string // of the transmission that it answers
	LRN            string // of the declaration
	ReceivedAt     time.Time
	InboxID        string
	Notification   notification.Notification
	Movement       *inventory.Response // an answer of inventory linking; nil for other messages
}

// at returns when customs issued the message or, if it does not say so, when it was received.
func (m *Message) at() time.Time {
	if at := m.Notification.IssuedAt.Time; !at.IsZero() {
		return at
	}
	return m.ReceivedAt
}

// Inbound is a message from CDS as it was received, before it is decoded.
type Inbound struct {
	ID             string
	ConversationID string // from the header
	Digest         string // SHA-256 of the body, hex
	Headers        string // JSON, without the credentials
	Body           []byte
	ReceivedAt     time.Time
	Source         Source // empty if an earlier release received it, which had one source
}

// Source says with whose credentials a message came. The values are stored.
type Source string

// The sources of messages.
const (
	FromHMRC      Source = "hmrc"
	FromSimulator Source = "simulator"
)

// States of an inbound message. The values are stored.
const (
	Applied    = "applied"
	Unmatched  = "unmatched"
	Unreadable = "unreadable"
)
