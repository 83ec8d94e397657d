package search

import (
	"strings"
	"unicode"
)

// Limits of words.
const (
	longest   = 40   // letters; what is longer is cut
	maxWords  = 1000 // of one declaration
	maxSought = 8    // of one question
)

// wordsOf are the words of some texts in capitals, each once, in their order.
func wordsOf(most int, texts ...string) (words []string) {
	seen := map[string]bool{}
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(strings.ToUpper(text), apart) {
			if word = cut(word); seen[word] {
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

func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func cut(word string) string {
	if len(word) <= longest {
		return word
	}
	return strings.ToValidUTF8(word[:longest], "")
}

// Limits of references.
const (
	leastReference = 6   // letters that the beginning of one has
	mostReferences = 200 // that are looked at
)

// reference is a text that may be an LRN or an MRN, or the beginning of one; empty
// where it cannot be.
func reference(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	odd := func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' }
	if len(text) < leastReference || strings.ContainsFunc(text, odd) || !strings.ContainsAny(text, "0123456789") {
		return ""
	}
	return text
}
