// Package party judges the names of those who take part in a movement of goods.
package party

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/goods"
)

// placeholders are names that stand for none, in small letters without spaces or
// marks. The Union's import control system refuses most of them.
var placeholders = strings.Fields(`unknown na none tbc tba tbd test various private privateperson toorder same
	sameasabove asabove asper asperinvoice seeinvoice tobeadvised tobeannounced tobeconfirmed tobedecided tobedetermined tobenotified
	notknown notavailable notapplicable anonymous consignee consignor customer supplier sender receiver x xx xxx`)

// Placeholder tells whether a name is none.
func Placeholder(name string) bool {
	squeezed := strings.Join(goods.Words(strings.ToLower(name)), "")
	return slices.Contains(placeholders, squeezed) || strings.IndexFunc(squeezed, unicode.IsLetter) < 0
}
