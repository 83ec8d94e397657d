package search

import (
	"strings"
	"unicode"
)

// Limits of words.
const (
	maxWordBytes  = 40   // bytes; longer words are cut
	maxWords      = 1000 // per declaration
	maxQueryWords = 8    // per query
)

// wordsOf returns the distinct words of some texts in upper case, in order.
func wordsOf(most int, texts ...string) (words []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(strings.ToUpper(text), isSeparator) {
			if word = truncate(word); seen[word] {
				continue
			}
			if len(words) == most {
				return words
			}
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func truncate(word string) string {
	if len(word) <= maxWordBytes {
		return word
	}
	return strings.ToValidUTF8(word[:maxWordBytes], "")
}

// Limits of references.
const (
	minReference  = 6   // minimum length of a prefix
	maxReferences = 200 // maximum matches per name
)

// reference returns a text that may be a prefix of an LRN or MRN, in upper case; otherwise "".
func reference(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	odd := func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' }
	if len(text) < minReference || strings.ContainsFunc(text, odd) || !strings.ContainsAny(text, "0123456789") {
		return ""
	}
	return text
}
