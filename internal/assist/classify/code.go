package classify

import (
	"cmp"
	"slices"
	"strings"
)

// typedCode returns the digits of a description that consists of a commodity code only:
// digits with spaces, points or hyphens between them.
func typedCode(text string) (string, bool) {
	code := strings.NewReplacer(" ", "", ".", "", "-", "", "\u00a0", "").Replace(strings.TrimSpace(text))
	return code, code != "" && strings.Trim(code, "0123456789") == ""
}

// lookUp answers a typed code with its line or with the lines below it, those with the
// most examples first.
func (x *Index) lookUp(code, day string) Answer {
	found := x.below(code, day)
	if len(found) == 0 && len(code) == codeDigits {
		found = x.below(trimmed(code), day)
	}
	if len(code) < digits[heading] || len(found) == 0 {
		return Answer{Notes: []string{noSuchCode}}
	}
	slices.SortStableFunc(found, func(a, b int32) int { return cmp.Compare(x.counts[ten][b], x.counts[ten][a]) })
	confidence := 1.0
	if len(found) > 1 {
		confidence = vagueConfidence
	}
	var a Answer
	for _, id := range found[:min(len(found), MaxSuggestions)] {
		t := &x.lines[id]
		a.Suggestions = append(a.Suggestions, Suggestion{
			Code: t.code, Description: x.describe(t.node), Confidence: confidence, Validated: x.tree.Declarable(t.code, day),
			Reasoning: "The description is a number with which the code begins; it does not say what the goods are. Path: " +
				t.code[:digits[heading]] + " > " + strings.Join(steps(t.code), " > ") + ".",
		})
	}
	a.Notes = []string{"The description is a commodity code. To check it, describe the goods in words."}
	return a
}

// below returns the lines in force whose codes begin with code, and the line with exactly
// this code even if it is not in force.
func (x *Index) below(code, day string) (found []int32) {
	for i := range x.lines {
		t := &x.lines[i]
		if strings.HasPrefix(t.code, code) && (t.code == code || !x.tree.At(t.node).Declarable || x.tree.At(t.node).InForce(day)) {
			found = append(found, int32(i))
		}
	}
	return found
}
