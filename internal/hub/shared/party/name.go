// Package party judges the names of those who take part in a movement of goods.
package party

import (
	"slices"
	"strings"
	"unicode"
)

// placeholders are names that stand for none, in small letters without spaces or
// marks. The Union's import control system refuses most of them.
var placeholders = strings.Fields(`unknown na none tbc tba tbd test various private privateperson toorder same
	sameasabove asabove asper asperinvoice seeinvoice tobeadvised tobeannounced tobeconfirmed tobedecided tobedetermined tobenotified
	notknown notavailable notapplicable anonymous consignee consignor customer supplier sender receiver x xx xxx`)

// longestPlaceholder is in letters.
var longestPlaceholder = len(slices.MaxFunc(placeholders, func(a, b string) int { return len(a) - len(b) }))

// Placeholder tells whether a name is none.
func Placeholder(name string) bool {
	var squeezed []rune
	lettered := false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		lettered = lettered || unicode.IsLetter(r)
		squeezed = append(squeezed, unicode.ToLower(r))
		if lettered && len(squeezed) > longestPlaceholder {
			return false
		}
	}
	return !lettered || slices.Contains(placeholders, string(squeezed))
}
