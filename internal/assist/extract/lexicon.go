package extract

import "strings"

// lexicon finds labels of values, or headers of columns: those of the grammar, and phrases whose words do not say
// their field.
type lexicon struct {
	phrases dictionary
	grammar *grammar
}

// begin finds the longest label at the beginning of words. Of a phrase and a composed label of the same length the
// phrase counts, unless it is of no field.
func (l *lexicon) begin(words []word) (key, int) {
	k, n := l.phrases.begin(words)
	if c := l.grammar.begin(words); (c.words > n || c.words == n && k == "other") && !(c.words == 1 && strings.Contains(string(c.key), ".address")) { // such as a street
		return c.key, c.words
	}
	return k, n
}

// foreign returns the number of words at the beginning that are a label of a field that is not read, such as the date
// of an order. Such a label is longer than any of a known field.
func (l *lexicon) foreign(words []word, known int) int {
	c := l.grammar.begin(words)
	if c.all > known && c.allOf > 1 && c.all > c.words {
		return c.all
	}
	return 0
}

// isLabel reports whether one word is a label.
func (l *lexicon) isLabel(w word) bool {
	_, n := l.begin([]word{w})
	return n > 0 || len(w.concepts) > 0
}
