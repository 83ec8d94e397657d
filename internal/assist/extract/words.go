package extract

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// word is a normalised word of a text and its position.
type word struct {
	plain      string
	start, end int
	colon      bool // a colon follows
	stop       bool // a sentence ends behind it
	concepts   []concept
}

// accents maps letters with accents to those without.
var accents = strings.NewReplacer(
	"ä", "a", "á", "a", "à", "a", "â", "a", "ã", "a", "å", "a", "ą", "a", "æ", "ae", "ç", "c", "ć", "c", "č", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "ę", "e", "ě", "e",
	"í", "i", "ì", "i", "î", "i", "ï", "i", "ı", "i", "ł", "l", "ñ", "n", "ń", "n", "ň", "n", "ö", "o", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ø", "o", "ő", "o", "œ", "oe",
	"ß", "ss", "ś", "s", "š", "s", "ş", "s", "ğ", "g", "ü", "u", "ú", "u", "ù", "u", "û", "u", "ů", "u", "ű", "u", "ý", "y", "ž", "z", "ź", "z", "ż", "z", "ř", "r", "ď", "d", "ť", "t",
)

// inner are signs that a word may contain.
var inner = strings.NewReplacer(".", "", "'", "", "’", "")

// fold returns a text in lower case without accents.
func fold(text string) string { return accents.Replace(strings.ToLower(text)) }

// wordsOf splits a text into words of letters or of digits. # and similar signs are the word
// no. Points inside are removed, so that P.O. is po.
func wordsOf(text string) (words []word) {
	start := -1
	flush := func(end int) {
		if start >= 0 {
			for at := range joined(text[start:end]) {
				words = addWord(words, text, start, start+at)
				start += at
			}
			start = -1
		}
	}
	for at, r := range text {
		_, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '°' || r == 'º':
			if start < 0 {
				start = at
			}
		case (r == '.' || r == '\'' || r == '’') && start >= 0 && joins(text, start, at, size):
		case r == '#' || r == '№':
			flush(at)
			words = append(words, word{plain: "no", start: at, end: at + size, concepts: conceptsOf("no")})
		default:
			flush(at)
		}
	}
	flush(len(text))
	for i := range words {
		words[i].colon = strings.HasPrefix(strings.TrimLeft(text[words[i].end:], " .)"), ":")
		words[i].stop = words[i].endsMeasure() && !(i+1 < len(words) && slices.Contains(words[i+1].concepts, "weight")) && unitStop.MatchString(text[words[i].end:]) ||
			bracketStop.MatchString(text[words[i].end:])
	}
	return words
}

// Ends of sentences: behind a unit or gross and net, which are no abbreviations of labels, or behind a bracket.
var (
	unitStop    = lazyregexp.New(`^[.;] +\p{Lu}`)
	bracketStop = lazyregexp.New(`^\)[.;] +\p{Lu}`)
)

// endsMeasure reports whether a word may end a mass or a volume: a unit, gross or net.
func (w word) endsMeasure() bool {
	return len(w.concepts) > 0 && slices.Contains([]concept{"kg", "cbm", "gross", "net"}, w.concepts[0])
}

// addWord adds a part of a text as a word.
func addWord(words []word, text string, start, end int) []word {
	plain := inner.Replace(fold(text[start:end]))
	switch {
	case plain == "":
		return words
	case text[start:end] == "č", slices.Contains([]string{"n°", "nº", "nr", "num", "numero", "number", "nummer"}, plain):
		plain = "no"
	}
	return append(words, word{plain: plain, start: start, end: end, concepts: conceptsOf(plain)})
}

// shortestSpelled is the number of letters that one word of a name such as unitPrice has at least: UStId is one word.
const shortestSpelled = 3

// joined returns the lengths of the words in a name that a program writes, such as unitPrice.
func joined(text string) iter.Seq[int] {
	var ends []int
	longest, from := 0, 0
	before := ' '
	for at, r := range text {
		next, _ := utf8.DecodeRuneInString(text[at+max(1, utf8.RuneLen(r)):])
		if at > from && unicode.IsUpper(r) && (unicode.IsLower(before) || before == '°' || unicode.IsUpper(before) && unicode.IsLower(next)) {
			ends, longest, from = append(ends, at-from), max(longest, at-from), at
		}
		before = r
	}
	ends, longest = append(ends, len(text)-from), max(longest, len(text)-from)
	if longest < shortestSpelled {
		ends = []int{len(text)}
	}
	return slices.Values(ends)
}

// joins reports whether a point or an apostrophe is inside a word, as in P.O. and buyer's.
func joins(text string, start, at, size int) bool {
	after, width := utf8.DecodeRuneInString(text[at+size:])
	before, _ := utf8.DecodeLastRuneInString(text[start:at])
	if !unicode.IsLetter(before) || !unicode.IsLetter(after) {
		return false
	}
	if text[at] == '.' {
		return at-start <= 3
	}
	next, _ := utf8.DecodeRuneInString(text[at+size+width:])
	return after == 's' && !unicode.IsLetter(next)
}

// phrase returns a text as normalised words with single spaces.
func phrase(text string) string {
	var plain []string
	for _, w := range wordsOf(text) {
		plain = append(plain, w.plain)
	}
	return strings.Join(plain, " ")
}
