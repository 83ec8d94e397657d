package wording

import (
	"fmt"
	"time"
)

// Moment is one entry of a timeline: an event, or a message to or from an authority.
type Moment struct {
	At     time.Time
	Said   string // what happened, in a sentence
	Status string // that it came to; empty where it stayed, and of a kind that has only one
	Mark   string // how it stands out: good, bad, wait or note; empty for not at all
	Key    string // name of the API key that was used
	Note   string // what else there is to say, in a sentence
	Path   string // of the details
	Link   string // what the link to them is called
	Of     string // which details they are, for those who hear the link alone
}

// Moments are events as a timeline shows them.
func (b *Vocabulary) Moments(lines []Line) []Moment {
	all := make([]Moment, len(lines))
	for i, line := range lines {
		all[i] = b.Moment(line)
	}
	return all
}

// Moment is an event as a timeline shows it.
func (b *Vocabulary) Moment(l Line) Moment {
	m := Moment{
		At: l.OccurredAt, Said: l.String(), Key: l.Key, Path: fmt.Sprintf("/audit/%d", l.Sequence), Link: "Details", Of: fmt.Sprintf("of event %d", l.Sequence),
	}
	if t := b.types[l.ResourceType]; t != nil && len(t.Lifecycle.States) > 1 && l.FromStatus != l.ToStatus {
		m.Status = l.ToStatus
	}
	return m
}
