package rule

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var (
	massUnpadded = lazyregexp.New(`^\s*[+-]*([1-9.][0-9.]*|0(\.[0-9]*)?)\s*$`)
	massDigits   = lazyregexp.New(`^\s*([.+-]*[0-9][.+-]?){1,11}\s*$`)
	massPoint    = lazyregexp.New(`^\s*[+-]?([^.\s]*|[0-9]+\.[0-9]+)\s*$`)
)

// mass are the rules for a gross mass.
func mass(at string, more ...rule) []block {
	return []block{{at: at, rules: append([]rule{
		{8674, "A mass must have no leading zero.", matches(".", massUnpadded), ""},
		{8675, "A mass may have at most 11 digits.", matches(".", massDigits), ""},
		{8676, "A mass may have at most 3 digits after the point.", func(e *element.Element) bool { return fraction(e) <= 3 }, ""},
		{8677, "A mass with a point needs digits before and after it.", matches(".", massPoint), ""},
	}, more...)}}
}
