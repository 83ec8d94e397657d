package clock

import (
	"encoding/json"
	"fmt"
	"time"
)

// Mark says what the time was at an instant of the reference. It is all that instances
// have to agree on, and what an instance that starts anew goes on from.
type Mark struct {
	Reference time.Time `json:"reference"`
	Time      time.Time `json:"time"`
}

// At is the time at a later instant of the reference: the reference, or what half the
// speed since the mark has come to, where that is ahead.
func (m Mark) At(reference time.Time) time.Time {
	slow := m.Time.Add(max(0, reference.Sub(m.Reference)) / 2)
	if slow.After(reference) {
		return slow
	}
	return reference
}

// Ends is when the time is right again, by the reference.
func (m Mark) Ends() time.Time { return m.Reference.Add(max(0, 2*m.Time.Sub(m.Reference))) }

func (m Mark) equal(other Mark) bool {
	return m.Reference.Equal(other.Reference) && m.Time.Equal(other.Time)
}

// String is how a mark is stored.
func (m Mark) String() string {
	text, _ := json.Marshal(Mark{m.Reference.UTC(), m.Time.UTC()})
	return string(text)
}

// ReadMark reads a mark that was stored.
func ReadMark(text string) (m Mark, err error) {
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("clock: mark: %w", err)
	}
	return m, nil
}
