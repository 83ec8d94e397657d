// Package classify suggests commodity codes for a description of goods, without a model
// and without a network. It combines three kinds of evidence: the words of the
// nomenclature (BM25F), the similarity to texts whose codes are known (cosine), and
// learnt weights of words for headings (logistic regression). It chooses headings first
// and then goes down to the ten digits.
//
// The same question has the same answer to the last bit on every machine. For that, sums
// run in a fixed order, products are converted to float64 before they are added (so that
// no compiler fuses them), and logarithms are rounded.
package classify

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Sources are the inputs of an index.
type Sources struct {
	Tree       *nomenclature.Tree
	Words      []nomenclature.Text // everyday words of another nomenclature for the same goods
	References []nomenclature.Text // search terms with the codes that a publisher gives for them
	Labelled   []nomenclature.Text // descriptions with the codes that people chose for them
	Edition    string              // of the tariff, for people; not part of the digest
}

// Levels of a code, by the number of its digits.
const (
	heading = iota
	six
	eight
	ten
	levels
)

var digits = [levels]int{4, 6, 8, 10}

// codeDigits is the length of a whole code.
const codeDigits = 10

// prefixIDs are the ids of a code's prefix at each level, in the order of codes; none if
// the nomenclature has no such prefix.
type prefixIDs [levels]int32

const none = -1

// line is a line of the nomenclature that can be suggested: a declarable one or, if the
// nomenclature is no deeper there, a heading or subheading.
type line struct {
	node   int
	code   string
	prefix prefixIDs
	other  bool // the residual line of its group ("Other …")
}

// Index answers questions about one nomenclature. It never changes and is safe for
// concurrent use.
type Index struct {
	tree        *nomenclature.Tree
	lexicon     *lexicon
	lines       []line                   // in the order of codes
	start       [levels][]int32          // first line of each prefix, and the number of lines
	prefixes    [levels]map[string]int32 // ids by prefix
	keywords    keywords
	examples    *examples
	weights     *linear
	counts      [levels][]float64 // number of examples for each prefix
	calibration calibration
	about       string // how it is made, for people
}

// New builds an index: about 1.4 s of processor time for the embedded nomenclature.
func New(s Sources) *Index {
	x, _ := Build(s, func() error { return nil }) // only a pause can fail
	return x
}

// Build is New with pauses: it calls pause about once a millisecond, and stops with the
// error that pause returns.
func Build(s Sources, pause func() error) (*Index, error) {
	x := newIndex(s)
	words, err := x.countNodeWords(pause)
	if err != nil {
		return nil, err
	}
	var vectors lists[entry]
	x.examples, vectors, err = x.collect(s.References, slices.Concat(Words(s.Tree), s.Words, s.Labelled), words.add, pause)
	if err != nil {
		return nil, err
	}
	x.countExamples(x.examples.texts)
	if err := x.addPostings(words, pause); err != nil {
		return nil, err
	}
	if x.weights, err = learn(x.examples, vectors, x.headings(), pause); err != nil {
		return nil, err
	}
	return x, nil
}

// newIndex returns an index with everything that is quick to derive from its sources.
func newIndex(s Sources) *Index {
	x := &Index{tree: s.Tree, lexicon: standardLexicon(), calibration: withTexts, about: about(s)}
	if len(s.Words)+len(s.References)+len(s.Labelled) == 0 {
		x.calibration = alone
	}
	x.addLines()
	return x
}

// headings is the number of headings.
func (x *Index) headings() int { return len(x.start[heading]) - 1 }

// everyFew calls pause for every 64th i: a millisecond of work at most.
func everyFew(i int, pause func() error) error {
	if i%64 != 0 {
		return nil
	}
	return pause()
}

// Words returns the descriptions and everyday words of a nomenclature as texts with
// their codes, so that they can be used with another nomenclature. It returns none if
// the nomenclature has no everyday words: its descriptions are in legal language then.
func Words(tree *nomenclature.Tree) (texts []nomenclature.Text) {
	everyday := false
	for i := range tree.Len() {
		n := tree.At(i)
		if n.Suffix != nomenclature.Line {
			continue
		}
		everyday = everyday || len(n.Terms) > 0
		texts = append(texts, nomenclature.Text{Text: n.Description, Code: n.Code})
		for _, t := range n.Terms {
			texts = append(texts, nomenclature.Text{Text: t, Code: n.Code})
		}
	}
	if !everyday {
		return nil
	}
	return texts
}

func (x *Index) addLines() {
	hasChildren := make([]bool, x.tree.Len())
	for i := range x.tree.Len() {
		if p, ok := x.tree.Parent(i); ok {
			hasChildren[p] = true
		}
	}
	for i := range x.tree.Len() {
		n := x.tree.At(i)
		if n.Suffix == nomenclature.Line && (n.Declarable || !hasChildren[i]) && !nomenclature.IsChapter(n.Code) {
			x.lines = append(x.lines, line{node: i, code: n.Code, other: strings.HasPrefix(strings.ToLower(n.Description), "other")})
		}
	}
	slices.SortFunc(x.lines, func(a, b line) int { return strings.Compare(a.code, b.code) })
	for l := range levels {
		x.addPrefixes(l)
	}
}

// addPrefixes gives each prefix at a level its id.
func (x *Index) addPrefixes(l int) {
	x.prefixes[l] = map[string]int32{}
	for i := range x.lines {
		prefix := x.lines[i].code[:digits[l]]
		id, known := x.prefixes[l][prefix]
		if !known {
			id = int32(len(x.start[l])) // #nosec G115 -- the tables are limited
			x.prefixes[l][prefix] = id
			x.start[l] = append(x.start[l], int32(i))
		}
		x.lines[i].prefix[l] = id
	}
	x.start[l] = append(x.start[l], int32(len(x.lines))) // #nosec G115 -- the tables are limited
}

// prefixesOf returns the prefix ids of a code of two to ten digits, as deep as the code
// goes. Trailing zeros count as digits only if the nomenclature has the whole code.
func (x *Index) prefixesOf(code string) prefixIDs {
	whole := padded(code)
	code = trimmed(code)
	if _, exists := x.prefixes[ten][whole]; exists && len(code) > digits[heading] {
		code = whole
	}
	var ids prefixIDs
	for l := range levels {
		ids[l] = none
		if len(code) >= digits[l] {
			if id, ok := x.prefixes[l][code[:digits[l]]]; ok {
				ids[l] = id
			}
		}
	}
	return ids
}

func padded(code string) string { return code + strings.Repeat("0", max(0, codeDigits-len(code))) }

// trimmed removes the pairs of zeros that fill a code up to ten digits.
func trimmed(code string) string {
	for len(code) > 2 && strings.HasSuffix(code, "00") {
		code = code[:len(code)-2]
	}
	return code
}

// example is a text with the code that it leads to.
type example struct {
	text   string
	words  string // its set of words, as wordSetKey writes it
	prefix prefixIDs

	authoritative bool // from the publisher's references: the same words settle the code
}

// collect returns the examples in texts, the authoritative ones first, and their vectors.
// It leaves out a text whose heading the nomenclature does not have, and one that repeats
// the words and the code of an earlier one. It calls use for each example.
func (x *Index) collect(
	authoritative, others []nomenclature.Text, use func(example, []term), pause func() error,
) (*examples, lists[entry], error) {
	type seenKey struct {
		words  string
		prefix prefixIDs
	}
	c, seen := newCollector(len(authoritative)+len(others)), map[seenKey]bool{}
	for i, t := range slices.Concat(authoritative, others) {
		if err := everyFew(i, pause); err != nil {
			return nil, lists[entry]{}, err
		}
		e := example{text: t.Text, authoritative: i < len(authoritative), prefix: x.prefixesOf(t.Code)}
		terms := x.lexicon.terms(t.Text)
		if e.prefix[heading] == none || len(terms) == 0 {
			continue
		}
		e.words = wordSetKey(terms)
		if key := (seenKey{e.words, e.prefix}); !seen[key] {
			seen[key] = true
			c.add(e, terms)
			use(e, terms)
		}
	}
	found, vectors := c.finish()
	return found, vectors, nil
}

// countExamples counts the examples for each prefix.
func (x *Index) countExamples(all []example) {
	for l := range levels {
		x.counts[l] = make([]float64, len(x.start[l])-1)
		for i := range all {
			if id := all[i].prefix[l]; id != none {
				x.counts[l][id]++
			}
		}
	}
}
