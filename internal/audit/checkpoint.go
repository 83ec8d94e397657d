package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Checkpoint is the head of a trail at some time. A chain proves what is before its end, not the
// end itself: a checkpoint that is stored where the operator of the database cannot reach it
// shows whether events were cut off or the chain was rebuilt.
type Checkpoint struct {
	OrganisationID tenant.ID `json:"organisationId" format:"uuid" doc:"Organisation of the trail"`
	Sequence       int64     `json:"sequence" doc:"Position of the newest event: the number of events that there ever were"`
	Hash           string    `json:"hash" doc:"Hash of the newest event"`
	EventID        string    `json:"eventId" format:"uuid" doc:"Id of the newest event"`
	OccurredAt     string    `json:"occurredAt" format:"date-time" doc:"When the newest event happened"`
	RootHash       string    `json:"rootHash,omitempty" doc:"Root of the Merkle tree over the events (RFC 6962), hex"`
	KeyFingerprint string    `json:"keyFingerprint,omitempty" doc:"Fingerprint of the key that signed it: that of GET /api/audit/key"`
	Signature      string    `json:"signature,omitempty" doc:"Ed25519 signature of the six fields above (docs/evidence.md), base64"`
}

// Checkpoint returns the checkpoint of a trail that ends with the event.
func (e *Event) Checkpoint(org tenant.ID) Checkpoint {
	return Checkpoint{OrganisationID: org, Sequence: e.Sequence, Hash: e.Hash, EventID: e.ID, OccurredAt: Instant(e.OccurredAt)}
}

// hashLength is the length of a SHA-256 in hex.
const hashLength = 64

var errCheckpoint = errors.New("a checkpoint is sequence:hash, such as 1042:9f86d081…, or the JSON of GET /api/audit/checkpoint")

// ParseCheckpoint parses sequence:hash, which does not name the organisation of the trail.
func ParseCheckpoint(text string) (Checkpoint, error) {
	number, hash, _ := strings.Cut(strings.TrimSpace(text), ":")
	sequence, err := strconv.ParseInt(number, 10, 64)
	c := Checkpoint{Sequence: sequence, Hash: hash}
	if err != nil || !c.valid() {
		return Checkpoint{}, errCheckpoint
	}
	return c, nil
}

// ReadCheckpoints reads checkpoints as JSON, one after another.
func ReadCheckpoints(r io.Reader) (all []Checkpoint, err error) {
	d := json.NewDecoder(r)
	for {
		var c Checkpoint
		switch err := d.Decode(&c); {
		case errors.Is(err, io.EOF) && all != nil:
			return all, nil
		case err != nil || !c.valid():
			return nil, errCheckpoint
		}
		all = append(all, c)
	}
}

func (c Checkpoint) valid() bool {
	return c.Sequence > 0 && len(c.Hash) == hashLength && strings.Trim(c.Hash, "0123456789abcdef") == ""
}

// String returns the short form.
func (c Checkpoint) String() string { return fmt.Sprintf("%d:%s", c.Sequence, c.Hash) }
