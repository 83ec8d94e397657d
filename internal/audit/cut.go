package audit

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// CutOff is the type of the event that tells that the oldest events of a trail, which
// had been kept long enough, were removed.
const CutOff = "audit.cut_off"

// Cut is where a trail begins since its oldest events were removed: behind the event
// of this sequence and hash. The zero Cut is of a trail that has all its events.
type Cut struct {
	Sequence   int64
	Hash       string
	OccurredAt time.Time // of the newest event that was removed
}

// told is what the trail keeps of a cut.
type told struct {
	Sequence   int64  `json:"sequence"` // of the newest event that was removed
	Hash       string `json:"hash"`
	OccurredAt string `json:"occurredAt"`
	Count      int64  `json:"count"` // events that were removed
}

// Event is the audit event of the cut, after an earlier one.
func (c Cut) Event(org tenant.ID, id string, former Cut) (Event, error) {
	data, err := json.Marshal(told{c.Sequence, c.Hash, Instant(c.OccurredAt), c.Sequence - former.Sequence})
	e := Event{ID: id, Hub: home, Type: CutOff, ResourceType: resourceType, Data: data}
	return By(tenant.Call{Principal: tenant.System(org)}, e), err
}

// ToldBy reports whether an event is the audit event of this cut.
func (c Cut) ToldBy(e *Event) bool {
	var t told
	return e.Type == CutOff && json.Unmarshal(e.Data, &t) == nil && t.Sequence == c.Sequence && t.Hash == c.Hash
}
