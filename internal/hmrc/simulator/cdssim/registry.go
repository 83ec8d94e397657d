package cdssim

import (
	"iter"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Limits of the registry.
const (
	maxConversations = 100_000
	maxBacklog       = 128 << 20 // bytes of undelivered messages
	maxDeclared      = 64 << 20  // bytes of compressed declarations, which amendments and presentations need
)

// registry is the state of the simulator. It changes by records only, so that reading the journal again gives the same
// state.
type registry struct {
	count    uint64          // documents accepted so far
	all      []*conversation // the oldest first
	byID     map[string]*conversation
	byLRN    map[string]*conversation // the last declaration with the LRN
	byMRN    map[string]*conversation // declarations only
	amends   map[string]*conversation // the last request for amendment of an MRN
	backlog  int
	declared int // bytes of Declared
	limits   limits

	consignments consignments // of exports

	uploads     []*upload // requests for upload forms, the oldest first
	byReference map[string]*upload
}

// limits are the constants above; tests set others.
type limits struct{ conversations, backlog, declared int }

// record is a line of the journal.
type record struct {
	Count     uint64        `json:"count,omitempty"`
	Opened    *conversation `json:"opened,omitempty"`
	Cancelled *cancellation `json:"turned,omitempty"`
	Delivered *progress     `json:"delivered,omitempty"`
	Continued *continuation `json:"continued,omitempty"`
	Replaced  *replacement  `json:"replaced,omitempty"`
	Upload    *upload       `json:"upload,omitempty"`
	Uploaded  *uploaded     `json:"uploaded,omitempty"`

	Consignments []consignment   `json:"consignments,omitempty"` // as they are now
	Arrived      []*continuation `json:"arrived,omitempty"`      // declarations that a movement lets go on
}

// cancellation replaces the last messages of a cancelled declaration: the first Kept messages stay.
type cancellation struct {
	Conversation string            `json:"conversation"`
	Kept         int               `json:"kept"`
	Messages     []outgoingMessage `json:"letters"`
}

// progress is the number of delivered messages of a conversation.
type progress struct {
	Conversation string `json:"conversation"`
	Sent         int    `json:"sent"`
}

func newRegistry() *registry {
	return &registry{
		byID: map[string]*conversation{}, byLRN: map[string]*conversation{}, byMRN: map[string]*conversation{}, amends: map[string]*conversation{}, byReference: map[string]*upload{},
		consignments: consignments{byKey: map[string]*consignment{}, limit: maxConsignments},
		limits:       limits{maxConversations, maxBacklog, maxDeclared},
	}
}

// Apply changes the state by a record.
func (b *registry) Apply(r record) {
	b.count = max(b.count, r.Count)
	if r.Opened != nil {
		b.open(r.Opened)
	}
	if r.Cancelled != nil {
		b.cancel(r.Cancelled)
	}
	if r.Continued != nil {
		b.proceed(r.Continued)
	}
	if r.Replaced != nil {
		b.replace(r.Replaced)
	}
	for _, k := range r.Consignments {
		b.consignments.set(k)
	}
	for _, next := range r.Arrived {
		b.proceed(next)
	}
	if r.Upload != nil {
		b.addUpload(r.Upload)
	}
	if r.Uploaded != nil {
		b.addUploaded(r.Uploaded)
	}
	if r.Delivered != nil {
		b.deliver(r.Delivered)
	}
}

func (b *registry) open(c *conversation) {
	c.cloneStrings()
	b.count = max(b.count, c.Number)
	b.all = append(b.all, c)
	b.byID[c.ID] = c
	b.backlog += size(c.Messages)
	if c.Document != "" {
		c.Waits, c.Declared, c.Document = true, pack([]byte(c.Document)), ""
	}
	b.declared += len(c.Declared)
	b.forget()
	if c.Amends {
		b.amends[c.MRN] = c
	}
	if c.Request {
		return
	}
	b.byMRN[c.MRN] = c
	if !c.Rejected {
		b.byLRN[lrnKey(c.Submitter, c.LRN)] = c
	}
}

func (b *registry) cancel(t *cancellation) {
	c, known := b.byID[t.Conversation]
	if !known {
		return
	}
	kept := min(t.Kept, len(c.Messages))
	b.backlog += size(t.Messages) - size(c.Messages[kept:])
	c.Messages = append(slices.Clip(c.Messages[:kept]), t.Messages...)
	c.Cancelled = true
}

// replace makes a declaration what an amendment makes of it.
func (b *registry) replace(r *replacement) {
	c, known := b.byID[r.Conversation]
	if !known {
		return
	}
	kept := min(r.Kept, len(c.Messages))
	b.backlog += size(r.Messages) - size(c.Messages[kept:])
	c.Messages = append(slices.Clip(c.Messages[:kept]), r.Messages...)
	b.setDeclared(c, r.Declared)
	c.Version = r.Version
}

func (b *registry) setDeclared(c *conversation, declared []byte) {
	b.declared += len(declared) - len(c.Declared)
	c.Declared = declared
}

// forget drops the oldest declarations if they take too much space, down to nine tenths so that it happens rarely. One that
// waits for its goods is kept.
func (b *registry) forget() {
	if b.declared <= b.limits.declared {
		return
	}
	for _, c := range b.all {
		if !c.Waits {
			b.setDeclared(c, nil)
		}
		if b.declared <= b.limits.declared/10*9 {
			return
		}
	}
}

// amending reports whether the last request to amend a declaration is not answered yet. An answer on its way counts, because
// its receiver may go on before the simulator knows; one that was refused does not.
func (b *registry) amending(mrn string) bool {
	c, known := b.amends[mrn]
	return known && !c.delivered() && !(c.sending && c.failures == 0 && c.sentMessages() == len(c.Messages))
}

func (b *registry) deliver(p *progress) {
	c, known := b.byID[p.Conversation]
	if !known {
		return
	}
	for ; c.Sent < min(p.Sent, len(c.Messages)); c.Sent++ {
		b.follow(c, c.Messages[c.Sent])
		b.backlog -= len(c.Messages[c.Sent].Body)
		c.Messages[c.Sent].Body = ""
	}
}

// Records returns records that make the present state.
func (b *registry) Records() iter.Seq[record] {
	return func(yield func(record) bool) {
		if !yield(record{Count: b.count}) {
			return
		}
		for _, c := range b.all {
			if !yield(record{Opened: c}) {
				return
			}
		}
		for _, key := range b.consignments.order {
			if !yield(record{Consignments: []consignment{*b.consignments.byKey[key]}}) {
				return
			}
		}
		for _, u := range b.uploads {
			if !yield(record{Upload: u}) {
				return
			}
		}
	}
}

// holder returns the declaration that has reserved the LRN, if any.
func (b *registry) holder(submitter, lrn string, now time.Time) (*conversation, bool) {
	c, known := b.byLRN[lrnKey(submitter, lrn)]
	return c, known && c.reservesLRN(now)
}

// evict removes the oldest finished conversation if there are too many; false if none can be removed.
func (b *registry) evict() bool {
	if b.backlog > b.limits.backlog {
		return false
	}
	if len(b.all) < b.limits.conversations {
		return true
	}
	at := slices.IndexFunc(b.all, (*conversation).finished)
	if at < 0 {
		return false
	}
	b.unindex(b.all[at])
	b.all = slices.Delete(b.all, at, at+1)
	return true
}

func (b *registry) unindex(c *conversation) {
	delete(b.byID, c.ID)
	b.setDeclared(c, nil)
	if b.amends[c.MRN] == c {
		delete(b.amends, c.MRN)
	}
	if b.byMRN[c.MRN] == c {
		delete(b.byMRN, c.MRN)
	}
	if key := lrnKey(c.Submitter, c.LRN); b.byLRN[key] == c {
		delete(b.byLRN, key)
	}
}

// remove removes a conversation of which no message has been sent.
func (b *registry) remove(c *conversation) {
	if b.byID[c.ID] != c {
		return
	}
	b.unindex(c)
	if k, known := b.consignments.byKey[consignmentKey(c.Organisation, c.DUCR)]; known && k.MRN == c.MRN {
		b.consignments.remove(k.key())
	}
	b.backlog -= size(c.Messages)
	b.all = slices.DeleteFunc(b.all, func(other *conversation) bool { return other == c })
}

// savedState is the state of a declaration before a request about it.
type savedState struct {
	conversation *conversation // nil for none
	messages     []outgoingMessage
	cancelled    bool
	waits        bool
	declared     []byte
	version      int
}

func (b *registry) state(mrn string) savedState {
	c, known := b.byMRN[mrn]
	if !known {
		return savedState{}
	}
	return savedState{c, c.Messages, c.Cancelled, c.Waits, c.Declared, c.Version}
}

// restore restores the state of a declaration unless more of its messages have been sent since.
func (b *registry) restore(before savedState) {
	c := before.conversation
	if c == nil || c.Sent > len(before.messages) {
		return
	}
	letters := slices.Clone(before.messages)
	for i := range letters[:c.Sent] {
		letters[i].Body = ""
	}
	b.backlog += size(letters) - size(c.Messages)
	c.Messages, c.Cancelled, c.Waits, c.Version = letters, before.cancelled, before.waits, before.version
	b.setDeclared(c, before.declared)
}

// expire removes finished conversations that no longer reserve their LRN by the clock of their organisation.
func (b *registry) expire(clock simulator.Clock) {
	known := map[string]time.Time{}
	now := func(organisation string) time.Time {
		if known[organisation].IsZero() {
			known[organisation] = clock(organisation)
		}
		return known[organisation]
	}
	b.all = slices.DeleteFunc(b.all, func(c *conversation) bool {
		old := c.finished() && now(c.Organisation).Sub(c.At) >= lrnLifetime
		if old {
			b.unindex(c)
		}
		return old
	})
}

// lrnKey returns a key of declarant and LRN.
func lrnKey(submitter, lrn string) string { return submitter + " " + lrn }

func size(letters []outgoingMessage) (n int) {
	for _, l := range letters {
		n += len(l.Body)
	}
	return n
}
