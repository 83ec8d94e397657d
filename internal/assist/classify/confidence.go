package classify

import "math"

// reliability is how often a suggestion's whole code was right by its share.
type reliability []struct{ share, right float64 }

// Measured on training texts that the index had not seen: isotonic regressions, thinned,
// and a little lower where few texts say so (go run ./test/accuracy -fit). A nomenclature
// by itself knows fewer words and, where it is not whole, has not every code.
var (
	withTexts = reliability{
		{0, 0}, {0.02, 0.02}, {0.05, 0.07}, {0.1, 0.12}, {0.15, 0.19}, {0.2, 0.25}, {0.23, 0.31}, {0.29, 0.39}, {0.35, 0.47}, {0.46, 0.58},
		{0.6, 0.73}, {0.72, 0.82}, {0.85, 0.9}, {1, 0.95},
	}
	alone = reliability{
		{0, 0}, {0.05, 0.05}, {0.1, 0.09}, {0.15, 0.13}, {0.23, 0.23}, {0.3, 0.29}, {0.4, 0.42}, {0.53, 0.58}, {0.65, 0.72}, {0.8, 0.82}, {1, 0.95},
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
