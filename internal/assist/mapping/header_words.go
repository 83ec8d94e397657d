package mapping

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxHeader is the number of bytes of a header that are read.
const maxHeader = 100

// parts returns the words before, after and inside slashes and brackets.
func parts(text string) (all [][]string) {
	pieces := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("/()[]|\\:,;–（）／", r) })
	if len(pieces) < 2 {
		return nil
	}
	for _, piece := range pieces {
		if words := wordsOf(piece); len(words) > 0 && !isCounting(words) {
			all = append(all, words)
		}
	}
	return all
}

// wordsOf returns the words of a header in lower case without accents: vat, reg and no for
// "VATRegNo.".
func wordsOf(text string) (out []string) {
	text = text[:min(len(text), maxHeader)]
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = nil
		}
	}
	runes := []rune(folded(text))
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if len(word) > 0 && startsWord(runes[i-1], r, runes[i+1:]) {
			end()
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return out
}

// startsWord reports whether a new word begins with a letter or digit.
func startsWord(before, r rune, behind []rune) bool {
	if unicode.IsDigit(r) != unicode.IsDigit(before) {
		return true
	}
	if !unicode.IsUpper(r) {
		return false
	}
	return unicode.IsLower(before) || len(behind) > 0 && unicode.IsLower(behind[0])
}

var plainLetters = strings.NewReplacer("ß", "ss", "ł", "l", "Ł", "L", "ı", "i", "İ", "I", "ø", "o", "Ø", "O", "đ", "d", "Đ", "D", "æ", "ae", "Æ", "AE", "№", "no", "º", "", "°", "", "ª", "", "’", "", "'", " ")

// folded returns a text without accents.
func folded(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(plainLetters.Replace(text)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// isGeneric reports whether a header means nothing.
func isGeneric(words []string) bool {
	for _, w := range words {
		if !sets()["generic"][w] && !isDigits(w) && (len(w) > 1 || w[0] > unicode.MaxASCII) {
			return false
		}
	}
	return true
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// digitsOf returns the digits of a text.
func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

func isCounting(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !sets()["counting"][w] && !isDigits(w) })
}

// unnumbered removes a number from the end: a 1 costs almost nothing, a higher number more.
func unnumbered(words []string) (rest []string, cost int) {
	last := len(words) - 1
	if last < 1 || !isDigits(words[last]) || bySqueezed()[strings.Join(words, "")] != nil || bySqueezed()[strings.Join(withoutOwner(words), "")] != nil {
		return words, 0
	}
	if words[last] == "1" {
		return words[:last], 2
	}
	return words[:last], 30
}

// withoutOwner removes the words for the owner, unless nothing would be left.
func withoutOwner(words []string) []string {
	rest := words
	for len(rest) > 1 && sets()["owner"][rest[0]] {
		rest = rest[1:]
	}
	return rest
}

// withoutCounting removes the words for number from the end, unless nothing would be left.
func withoutCounting(words []string) []string {
	for len(words) > 1 && sets()["counting"][words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return words
}

// withoutJoinedNumber removes a word for number from the end that no blank separates from the rest.
func withoutJoinedNumber(squeezed string) string {
	for _, ending := range []string{"number", "nummer", "no", "nr", "num", "code", "id"} {
		if rest, found := strings.CutSuffix(squeezed, ending); found && len(rest) >= 3 {
			return rest
		}
	}
	return squeezed
}

// initials returns the first letters of words: pc for "post code".
func initials(text string) string {
	var letters []byte
	for word := range strings.FieldsSeq(text) {
		letters = append(letters, word[0])
	}
	return string(letters)
}

// Limits of an abbreviation that leaves letters out, such as PSTLZ.
const (
	shortestSkeleton = 3
	skeletonShare    = 4 // at least one letter of so many is left
)

// isSkeleton reports whether a header is a word without some of its letters: the first one stays.
func isSkeleton(header, word string) bool {
	if len(header) < shortestSkeleton || len(header) >= len(word) || len(header)*skeletonShare < len(word) || header[0] != word[0] {
		return false
	}
	at := 0
	for _, r := range header {
		next := strings.IndexRune(word[at:], r)
		if next < 0 {
			return false
		}
		at += next + 1
	}
	return true
}
