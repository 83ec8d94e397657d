package exportcontrol

import "strings"

// phraseIndex finds many phrases in a text at once. The cost depends on the length of the text, not on the number of phrases.
type phraseIndex struct {
	root   *phraseNode
	number int
}

// phraseNode is a node in the tree of phrases, by word.
type phraseNode struct {
	next   map[string]*phraseNode
	phrase int  // number of the phrase that ends here, or 0
	decoy  bool // a phrase in which words of the lists are harmless
	listed bool // a phrase of the lists
}

func newPhraseIndex() *phraseIndex { return &phraseIndex{root: &phraseNode{}} }

// add returns the number of a phrase, the same for the same words.
func (b *phraseIndex) add(phrase string, decoy bool) int {
	at := b.root
	for _, w := range wordsOf(phrase) {
		if at.next == nil {
			at.next = map[string]*phraseNode{}
		}
		if at.next[w] == nil {
			at.next[w] = &phraseNode{}
		}
		at = at.next[w]
	}
	if at.phrase == 0 {
		b.number++
		at.phrase = b.number
	}
	at.decoy, at.listed = at.decoy || decoy, at.listed || !decoy
	return at.phrase
}

// addAll adds phrases separated by commas.
func (b *phraseIndex) addAll(phrases string) (numbers []int) {
	for _, p := range strings.Split(phrases, ",") {
		if strings.TrimSpace(p) != "" {
			numbers = append(numbers, b.add(p, false))
		}
	}
	return numbers
}

// matches holds the phrases of a text, by number and in the order of the text.
type matches struct {
	order []int
	text  map[int]string
	words []string
	spans map[int][]span // where each phrase stands
	ends  []int          // numbers of words before which a clause has ended
	cuts  []int          // the same, and those before which a comma stands

	plurals []int // numbers of words that stood in the plural

	heading int // number of words before a colon, if they may be a heading
}

// span is a range of words, without its end.
type span struct{ from, to int }

// any returns the first of some phrases in the text.
func (f matches) any(phrases []int) (string, bool) {
	for _, p := range phrases {
		if text, ok := f.text[p]; ok {
			return text, true
		}
	}
	return "", false
}

// find returns the phrases of a text. It skips the words of decoys, the longest decoy first, and negated phrases.
// A phrase does not run over the end of a clause or a comma.
func (b *phraseIndex) find(r reader) matches {
	if len(r.all) == 0 {
		return matches{}
	}
	words, cut := r.all, make([]bool, len(r.all)+1)
	for _, at := range r.cuts {
		cut[at] = true
	}
	begins := make([]*phraseNode, len(words)) // nodes of words that start a phrase; nil for most words
	for i, w := range words {
		begins[i] = b.root.next[w]
	}
	all := matches{text: map[int]string{}, words: words, spans: map[int][]span{}, ends: r.ends, cuts: r.cuts, plurals: r.plurals, heading: r.heading}
	masked := all.mask(begins, cut)
	denying := 0 // words before this index are negated
	for from, at := range begins {
		for to := from; at != nil && !masked[to]; to++ {
			if at.phrase != 0 {
				if from < denying || negated(words[:from]) {
					denying = max(denying, to+1)
				} else {
					all.add(at.phrase, span{from, to + 1})
				}
			}
			if to+1 == len(words) || cut[to+1] {
				break
			}
			at = at.next[words[to+1]]
		}
	}
	return all
}

func (f *matches) add(phrase int, s span) {
	if _, known := f.text[phrase]; !known {
		f.order = append(f.order, phrase)
		f.text[phrase] = strings.Join(f.words[s.from:s.to], " ")
	}
	f.spans[phrase] = append(f.spans[phrase], s)
}

// mask marks the words of decoys, and adds those that are also phrases of the lists, such as “board game”.
func (f *matches) mask(begins []*phraseNode, cut []bool) []bool {
	words, masked := f.words, make([]bool, len(f.words))
	for from := 0; from < len(words); from++ {
		end, listed := from, 0
		for at, to := begins[from], from; at != nil; to++ {
			if at.decoy {
				end, listed = to+1, 0
				if at.listed {
					listed = at.phrase
				}
			}
			if to+1 == len(words) || cut[to+1] {
				break
			}
			at = at.next[words[to+1]]
		}
		for i := from; i < end; i++ {
			masked[i] = true
		}
		if listed != 0 && !negated(words[:from]) {
			f.add(listed, span{from, end})
		}
		from = max(from, end-1)
	}
	return masked
}

// negated reports whether the next words are negated, as in “not for use in …”.
func negated(before []string) bool {
	for i := len(before) - 1; i >= 0 && i >= len(before)-5; i-- {
		switch before[i] {
		case "not", "no", "non", "without", "never", "excluding", "except", "neither", "nor":
			return true
		case "for", "a", "an", "any", "the", "of", "in", "use", "used", "to", "be", "suitable", "intended", "designed", "with", "as":
			continue
		}
		return false
	}
	return false
}
