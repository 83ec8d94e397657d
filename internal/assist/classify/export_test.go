package classify

// Stem returns the stem of a word.
var Stem = stem

// Confidences are the two tables of confidences: with further texts, and without.
var Confidences = []func(share float64) float64{withTexts.confidence, alone.confidence}

// Keywords returns the words of a text that say what goods are.
func Keywords(text string) (words []string) {
	for _, t := range newLexicon().terms(text) {
		words = append(words, t.word)
	}
	return words
}

// Implied returns the stems that the lexicon adds to a text.
func Implied(text string) (stems []string) {
	for _, t := range standardLexicon().terms(text) {
		if t.implied {
			stems = append(stems, t.stem)
		}
	}
	return stems
}

// LearningVersion is the version of learning.
const LearningVersion = learningVersion

// KindOf is the kind of a question with choices.
var KindOf = kindOf
