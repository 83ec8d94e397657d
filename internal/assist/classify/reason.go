package classify

import (
	"fmt"
	"strings"
)

const (
	emptyDescriptionNote = "The description does not name any goods. Say in English what the goods are, what they are made of and what they are used for."
	unknownWordsNote     = "The nomenclature has none of the words of the description. Say in English what the goods are, what they are made of and what they are used for."
	tooVague             = "The description is vague: it fits many kinds of goods. Add what the goods are, what they are made of and what they are used for."
	unsure               = "No suggestion is certain. Add the material, the use, the packaging or how the goods work, and compare the headings."
	noSuchCode           = "The number is not a commodity code of the nomenclature or the beginning of one. Describe the goods in words."
	vagueConfidence      = 0.1 // upper limit for vague descriptions
	sureConfidence       = 0.5 // from which no advice is given
	maxQuoted            = 6   // words in a reason
	maxLine              = 120 // characters of a line in a path
	minQuoted            = 0.5 // similarity from which an example is quoted
)

// advice returns sentences on how to describe the goods better.
func advice(found []Suggestion, vague bool) []string {
	switch {
	case len(found) == 0:
		return []string{unknownWordsNote}
	case vague:
		return []string{tooVague}
	case found[0].Confidence < sureConfidence:
		return []string{unsure}
	}
	return nil
}

// describe returns the descriptions from the heading down to a node.
func (x *Index) describe(node int) string {
	path := x.tree.Path(node)
	lines := make([]string, 0, len(path))
	for _, at := range path[min(1, len(path)-1):] {
		if d := shortened(x.tree.At(at).Description); len(lines) == 0 || lines[len(lines)-1] != d {
			lines = append(lines, d)
		}
	}
	return strings.Join(lines, " – ")
}

func shortened(line string) string {
	letters := []rune(line)
	if len(letters) <= maxLine {
		return line
	}
	return strings.TrimRight(string(letters[:maxLine-1]), " ,;(") + "…"
}

// reason names the words that led to a line, a similar text, and the path to the code.
func (x *Index) reason(c ranked, e *evidence) string {
	t := &x.lines[c.line]
	var parts []string
	if words := x.matched(c.line, e.terms); len(words) > 0 {
		parts = append(parts, "Matched words: "+strings.Join(words, ", ")+".")
	}
	if v := closest(t, e.similar); v != nil {
		parts = append(parts, v.quote())
	}
	if len(parts) == 0 {
		parts = append(parts, "Words with similar letters lead to the heading.")
	}
	parts = append(parts, fmt.Sprintf("Path: %s > %s.", t.code[:digits[heading]], strings.Join(steps(t.code), " > ")))
	return strings.Join(parts, " ")
}

// steps returns the code's prefixes below the heading.
func steps(code string) []string {
	return []string{code[:digits[six]], code[:digits[eight]], code}
}

// matched returns the words of a question that a line has, or has by an implied word.
func (x *Index) matched(line int32, terms []term) (words []string) {
	quoted := map[string]bool{}
	for _, t := range terms {
		if len(words) == maxQuoted {
			break
		}
		if quoted[t.word] || !x.keywords.lineHas(t.stem, line) {
			continue
		}
		quoted[t.word] = true
		words = append(words, "“"+t.word+"”")
	}
	return words
}

// closest returns the best example whose code is the line's or a prefix of it.
func closest(t *line, similar []vote) *vote {
	var best *vote
	for i := range similar {
		v := &similar[i]
		if v.similarity >= minQuoted && v.text.prefix.matches(t.prefix) && (best == nil || v.weight > best.weight) {
			best = v
		}
	}
	return best
}

// matches reports whether the prefixes of an example agree with those of a line, as far
// as the example has them.
func (c prefixIDs) matches(line prefixIDs) bool {
	for l := range levels {
		if c[l] != none && c[l] != line[l] {
			return false
		}
	}
	return true
}

func (v *vote) quote() string {
	whose := "a known description"
	switch {
	case v.own:
		whose = "goods of your own"
	case v.text.authoritative:
		whose = "a reference"
	}
	how := "Alike"
	if v.exact {
		how = "The same words"
	}
	return fmt.Sprintf("%s: “%s”, %s.", how, shortened(v.text.text), whose)
}
