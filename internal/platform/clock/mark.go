package clock

import (
	"encoding/json"
	"fmt"
	"time"
)

// Mark is the service's time at a time of the reference. Instances agree on it, and a new instance continues
// from it.
type Mark struct {
	Reference time.Time `json:"reference"`
	Time      time.Time `json:"time"`
}

// At returns the time at a later reference time: the reference or, if that is behind, the time since the mark at half
// speed.
func (m Mark) At(reference time.Time) time.Time {
	slow := m.Time.Add(max(0, reference.Sub(m.Reference)) / 2)
	if slow.After(reference) {
		return slow
	}
	return reference
}

// Ends returns when the time is equal to the reference again.
func (m Mark) Ends() time.Time { return m.Reference.Add(max(0, 2*m.Time.Sub(m.Reference))) }

func (m Mark) equal(other Mark) bool {
	return m.Reference.Equal(other.Reference) && m.Time.Equal(other.Time)
}

// String returns the mark as it is stored.
func (m Mark) String() string {
	text, _ := json.Marshal(Mark{m.Reference.UTC(), m.Time.UTC()})
	return string(text)
}

// ReadMark reads a stored mark.
func ReadMark(text string) (m Mark, err error) {
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("clock: mark: %w", err)
	}
	return m, nil
}
