package stock

import "strings"

// phrase is a text with places that have other words in every copy.
type phrase struct {
	pieces []string // one more than places
	places []int    // index of the word
}

// phraseOf finds words in a text.
func phraseOf(text string, words []word) (p phrase) {
	for {
		first, at := -1, len(text)
		for i, w := range words {
			if found := strings.Index(text, w.text); found >= 0 && found < at {
				first, at = i, found
			}
		}
		p.pieces = append(p.pieces, text[:at])
		if first < 0 {
			return p
		}
		p.places = append(p.places, first)
		text = text[at+len(words[first].text):]
	}
}

// with is the phrase of a copy with these words.
func (p *phrase) with(words []string) string {
	length := 0
	for i, piece := range p.pieces {
		length += len(piece)
		if i < len(p.places) {
			length += len(words[p.places[i]])
		}
	}
	var b strings.Builder
	b.Grow(length)
	for i, piece := range p.pieces {
		b.WriteString(piece)
		if i < len(p.places) {
			b.WriteString(words[p.places[i]])
		}
	}
	return b.String()
}
