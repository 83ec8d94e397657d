package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
)

type checkpoint struct {
	OrganisationID, Hash, EventID, OccurredAt string
	RootHash, KeyFingerprint, Signature       string
	Sequence                                  int64
}

// checkCheckpoint holds the head of the trail against its signature.
func (p *pack) checkCheckpoint() {
	c := &p.head
	if err := p.json("checkpoint.json", c); err != nil {
		p.report.fails("The checkpoint cannot be read.")
		return
	}
	p.report.Checkpoint, p.report.RootHash = strconv.FormatInt(c.Sequence, 10)+":"+c.Hash, c.RootHash
	switch {
	case c.OrganisationID != p.manifest.OrganisationID:
		p.report.fails("The checkpoint is of another organisation's trail.")
	case c.KeyFingerprint != p.report.Fingerprint || !p.signed(c.Signature, "tidewaiter-checkpoint-1", c.OrganisationID,
		strconv.FormatInt(c.Sequence, 10), c.Hash, c.EventID, c.OccurredAt, c.RootHash):
		p.report.fails("The signature of the checkpoint does not hold.")
	default:
		p.report.holds("The checkpoint of event %d is signed by the same key.", c.Sequence)
	}
}

type event struct {
	Sequence                                                 int64
	ID, OccurredAt, Hub, EventType, ResourceType, ResourceID string
	FromStatus, ToStatus, ActorUserID, ActorType, KeyID      string
	RequestID, IPAddress, Data, PreviousHash, Hash           string
	Proof                                                    []string
}

// digest is the event's hash, reckoned from its fields.
func (e *event) digest(org string) merkle.Hash {
	return sha256.Sum256(canonical([]string{
		"tidewaiter-audit-1", org, strconv.FormatInt(e.Sequence, 10), e.ID, e.OccurredAt, e.Hub, e.EventType, e.ResourceType, e.ResourceID,
		e.FromStatus, e.ToStatus, e.ActorUserID, e.ActorType, e.KeyID, e.RequestID, e.IPAddress, e.Data, e.PreviousHash,
	}))
}

// included tells whether the event stands in the tree that the checkpoint has the root of.
func (e *event) included(c *checkpoint) bool {
	root, ok := hashOf(c.RootHash)
	digest, sound := hashOf(e.Hash)
	proof := make([]merkle.Hash, len(e.Proof))
	for i, text := range e.Proof {
		var fine bool
		proof[i], fine = hashOf(text)
		sound = sound && fine
	}
	return ok && sound && merkle.Included(merkle.Leaf(digest[:]), e.Sequence-1, c.Sequence, proof, root)
}

func hashOf(text string) (h merkle.Hash, ok bool) {
	raw, err := hex.DecodeString(text)
	copy(h[:], raw)
	return h, err == nil && len(raw) == merkle.Size && hex.EncodeToString(raw) == text
}

// checkEvents reckons every event's hash anew, and its way to the root.
func (p *pack) checkEvents() {
	failed := len(p.report.Findings)
	var last int64
	err := each(p, "events.json", func(e event) {
		digest := e.digest(p.manifest.OrganisationID)
		switch {
		case hex.EncodeToString(digest[:]) != e.Hash:
			p.report.fails("Event %d (%s) is not as it was written.", e.Sequence, e.ID)
		case !e.included(&p.head):
			p.report.fails("Event %d (%s) is not proved to stand in the trail.", e.Sequence, e.ID)
		case e.ResourceID != p.manifest.RecordID:
			p.report.fails("Event %d (%s) is of another record.", e.Sequence, e.ID)
		case e.Sequence <= last:
			p.report.fails("Event %d (%s) is out of its order.", e.Sequence, e.ID)
		case e.Sequence == p.head.Sequence && (e.Hash != p.head.Hash || e.ID != p.head.EventID || e.OccurredAt != p.head.OccurredAt):
			p.report.fails("Event %d (%s) is not the one that the checkpoint names.", e.Sequence, e.ID)
		}
		last = e.Sequence
		e.Proof = nil
		p.events = append(p.events, e)
	})
	switch {
	case err != nil:
		p.report.fails("The events cannot be read.")
	case len(p.events) > 0 && last != p.head.Sequence:
		p.report.fails("The last event, %d, is not the one of the checkpoint.", last)
	case len(p.report.Findings) == failed:
		p.report.holds("All %d events are as they were written, and stand in the trail up to event %d.", len(p.events), p.head.Sequence)
	}
}

// told is what an event tells of bytes.
type told struct {
	Body     string          `json:"sha256"`
	Sent     string          `json:"sentSha256"`
	Received string          `json:"receivedSha256"`
	After    json.RawMessage `json:"after"`
}

func (e *event) told() (t told) {
	_ = json.Unmarshal([]byte(e.Data), &t)
	return t
}
