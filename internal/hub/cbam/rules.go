package cbam

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/review"
)

// Rules judge a report: its period, the codes and origins of the goods, their
// masses and values, the figures of the emissions, what they lean on, and the
// thresholds.
var Rules = slices.Concat(periodRules)

type (
	rules   = review.Rules[Report]
	remarks = []review.Remark
)
