package exportcontrol

import (
	"fmt"
	"strings"
)

// cue is a sign that goods fall under an entry: the description has one of some
// phrases, one of others with it where any are named, and none of those that
// speak against it. Phrases are parted by commas.
type cue struct {
	entry   string
	weight  float64
	any     string
	with    string
	without string
}

// Weights of cues. From needing up goods need a licence, from doubting up they
// probably do.
const (
	certain  = 0.95 // nothing else goes by this name
	strong   = 0.85
	likely   = 0.75
	possible = 0.55 // the figures decide
	hint     = 0.30

	needing  = 0.70
	doubting = 0.40
)

// sign is a cue whose phrases are numbers of a book.
type sign struct {
	entry              string
	weight             float64
	any, with, without []int
}

// lists are all that the classifier reads by.
type lists struct {
	book  *book
	signs []sign
	by    map[int][]int // signs, by the phrases that they begin with
	words map[topic][]int

	barred []int // goods that nobody may deal in
}

func compile(tables ...[]cue) *lists {
	l := &lists{book: newBook(), by: map[int][]int{}, words: map[topic][]int{}}
	for _, d := range decoys {
		for p := range strings.SplitSeq(d, ",") {
			l.book.add(p, true)
		}
	}
	for _, table := range tables {
		for _, c := range table {
			s := sign{entry: c.entry, weight: c.weight, any: l.book.addAll(c.any), with: l.book.addAll(c.with), without: l.book.addAll(c.without)}
			for _, p := range s.any {
				l.by[p] = append(l.by[p], len(l.signs))
			}
			l.signs = append(l.signs, s)
		}
	}
	for t := range lastTopic {
		if l.words[t] = l.book.addAll(topics[t]); len(l.words[t]) == 0 {
			panic(fmt.Sprintf("control: topic %d has no words", t))
		}
	}
	l.barred = l.book.addAll(barred)
	return l
}

// candidates are the entries that a text points to, each by its strongest cue.
func (l *lists) candidates(f found) map[string]Entry {
	all := map[string]Entry{}
	for _, p := range f.order {
		for _, i := range l.by[p] {
			s := &l.signs[i]
			if s.weight <= all[s.entry].Confidence || !s.fires(f) {
				continue
			}
			all[s.entry] = Entry{Entry: s.entry, Confidence: s.weight, Why: "the description says “" + f.text[p] + "”"}
		}
	}
	return all
}

func (s *sign) fires(f found) bool {
	if _, not := f.any(s.without); not {
		return false
	}
	if len(s.with) == 0 {
		return true
	}
	_, with := f.any(s.with)
	return with
}
