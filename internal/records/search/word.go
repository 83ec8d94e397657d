package search

import (
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Limits of words.
const (
	maxWordBytes  = 40   // bytes; longer words are cut
	maxWords      = 1000 // per declaration
	maxQueryWords = 8    // per query
)

// wordsOf returns the distinct words of some texts in upper case, in order. A UUID is one word, which no other text begins: people
// search for none, and its parts would match short words.
func wordsOf(most int, texts ...string) (words []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		for _, word := range split(text) {
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

// uuidMark begins the word of a UUID. No other word has it.
const uuidMark = "="

func split(text string) (words []string) {
	for _, part := range strings.Fields(text) {
		if isUUID(part) {
			words = append(words, uuidMark+strings.ToUpper(part))
			continue
		}
		words = append(words, strings.FieldsFunc(strings.ToUpper(part), isSeparator)...)
	}
	return words
}

func isUUID(text string) bool { return ident.IsUUID(strings.ToLower(text)) }

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
