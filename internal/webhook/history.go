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
	Notices []Notice
	Places  []Place // after each notice
	Resent  []bool  // of each notice, whether it is of an event that was resent by a user
	Through Place   // where the next part begins
	More    bool    // there may be another part already
}

// Place is a place in the history: after an event of the audit trail, and after some of the notices of the next one if that reports
// several events that were sent again. Who continues without that number gets them all again.
type Place struct {
	Sequence int64
	Passed   int
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
	after  Place  // the place after it
}

// ReadHistory reads at most limit events after a place. Events whose record is not stored in that version any more are left out.
// With the resent ones, events that users have sent again come again where that happened.
func ReadHistory(tx HistoryTx, after Place, limit int, withResent bool) (h History, err error) {
	trail, err := tx.EventsAfter(after.Sequence, limit+otherEvents)
	if err != nil {
		return h, err
	}
	h.Through, h.More = after, len(trail) == limit+otherEvents
	if len(trail) > 0 {
		h.Through = Place{Sequence: trail[len(trail)-1].Sequence}
	}
	changes := changesIn(trail, withResent)
	changes = changes[min(after.Passed, len(changes)):]
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
func (h *History) end(last change) { h.Through, h.More = last.after, true }

// eventIDsMember is the member with the events of a recovery.
const eventIDsMember = "eventIds"

// changesIn returns the changes among audit events, apart from assignments, which endpoints do not get either, and what was
// sent again if that is wanted.
func changesIn(trail []audit.Event, withResent bool) (all []change) {
	for i := range trail {
		e := &trail[i]
		after := Place{Sequence: e.Sequence}
		if v := filing.SealedBy(e).Version; v > 0 && !filing.IsAssignment(e.Type) {
			all = append(all, change{event: e, at: filing.AtVersion{ID: e.ResourceID, Version: v}, after: after})
			continue
		}
		if !withResent {
			continue
		}
		again := sentAgain(e)
		for n, id := range again {
			all = append(all, change{event: e, resent: id, after: Place{e.Sequence - 1, n + 1}})
		}
		if len(again) > 0 {
			all[len(all)-1].after = after
		}
	}
	return all
}

// sentAgain returns the ids of the events that an audit event says were sent again.
func sentAgain(e *audit.Event) []string {
	var data struct {
		EventID  string
		EventIDs []string
	}
	switch e.Type {
	case kind + "." + resent, kind + "." + recovered:
		if json.Unmarshal(e.Data, &data) != nil {
			return nil
		}
		if data.EventID != "" {
			return []string{data.EventID}
		}
	}
	return data.EventIDs
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
		h.Notices, h.Places, h.Resent = append(h.Notices, n), append(h.Places, c.after), append(h.Resent, c.resent != "")
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
