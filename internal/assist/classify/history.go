package classify

import "github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"

const (
	// MaxHistory is the largest number of an organisation's texts in a history.
	MaxHistory = 2000
	// ownWeight is the weight of such a text relative to a shared one. With the three that follow it was chosen on parcel descriptions
	// of train_hmrc.jsonl: one half as own goods, the other asked, and search references asked to see what other goods lose.
	ownWeight     = 6
	ownShare      = 1.0 // evidence of own goods for a heading, like similarShare
	fullOwnTrust  = 0.5 // similarity of the closest own text from which it counts in full
	ownTrustPower = 3
)

// History holds the goods of one organisation, of its products and accepted declarations, as examples. It
// belongs to the index that made it, never changes and is safe for concurrent use.
type History struct{ examples *examples }

// History indexes an organisation's texts, at most the first MaxHistory of them.
func (x *Index) History(texts []nomenclature.Text) *History {
	noPause := func() error { return nil }
	own, _, _ := x.collect(texts[:min(len(texts), MaxHistory)], nil, func(example, []term) {}, noPause) // only a pause can fail
	return &History{own}
}

func (h *History) contains(stem string) bool {
	if h == nil {
		return false
	}
	_, known := h.examples.features[hash('w', stem)]
	return known
}

// find returns the most similar texts; none if h is nil.
func (h *History) find(terms []term) []similar {
	if h == nil {
		return nil
	}
	return h.examples.find(terms)
}
