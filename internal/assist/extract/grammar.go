package extract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed vocabulary.txt
var vocabularyText string

//go:embed rules.txt
var rulesText string

// Limits of a composed label.
const (
	longestComposed = 10 // words
	shortestPart    = 3  // letters of a word inside a compound, except no and nr at its end
	shortestWhole   = 6  // letters of a compound
	longestWhole    = 40
)

// concept is what a word of a label means, such as gross or weight.
type concept string

// Concepts with a role of their own.
const (
	filler  concept = "of"
	counted concept = "count" // "number of", which is not the number of a thing
	numero  concept = "no"
)

// vocabulary returns the concept of each word.
var vocabulary = sync.OnceValue(func() map[string]concept {
	words := map[string]concept{}
	for line := range strings.Lines(vocabularyText) {
		if name, list, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			for w := range strings.FieldsSeq(list) {
				if _, known := words[w]; !known {
					words[w] = concept(name)
				}
			}
		}
	}
	for _, unit := range []string{"kg", "kgs", "kilogram", "kilograms", "lb", "lbs", "tonnes"} {
		words[unit] = "kg"
	}
	for _, unit := range []string{"cbm", "m3", "m³"} {
		words[unit] = "cbm"
	}
	return words
})

// bits is a set of concepts.
type bits [2]uint64

// maxConcepts is the number of concepts that the set has room for.
const maxConcepts = 128

func (b bits) with(c bits) bits    { return bits{b[0] | c[0], b[1] | c[1]} }
func (b bits) without(c bits) bits { return bits{b[0] &^ c[0], b[1] &^ c[1]} }
func (b bits) has(c bits) bool     { return c.without(b) == bits{} }

// numbersOfConcepts gives each concept of the rules a number.
var numbersOfConcepts = sync.OnceValue(func() map[concept]int {
	numbers := map[concept]int{}
	for line := range strings.Lines(rulesText) {
		_, sets, _ := strings.Cut(line, ":")
		if strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(strings.NewReplacer("|", " ", "*", " ").Replace(sets)) {
			if c := concept(strings.TrimSuffix(w, "?")); numbers[c] == 0 {
				numbers[c] = len(numbers) + 1
			}
		}
	}
	return numbers
})

// bitsOf returns a set of concepts; those that no rule has share the last bit.
func bitsOf(all []concept) (b bits) {
	for _, c := range all {
		n := numbersOfConcepts()[c] - 1
		if n < 0 || n >= maxConcepts {
			n = maxConcepts - 1
		}
		b[n/64] |= 1 << (n % 64)
	}
	return b
}

// conceptSet is the words of a rule: those it needs, and those it allows.
type conceptSet struct {
	needs, allows bits
	any           bool // allows all others
}

func (s conceptSet) fits(have bits) bool {
	return have.has(s.needs) && (s.any || s.needs.with(s.allows).has(have))
}

// rule says which sets of concepts name a field.
type rule struct {
	key  key
	sets []conceptSet
}

// grammar composes labels of words.
type grammar struct{ rules []rule }

// newGrammar returns the rules of the sections that a document of this type or a table has.
func newGrammar(section string) *grammar {
	g := &grammar{}
	active := false
	for line := range strings.Lines(rulesText) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			names := strings.Fields(strings.Trim(line, "[]"))
			active = slices.Contains(names, section) || slices.Contains(names, "all") && section != "columns"
			continue
		}
		if name, sets, ok := strings.Cut(line, ":"); ok && active && !strings.HasPrefix(line, "#") {
			g.rules = append(g.rules, rule{key(name), parseSets(sets)})
		}
	}
	return g
}

func parseSets(text string) (sets []conceptSet) {
	for one := range strings.SplitSeq(text, "|") {
		var needs, allows []concept
		for w := range strings.FieldsSeq(strings.TrimSuffix(strings.TrimSpace(one), "*")) {
			if name, optional := strings.CutSuffix(w, "?"); optional {
				allows = append(allows, concept(name))
			} else {
				needs = append(needs, concept(w))
			}
		}
		sets = append(sets, conceptSet{bitsOf(needs), bitsOf(allows), strings.Contains(one, "*")})
	}
	return sets
}

// field returns the field of the first rule that fits.
func (g *grammar) field(have bits) key {
	for _, r := range g.rules {
		for _, s := range r.sets {
			if s.fits(have) {
				return r.key
			}
		}
	}
	return ""
}

// composed is a label found at the beginning of words.
type composed struct {
	key      key
	words    int // of the label
	concepts int // different ones in it
	all      int // words that a label may have, up to the first that it may not
	allOf    int // concepts in those
}

// begin finds the longest composed label at the beginning of words.
func (g *grammar) begin(words []word) (found composed) {
	var have []concept
	for i, w := range words[:min(len(words), longestComposed)] {
		concepts := w.concepts
		if len(concepts) == 0 || i == 1 && len(have) == 0 && concepts[0] == filler {
			break
		}
		if concepts[0] == filler {
			if len(have) == 1 && have[0] == numero && w.plain != "and" {
				have[0] = counted
			}
			continue
		}
		if found.words > 0 && slices.Contains(have, concepts[0]) {
			break // "Order no. PO 33"
		}
		for _, c := range concepts {
			if !slices.Contains(have, c) {
				have = append(have, c)
			}
		}
		found.all, found.allOf = i+1, len(have)
		k := g.field(bitsOf(have))
		if k == "" && have[0] == counted && words[0].concepts[0] == numero { // the number of a document
			k = g.field(bitsOf(append([]concept{numero}, have[1:]...)))
		}
		if k != "" {
			found.key, found.words, found.concepts = k, i+1, len(have)
		}
		if w.colon || w.stop {
			break
		}
	}
	if found.concepts < 2 && len(words) > 0 && words[0].isFiller() { // "To: Brown Ltd"
		return composed{}
	}
	return found.withFillers(words)
}

func (w word) isFiller() bool { return len(w.concepts) > 0 && w.concepts[0] == filler }

// withFillers adds words such as in to the end of a label, where its colon or its value follows.
func (c composed) withFillers(words []word) composed {
	for n := c.words; n > 0 && n < len(words) && words[n].isFiller() && !words[n-1].colon; n++ {
		if words[n].colon || n+1 == len(words) || c.key == "countryOfOrigin" {
			c.words = n + 1
			c.all = max(c.all, c.words)
		}
	}
	return c
}

// conceptsOf returns the concepts of a word: of the whole word, or of the words that a compound consists of.
func conceptsOf(plain string) []concept {
	words := vocabulary()
	if c, ok := words[plain]; ok {
		return []concept{c}
	}
	if len(plain) < shortestWhole || len(plain) > longestWhole {
		return nil
	}
	if found := compound(plain, words); found != nil {
		return found
	}
	if c := stems()[stem(plain)]; c != "" && c != filler && len(plain)-len(stem(plain)) <= longestEnding {
		return []concept{c}
	}
	for _, kind := range []string{"rechnung", "faktura", "factuur"} { // the last word of a compound names the thing
		if before, ok := strings.CutSuffix(plain, kind); ok && len(before) >= shortestPart {
			return []concept{"invoice"}
		}
	}
	return nil
}

// Letters of a word without its ending, and of the ending.
const (
	shortestStem  = 4
	longestEnding = 6 // letters: "marktstrasse" is no form of "mark"
)

// stem returns a word without the letters that mark its gender, number and case in the languages of the vocabulary.
func stem(plain string) string {
	if short := strings.TrimRight(plain, "aeiosnrdt"); len(short) >= shortestStem {
		return short
	}
	return plain[:min(len(plain), shortestStem)]
}

// stems returns the concept of each stem that only words of one concept have.
var stems = sync.OnceValue(func() map[string]concept {
	found := map[string]concept{}
	for w, c := range vocabulary() {
		if len(w) <= shortestStem {
			continue
		}
		if other, known := found[stem(w)]; known && other != c {
			c = filler // of several
		}
		found[stem(w)] = c
	}
	return found
})

// links are the letters that join the words of a compound.
var links = []string{"", "s", "n", "en", "es", "e"}

// compound splits a word such as rechnungsdatum or unitprice. The first word is as long as possible.
func compound(plain string, words map[string]concept) []concept {
	for end := len(plain) - 2; end >= shortestPart; end-- {
		first, ok := words[plain[:end]]
		if !ok || first == filler {
			continue
		}
		for _, link := range links {
			rest, ok := strings.CutPrefix(plain[end:], link)
			if !ok {
				continue
			}
			if c, ok := words[rest]; ok && c != filler && (len(rest) >= shortestPart || c == numero || c == "kg" || c == "cbm") {
				return []concept{first, c}
			}
			if len(rest) >= 2*shortestPart {
				if behind := compound(rest, words); behind != nil {
					return append([]concept{first}, behind...)
				}
			}
		}
	}
	return nil
}
