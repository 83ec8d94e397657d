package search

import (
	"iter"
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
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		for word := range split(text) {
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

// split returns the words of a text in upper case.
func split(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for part := range strings.FieldsSeq(text) {
			if isUUID(part) {
				if !yield(uuidMark + strings.ToUpper(part)) {
					return
				}
				continue
			}
			for word := range strings.FieldsFuncSeq(strings.ToUpper(part), isSeparator) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

func isUUID(text string) bool { return len(text) == uuidLength && ident.IsUUID(strings.ToLower(text)) }

const uuidLength = 36

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
