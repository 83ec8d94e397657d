package wording

import (
	"fmt"
	"time"
)

// TimelineEntry is an event, or a message to or from an authority.
type TimelineEntry struct {
	At          time.Time
	Text        string // what happened, as a sentence
	Status      string // new status; empty if it did not change
	Colour      string // good, bad, wait, note, or empty for none
	Key         string // name of the API key that was used; empty for none
	Note        string // a further sentence
	Path        string // of the page with details
	LinkText    string // text of the link to Path
	LinkContext string // added to the link text for screen readers
}

// Timeline returns the timeline entries of events.
func (b *Vocabulary) Timeline(lines []Line) []TimelineEntry {
	all := make([]TimelineEntry, len(lines))
	for i, line := range lines {
		all[i] = b.Entry(line)
	}
	return all
}

// Entry returns the timeline entry of an event.
func (b *Vocabulary) Entry(l Line) TimelineEntry {
	m := TimelineEntry{
		At: l.OccurredAt, Text: l.String(), Key: l.Key, Path: fmt.Sprintf("/audit/%d", l.Sequence), LinkText: "Details", LinkContext: fmt.Sprintf("of event %d", l.Sequence),
	}
	if t := b.types[l.ResourceType]; t != nil && len(t.Lifecycle.States) > 1 && l.FromStatus != l.ToStatus {
		m.Status = l.ToStatus
	}
	return m
}
