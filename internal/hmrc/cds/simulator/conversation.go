package simulator

import (
	"slices"
	"strings"
	"time"
)

// conversation is one document that customs has taken, and what it has to say to it.
type conversation struct {
	Number    uint64        `json:"number"` // of the documents ever taken, from 1
	ID        string        `json:"id"`
	At        time.Time     `json:"at"`
	Submitter string        `json:"submitter,omitempty"` // EORI of the declarant
	LRN       string        `json:"lrn"`
	MRN       string        `json:"mrn"`
	Request   bool          `json:"request,omitempty"`   // to cancel, and no declaration itself
	Rejected  bool          `json:"rejected,omitempty"`  // as a declaration
	Cancelled bool          `json:"cancelled,omitempty"` // by a request
	Denies    bool          `json:"denies,omitempty"`    // requests to cancel it
	Delay     time.Duration `json:"delay,omitempty"`
	Letters   []outgoing    `json:"letters,omitempty"`
	Sent      int           `json:"sent,omitempty"` // so many of the letters

	failures int  // in a row, of the next letter
	queued   bool // with the senders, or waiting for its time
	flying   bool // its next letter is under way
}

// outgoing is a notification as it will be sent, for the first time and any other.
type outgoing struct {
	ID   string        `json:"id"`
	Code string        `json:"code"`
	Wait time.Duration `json:"wait,omitempty"` // after the one before it
	Body string        `json:"body,omitempty"` // dropped once it has been delivered
}

// remember is how long customs refuses the LRN of a declaration (CDS12003), and so
// the least that a conversation is kept.
const remember = 48 * time.Hour

// own parts a conversation from its document: what has been read of a document holds
// all of it in memory.
func (c *conversation) own() {
	c.Submitter, c.LRN, c.MRN = strings.Clone(c.Submitter), strings.Clone(c.LRN), strings.Clone(c.MRN)
}

// holds tells whether the LRN may not be used again yet.
func (c *conversation) holds(now time.Time) bool {
	return !c.Rejected && now.Sub(c.At) < remember
}

// delivered is true when nothing is left to send.
func (c *conversation) delivered() bool { return c.Sent >= len(c.Letters) }

// over is true when, besides, nothing more can become of it.
func (c *conversation) over() bool {
	ends := func(l outgoing) bool { return slices.Contains([]string{"03", "09", "10"}, l.Code) }
	return c.delivered() && (c.Request || c.Rejected || c.Cancelled || slices.ContainsFunc(c.Letters, ends))
}

// hasSent tells whether a message has gone out, or is going.
func (c *conversation) hasSent(code string) bool {
	return slices.ContainsFunc(c.Letters[:c.sentMessages()], func(l outgoing) bool { return l.Code == code })
}

// sentMessages counts the letters that can no longer be held back.
func (c *conversation) sentMessages() int {
	if c.flying {
		return c.Sent + 1
	}
	return min(c.Sent, len(c.Letters))
}
