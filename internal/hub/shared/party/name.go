// Package party checks the names of the parties to a movement of goods.
package party

import (
	"slices"
	"strings"
	"unicode"
)

// placeholders lists texts that are not names, in lower case without spaces and punctuation. The EU Import Control
// System (ICS2) rejects most of them.
var placeholders = strings.Fields(`unknown na none tbc tba tbd test various private privateperson toorder same
	sameasabove asabove asper asperinvoice seeinvoice tobeadvised tobeannounced tobeconfirmed tobedecided tobedetermined tobenotified
	notknown notavailable notapplicable anonymous consignee consignor customer supplier sender receiver x xx xxx`)

// longestPlaceholder is a number of letters.
var longestPlaceholder = len(slices.MaxFunc(placeholders, func(a, b string) int { return len(a) - len(b) }))

// Placeholder reports whether a text stands in for a missing name, such as "n/a" or "to order".
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
