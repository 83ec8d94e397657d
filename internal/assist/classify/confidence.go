package classify

import "math"

// calibration is a table of how often a suggestion with a share has the right whole code.
type calibration []struct{ share, right float64 }

// Measured with make fit on training texts that were not in the index:
// isotonic regressions, thinned, and a little lower where there are few texts. A
// nomenclature without further texts has fewer words, and may lack codes.
var (
	withTexts = calibration{
		{0, 0}, {0.02, 0.02}, {0.05, 0.07}, {0.1, 0.12}, {0.15, 0.19}, {0.2, 0.25}, {0.23, 0.31}, {0.29, 0.39}, {0.35, 0.47}, {0.46, 0.58},
		{0.6, 0.73}, {0.72, 0.82}, {0.85, 0.9}, {1, 0.95},
	}
	alone = calibration{
		{0, 0}, {0.05, 0.05}, {0.1, 0.09}, {0.15, 0.13}, {0.23, 0.23}, {0.3, 0.29}, {0.4, 0.42}, {0.53, 0.58}, {0.65, 0.72}, {0.8, 0.82}, {1, 0.95},
	}
	// answered is the table after an answer that says which codes fit, if one answer in six is wrong: shares are then of the codes that
	// are left.
	answered = calibration{
		{0, 0}, {0.02, 0.02}, {0.045, 0.04}, {0.08, 0.065}, {0.11, 0.087}, {0.16, 0.17}, {0.21, 0.27}, {0.32, 0.37}, {0.41, 0.48}, {0.5, 0.5}, {0.61, 0.6}, {0.74, 0.75},
		{0.93, 0.88}, {0.965, 0.91}, {1, 0.95},
	}
)

// authoritativeConfidence is the confidence of a code to which all examples with the same
// words lead, one of them authoritative.
const authoritativeConfidence = 0.95

// confidence is how often a suggestion with a share is right, to two places.
func (r calibration) confidence(share float64) float64 {
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
