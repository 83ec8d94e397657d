package mapping

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed vocabulary.txt
var vocabularyText string

//go:embed words.txt
var wordsText string

// phrase is a name of a field in headers.
type phrase struct {
	field, language string
	rank            int // smaller is more reliable
	text            string
	squeezed        string
	padded          string // with a blank before and after
	digits          string
	han             bool
}

// The vocabulary: all phrases, the phrases by their text without blanks, and the sets of
// words. They are read at their first use, and never change.
var (
	phrases    = sync.OnceValue(func() []phrase { return mustReadPhrases(vocabularyText) })
	bySqueezed = sync.OnceValue(func() map[string][]phrase { return indexed(phrases()) })
	sets       = sync.OnceValue(func() map[string]map[string]bool { return mustReadSets(wordsText) })
)

// languages by their codes.
var languages = map[string]string{
	"en": "English", "de": "German", "fr": "French", "nl": "Dutch", "pl": "Polish", "es": "Spanish",
	"it": "Italian", "pt": "Portuguese", "ro": "Romanian", "tr": "Turkish", "zh": "Chinese", "sv": "Swedish or Danish",
}

// mustReadPhrases reads vocabulary.txt; it panics on an error, as the file is part of the
// program.
func mustReadPhrases(text string) (all []phrase) {
	field := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		language, list, found := strings.Cut(line, ": ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !found && slices.Contains(fields, line):
			field = line
		case languages[language] != "" && field != "":
			for i, words := range strings.Split(list, ", ") {
				all = append(all, phrase{
					field: field, language: language, rank: i, text: words, squeezed: strings.ReplaceAll(words, " ", ""),
					padded: " " + words + " ", digits: digitsOf(words), han: isHan(words),
				})
			}
		default:
			panic(fmt.Sprintf("mapping: vocabulary.txt: %q", line))
		}
	}
	return all
}

func indexed(all []phrase) map[string][]phrase {
	m := map[string][]phrase{}
	for _, p := range all {
		m[p.squeezed] = append(m[p.squeezed], p)
	}
	return m
}

// mustReadSets reads words.txt.
func mustReadSets(text string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for line := range strings.Lines(text) {
		kind, list, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		all[kind] = map[string]bool{}
		for _, word := range strings.Split(list, ", ") {
			all[kind][word] = true
		}
	}
	return all
}
