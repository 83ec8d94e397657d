package exchange

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Mode is how an installation is connected to an authority.
type Mode string

// The modes. Off is the behaviour without an authority. Test organisations and the demo have Simulator, whatever the
// installation has.
const (
	Off       Mode = "off"
	Simulator Mode = "simulator"
	Sandbox   Mode = "hmrc-sandbox"
	Live      Mode = "live"
)

// Source returns who made a reference that came through a mode.
func (m Mode) Source() filing.ReferenceSource {
	if m == Simulator {
		return filing.OfSimulator
	}
	return filing.OfAuthority
}

// Authority is everything that is particular to one authority. All functions but those of its channels are pure: they call
// nothing, and give the same result for the same arguments.
type Authority struct {
	ID      string       // such as gvms; stored
	Name    string       // as it begins a sentence, such as HMRC
	Title   string       // of the system, as people know it, such as Goods Vehicle Movement Service
	Noun    string       // of a message, such as goods movement record
	Type    *filing.Type // of the records
	Creates bool         // a new record is sent at once; otherwise its submission is what is sent first

	// Sent explains what happens next, in the answer to a submission. Empty for the note of the type.
	Sent string

	// Note is the action that records a change without a change of the state. Like the actions that lead to the states of the
	// authority, only the service may make it (lifecycle.System).
	Note lifecycle.Action

	// Handles reports whether a record is sent to this authority. Others have the behaviour of mode off. Nil for all.
	Handles func(body json.RawMessage) bool
	// Identifier returns the identifier at the authority to which consent, polling and messages of a record belong: an EORI
	// or an ERN.
	Identifier func(org access.Organisation, body json.RawMessage) (string, error)
	// Sender returns the identifier as which a message is sent, if it is not that of the record: a party of it that the
	// organisation also is. The message is sent with the consent of that identifier. Empty, or a nil function, for that of the record.
	Sender func(d Draft) string
	// Plan returns what an action on a record of the authority means: of a person, [Create], or an operation of the authority's
	// own such as receipt. An error, such as apierr.InvalidState, prevents the
	// action: with it, marks that the authority decides are refused. It is not
	// asked about actions of the service itself.
	Plan func(f *filing.Filing, by lifecycle.Action, earlier []Message) (Step, error)
	// Compose writes a message. Details say which members are missing or wrong: nothing is sent, and the caller gets 422
	// declaration_incomplete.
	Compose func(d Draft) (Outgoing, []apierr.Detail, error)
	// About returns the names by which the record of a message is found, best first: those of [Outgoing] and [Course].
	About func(m Received) []string
	// Notice reads the message of a notification of HMRC's Push Pull Notifications API; nil for an authority that sends none.
	Notice func(text []byte) (Notice, error)
	// Explain completes the details of a refusal of a message about a record, such as the fields that they are about. Nil for
	// nothing.
	Explain func(body json.RawMessage, p *outbox.Problem)
	// Apply computes the record from all of its messages, oldest first. Their order says when they were sent or fetched, and
	// must not matter.
	Apply func(r *Record, messages []Message, now time.Time) (Course, error)

	// Routes returns the routes of the authority's reference data in a mode, in the order of their names; false if they are not read yet. Nil for an authority
	// without routes.
	Routes func(Mode) (Routes, bool)

	// Adopts says that a message about no known record may be claimed for a new record, which then belongs to the authority: a
	// movement that another party has sent.
	Adopts bool

	Steers []string // values of the header X-Simulate for its simulator
	Forms  string   // the same for people, such as inspect; empty for none

	// ConsentBy is what consents are by; nil for the organisation's EORI. Identifier and Sender return such identifiers.
	ConsentBy *consent.Identifier
	// NotEnrolled is in the text of a refusal of a consent that was given with a Government Gateway account without enrolment.
	NotEnrolled string

	Consents  *consent.Service // of organisations; they cannot be given without a connection to HMRC
	Channel   *Channel         // of organisations; nil in mode off
	Simulator *Channel         // of test organisations
}

// Channel calls one system of an authority. Its functions run outside of any transaction.
type Channel struct {
	Mode Mode
	Gap  time.Duration // at least, between two calls of Poll for an identifier
	// Prepare loads what Compose needs of the authority, such as reference data, unless it is held. Nil for nothing.
	Prepare func(ctx context.Context, c Caller) error
	// Send makes one attempt to send a message. Repeated means that the authority may have received it before: Send must then
	// find that out, or send it in a way that does nothing twice.
	Send func(ctx context.Context, c Caller, m *Message, repeated bool) outbox.Result[Receipt]
	// Poll returns what the authority has sent since a position, and the next position. What it returns is stored before the
	// next call; it may return the same again.
	Poll func(ctx context.Context, c Caller, from Position) (Fetched, error)
	// Subscription asks for notifications about an identifier; nil if the system sends all without being asked, or none.
	Subscription *Subscription
	// Consents are the consents of organisations; nil for a system that needs none.
	Consents *consent.Service
	// Application are the credentials of this service's own application; nil for none.
	Application client.Credentials
}

// Caller is an organisation on whose behalf the authority is called.
type Caller struct {
	Org         tenant.ID
	Identifier  string
	Mode        Mode
	Credentials client.Credentials // of the organisation; those of the application for a system without consents
	Application client.Credentials // of this service's own application; nil for none
	Asked       simulator.Request  // for a simulator; empty for HMRC
	Now         time.Time          // of the organisation
	// Find returns the record that has one of some names; empty for none.
	Find func(ctx context.Context, names ...string) (filingID string, err error)
}

// Order says when a message is sent that an action causes.
type Order int

// The orders.
const (
	// Never: the action is an action as without an authority.
	Never Order = iota
	// Along: the action and the message are stored together, and the caller does not wait.
	Along
	// First: the authority has to accept the message before the action is made. The caller waits for both. It is refused if the
	// authority refuses the message.
	First
	// Only: the message is sent, and the record changes by what the authority sends. The caller waits until the authority has
	// accepted the message.
	Only
)

// Step is what an action means for a record of an authority.
type Step struct {
	Order   Order
	Purpose string // of the message, such as submit, update, delete or receipt; stored
}

// Draft is what a message is written from.
type Draft struct {
	Purpose      string
	Organisation access.Organisation
	Identifier   string
	Mode         Mode
	Record       *filing.Filing  // with the corrected input, if the message is about a correction
	Input        json.RawMessage // what a caller stated besides; nil for nothing
	Earlier      []Message       // of the record, oldest first
	Now          time.Time       // of the organisation, or of the approval; nothing else in a message may differ between two calls
}

// Outgoing is a message that was written.
type Outgoing struct {
	Kind        string   // such as IE815; stored
	Correlation string   // that the authority repeats; empty for none
	Names       []string // by which answers find the record, such as the LRN; see [Once]
	MediaType   string
	Raw         []byte // the exact bytes; may be empty if the request has no body
}

// Once makes a name that the first message takes away for which it finds the record, such as a digest of the content of a
// record that has no number yet. Of several records with the same name the oldest is found.
func Once(name string) string { return oncePrefix + name }

const oncePrefix = "once:"

// Receipt is the answer of an authority that has accepted a message.
type Receipt struct {
	Correlation string   `json:"correlation,omitempty"` // that the authority has given
	Names       []string `json:"names,omitempty"`       // further names of the record
	Received    []byte   `json:"-"`                     // the body of the answer, if it is a message itself; stored as one
	MediaType   string   `json:"-"`
	Kind        string   `json:"-"`
}

// Received is a message of the authority as it was fetched.
type Received struct {
	ID          string // at the authority, or a digest; it is stored once for an identifier
	Kind        string // such as IE801
	Correlation string
	MediaType   string
	Raw         []byte
	At          time.Time // of its sending, as the authority says; zero if it does not
}

// Fetched is the result of a call of Poll.
type Fetched struct {
	Messages []Received
	Position Position
	More     bool // there is more, so the next call follows at once
	// Stored is called, outside of any transaction, once the messages and the position are stored: to acknowledge them. Nil for
	// nothing. It may be left out after a crash.
	Stored func(ctx context.Context) error
}

// Position is how far an identifier's messages are fetched; empty at first.
type Position string

// Record is a record of an authority.
type Record struct {
	filing.Filing
	Identifier string
	Mode       Mode
	Reference  string // of the authority; empty while there is none
}

// Course is what follows from all messages of a record.
type Course struct {
	State     lifecycle.State // empty for the present one
	Reference string          // of the authority, such as an MRN, ARC or GMR; empty while there is none
	Added     filing.Added    // members that the service adds; all that follow from messages, each time
	Data      filing.Added    // further data of the audit event
	Reason    string          // of a rejection
	Names     []string        // further names of the record
	Extras    []Extra         // what the record does not show yet, besides its state
	// Next is when the authority is asked next; zero if nothing is outstanding.
	Next time.Time
}

// Extra is a change of a record besides that of its state, with an event of its own.
type Extra struct {
	Action lifecycle.Action // only the service may make it
	Input  json.RawMessage  // the body that the authority has accepted, for an action that replaces it
	Data   filing.Added     // of the audit event
}
