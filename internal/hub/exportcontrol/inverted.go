package exportcontrol

import (
	"slices"
	"strings"
)

// longestInverted is the number of words of a name and of its qualifier, if they are inverted.
const longestInverted = 3

// upright turns an inverted name round, as stores and tariffs write them, if a phrase of the lists or a harmless one runs over its comma
// then: “mine, limpet” is a limpet mine, “bomb, bath” a bath bomb.
func (l *cueIndex) upright(text string) string {
	name, qualifier, found := strings.Cut(text, ",")
	if !found || strings.Contains(qualifier, ",") || own(qualifier) {
		return text
	}
	before, after := wordsOf(qualifier), wordsOf(name)
	if len(before) == 0 || len(after) == 0 || len(before) > longestInverted || len(after) > longestInverted || slices.ContainsFunc(before, func(w string) bool { return naming[w] || linking[w] }) {
		return text
	}
	words := slices.Concat(before, after)
	for from := range before {
		at := l.phrases.root.next[words[from]]
		for to := from + 1; at != nil; to++ {
			if to > len(before) && (at.phrase != 0 || at.decoy) {
				return strings.TrimSpace(qualifier) + " " + strings.TrimSpace(name)
			}
			if to == len(words) {
				break
			}
			at = at.next[words[to]]
		}
	}
	return text
}
