package classify

import (
	"slices"
	"strings"
)

// Kinds of questions, by what their choices differ in.
const (
	KindMaterial   = "material"
	KindUse        = "use"
	KindDimensions = "dimensions"
	KindState      = "state"
	KindGoods      = "kind"
)

// kindWords are words by which the texts of the tariff tell the goods below a line apart.
var kindWords = []struct {
	kind  string
	words map[string]bool
}{
	{KindDimensions, wordSet(`exceeding weighing weight width thickness diameter length less than capacity volume power kg g m mm cm litres litre kw w v volt volts percent g/m2 strength content per`)},
	{KindState, wordSet(`fresh chilled frozen dried salted smoked cooked uncooked raw live roasted unroasted new used bleached unbleached dyed printed powder liquid crude refined prepared preserved whole crushed ground assembled unassembled`)},
	{KindUse, wordSet(`for used use intended industrial household domestic medical agricultural sports civil`)},
	{KindMaterial, wordSet(`cotton wool silk linen flax jute synthetic artificial fibres polyester nylon leather plastics plastic rubber wood wooden bamboo paper paperboard glass ceramic porcelain china
		stone iron steel stainless copper aluminium zinc tin nickel lead gold silver platinum metal textile felt cork straw concrete base precious`)},
}

// kindOf returns what at least two thirds of the choices differ by. A word that more of them have tells them apart
// no better than the rest: “frozen” of frozen fish.
func kindOf(choices []Choice) string {
	texts := make([][]string, len(choices))
	having := map[string]int{} // choices with a word
	for i, c := range choices {
		texts[i] = split(c.Text[strings.LastIndex(c.Text, "–")+1:])
		slices.Sort(texts[i])
		texts[i] = slices.Compact(texts[i])
		for _, w := range texts[i] {
			having[w]++
		}
	}
	for _, k := range kindWords {
		n := 0
		for _, words := range texts {
			if slices.ContainsFunc(words, func(w string) bool { return k.words[w] && 3*having[w] <= 2*len(choices) }) {
				n++
			}
		}
		if 3*n >= 2*len(choices) {
			return k.kind
		}
	}
	return KindGoods
}
