package classify

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed lexicon.txt
var tradeWords string

//go:embed brands.txt
var brandWords string

// lexicon maps words of trade to the tariff's words for them, and brands to their goods.
type lexicon struct {
	implied map[string][]string // stems by name: the stems of a word or phrase, separated by spaces
}

// standardLexicon is read once and never changes.
var standardLexicon = sync.OnceValue(func() *lexicon { return newLexicon(tradeWords, brandWords) })

// newLexicon reads lines such as "trainers, sneakers = sports footwear".
func newLexicon(tables ...string) *lexicon {
	l := &lexicon{implied: map[string][]string{}}
	for _, line := range strings.Split(strings.Join(tables, "\n"), "\n") {
		names, meaning, ok := strings.Cut(line, " = ")
		if !ok {
			continue
		}
		for _, name := range strings.Split(names, ", ") {
			key := strings.Join(stems(name), " ")
			l.implied[key] = append(l.implied[key], stems(meaning)...)
		}
	}
	return l
}

// stems returns the stems of a text's words, without filler words.
func stems(text string) (all []string) {
	for _, w := range split(text) {
		if w != clauseEnd && !filler[w] {
			all = append(all, stem(w))
		}
	}
	return all
}

// term is a word's stem and weight.
type term struct {
	stem    string
	word    string // as written, in lower case
	weight  float64
	implied bool // added by the lexicon, not in the text
}

const (
	// decay is the weight of a word relative to the word before it: half after fourteen words.
	decay = 0.952
	// impliedWeight is the weight of an implied word relative to the word that implies it.
	impliedWeight = 0.5
	// longestName is the largest number of words in a name of the lexicon.
	longestName = 4
)

// terms returns the words that say what goods are, with a weight that falls from word to
// word, and after them the words that these imply.
func (l *lexicon) terms(text string) []term {
	words := joinLetters(affirmed(split(text)))
	all := make([]term, 0, 2*len(words))
	weight := 1.0
	for _, w := range words {
		if w == clauseEnd || filler[w] || isSize(w) {
			continue
		}
		all = append(all, term{stem: stem(w), word: w, weight: weight})
		weight = float64(weight * decay)
	}
	return l.explain(all)
}

// withLetter are words that begin with a single letter, which may be written apart: T shirt.
var withLetter = wordSet("tshirt tshirts ebike ebikes ecigarette ecigarettes eliquid eliquids xray xrays oring orings ubolt ubolts vbelt vbelts")

// joinLetters joins single letters with the word that they belong to.
func joinLetters(words []string) []string {
	all := words[:0]
	for _, w := range words {
		if last := len(all) - 1; last >= 0 && len(all[last]) == 1 && withLetter[all[last]+w] {
			all[last] += w
			continue
		}
		all = append(all, w)
	}
	return all
}

// explain adds the words that the terms imply. Longer names win over shorter ones.
func (l *lexicon) explain(own []term) []term {
	all := own
	for i := range own {
		for n := min(longestName, len(own)-i); n > 0; n-- {
			implied, known := l.implied[name(own[i:i+n])]
			for _, m := range implied {
				all = append(all, term{stem: m, word: own[i].word, weight: impliedWeight * own[i].weight, implied: true})
			}
			if known {
				break
			}
		}
	}
	return all
}

func name(of []term) string {
	key := of[0].stem
	for _, t := range of[1:] {
		key += " " + t.stem
	}
	return key
}
