package classify

import (
	"fmt"
	"strings"
)

const (
	nothingSaid     = "The description has no word that says what the goods are. Say in English what they are, what they are made of and what they are used for."
	nothingKnown    = "No word of the description is known to the nomenclature. Say in English what the goods are, what they are made of and what they are used for."
	tooVague        = "The description is vague: many kinds of goods answer to it. Add what the goods are, what they are made of and what they are used for."
	unsure          = "No suggestion is sure. Add the material, the use, how the goods are presented or how they work, and compare the headings."
	noSuchCode      = "The number is no commodity code of the nomenclature, nor the beginning of one. Describe the goods in words."
	vagueConfidence = 0.1 // at most, of vague descriptions
	sureConfidence  = 0.5 // from which no advice is needed
	maxQuoted       = 6   // words in a reason
	maxLine         = 120 // characters of a line in a path
	likeness        = 0.5 // from which a text that is alike is worth mentioning
)

// advice is what would make the suggestions better.
func advice(found []Suggestion, vague bool) []string {
	switch {
	case len(found) == 0:
		return []string{nothingKnown}
	case vague:
		return []string{tooVague}
	case found[0].Confidence < sureConfidence:
		return []string{unsure}
	}
	return nil
}

// describe tells what a line takes, from its heading down.
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

// reason tells which words led to a choice, what is alike, and the way down to the code.
func (x *Index) reason(c choice, e *evidence) string {
	t := &x.tips[c.tip]
	var parts []string
	if words := x.matched(c.tip, e.terms); len(words) > 0 {
		parts = append(parts, "Matched words: "+strings.Join(words, ", ")+".")
	}
	if v := closest(t, e.near); v != nil {
		parts = append(parts, v.quote())
	}
	if len(parts) == 0 {
		parts = append(parts, "Words with like letters lead to the heading.")
	}
	parts = append(parts, fmt.Sprintf("Path: %s > %s.", t.code[:digits[heading]], strings.Join(steps(t.code), " > ")))
	return strings.Join(parts, " ")
}

// steps are the codes below the heading.
func steps(code string) []string {
	return []string{code[:digits[six]], code[:digits[eight]], code}
}

// matched are the words of a question that a tip has, with what they mean where they
// have it by that alone.
func (x *Index) matched(tip int32, terms []term) (words []string) {
	said := map[string]bool{}
	for _, t := range terms {
		if len(words) == maxQuoted {
			break
		}
		if said[t.word] || !x.leaves.has(t.stem, tip) {
			continue
		}
		said[t.word] = true
		words = append(words, "“"+t.word+"”")
	}
	return words
}

// closest is the text most alike that leads to a tip, or as far towards it as it goes.
func closest(t *tip, near []vote) *vote {
	var best *vote
	for i := range near {
		v := &near[i]
		if v.sim >= likeness && v.text.class.leadTo(t.class) && (best == nil || v.weight > best.weight) {
			best = v
		}
	}
	return best
}

// leadTo tells whether nothing in the classes of a text speaks against those of a tip.
func (c classes) leadTo(tip classes) bool {
	for l := range levels {
		if c[l] != none && c[l] != tip[l] {
			return false
		}
	}
	return true
}

func (v *vote) quote() string {
	whose := "a known description"
	switch {
	case v.own:
		whose = "an accepted declaration of your own"
	case v.text.settles:
		whose = "a reference"
	}
	how := "Alike"
	if v.exact {
		how = "The same words"
	}
	return fmt.Sprintf("%s: “%s”, %s.", how, shortened(v.text.text), whose)
}
