package check

import (
	"encoding/json"
	"maps"
	"slices"
)

type timelineEntry struct {
	OccurredAt, Kind, Title, FromStatus, ToStatus, ActorUserID, File string
	Sequence                                                         int64
}

// checkTimeline compares the timeline with the events and messages.
func (p *pack) checkTimeline() {
	failed := len(p.report.Findings)
	next, messages, latest := 0, map[string]bool{}, ""
	err := each(p, "timeline.json", func(m timelineEntry) {
		if m.OccurredAt < latest {
			p.report.fail("The timeline is out of order at %s.", m.OccurredAt)
		}
		latest = m.OccurredAt
		if m.Kind != "event" {
			if messages[m.File] = true; p.digests[m.File] == "" {
				p.report.fail("The timeline names %s, which is not in the manifest.", m.File)
			}
			return
		}
		if next >= len(p.events) || !m.matches(&p.events[next]) {
			p.report.fail("The timeline shows event %d differently from events.json.", m.Sequence)
		}
		next++
	})
	if err != nil {
		p.report.fail("The timeline cannot be read.")
		return
	}
	if next < len(p.events) {
		p.report.fail("The timeline does not contain event %d.", p.events[next].Sequence)
	}
	for _, name := range slices.Sorted(maps.Keys(p.digests)) {
		if isMessage(name) && !messages[name] {
			p.report.fail("The timeline does not contain %s.", name)
		}
	}
	p.checkStates()
	if len(p.report.Findings) == failed {
		p.report.pass("The timeline contains these events and %d messages, and each status follows from the previous one.", len(messages))
	}
}

func (m *timelineEntry) matches(e *event) bool {
	return m.Sequence == e.Sequence && m.Title == e.EventType && m.OccurredAt == e.OccurredAt &&
		m.FromStatus == e.FromStatus && m.ToStatus == e.ToStatus && m.ActorUserID == e.ActorUserID
}

// checkStates detects gaps in the changes of status.
func (p *pack) checkStates() {
	status := ""
	for i := range p.events {
		e := &p.events[i]
		if e.ToStatus == "" {
			continue
		}
		if status != "" && e.FromStatus != status {
			p.report.fail("Event %d starts from the status %s, but the previous event ended in %s.", e.Sequence, e.FromStatus, status)
		}
		status = e.ToStatus
	}
}

// checkRecord compares the record, its contents and its messages with the events.
func (p *pack) checkRecord() {
	var whole map[string]struct{ ID, Status string }
	if err := p.json("record.json", &whole); err != nil || len(whole) != 1 {
		p.report.fail("The record cannot be read.")
		return
	}
	status := ""
	body, known := "", false
	digests := map[string]bool{}
	for i := range p.events {
		e, t := &p.events[i], p.events[i].digests()
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
			p.report.fail("The record does not match its events: its ID or its status differs.")
		} else if status != "" {
			p.report.pass("The record is %s, as in its last event.", record.Status)
		}
	}
	p.checkBody(body, known)
	p.checkMessages(digests)
}

func (p *pack) checkBody(digest string, known bool) {
	switch {
	case !known:
		p.report.NotVerifiable = append(slices.Clone(p.report.NotVerifiable), "Whether the contents of the record match its events: no event has their digest.")
	case p.digests["body.json"] != digest:
		p.report.fail("The contents of the record (body.json) do not match its events.")
	case !p.containsEntered():
		p.report.fail("The record (record.json) does not contain the data that was entered (body.json).")
	default:
		p.report.pass("The contents of the record match the digest in its events.")
	}
}

// containsEntered reports whether the record contains all data that was entered.
func (p *pack) containsEntered() bool {
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

// checkMessages compares the messages with the digests in events, in both directions.
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
		p.report.fail("%d messages of events are missing from the pack.", missing)
		return
	}
	if files > 0 {
		p.report.pass("Of %d messages, events contain the digests of %d; the others are covered by the signature only.", files, vouched)
	}
}
