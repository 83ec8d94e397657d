package webhook

import (
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// HistoryTx reads the past of one organisation.
type HistoryTx interface {
	Org() tenant.ID
	Mode() tenant.Mode
	EventsAfter(sequence int64, limit int) ([]audit.Event, error) // oldest first
	// RecordsAt reads at most filing.MaxAtVersions records as they were, without their kinds. It leaves out versions
	// that are not stored any more.
	RecordsAt(refs []filing.AtVersion) (map[filing.AtVersion]filing.Filing, error)
}

// History is a part of the events of an organisation, oldest first, as endpoints get them. It does not depend on
// endpoints: the bodies are made from the audit trail and the records.
type History struct {
	Notices   []Notice
	Sequences []int64 // of each notice in the audit trail
	Through   int64   // the next part begins after this sequence
	More      bool    // there may be another part already
}

// Bounds of a part of the history.
const (
	otherEvents  = 100     // audit events without a notice that a part may pass over
	historyBytes = 4 << 20 // size of the bodies from which a part ends
	largeRecord  = 16 << 10
	fewRecords   = 8 // large records that are read at once
)

// change is an audit event of a change, and the record after it.
type change struct {
	event *audit.Event
	at    filing.AtVersion
}

// ReadHistory reads at most limit events after a sequence of the audit trail. Events whose record is not stored in that
// version any more are left out.
func ReadHistory(tx HistoryTx, after int64, limit int) (h History, err error) {
	trail, err := tx.EventsAfter(after, limit+otherEvents)
	if err != nil {
		return h, err
	}
	h.Through, h.More = after, len(trail) == limit+otherEvents
	if len(trail) > 0 {
		h.Through = trail[len(trail)-1].Sequence
	}
	changes := changesIn(trail)
	if len(changes) > limit {
		h.end(changes[limit-1])
		changes = changes[:limit]
	}
	for size, read := 0, fewRecords; len(changes) > 0; {
		some := changes[:min(read, len(changes))]
		changes = changes[len(some):]
		added, err := h.add(tx, some)
		if err != nil {
			return h, err
		}
		if size += added; size >= historyBytes && len(changes) > 0 {
			h.end(some[len(some)-1])
			return h, nil
		}
		if read = fewRecords; added/len(some) < largeRecord {
			read = filing.MaxAtVersions
		}
	}
	return h, nil
}

// end ends the part after a change that others follow.
func (h *History) end(last change) { h.Through, h.More = last.event.Sequence, true }

// changesIn returns the changes among audit events, apart from assignments, which endpoints do not get either.
func changesIn(trail []audit.Event) (all []change) {
	for i := range trail {
		e := &trail[i]
		if v := filing.SealedBy(e).Version; v > 0 && !filing.IsAssignment(e.Type) {
			all = append(all, change{e, filing.AtVersion{ID: e.ResourceID, Version: v}})
		}
	}
	return all
}

// add adds the notices of changes, and returns their size in bytes.
func (h *History) add(tx HistoryTx, changes []change) (size int, err error) {
	refs := make([]filing.AtVersion, len(changes))
	for i, c := range changes {
		refs[i] = c.at
	}
	records, err := tx.RecordsAt(refs)
	if err != nil {
		return 0, err
	}
	for _, c := range changes {
		f, found := records[c.at]
		if !found {
			continue
		}
		f.Kind = c.event.ResourceType
		n := NewNotice(tx.Org(), tx.Mode(), c.event, f.AppendJSON(nil))
		h.Notices, h.Sequences, size = append(h.Notices, n), append(h.Sequences, c.event.Sequence), size+len(n.Body)
	}
	return size, nil
}
