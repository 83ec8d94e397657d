package check

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
)

type checkpoint struct {
	OrganisationID, Hash, EventID, OccurredAt string
	RootHash, KeyFingerprint, Signature       string
	Sequence                                  int64
}

// checkCheckpoint verifies the signature of the checkpoint.
func (p *pack) checkCheckpoint() {
	c := &p.head
	if err := p.json("checkpoint.json", c); err != nil {
		p.report.fail("The checkpoint cannot be read.")
		return
	}
	p.report.Checkpoint, p.report.RootHash = strconv.FormatInt(c.Sequence, 10)+":"+c.Hash, c.RootHash
	switch {
	case c.OrganisationID != p.manifest.OrganisationID:
		p.report.fail("The checkpoint belongs to another organisation.")
	case c.KeyFingerprint != p.report.Fingerprint || !p.signed(c.Signature, "tidewaiter-checkpoint-1", c.OrganisationID,
		strconv.FormatInt(c.Sequence, 10), c.Hash, c.EventID, c.OccurredAt, c.RootHash):
		p.report.fail("The signature of the checkpoint is not valid.")
	default:
		p.report.pass("The checkpoint of event %d is signed by the same key.", c.Sequence)
	}
}

type event struct {
	Sequence                                                 int64
	ID, OccurredAt, Hub, EventType, ResourceType, ResourceID string
	FromStatus, ToStatus, ActorUserID, ActorType, KeyID      string
	RequestID, IPAddress, Data, PreviousHash, Hash           string
	Proof                                                    []string
	Personal                                                 []personal
}

// personal is a value whose salted hash is in the event; value and salt are nil once it was erased.
type personal struct {
	Name        string
	Value, Salt *string
}

// hash returns the hash that replaces the value in the event.
func (v *personal) hash() string {
	salt, _ := hex.DecodeString(*v.Salt)
	mac := hmac.New(sha256.New, salt)
	_, _ = mac.Write([]byte(*v.Value))
	return "personal:" + hex.EncodeToString(mac.Sum(nil))
}

// matchesHash reports whether a field of the event, the address or a member of the data, has a text.
func (e *event) matchesHash(name, text string) bool {
	if name == "ipAddress" {
		return e.IPAddress == text
	}
	var data map[string]json.RawMessage
	var held string
	member, ok := strings.CutPrefix(name, "data.")
	return ok && json.Unmarshal([]byte(e.Data), &data) == nil && json.Unmarshal(data[member], &held) == nil && held == text
}

// checkPersonal compares personal values with the hashes in an event, and counts the erased ones.
func (p *pack) checkPersonal(e *event) {
	for i := range e.Personal {
		switch v := &e.Personal[i]; {
		case v.Value == nil && v.Salt == nil:
			p.erased++
		case v.Value == nil || v.Salt == nil || !e.matchesHash(v.Name, v.hash()):
			p.report.fail("Event %d (%s) was recorded with a different personal value %s.", e.Sequence, e.ID, v.Name)
		default:
			p.compared++
		}
	}
}

// digest computes the event's hash from its fields.
func (e *event) digest(org string) merkle.Hash {
	return sha256.Sum256(canonical([]string{
		"tidewaiter-audit-1", org, strconv.FormatInt(e.Sequence, 10), e.ID, e.OccurredAt, e.Hub, e.EventType, e.ResourceType, e.ResourceID,
		e.FromStatus, e.ToStatus, e.ActorUserID, e.ActorType, e.KeyID, e.RequestID, e.IPAddress, e.Data, e.PreviousHash,
	}))
}

// included reports whether the event is in the tree of the checkpoint.
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

// checkEvents computes every event's hash and verifies its inclusion proof.
func (p *pack) checkEvents() {
	failed := len(p.report.Findings)
	var last int64
	err := each(p, "events.json", func(e event) {
		digest := e.digest(p.manifest.OrganisationID)
		switch {
		case hex.EncodeToString(digest[:]) != e.Hash:
			p.report.fail("Event %d (%s) has been changed.", e.Sequence, e.ID)
		case !e.included(&p.head):
			p.report.fail("Event %d (%s) has no valid proof that it is in the audit trail.", e.Sequence, e.ID)
		case e.ResourceID != p.manifest.RecordID:
			p.report.fail("Event %d (%s) belongs to another record.", e.Sequence, e.ID)
		case e.Sequence <= last:
			p.report.fail("Event %d (%s) is out of order.", e.Sequence, e.ID)
		case e.Sequence == p.head.Sequence && (e.Hash != p.head.Hash || e.ID != p.head.EventID || e.OccurredAt != p.head.OccurredAt):
			p.report.fail("Event %d (%s) is not the event in the checkpoint.", e.Sequence, e.ID)
		}
		p.checkPersonal(&e)
		last = e.Sequence
		e.Proof, e.Personal = nil, nil
		p.events = append(p.events, e)
	})
	switch {
	case err != nil:
		p.report.fail("The events cannot be read.")
	case len(p.events) > 0 && last != p.head.Sequence:
		p.report.fail("The last event, %d, is not the event in the checkpoint.", last)
	case len(p.report.Findings) == failed:
		p.report.pass("All %d events are unchanged, and are in the audit trail up to event %d.%s", len(p.events), p.head.Sequence, p.ofPersonal())
	}
}

// ofPersonal returns the counts of personal values; "" without any.
func (p *pack) ofPersonal() string {
	if p.compared+p.erased == 0 {
		return ""
	}
	return fmt.Sprintf(" Personal values: %d unchanged, %d erased.", p.compared, p.erased)
}

// eventDigests are the digests in an event's data.
type eventDigests struct {
	Body     string          `json:"sha256"`
	Sent     string          `json:"sentSha256"`
	Received string          `json:"receivedSha256"`
	After    json.RawMessage `json:"after"`
}

func (e *event) digests() (t eventDigests) {
	_ = json.Unmarshal([]byte(e.Data), &t)
	return t
}
