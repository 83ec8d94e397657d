package classify

// Stem is what the forms of a word have in common.
var Stem = stem

// Confidences is how often a suggestion with a share is right, with texts and alone.
var Confidences = []func(share float64) float64{withTexts.confidence, alone.confidence}

// Said are the words of a text that say what goods are.
func Said(text string) (words []string) {
	for _, t := range newLexicon().terms(text) {
		words = append(words, t.word)
	}
	return words
}

// Meant are the stems that a text means beside those that it says.
func Meant(text string) (stems []string) {
	for _, t := range newLexicon(tradeWords, brandWords).terms(text) {
		if t.meant {
			stems = append(stems, t.stem)
		}
	}
	return stems
}
