package mapping

import (
	"strings"
)

// header is the parsed header of a column.
type header struct {
	words     []string
	generic   bool // it means nothing: Column 3, F1, X
	notClient bool // it means something that is not a field of a client
	second    bool // it belongs to a second set of columns: delivery, accounts
	matches   map[string]headerMatch
}

// headerMatch is how a header names a field.
type headerMatch struct {
	points   int
	way      way
	language string
	phrase   string
}

// way is how clearly a header names a field.
type way int

const (
	notAtAll way = iota
	plainly
	nearly     // misspelt
	shortened  // an abbreviation
	partly     // among other words
	lettersOut // an abbreviation that leaves letters out
)

// Points by the way in which a header names a field.
const (
	exactly          = 100
	ofOwner          = 94 // with a word for the owner
	counted          = 90 // followed by a word for number
	inPart           = 88 // on one side of a slash or in brackets
	misspelt         = 80
	abridged         = 74
	atTheEnd         = 68
	amongWords       = 46
	skeleton         = 36 // not enough without values that agree
	maxRankPenalty   = 8  // deducted for a later place in the vocabulary
	secondSetPenalty = 26 // deducted for the second set of columns
)

func headerOf(text string) header {
	h := header{words: wordsOf(text), matches: map[string]headerMatch{}}
	h.generic = isGeneric(h.words)
	for i, w := range h.words {
		h.notClient = h.notClient || sets()["alien"][w] || i > 0 && sets()["alien"][h.words[i-1]+w]
		h.second = h.second || sets()["second"][w]
	}
	if h.notClient {
		h.notClient = !h.whole(h.words)
	}
	if h.notClient {
		return h
	}
	h.findWords(h.words, 0)
	if len(h.matches) == 0 {
		h.fuzzy(strings.Join(h.words, ""), 0)
	}
	if len(h.matches) == 0 {
		h.skeletons(strings.Join(h.words, ""))
	}
	for _, part := range parts(text) {
		h.findWords(part, exactly-inPart)
	}
	if h.second {
		for field, s := range h.matches {
			s.points -= secondSetPenalty
			h.matches[field] = s
		}
	}
	return h
}

// whole reports whether the whole header is in the vocabulary.
func (h *header) whole(words []string) bool { return bySqueezed()[strings.Join(words, "")] != nil }

// findWords records the fields that words name, minus a deduction.
func (h *header) findWords(words []string, cost int) {
	words, trailing := unnumbered(words)
	cost += trailing
	all := strings.Join(words, "")
	h.exact(all, exactly-cost, "")
	owned := strings.Join(withoutOwner(words), "")
	h.exact(owned, ofOwner-cost, "")
	counting := withoutCounting(words)
	h.exact(strings.Join(counting, ""), counted-cost, all)
	h.exact(strings.Join(withoutOwner(counting), ""), counted-2-cost, all)
	h.exact(withoutJoinedNumber(all), counted-cost, all)
	h.exact(withoutJoinedNumber(owned), counted-2-cost, all)
	h.within(words, cost)
	if len(h.matches) == 0 {
		h.abbreviated(words, cost)
		h.fuzzy(all, cost)
		h.fuzzy(owned, cost+2)
	}
}

// exact records the fields with a phrase that equals a text without blanks. If a word for
// number was removed from whole, only numbered fields count.
func (h *header) exact(squeezed string, points int, whole string) {
	for _, p := range bySqueezed()[squeezed] {
		if whole == "" || whole == squeezed || numbered[p.field] {
			h.note(p, points-min(p.rank/2, maxRankPenalty), plainly)
		}
	}
}

func (h *header) note(p phrase, points int, w way) {
	if points > h.matches[p.field].points {
		h.matches[p.field] = headerMatch{points, w, p.language, p.text}
	}
}

// within records phrases among the words: with more points at the end and for longer phrases.
func (h *header) within(words []string, cost int) {
	all := " " + strings.Join(words, " ") + " "
	bare := withoutCounting(words)
	ending := " " + strings.Join(bare, " ") + " "
	for _, p := range phrases() {
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

// shortest is the smallest number of letters that an abbreviation leaves of a word.
const shortest = 4

// abbreviated records phrases whose words begin with the words of the header.
func (h *header) abbreviated(words []string, cost int) {
	for _, p := range phrases() {
		of := strings.Fields(p.text)
		if len(of) != len(words) {
			continue
		}
		fits := true
		for i, w := range words {
			fits = fits && (w == of[i] || len(w) >= shortest && strings.HasPrefix(of[i], w))
		}
		if fits {
			h.note(p, abridged-min(p.rank/2, maxRankPenalty)-cost, shortened)
		}
	}
}

// fuzzy records phrases that differ from a header by typing errors.
func (h *header) fuzzy(squeezed string, cost int) {
	digits := digitsOf(squeezed)
	if isHan(squeezed) {
		return
	}
	for _, p := range phrases() {
		longer := max(len(p.squeezed), len(squeezed))
		most := 1
		if longer >= 10 {
			most = 2
		}
		if longer < 5 || len(p.squeezed) < 4 || longer-min(len(p.squeezed), len(squeezed)) > most || digits != p.digits {
			continue
		}
		if d := distance(squeezed, p.squeezed, most); d > 0 && d <= most {
			h.note(p, misspelt-4*d-min(p.rank/2, maxRankPenalty)-cost, nearly)
		}
	}
}

// skeletons records phrases of which a header may be an abbreviation that leaves letters out, or the initials. The values must agree.
func (h *header) skeletons(squeezed string) {
	digits := digitsOf(squeezed)
	if squeezed = strings.TrimRight(squeezed, digits); isHan(squeezed) {
		return
	}
	for _, p := range phrases() {
		if numbered[p.field] && p.field != reference && len(squeezed) > 1 && squeezed == initials(p.text) {
			h.note(p, skeleton-min(p.rank/4, maxRankPenalty), lettersOut)
		}
		if p.digits != "" && p.digits != digits || p.field == contactName && len(squeezed) == shortestSkeleton {
			continue // three letters and names of people prove little
		}
		if isSkeleton(squeezed, p.squeezed) {
			h.note(p, skeleton-min(p.rank/4, maxRankPenalty), lettersOut)
		}
	}
}
