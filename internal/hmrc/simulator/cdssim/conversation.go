package cdssim

import (
	"slices"
	"strings"
	"time"
)

// conversation is an accepted document with its messages.
type conversation struct {
	Number             uint64            `json:"number"` // of the document, from 1
	ID                 string            `json:"id"`
	At                 time.Time         `json:"at"`
	Submitter          string            `json:"submitter,omitempty"`    // EORI of the declarant
	Organisation       string            `json:"organisation,omitempty"` // that sent it; empty if the client names none
	Steered            string            `json:"steered,omitempty"`      // the reference or header that selected the outcome
	LRN                string            `json:"lrn"`
	MRN                string            `json:"mrn"`
	Request            bool              `json:"request,omitempty"`   // about a declaration
	Amends             bool              `json:"amends,omitempty"`    // a request for amendment
	Rejected           bool              `json:"rejected,omitempty"`  // as a declaration
	Cancelled          bool              `json:"cancelled,omitempty"` // by a request
	DeniesCancellation bool              `json:"denies,omitempty"`    // cancellation requests
	Waits              bool              `json:"waits,omitempty"`     // for the goods to be presented
	Document           string            `json:"document,omitempty"`  // of one that waits, as earlier releases stored it
	DUCR               string            `json:"ducr,omitempty"`      // of an export
	Declared           []byte            `json:"declared,omitempty"`  // the declaration, compressed
	Version            int               `json:"version,omitempty"`   // 1, and one more for each amendment
	Delay              time.Duration     `json:"delay,omitempty"`
	Messages           []outgoingMessage `json:"letters,omitempty"`
	Sent               int               `json:"sent,omitempty"` // number of delivered messages

	failures int  // in a row, of the next message
	queued   bool // with the senders, or waiting for the delay
	sending  bool // the next message is being sent
}

// outgoingMessage is an encoded notification; every delivery sends the same bytes.
type outgoingMessage struct {
	ID     string        `json:"id"`
	Code   string        `json:"code"`
	Status string        `json:"status,omitempty"`
	Wait   time.Duration `json:"wait,omitempty"` // after the previous message
	Body   string        `json:"body,omitempty"` // removed after delivery
}

// lrnLifetime is the time for which CDS rejects the LRN of a declaration (CDS12003), and the minimum lifetime of a
// conversation.
const lrnLifetime = 48 * time.Hour

// cloneStrings copies the strings of a conversation, which otherwise keep the whole document in memory.
func (c *conversation) cloneStrings() {
	c.Submitter, c.LRN, c.MRN, c.Steered = strings.Clone(c.Submitter), strings.Clone(c.LRN), strings.Clone(c.MRN), strings.Clone(c.Steered)
}

// reservesLRN reports whether the LRN is still reserved.
func (c *conversation) reservesLRN(now time.Time) bool {
	return !c.Rejected && now.Sub(c.At) < lrnLifetime
}

// delivered reports whether all messages have been delivered.
func (c *conversation) delivered() bool { return c.Sent >= len(c.Messages) }

// finished reports whether the conversation is finished: all is delivered and nothing can follow.
func (c *conversation) finished() bool {
	ends := func(l outgoingMessage) bool { return slices.Contains([]string{"03", "09", "10"}, l.Code) }
	return c.delivered() && (c.Request || c.Rejected || c.Cancelled || slices.ContainsFunc(c.Messages, ends))
}

// hasSent reports whether a message has been sent or is being sent.
func (c *conversation) hasSent(code string) bool {
	return slices.ContainsFunc(c.Messages[:c.sentMessages()], func(l outgoingMessage) bool { return l.Code == code })
}

// sentMessages returns the number of messages that can no longer be changed.
func (c *conversation) sentMessages() int {
	if c.sending {
		return c.Sent + 1
	}
	return min(c.Sent, len(c.Messages))
}
