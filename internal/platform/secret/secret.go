// Package secret keeps secrets that are part of a record's input, such as the access codes of guarantees: they are accepted
// as text, stored encrypted beside the record, and shown as {"set": true}.
package secret

import (
	"encoding/json"
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Text is a secret in a body: its text when a caller sends it, and Mask when a stored one is meant. It is written as
// {"set": true}, so that a body that is written again holds no secret.
type Text string

// Mask stands for a stored secret, also in a document that is shown.
const Mask Text = "****"

// shown is how answers show a secret.
var shown = []byte(`{"set":true}`)

// errForm is the error of a value that is neither a text nor {"set": true}.
var errForm = errors.New(`must be text, or {"set": true} for the stored one`)

// MarshalJSON hides the text.
func (t Text) MarshalJSON() ([]byte, error) { return shown, nil }

// UnmarshalJSON reads a text, or {"set": true} as Mask.
func (t *Text) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '{' {
		var o struct{ Set bool }
		if json.Unmarshal(raw, &o) != nil || !o.Set {
			return errForm
		}
		*t = Mask
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return errForm
	}
	*t = Text(text)
	return nil
}

// Given is one secret of a body.
type Given struct {
	Index int    // of its entry in the list, from 0
	Same  string // identifies the entry: a stored secret is only kept for an entry with the same values
	Text  Text
}

// Keep returns the secrets of a body with the stored ones for those that are masked. Each masked one takes a stored secret of
// an entry with the same values, at the same index if there is one. The details name those that are not stored.
func Keep(path func(index int) string, given, stored []Given) (kept []Given, details []apierr.Detail) {
	used := make([]bool, len(stored))
	find := func(g Given, sameIndex bool) bool {
		for n, s := range stored {
			if !used[n] && s.Same == g.Same && (!sameIndex || s.Index == g.Index) {
				used[n] = true
				g.Text = s.Text
				kept = append(kept, g)
				return true
			}
		}
		return false
	}
	var moved []Given
	for _, g := range given {
		switch {
		case g.Text != Mask:
			kept = append(kept, g)
		case !find(g, true):
			moved = append(moved, g)
		}
	}
	for _, g := range moved {
		if !find(g, false) {
			details = append(details, apierr.Detail{Field: path(g.Index), Message: "is not stored for these values; send it as text"})
		}
	}
	return kept, details
}
