// Package verdict has what HMRC's checks of entry summary declarations find.
package verdict

import "fmt"

// Error is one error in a declaration, as HMRC reports it.
type Error struct {
	Number   int    `json:"number"`   // HMRC's number: 4000 to 4999 for the schema, 8102 to 8692 for the rules
	Location string `json:"location"` // path of the element with an index at each step: /ie:CC315A[1]/HEAHEA[1]
	Text     string `json:"text"`     // in our words
}

// Generation is one of HMRC's two sets of schemas and rules.
type Generation string

// The generations. Since 31 October 2024 HMRC checks with the reduced data set, which is New.
const (
	New Generation = "new"
	Old Generation = "old"
)

// ParseGeneration returns a generation by its name.
func ParseGeneration(name string) (Generation, error) {
	switch g := Generation(name); g {
	case New, Old:
		return g, nil
	default:
		return "", fmt.Errorf("the generation %q is not known; use old or new", name)
	}
}

// MaxErrors is the most errors that are reported for one document. HMRC's answer has at most 100 of them.
const MaxErrors = 10_000
