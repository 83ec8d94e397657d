package exportcontrol

import (
	"fmt"
	"slices"
	"strings"
)

// cue is evidence for an entry: the description contains one of the main phrases, one of the additional phrases if there are
// any, and none of the excluding phrases. Phrases are separated by commas.
type cue struct {
	entry   string
	weight  float64
	any     string
	with    string
	without string
}

// Weights of cues. From needing on, goods need a licence; from doubting on, they probably do.
const (
	certain  = 0.95 // the name is unambiguous
	strong   = 0.85
	likely   = 0.75
	possible = 0.55 // the technical data decides
	hint     = 0.30

	needing  = 0.70
	doubting = 0.40
)

// compiledCue is a cue with phrases as their numbers in the index.
type compiledCue struct {
	entry              string
	weight             float64
	any, with, without []int
}

// cueIndex are the compiled tables of the classifier.
type cueIndex struct {
	phrases *phraseIndex
	signs   []compiledCue
	by      map[int][]int // signs, by their main phrases
	words   map[topic][]int

	beasts map[int]bool // names of animals of the endangered species regulation; true for furred and feathered ones
	woods  map[int]bool // names of woods of the regulation, which colours have too
	matter []int        // words for animals and their parts
	barred []int        // phrases for prohibited goods
}

func compile(tables ...[]cue) *cueIndex {
	l := &cueIndex{phrases: newPhraseIndex(), by: map[int][]int{}, words: map[topic][]int{}}
	for _, d := range decoys {
		for p := range strings.SplitSeq(d, ",") {
			l.phrases.add(p, true)
		}
	}
	for _, table := range tables {
		for _, c := range table {
			s := compiledCue{entry: c.entry, weight: c.weight, any: l.phrases.addAll(c.any), with: l.phrases.addAll(c.with), without: l.phrases.addAll(c.without)}
			for _, p := range s.any {
				l.by[p] = append(l.by[p], len(l.signs))
			}
			l.signs = append(l.signs, s)
		}
	}
	for t := range lastTopic {
		if l.words[t] = l.phrases.addAll(topics[t]); len(l.words[t]) == 0 {
			panic(fmt.Sprintf("control: topic %d has no words", t))
		}
	}
	l.beasts, l.matter = map[int]bool{}, l.phrases.addAll(animalMatter)
	for _, f := range slices.Concat(furred, others) {
		for _, p := range l.phrases.addAll(f.names + "," + f.shared) {
			l.beasts[p] = false
		}
	}
	for _, f := range furred {
		for _, p := range l.phrases.addAll(f.names + "," + f.shared) {
			l.beasts[p] = true
		}
	}
	l.woods = map[int]bool{}
	for _, p := range plants[:timbers] {
		for _, n := range l.phrases.addAll(p.names + ", mahogany") {
			l.woods[n] = true
		}
	}
	l.barred = l.phrases.addAll(prohibitedPhrases)
	return l
}

// Entries of vessels, of detonators, and of substances, whose names the nouns of food have too: “TNT flakes”.
const (
	vessels    = "ML9"
	detonators = "1A007"
)

var substance = map[string]bool{"ML7": true, "ML8": true}

// candidates returns the entries for the phrases in a text, each with its strongest cue. A phrase that says only what goods
// look like, or which food they are, counts a third.
func (l *cueIndex) candidates(f matches) map[string]Entry {
	all, weak, styled, named := map[string]Entry{}, l.likenesses(f), l.styles(f), l.namesakes(f)
	eaten, alone, tinted := l.attributes(f), l.civilNames(f), l.tints(f)
	for _, p := range f.order {
		for _, i := range l.by[p] {
			s := &l.signs[i]
			weight := s.weight
			if r := regimeOf(s.entry); styled[p] || weak[p] && strategic(r) || alone[p] && (r == Military || s.entry == detonators) && !substance[s.entry] || eaten[p] && r == Military || f.onRoad(p) && s.entry == vessels || (named[p] || tinted[p]) && r == CITES {
				weight *= imitationFactor
			}
			if weight <= all[s.entry].Confidence || !s.fires(f) {
				continue
			}
			all[s.entry] = Entry{Entry: s.entry, Confidence: weight, Why: "the description says “" + f.text[p] + "”"}
		}
	}
	return all
}

func (s *compiledCue) fires(f matches) bool {
	if _, not := f.any(s.without); not {
		return false
	}
	if len(s.with) == 0 {
		return true
	}
	_, with := f.any(s.with)
	return with
}
