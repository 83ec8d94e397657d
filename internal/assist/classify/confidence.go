package classify

import "math"

// reliability is how often a suggestion's whole code was right by its share.
type reliability []struct{ share, right float64 }

// Measured on descriptions of traders whose codes are known and that the index had not
// seen: isotonic regressions, thinned (go run ./test/accuracy -fit). A nomenclature by
// itself knows fewer words and, where it is not whole, has not every code.
var (
	withTexts = reliability{
		{0, 0}, {0.07, 0.07}, {0.12, 0.1}, {0.17, 0.15}, {0.25, 0.24}, {0.32, 0.3}, {0.45, 0.44}, {0.56, 0.59}, {0.7, 0.71}, {0.85, 0.81}, {1, 0.86},
	}
	alone = reliability{
		{0, 0}, {0.05, 0.03}, {0.1, 0.06}, {0.15, 0.07}, {0.3, 0.17}, {0.45, 0.27}, {0.65, 0.45}, {0.75, 0.55}, {0.85, 0.7}, {1, 0.85},
	}
)

// settledConfidence is that of a code to which all texts of the same words lead.
const settledConfidence = 0.95

// confidence is how often a suggestion with a share is right, to two places.
func (r reliability) confidence(share float64) float64 {
	const places = 100
	last := r[0]
	for _, point := range r[1:] {
		if share <= point.share {
			right := last.right + float64((point.right-last.right)*(share-last.share))/(point.share-last.share)
			return math.Round(right*places) / places
		}
		last = point
	}
	return last.right
}
