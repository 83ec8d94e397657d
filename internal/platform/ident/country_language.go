package ident

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// foreignNames has a line for each code with the names of a country in the languages of countryLanguages. It is made from the
// Unicode CLDR by go test ./internal/platform/ident -update.
//
//go:embed country_names.txt
var foreignNames string

// ForeignNames returns the names of countries in other languages than English, with their codes.
func ForeignNames() iter.Seq2[string, Country] {
	return func(yield func(string, Country) bool) {
		for line := range strings.Lines(foreignNames) {
			code, names, found := strings.Cut(strings.TrimSpace(line), " ")
			if !found || code == "#" {
				continue
			}
			for name := range strings.SplitSeq(names, "|") {
				if !yield(name, Country(code)) {
					return
				}
			}
		}
	}
}

// countryByForeignName finds countries by their names without accents and marks. It is read at its first use.
var countryByForeignName = sync.OnceValue(func() map[string]Country {
	all := map[string]Country{}
	for name, code := range ForeignNames() {
		all[plainName(name)] = code
	}
	return all
})

var plainLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ł", "l", "ı", "i")

// plainName returns a name in small letters without accents; marks count as blanks.
func plainName(name string) string {
	letters := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case unicode.IsLetter(r):
			return r
		}
		return ' '
	}, norm.NFKD.String(plainLetters.Replace(strings.ToLower(name))))
	return strings.Join(strings.Fields(letters), " ")
}
