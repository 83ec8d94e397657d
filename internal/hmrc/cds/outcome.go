package cds

import (
	"fmt"
	"strings"
	"time"
)

// Outcome is what became of a document that was to be sent. It is one of
// [Accepted], [Refused], [Unreachable] and [Unknown], and nothing else. The
// last three are errors too, for the log and for a fault's cause.
type Outcome interface{ outcome() }

// Accepted means that customs has the document: it fits the schema and has been
// handed to the back end. Everything else comes by notification.
type Accepted struct {
	ConversationID string // of this document alone; a cancellation gets its own
}

// Refused means that customs certainly did not take the document and said so.
type Refused struct {
	Status         int
	Code           string // such as BAD_REQUEST; empty when the body could not be read
	Message        string
	Errors         []Detail
	RetryAfter     time.Duration // for a 429; zero when customs named no time
	ConversationID string        // for customs' support desk; no sign of acceptance
	Body           []byte        // the first 2 kB of the answer as it came
}

// Detail is one of the reasons inside a refusal, at most 25 from customs: each
// a sentence of its schema validator.
type Detail struct {
	Code    string `xml:"code"`
	Message string `xml:"message"`
}

// Unreachable means that customs certainly has not got the document, because it
// never left or because customs was closed.
type Unreachable struct {
	Cause error
}

// Unknown means that customs may have the document. Keep its LRN.
type Unknown struct {
	Status         int    // zero when no answer came
	ConversationID string // empty when no answer named one
	Body           []byte // the first 2 kB of the answer as it came
	Cause          error
}

func (Accepted) outcome()    {}
func (Refused) outcome()     {}
func (Unreachable) outcome() {}
func (Unknown) outcome()     {}

func (r Refused) Error() string {
	return strings.TrimRight(fmt.Sprintf("cds: refused: %d %s: %s", r.Status, r.Code, r.Message), ": ")
}

func (u Unreachable) Error() string { return fmt.Sprintf("cds: unreachable: %v", u.Cause) }

// Unwrap gives the cause.
func (u Unreachable) Unwrap() error { return u.Cause }

func (u Unknown) Error() string { return fmt.Sprintf("cds: outcome unknown: %v", u.Cause) }

// Unwrap gives the cause.
func (u Unknown) Unwrap() error { return u.Cause }
