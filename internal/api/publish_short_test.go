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

// What explains a sentence is left out; units, lists, short words before a colon, and what stands in parentheses stay.
func TestMainClause(t *testing.T) {
	for text, want := range map[string]string{
		"Box 8: goods": "Box 8: goods", "Authorisations held (DE 3/39)": "Authorisations held", "Office of exit (exports)": "Office of exit (exports)",
		"Token in the address, which is shown once": "Token in the address", "Mass of the product, in kilograms": "Mass of the product, in kilograms",
		"The proof of RFC 6962, section 2.1.2: hashes, hex": "The proof of RFC 6962, section 2.1.2", "D: a DUCR, M: a MUCR": "D: a DUCR, M: a MUCR",
		"The code (a number, if it has one, or a word) of it": "The code (a number, if it has one, or a word) of it",
	} {
		if got := mainClause(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
