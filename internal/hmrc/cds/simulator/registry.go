package simulator

import (
	"slices"
	"time"
)

// Limits of what is kept.
const (
	maxConversations = 100_000
	maxBacklog       = 128 << 20 // bytes of letters that wait to be delivered
)

// registry is what customs knows. It changes by records alone, so that reading the
// journal again gives the same book.
type registry struct {
	count   uint64          // documents ever taken
	all     []*conversation // the oldest first
	byID    map[string]*conversation
	byLRN   map[string]*conversation // the last declaration that took the LRN
	byMRN   map[string]*conversation // declarations alone
	backlog int
	limits  limits
}

// limits of a book are the constants above, but for tests.
type limits struct{ conversations, backlog int }

// record is a line of the journal.
type record struct {
	Count     uint64        `json:"count,omitempty"`
	Opened    *conversation `json:"opened,omitempty"`
	Turned    *turn         `json:"turned,omitempty"`
	Delivered *progress     `json:"delivered,omitempty"`
}

// turn is the new end of a declaration that has been cancelled: its letters up to
// some, then others.
type turn struct {
	Conversation string     `json:"conversation"`
	Kept         int        `json:"kept"`
	Letters      []outgoing `json:"letters"`
}

// progress says how many letters of a conversation have been delivered.
type progress struct {
	Conversation string `json:"conversation"`
	Sent         int    `json:"sent"`
}

func newRegistry() *registry {
	return &registry{
		byID: map[string]*conversation{}, byLRN: map[string]*conversation{}, byMRN: map[string]*conversation{},
		limits: limits{maxConversations, maxBacklog},
	}
}

func (b *registry) apply(r record) {
	b.count = max(b.count, r.Count)
	if r.Opened != nil {
		b.open(r.Opened)
	}
	if r.Turned != nil {
		b.turn(r.Turned)
	}
	if r.Delivered != nil {
		b.deliver(r.Delivered)
	}
}

func (b *registry) open(c *conversation) {
	c.own()
	b.count = max(b.count, c.Number)
	b.all = append(b.all, c)
	b.byID[c.ID] = c
	b.backlog += size(c.Letters)
	if c.Request {
		return
	}
	b.byMRN[c.MRN] = c
	if !c.Rejected {
		b.byLRN[lrnKey(c.Submitter, c.LRN)] = c
	}
}

func (b *registry) turn(t *turn) {
	c, known := b.byID[t.Conversation]
	if !known {
		return
	}
	kept := min(t.Kept, len(c.Letters))
	b.backlog += size(t.Letters) - size(c.Letters[kept:])
	c.Letters = append(slices.Clip(c.Letters[:kept]), t.Letters...)
	c.Cancelled = true
}

func (b *registry) deliver(p *progress) {
	c, known := b.byID[p.Conversation]
	if !known {
		return
	}
	for ; c.Sent < min(p.Sent, len(c.Letters)); c.Sent++ {
		b.backlog -= len(c.Letters[c.Sent].Body)
		c.Letters[c.Sent].Body = ""
	}
}

// holder is the declaration that has the LRN for itself, if there is one.
func (b *registry) holder(submitter, lrn string, now time.Time) (*conversation, bool) {
	c, known := b.byLRN[lrnKey(submitter, lrn)]
	return c, known && c.holds(now)
}

// evict forgets the oldest conversation that is over when there are too many;
// false when there is no room to be made.
func (b *registry) evict() bool {
	if b.backlog > b.limits.backlog {
		return false
	}
	if len(b.all) < b.limits.conversations {
		return true
	}
	at := slices.IndexFunc(b.all, (*conversation).over)
	if at < 0 {
		return false
	}
	b.forget(b.all[at])
	b.all = slices.Delete(b.all, at, at+1)
	return true
}

func (b *registry) forget(c *conversation) {
	delete(b.byID, c.ID)
	if b.byMRN[c.MRN] == c {
		delete(b.byMRN, c.MRN)
	}
	if key := lrnKey(c.Submitter, c.LRN); b.byLRN[key] == c {
		delete(b.byLRN, key)
	}
}

// withdraw forgets a conversation of which no letter has gone out.
func (b *registry) withdraw(c *conversation) {
	if b.byID[c.ID] != c {
		return
	}
	b.forget(c)
	b.backlog -= size(c.Letters)
	b.all = slices.DeleteFunc(b.all, func(other *conversation) bool { return other == c })
}

// state is what a declaration was before a request to cancel it.
type state struct {
	of        *conversation // nil for none
	letters   []outgoing
	cancelled bool
}

func (b *registry) asItIs(mrn string) state {
	c, known := b.byMRN[mrn]
	if !known {
		return state{}
	}
	return state{c, c.Letters, c.Cancelled}
}

// restore makes a declaration what it was, unless more of its letters have gone out than it had.
func (b *registry) restore(before state) {
	c := before.of
	if c == nil || c.Sent > len(before.letters) {
		return
	}
	letters := slices.Clone(before.letters)
	for i := range letters[:c.Sent] {
		letters[i].Body = ""
	}
	b.backlog += size(letters) - size(c.Letters)
	c.Letters, c.Cancelled = letters, before.cancelled
}

// expire drops what is over and no longer holds its LRN.
func (b *registry) expire(now time.Time) {
	b.all = slices.DeleteFunc(b.all, func(c *conversation) bool {
		old := c.over() && now.Sub(c.At) >= remember
		if old {
			b.forget(c)
		}
		return old
	})
}

// lrnKey keeps the LRNs of two declarants apart.
func lrnKey(submitter, lrn string) string { return submitter + " " + lrn }

func size(letters []outgoing) (n int) {
	for _, l := range letters {
		n += len(l.Body)
	}
	return n
}
