package classify

import "github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"

const (
	// MaxHistory is how many texts of an organisation's own are read.
	MaxHistory = 2000
	// ownWeight is what such a text counts against one of everybody's.
	ownWeight = 2
)

// History are the goods that one organisation has declared and customs has taken, as
// texts that lead to codes. It belongs to the index that made it, does not change, and
// is safe for concurrent use.
type History struct{ texts *neighbours }

// History reads an organisation's texts, at most the first MaxHistory of them.
func (x *Index) History(texts []nomenclature.Text) *History {
	h := &History{newNeighbours(x.label(texts[:min(len(texts), MaxHistory)], nil))}
	h.texts.vectors = nil // only learning needs them
	return h
}

func (h *History) knows(stem string) bool {
	if h == nil {
		return false
	}
	_, known := h.texts.features[hash('w', stem)]
	return known
}

// find gives the texts that are most alike; there are none without a history.
func (h *History) find(terms []term) []similar {
	if h == nil {
		return nil
	}
	return h.texts.find(terms)
}
