package webhook

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
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
	Notice(id string) (Notice, error)
}

// History is a part of the events of an organisation, oldest first, as endpoints get them. It does not depend on
// endpoints: the bodies are made from the audit trail and the records.
type History struct {
	Notices   []Notice
	Sequences []int64 // of each notice in the audit trail
	Resent    []bool  // of each notice, whether it is of an event that was resent by a user
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

// change is an audit event of a change, and the record after it; or that an event was resent.
type change struct {
	event  *audit.Event
	at     filing.AtVersion
	resent string // ID of the event that was resent; empty for a change
}

// ReadHistory reads at most limit events after a sequence of the audit trail. Events whose record is not stored in that
// version any more are left out. With the resent ones, events that users have resent come again where that happened.
func ReadHistory(tx HistoryTx, after int64, limit int, withResent bool) (h History, err error) {
	trail, err := tx.EventsAfter(after, limit+otherEvents)
	if err != nil {
		return h, err
	}
	h.Through, h.More = after, len(trail) == limit+otherEvents
	if len(trail) > 0 {
		h.Through = trail[len(trail)-1].Sequence
	}
	changes := changesIn(trail, withResent)
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

// changesIn returns the changes among audit events, apart from assignments, which endpoints do not get either, and what was
// resent if that is wanted.
func changesIn(trail []audit.Event, withResent bool) (all []change) {
	for i := range trail {
		e := &trail[i]
		if v := filing.SealedBy(e).Version; v > 0 && !filing.IsAssignment(e.Type) {
			all = append(all, change{event: e, at: filing.AtVersion{ID: e.ResourceID, Version: v}})
		} else if withResent && e.Type == kind+"."+resent {
			var data struct{ EventID string }
			if json.Unmarshal(e.Data, &data) == nil && data.EventID != "" {
				all = append(all, change{event: e, resent: data.EventID})
			}
		}
	}
	return all
}

// add adds the notices of changes, and returns their size in bytes.
func (h *History) add(tx HistoryTx, changes []change) (size int, err error) {
	var refs []filing.AtVersion
	for _, c := range changes {
		if c.resent == "" {
			refs = append(refs, c.at)
		}
	}
	records, err := tx.RecordsAt(refs)
	if err != nil {
		return 0, err
	}
	for _, c := range changes {
		n, found, err := noticeOf(tx, c, records)
		if err != nil {
			return size, err
		}
		if !found {
			continue
		}
		h.Notices, h.Sequences, h.Resent = append(h.Notices, n), append(h.Sequences, c.event.Sequence), append(h.Resent, c.resent != "")
		size += len(n.Body)
	}
	return size, nil
}

// noticeOf returns the notice of a change, and false if it is not stored any more.
func noticeOf(tx HistoryTx, c change, records map[filing.AtVersion]filing.Filing) (n Notice, found bool, err error) {
	if c.resent != "" {
		n, err = tx.Notice(c.resent)
		if apierr.Is(err, apierr.NotFound) {
			return n, false, nil
		}
		return n, err == nil, err
	}
	f, found := records[c.at]
	if !found {
		return n, false, nil
	}
	f.Kind = c.event.ResourceType
	return NewNotice(tx.Org(), tx.Mode(), c.event, f.AppendJSON(nil)), true, nil
}
