package classify

import (
	"strings"
	"unicode"
)

// maxWords is the number of words that are read of a text; later ones have hardly any weight.
const maxWords = 300

// clauseEnd separates two clauses of a text.
const clauseEnd = ""

// plainLetters replaces accented letters and variants of signs.
var plainLetters = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ä", "a", "ã", "a", "å", "a", "æ", "ae", "ç", "c",
	"è", "e", "é", "e", "ê", "e", "ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "ö", "o",
	"õ", "o", "ø", "o", "ß", "ss", "ù", "u", "ú", "u", "û", "u", "ü", "u", "ý", "y", "œ", "oe", "’", "'", "‘", "'", "_", " ", "\u00ad", "")

// split cuts a text into words in lower case: runs of letters and digits. An
// apostrophe joins, and so does a hyphen after a single letter (T-shirt, e-bike);
// any other hyphen separates. Clauses are separated by clauseEnd.
func split(text string) []string {
	letters := []rune(plainLetters.Replace(strings.ToLower(text)))
	words := make([]string, 0, 16)
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = word[:0]
	}
	for i, r := range letters {
		if len(words) >= maxWords {
			return words
		}
		joins := len(word) > 0 && i+1 < len(letters) && unicode.IsLetter(letters[i+1])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = append(word, r)
		case joins && (r == '\'' || r == '-' && len(word) == 1 && unicode.IsLetter(word[0])):
		default:
			end()
			if endsClause(letters, i) && len(words) > 0 && words[len(words)-1] != clauseEnd {
				words = append(words, clauseEnd)
			}
		}
	}
	end()
	return words
}

// endsClause reports whether a clause ends at letter i. A point or comma in a number does not end one.
func endsClause(letters []rune, i int) bool {
	switch letters[i] {
	case '.', ',', ':':
		return i+1 == len(letters) || !unicode.IsDigit(letters[i+1])
	case ';', '(', ')', '!', '?', '\n', '[', ']', '|':
		return true
	}
	return false
}

// maxNameWithDigit is the length up to which a word with one digit at its end may be a name: usb3.
const maxNameWithDigit = 4

// isSize reports whether a word is a number, a size or a stock number: 500ml, 12x, gcj024.
func isSize(word string) bool {
	digits := 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits == 0 || namesWithDigits[word] {
		return false
	}
	return digits > 1 || len(word) > maxNameWithDigit || unicode.IsDigit(rune(word[0]))
}

// namesWithDigits are words with digits that say what goods are.
var namesWithDigits = wordSet(`3d 2d 4x4 b12 omega3 18ct 9ct 14k 18k`)

// filler are words that do not describe goods.
var filler = wordSet(`a an and or of the for with in on to by from at as is are be been it its this that these those which whether
	into than then them they their there has have had can may will used use uses using also eg ie etc such kind kinds like
	similar including include includes included contains contain containing product products item items goods article articles
	consist consists made make comprised comprising comprises intended suitable designed purpose purposes other others
	specified elsewhere s per so if but about all any more most one two three four five six approx approximately
	x pcs pc pieces piece qty size sizes new assorted presented marketed described known called
	you your my our we im i want need find looking code commodity hs tariff importing exporting shipping`)

// negations begin a part of a clause that says what the goods are not.
var negations = wordSet(`excluding except excepting excl without neither nor not non`)

// affirmed returns words without those that say what the goods are not.
func affirmed(words []string) []string {
	kept := make([]string, 0, len(words))
	negated := false
	for i, w := range words {
		switch {
		case w == clauseEnd:
			negated = false
		case negations[w], w == "other" && i+1 < len(words) && words[i+1] == "than":
			negated = true
		}
		if !negated {
			kept = append(kept, w)
		}
	}
	return kept
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
