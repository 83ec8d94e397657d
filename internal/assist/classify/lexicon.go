package classify

import (
	_ "embed"
	"strings"
)

//go:embed lexicon.txt
var tradeWords string

//go:embed brands.txt
var brandWords string

// lexicon knows what else the words of trade are called, and what a maker makes.
type lexicon struct {
	means map[string][]string // stems, by those of a word or phrase with spaces between
}

// newLexicon reads lines of names, "=" and what they mean. Names are parted by commas.
func newLexicon(tables ...string) *lexicon {
	l := &lexicon{means: map[string][]string{}}
	for _, line := range strings.Split(strings.Join(tables, "\n"), "\n") {
		names, meaning, ok := strings.Cut(line, " = ")
		if !ok {
			continue
		}
		for _, name := range strings.Split(names, ", ") {
			key := strings.Join(stems(name), " ")
			l.means[key] = append(l.means[key], stems(meaning)...)
		}
	}
	return l
}

// stems are those of a text's words that say something.
func stems(text string) (all []string) {
	for _, w := range split(text) {
		if w != pause && !empty[w] {
			all = append(all, stem(w))
		}
	}
	return all
}

// term is a word reduced to what its forms share, and how much it counts.
type term struct {
	stem   string
	word   string // as it was written
	weight float64
	meant  bool // by another word, and not said
}

const (
	// fading is what each word of a text weighs against the one before it: half after fourteen.
	fading = 0.952
	// meaning is what a word weighs that is not said but meant.
	meaning = 0.5
	// longestName is how many words a name of the lexicon has at most.
	longestName = 4
)

// terms are the words that say what goods are, the early ones before the late ones
// in weight, and after them what they mean otherwise.
func (l *lexicon) terms(text string) []term {
	words := joined(positive(split(text)))
	all := make([]term, 0, 2*len(words))
	weight := 1.0
	for _, w := range words {
		if w == pause || empty[w] || measured(w) {
			continue
		}
		all = append(all, term{stem: stem(w), word: w, weight: weight})
		weight = float64(weight * fading)
	}
	return l.explain(all)
}

// initials are words that a letter is part of, though it may stand apart: T shirt.
var initials = wordSet("tshirt tshirts ebike ebikes ecigarette ecigarettes eliquid eliquids xray xrays oring orings ubolt ubolts vbelt vbelts")

// joined puts letters that stand apart to the word that they are part of.
func joined(words []string) []string {
	all := words[:0]
	for _, w := range words {
		if last := len(all) - 1; last >= 0 && len(all[last]) == 1 && initials[all[last]+w] {
			all[last] += w
			continue
		}
		all = append(all, w)
	}
	return all
}

// explain adds what the longest names among the terms mean.
func (l *lexicon) explain(said []term) []term {
	all := said
	for i := range said {
		for n := min(longestName, len(said)-i); n > 0; n-- {
			means, known := l.means[name(said[i:i+n])]
			for _, m := range means {
				all = append(all, term{stem: m, word: said[i].word, weight: meaning * said[i].weight, meant: true})
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
