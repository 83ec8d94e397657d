package check

import (
	"encoding/json"
	"maps"
	"slices"
)

type moment struct {
	OccurredAt, Kind, Title, FromStatus, ToStatus, ActorUserID, File string
	Sequence                                                         int64
}

// checkTimeline holds the timeline against the events and the messages.
func (p *pack) checkTimeline() {
	failed := len(p.report.Findings)
	next, messages, latest := 0, map[string]bool{}, ""
	err := each(p, "timeline.json", func(m moment) {
		if m.OccurredAt < latest {
			p.report.fails("The timeline runs backwards at %s.", m.OccurredAt)
		}
		latest = m.OccurredAt
		if m.Kind != "event" {
			if messages[m.File] = true; p.digests[m.File] == "" {
				p.report.fails("The timeline names %s, which is not in the manifest.", m.File)
			}
			return
		}
		if next >= len(p.events) || !m.tells(&p.events[next]) {
			p.report.fails("The timeline tells of event %d otherwise than the events do.", m.Sequence)
		}
		next++
	})
	if err != nil {
		p.report.fails("The timeline cannot be read.")
		return
	}
	if next < len(p.events) {
		p.report.fails("The timeline leaves out event %d.", p.events[next].Sequence)
	}
	for _, name := range slices.Sorted(maps.Keys(p.digests)) {
		if isMessage(name) && !messages[name] {
			p.report.fails("The timeline does not tell of %s.", name)
		}
	}
	p.checkStates()
	if len(p.report.Findings) == failed {
		p.report.holds("The timeline tells of these events and of %d messages, and each status follows from the one before.", len(messages))
	}
}

func (m *moment) tells(e *event) bool {
	return m.Sequence == e.Sequence && m.Title == e.EventType && m.OccurredAt == e.OccurredAt &&
		m.FromStatus == e.FromStatus && m.ToStatus == e.ToStatus && m.ActorUserID == e.ActorUserID
}

// checkStates looks for a gap in the changes of status.
func (p *pack) checkStates() {
	status := ""
	for i := range p.events {
		e := &p.events[i]
		if e.ToStatus == "" {
			continue
		}
		if status != "" && e.FromStatus != status {
			p.report.fails("Event %d begins with %s, but the one before it led to %s.", e.Sequence, e.FromStatus, status)
		}
		status = e.ToStatus
	}
}

// checkRecord holds the record, its contents and its messages against what the events
// say of them.
func (p *pack) checkRecord() {
	var whole map[string]struct{ ID, Status string }
	if err := p.json("record.json", &whole); err != nil || len(whole) != 1 {
		p.report.fails("The record cannot be read.")
		return
	}
	status := ""
	body, known := "", false
	digests := map[string]bool{}
	for i := range p.events {
		e, t := &p.events[i], p.events[i].told()
		if e.ToStatus != "" {
			status = e.ToStatus
		}
		if t.Body != "" || t.After != nil {
			body, known = t.Body, t.Body != ""
		}
		digests[t.Sent], digests[t.Received] = true, true
	}
	for _, record := range whole {
		if record.ID != p.manifest.RecordID || status != "" && record.Status != status {
			p.report.fails("The record is not the one that its events tell of, or not in the status that they led to.")
		} else if status != "" {
			p.report.holds("The record is %s, as its last event says.", record.Status)
		}
	}
	p.checkBody(body, known)
	p.checkMessages(digests)
}

func (p *pack) checkBody(digest string, known bool) {
	switch {
	case !known:
		p.report.CannotTell = append(slices.Clone(p.report.CannotTell), "Whether the contents of the record are those that its events tell of: no event has their digest.")
	case p.digests["body.json"] != digest:
		p.report.fails("The contents of the record (body.json) are not those that its events tell of.")
	case !p.within():
		p.report.fails("The record (record.json) does not have the contents that were entered (body.json).")
	default:
		p.report.holds("The contents of the record have the digest that its events tell of.")
	}
}

// within tells whether the record as it is shown has all that was entered.
func (p *pack) within() bool {
	var shown map[string]map[string]json.RawMessage
	var entered map[string]json.RawMessage
	if p.json("record.json", &shown) != nil || p.json("body.json", &entered) != nil {
		return false
	}
	for _, record := range shown {
		for name, value := range entered {
			if _, there := record[name]; !there || string(record[name]) != string(value) {
				return false
			}
		}
	}
	return true
}

// checkMessages holds the messages against the digests that events have, both ways.
func (p *pack) checkMessages(told map[string]bool) {
	delete(told, "")
	files, vouched := 0, 0
	have := map[string]bool{}
	for name, digest := range p.digests {
		if !isMessage(name) {
			continue
		}
		files++
		have[digest] = true
		if told[digest] {
			vouched++
		}
	}
	missing := 0
	for digest := range told {
		if !have[digest] {
			missing++
		}
	}
	if missing > 0 {
		p.report.fails("%d messages that events tell of are not in the pack.", missing)
		return
	}
	if files > 0 {
		p.report.holds("Of %d messages, events tell of %d with the digest of their bytes; the others are vouched for by the signature alone.", files, vouched)
	}
}
