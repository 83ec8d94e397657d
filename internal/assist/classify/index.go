// Package classify finds the commodity codes that a description of goods leads to,
// without a model and without a network: by the words of the nomenclature and of the
// references to it, by how alike the description is to others whose codes are known,
// and by what words weigh for a heading, decided from the heading down to the ten
// digits. The same question has the same answer to the last bit on every machine, so
// sums run in a fixed order, their products are rounded before they are added, and
// what a library computes differently here and there is rounded away.
package classify

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// Sources are what an index is made of.
type Sources struct {
	Tree       *nomenclature.Tree
	Words      []nomenclature.Text // everyday words of another nomenclature for the same goods
	References []nomenclature.Text // words that a publisher says lead to a code
	Labelled   []nomenclature.Text // descriptions that somebody has classified
}

// Levels of a code, by how many digits it has.
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

// classes are the beginnings of a code at each level, as numbers in the order of
// codes; none where there is no such code.
type classes [levels]int32

const none = -1

// tip is a line that a suggestion can be: one that goods are declared under or, where
// the nomenclature goes no deeper, a heading or subheading.
type tip struct {
	node  int
	code  string
	class classes
	other bool // takes what the lines beside it do not
}

// Index answers questions about one nomenclature. It does not change, and is safe
// for concurrent use.
type Index struct {
	tree    *nomenclature.Tree
	lexicon *lexicon
	tips    []tip                    // in the order of codes
	first   [levels][]int32          // first tip of each class, and the end
	numbers [levels]map[string]int32 // class of the beginning of a code
	leaves  leaves
	texts   *neighbours
	linear  *linear
	known   [levels][]float64 // how many texts lead to each class
	sure    reliability
}

// New makes an index.
func New(s Sources) *Index {
	x := &Index{tree: s.Tree, lexicon: newLexicon(tradeWords, brandWords)}
	if x.sure = withTexts; len(s.Words)+len(s.References)+len(s.Labelled) == 0 {
		x.sure = alone
	}
	x.addTips()
	texts := x.label(s.References, slices.Concat(Words(s.Tree), s.Words, s.Labelled))
	x.count(texts)
	var building sync.WaitGroup
	building.Go(func() { x.addLeaves(texts) })
	x.texts = newNeighbours(texts)
	x.linear = learn(x.texts, len(x.first[heading])-1)
	x.texts.vectors = nil // only learning needs them
	building.Wait()
	return x
}

// Words are the descriptions and everyday words of a nomenclature that has such words,
// as texts that lead to its lines; none of one that has not, as its descriptions are
// written for lawyers. They can lend themselves to another nomenclature.
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

func (x *Index) addTips() {
	above := make([]bool, x.tree.Len())
	for i := range x.tree.Len() {
		if p, ok := x.tree.Parent(i); ok {
			above[p] = true
		}
	}
	for i := range x.tree.Len() {
		n := x.tree.At(i)
		if n.Suffix == nomenclature.Line && (n.Declarable || !above[i]) && !strings.HasSuffix(n.Code, "00000000") {
			x.tips = append(x.tips, tip{node: i, code: n.Code, other: strings.HasPrefix(strings.ToLower(n.Description), "other")})
		}
	}
	slices.SortFunc(x.tips, func(a, b tip) int { return strings.Compare(a.code, b.code) })
	for l := range levels {
		x.number(l)
	}
}

// number gives the beginnings of the codes at a level their numbers.
func (x *Index) number(l int) {
	x.numbers[l] = map[string]int32{}
	for i := range x.tips {
		prefix := x.tips[i].code[:digits[l]]
		class, known := x.numbers[l][prefix]
		if !known {
			class = int32(len(x.first[l])) // #nosec G115 -- the tables are limited
			x.numbers[l][prefix] = class
			x.first[l] = append(x.first[l], int32(i))
		}
		x.tips[i].class[l] = class
	}
	x.first[l] = append(x.first[l], int32(len(x.tips))) // #nosec G115 -- the tables are limited
}

// classesOf gives the classes of a code of two to ten digits, as far down as it goes.
func (x *Index) classesOf(code string) classes {
	if whole := padded(code); len(trimmed(code)) > digits[heading] {
		if _, line := x.numbers[ten][whole]; line {
			code = whole
		} else {
			code = trimmed(code)
		}
	} else {
		code = trimmed(code)
	}
	var c classes
	for l := range levels {
		c[l] = none
		if len(code) >= digits[l] {
			if class, ok := x.numbers[l][code[:digits[l]]]; ok {
				c[l] = class
			}
		}
	}
	return c
}

func padded(code string) string { return code + strings.Repeat("0", max(0, codeDigits-len(code))) }

// trimmed takes off the zeros that fill a code up to ten digits.
func trimmed(code string) string {
	for len(code) > 2 && strings.HasSuffix(code, "00") {
		code = code[:len(code)-2]
	}
	return code
}

// labelled is a text that leads to a code, with its words.
type labelled struct {
	text  string
	words string // without their order
	class classes
	terms []term

	settles bool // whether who says the same may be sure of the code
}

// label reads texts, those that settle a code first. One that leads to no heading of the nomenclature is left out, and
// so is one that says in the same words what another says already.
func (x *Index) label(settling, others []nomenclature.Text) []labelled {
	type saying struct {
		words string
		class classes
	}
	all, known := make([]labelled, 0, len(settling)+len(others)), map[saying]bool{}
	for i, t := range slices.Concat(settling, others) {
		l := labelled{text: t.Text, settles: i < len(settling), class: x.classesOf(t.Code), terms: x.lexicon.terms(t.Text)}
		if l.class[heading] == none || len(l.terms) == 0 {
			continue
		}
		l.words = said(l.terms)
		if s := (saying{l.words, l.class}); !known[s] {
			known[s] = true
			all = append(all, l)
		}
	}
	return all
}

// count counts the texts that lead to each class.
func (x *Index) count(texts []labelled) {
	for l := range levels {
		x.known[l] = make([]float64, len(x.first[l])-1)
		for i := range texts {
			if c := texts[i].class[l]; c != none {
				x.known[l][c]++
			}
		}
	}
}

// rarity weighs a feature that was seen in some of n things: the rarer, the more.
func rarity(n, seen float64) float64 {
	const places = 4096 // machines may differ in the last bits of a logarithm
	return math.Round(math.Log(1+(n-seen+0.5)/(seen+0.5))*places) / places
}
