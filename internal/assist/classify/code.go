package classify

import (
	"cmp"
	"slices"
	"strings"
)

// typedCode reads a description that is a commodity code and no more: digits with
// spaces, points or hyphens between them.
func typedCode(text string) (string, bool) {
	code := strings.NewReplacer(" ", "", ".", "", "-", "", "\u00a0", "").Replace(strings.TrimSpace(text))
	return code, code != "" && strings.Trim(code, "0123456789") == ""
}

// lookUp answers a code that was typed in with its line, or with those below it, first
// those that most texts lead to.
func (x *Index) lookUp(code, day string) Answer {
	found := x.below(code, day)
	if len(found) == 0 && len(code) == codeDigits {
		found = x.below(trimmed(code), day)
	}
	if len(code) < digits[heading] || len(found) == 0 {
		return Answer{Notes: []string{noSuchCode}}
	}
	slices.SortStableFunc(found, func(a, b int32) int { return cmp.Compare(x.known[ten][b], x.known[ten][a]) })
	sure := 1.0
	if len(found) > 1 {
		sure = vagueConfidence
	}
	var a Answer
	for _, tip := range found[:min(len(found), MaxSuggestions)] {
		t := &x.tips[tip]
		a.Suggestions = append(a.Suggestions, Suggestion{
			Code: t.code, Description: x.describe(t.node), Confidence: sure, Validated: x.tree.Declarable(t.code, day),
			Reasoning: "The description is a number: the code begins with it, and nothing tells what the goods are. Path: " +
				t.code[:digits[heading]] + " > " + strings.Join(steps(t.code), " > ") + ".",
		})
	}
	a.Notes = []string{"The description is a commodity code. Describe the goods in words to have it checked against them."}
	return a
}

// below are the tips in force whose codes begin with one, or are it whether in force or not.
func (x *Index) below(code, day string) (found []int32) {
	for i := range x.tips {
		t := &x.tips[i]
		if strings.HasPrefix(t.code, code) && (t.code == code || !x.tree.At(t.node).Declarable || x.tree.At(t.node).InForce(day)) {
			found = append(found, int32(i))
		}
	}
	return found
}
