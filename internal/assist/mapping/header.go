package mapping

import (
	"strings"
)

// header is what stands above a column, taken apart.
type header struct {
	words   []string
	generic bool // it says nothing: Column 3, F1, X
	alien   bool // it says something that is no field of a client
	second  bool // it is of the other of two: delivery, accounts
	matches map[string]said
}

// said is how a header says a field.
type said struct {
	points   int
	way      way
	language string
	phrase   string
}

// way is how plainly a header says it.
type way int

const (
	notAtAll way = iota
	plainly
	nearly    // misspelt
	shortened // an abbreviation
	partly    // among other words
)

// Points of the ways.
const (
	exactly    = 100
	ofOwner    = 94 // with a word for whose it is
	counted    = 90 // with a word for number behind
	inPart     = 88 // before or behind a stroke or in brackets
	misspelt   = 80
	abridged   = 74
	atTheEnd   = 68
	amongWords = 46
	mostRank   = 8  // that being further behind in the vocabulary costs
	otherOne   = 26 // that being of the other of two costs
)

func headerOf(text string) header {
	h := header{words: wordsOf(text), matches: map[string]said{}}
	h.generic = isGeneric(h.words)
	for i, w := range h.words {
		h.alien = h.alien || sets["alien"][w] || i > 0 && sets["alien"][h.words[i-1]+w]
		h.second = h.second || sets["second"][w]
	}
	if h.alien {
		h.alien = !h.whole(h.words)
	}
	if h.alien {
		return h
	}
	h.look(h.words, 0)
	if len(h.matches) == 0 {
		h.fuzzy(strings.Join(h.words, ""), 0)
	}
	for _, part := range parts(text) {
		h.look(part, exactly-inPart)
	}
	if h.second {
		for field, s := range h.matches {
			s.points -= otherOne
			h.matches[field] = s
		}
	}
	return h
}

// whole tells whether a header is in the vocabulary as it stands.
func (h *header) whole(words []string) bool { return bySqueezed[strings.Join(words, "")] != nil }

// look notes what words say, at a cost.
func (h *header) look(words []string, cost int) {
	words, trailing := unnumbered(words)
	cost += trailing
	all := strings.Join(words, "")
	h.exact(all, exactly-cost, "")
	owned := strings.Join(withoutOwner(words), "")
	h.exact(owned, ofOwner-cost, "")
	counting := withoutCounting(words)
	h.exact(strings.Join(counting, ""), counted-cost, all)
	h.exact(strings.Join(withoutOwner(counting), ""), counted-2-cost, all)
	h.exact(unglued(all), counted-cost, all)
	h.exact(unglued(owned), counted-2-cost, all)
	h.within(words, cost)
	if len(h.matches) == 0 {
		h.abbreviated(words, cost)
		h.fuzzy(all, cost)
		h.fuzzy(owned, cost+2)
	}
}

// exact notes the fields that a text without blanks is a phrase of. Where a word for
// number was taken off the whole, only what has a number can be meant.
func (h *header) exact(squeezed string, points int, whole string) {
	for _, p := range bySqueezed[squeezed] {
		if whole == "" || whole == squeezed || numbered[p.field] {
			h.note(p, points-min(p.rank/2, mostRank), plainly)
		}
	}
}

func (h *header) note(p phrase, points int, w way) {
	if points > h.matches[p.field].points {
		h.matches[p.field] = said{points, w, p.language, p.text}
	}
}

// within notes phrases among the words: surer at the end, and the longer ones.
func (h *header) within(words []string, cost int) {
	all := " " + strings.Join(words, " ") + " "
	bare := withoutCounting(words)
	ending := " " + strings.Join(bare, " ") + " "
	for _, p := range phrases {
		if !p.han && (len(p.squeezed) < 3 || len(p.padded) >= len(all)) {
			continue
		}
		length := 2 * strings.Count(p.text, " ")
		switch text := p.padded; {
		case p.han && len(p.text) >= len("邮编") && strings.HasSuffix(all, p.text+" "):
			h.note(p, atTheEnd+len(p.text)/3-cost, partly)
		case strings.HasSuffix(all, text):
			h.note(p, atTheEnd+length-cost, partly)
		case numbered[p.field] && strings.HasSuffix(ending, text):
			h.note(p, atTheEnd-1+length-cost, partly)
		case len(bare) == len(words) && strings.Contains(all, text):
			h.note(p, amongWords+length-cost, partly)
		case numbered[p.field] && strings.Contains(all, text):
			h.note(p, amongWords+length-cost, partly)
		}
	}
}

// shortest is the least that an abbreviation leaves of a word.
const shortest = 4

// abbreviated notes phrases whose words begin as the header's do.
func (h *header) abbreviated(words []string, cost int) {
	for _, p := range phrases {
		of := strings.Fields(p.text)
		if len(of) != len(words) {
			continue
		}
		fits := true
		for i, w := range words {
			fits = fits && (w == of[i] || len(w) >= shortest && strings.HasPrefix(of[i], w))
		}
		if fits {
			h.note(p, abridged-min(p.rank/2, mostRank)-cost, shortened)
		}
	}
}

// fuzzy notes phrases that a header is a slip of the keys away from.
func (h *header) fuzzy(squeezed string, cost int) {
	digits := digitsOf(squeezed)
	if isHan(squeezed) {
		return
	}
	for _, p := range phrases {
		longer := max(len(p.squeezed), len(squeezed))
		most := 1
		if longer >= 10 {
			most = 2
		}
		if longer < 5 || len(p.squeezed) < 4 || longer-min(len(p.squeezed), len(squeezed)) > most || digits != p.digits {
			continue
		}
		if d := distance(squeezed, p.squeezed, most); d > 0 && d <= most {
			h.note(p, misspelt-4*d-min(p.rank/2, mostRank)-cost, nearly)
		}
	}
}
