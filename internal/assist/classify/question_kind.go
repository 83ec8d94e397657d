package classify

import "strings"

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
	var texts []string
	for _, c := range choices {
		texts = append(texts, " "+strings.Join(split(c.Text[strings.LastIndex(c.Text, "–")+1:]), " ")+" ")
	}
	for _, k := range kindWords {
		n := 0
		for _, text := range texts {
			for w := range strings.FieldsSeq(text) {
				if k.words[w] && 3*having(texts, w) <= 2*len(texts) {
					n++
					break
				}
			}
		}
		if 3*n >= 2*len(texts) {
			return k.kind
		}
	}
	return KindGoods
}

// having is how many texts have a word.
func having(texts []string, word string) (n int) {
	for _, text := range texts {
		if strings.Contains(text, " "+word+" ") {
			n++
		}
	}
	return n
}
