package api

import "testing"

// The first sentence ends at a semicolon or before a capital letter, not at an abbreviation or within a list of words.
func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "One": "One", "One. Two. Three": "One", "One (DE 6/14, 6/15). Required": "One (DE 6/14, 6/15)",
		"Or data. and a member. More": "Or data. and a member", "Grant or deny. 400 if refused": "Grant or deny. 400 if refused", "Ends with a stop.": "Ends with a stop.",
		"One; a note. Two": "One",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
