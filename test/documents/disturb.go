package documents

import (
	"fmt"
	"math/rand/v2"
)

// Disturbed returns letters of the development side in which labels are misspelt, abbreviated or of another language,
// places are off, and other dates and numbers stand among the fields. On these the reader makes mistakes, so that they
// show how far its confidence can be trusted on documents for which it was not made.
func Disturbed() []Sample {
	var samples []Sample
	for l, lang := range languages() {
		for p := range lettersPerLanguage {
			random := rand.New(rand.NewPCG(4711, uint64(l*1000+p)))
			samples = append(samples, letter(random, lang, p, 0, true))
		}
	}
	return samples
}

// distorted is how many labels there are to one that is distorted.
const distorted = 4

// distort misspells a label, cuts it, or replaces its words by letters.
func (d *draft) distort(label string) string {
	letters := []rune(label)
	at := 1 + d.IntN(max(1, len(letters)-2))
	switch d.IntN(3) {
	case 0:
		letters[at], letters[at-1] = letters[at-1], letters[at]
		return string(letters)
	case 1:
		return string(letters[:max(2, len(letters)/2)]) + "."
	}
	other := pick(d, languages())
	for _, field := range []string{"gross", "packages", "net", "code"} { // a label of another field in another language
		if d.IntN(2) == 0 {
			return pick(d, other.words[field][0])
		}
	}
	return "Xq. " + string(letters[:1])
}

// strangeLabels are labels of dates and numbers that are not read.
var strangeLabels = []string{"Dispatched", "Quotation", "Ref. KX", "Print run", "Contract", "Vst.", "Delivery note date", "Job"}

// disturb adds dates and numbers of other things to the fields of an invoice, and lets places be off.
func (w *written) disturb(heads []pair) []pair {
	w.shift = func() float64 { return w.Float64()*3 - 1.5 }
	for range 2 {
		value := fmt.Sprintf("K-%d", 100+w.IntN(900))
		if w.IntN(2) == 0 {
			value = fmt.Sprintf("%02d.%02d.2026", 13+w.IntN(15), 1+w.IntN(12))
		}
		heads = append(heads, pair{pick(&w.draft, strangeLabels), value})
	}
	w.Shuffle(len(heads), func(i, j int) { heads[i], heads[j] = heads[j], heads[i] })
	return heads
}
