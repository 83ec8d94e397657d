package classify

import "math"

// calibration is how often a suggestion's whole code was right by its share: an
// isotonic regression over training texts that the index had not seen, thinned
// (go run ./test/accuracy -fit).
var calibration = [...]struct{ share, right float64 }{
	{0, 0}, {0.02, 0.02}, {0.05, 0.09}, {0.1, 0.14}, {0.13, 0.21}, {0.2, 0.24}, {0.25, 0.33}, {0.3, 0.39}, {0.4, 0.49},
	{0.5, 0.56}, {0.6, 0.67}, {0.75, 0.78}, {0.9, 0.83}, {1, 0.88},
}

// settledConfidence is that of a code to which all texts of the same words lead.
const settledConfidence = 0.95

// confidence is how often a suggestion with a share is right, to two places.
func confidence(share float64) float64 {
	const places = 100
	last := calibration[0]
	for _, c := range calibration[1:] {
		if share <= c.share {
			right := last.right + float64((c.right-last.right)*(share-last.share))/(c.share-last.share)
			return math.Round(right*places) / places
		}
		last = c
	}
	return last.right
}
