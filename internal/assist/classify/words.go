package classify

import (
	"strings"
	"unicode"
)

// maxWords bounds what is read of a text; what follows weighs next to nothing.
const maxWords = 300

// pause stands between two clauses of a text.
const pause = ""

// plain are the letters that stand for others.
var plain = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ä", "a", "ã", "a", "å", "a", "æ", "ae", "ç", "c",
	"è", "e", "é", "e", "ê", "e", "ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "ö", "o",
	"õ", "o", "ø", "o", "ß", "ss", "ù", "u", "ú", "u", "û", "u", "ü", "u", "ý", "y", "œ", "oe", "’", "'", "‘", "'", "_", " ", "\u00ad", "")

// split cuts a text into words in lower case: runs of letters and digits. An
// apostrophe joins, and so does a hyphen after a single letter (T-shirt, e-bike);
// any other hyphen parts. Between clauses stands a pause.
func split(text string) []string {
	letters := []rune(plain.Replace(strings.ToLower(text)))
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
			if pauses(letters, i) && len(words) > 0 && words[len(words)-1] != pause {
				words = append(words, pause)
			}
		}
	}
	end()
	return words
}

// pauses tells whether a clause ends here. A point or comma inside of a number does not end one.
func pauses(letters []rune, i int) bool {
	switch letters[i] {
	case '.', ',', ':':
		return i+1 == len(letters) || !unicode.IsDigit(letters[i+1])
	case ';', '(', ')', '!', '?', '\n', '[', ']', '|':
		return true
	}
	return false
}

// longestCoded is the length up to which a word with one digit at its end may be a name: usb3.
const longestCoded = 4

// measured tells whether a word is a number, a size or a stock number: 500ml, 12x, gcj024.
func measured(word string) bool {
	digits := 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits == 0 || telling[word] {
		return false
	}
	return digits > 1 || len(word) > longestCoded || unicode.IsDigit(rune(word[0]))
}

// telling are words with digits that say what goods are.
var telling = wordSet(`3d 2d 4x4 b12 omega3 18ct 9ct 14k 18k`)

// empty are words that say nothing of goods.
var empty = wordSet(`a an and or of the for with in on to by from at as is are be been it its this that these those which whether
	into than then them they their there has have had can may will used use uses using also eg ie etc such kind kinds like
	similar including include includes included contains contain containing product products item items goods article articles
	consist consists made make comprised comprising comprises intended suitable designed purpose purposes other others
	specified elsewhere s per so if but about all any more most one two three four five six approx approximately
	x pcs pc pieces piece qty size sizes new assorted presented marketed described known called
	you your my our we im i want need find looking code commodity hs tariff importing exporting shipping`)

// denials begin what a text says the goods are not; what follows in the clause belongs elsewhere.
var denials = wordSet(`excluding except excepting excl without neither nor not non`)

// positive leaves out what a text says the goods are not.
func positive(words []string) []string {
	said := make([]string, 0, len(words))
	denied := false
	for i, w := range words {
		switch {
		case w == pause:
			denied = false
		case denials[w], w == "other" && i+1 < len(words) && words[i+1] == "than":
			denied = true
		}
		if !denied {
			said = append(said, w)
		}
	}
	return said
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
