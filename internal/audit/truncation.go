package audit

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Truncated is the type of the event that records that the oldest events of a trail were removed
// after their retention period.
const Truncated = "audit.cut_off"

// Truncation is the start of a trail whose oldest events were removed: after the event with this
// sequence and hash. The zero value is that of a complete trail.
type Truncation struct {
	Sequence   int64
	Hash       string
	OccurredAt time.Time // of the newest event that was removed
}

// truncationData is the data of the audit event of a truncation.
type truncationData struct {
	Sequence   int64  `json:"sequence"` // of the newest event that was removed
	Hash       string `json:"hash"`
	OccurredAt string `json:"occurredAt"`
	Count      int64  `json:"count"` // events that were removed
}

// Event returns the audit event of the truncation. former is the truncation before it.
func (t Truncation) Event(org tenant.ID, id string, former Truncation) (Event, error) {
	data, err := json.Marshal(truncationData{t.Sequence, t.Hash, Instant(t.OccurredAt), t.Sequence - former.Sequence})
	e := Event{ID: id, Hub: defaultHub, Type: Truncated, ResourceType: resourceType, Data: data}
	return By(tenant.Call{Principal: tenant.System(org)}, e), err
}

// RecordedBy reports whether an event is the audit event of this truncation.
func (t Truncation) RecordedBy(e *Event) bool {
	var data truncationData
	return e.Type == Truncated && json.Unmarshal(e.Data, &data) == nil && data.Sequence == t.Sequence && data.Hash == t.Hash
}
