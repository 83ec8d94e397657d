package audit

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// CutOff is the type of the event that records that the oldest events of a trail were removed
// after their retention period.
const CutOff = "audit.cut_off"

// Cut is the start of a trail whose oldest events were removed: after the event with this
// sequence and hash. The zero Cut is that of a complete trail.
type Cut struct {
	Sequence   int64
	Hash       string
	OccurredAt time.Time // of the newest event that was removed
}

// cutData is the data of the audit event of a cut.
type cutData struct {
	Sequence   int64  `json:"sequence"` // of the newest event that was removed
	Hash       string `json:"hash"`
	OccurredAt string `json:"occurredAt"`
	Count      int64  `json:"count"` // events that were removed
}

// Event returns the audit event of the cut, which follows an earlier cut.
func (c Cut) Event(org tenant.ID, id string, former Cut) (Event, error) {
	data, err := json.Marshal(cutData{c.Sequence, c.Hash, Instant(c.OccurredAt), c.Sequence - former.Sequence})
	e := Event{ID: id, Hub: home, Type: CutOff, ResourceType: resourceType, Data: data}
	return By(tenant.Call{Principal: tenant.System(org)}, e), err
}

// ToldBy reports whether an event is the audit event of this cut.
func (c Cut) ToldBy(e *Event) bool {
	var t cutData
	return e.Type == CutOff && json.Unmarshal(e.Data, &t) == nil && t.Sequence == c.Sequence && t.Hash == c.Hash
}
