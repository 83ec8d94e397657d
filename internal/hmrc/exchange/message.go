package exchange

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
)

// Direction is the direction of a message. The values are stored.
type Direction string

// The directions.
const (
	Out Direction = "out" // to the authority
	In  Direction = "in"  // from the authority
)

// Message is a message to or from an authority, with its exact bytes. Messages are never changed, but for the outcome of those
// to the authority.
type Message struct {
	outbox.Item // of a message from the authority only ID, FilingID and CreatedAt, which is when it was stored

	Authority   string
	Mode        Mode
	Direction   Direction
	Identifier  string // at the authority: EORI or ERN
	Kind        string // such as IE801
	Purpose     string // of a message to the authority, such as submit
	ExternalID  string // of a message from the authority; unique for authority, mode and identifier
	Correlation string
	MediaType   string
	Raw         []byte
	At          time.Time // when the authority says that it was sent; otherwise when it was stored
	Change      Change    // of a message to the authority
	Receipt     Receipt   // of a message that the authority has accepted
}

// Change is the action that a message belongs to.
type Change struct {
	Action lifecycle.Action `json:"action,omitempty"` // empty for a creation, and for an operation of the authority's own
	Order  Order            `json:"order"`
	Input  json.RawMessage  `json:"input,omitempty"` // the corrected body, or what the caller stated
	Reason string           `json:"reason,omitempty"`
	As     string           `json:"as,omitempty"` // identifier as which the message is sent; empty for that of the record
}

// identifier returns the identifier whose consent a change of a record needs.
func (c *Change) identifier(r Registration) string { return cmp.Or(c.As, r.Identifier) }

// Received returns what the authority sent.
func (m *Message) Received() Received {
	return Received{ID: m.ExternalID, Kind: m.Kind, Correlation: m.Correlation, MediaType: m.MediaType, Raw: m.Raw, At: m.At}
}
