// Package strength estimates how hard a password is to guess, by zxcvbn: a score from 0 to 4.
// It uses the word lists and the scoring of github.com/trustelem/zxcvbn, but loads the lists on
// first use: at start-up they would cost 70 ms and 10 MB.
package strength

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/trustelem/zxcvbn/adjacency"
	"github.com/trustelem/zxcvbn/match"
	"github.com/trustelem/zxcvbn/scoring"
)

const (
	// MaxScored is the number of characters of a password that are scored.
	MaxScored = 100

	maxSubstitutions = 64 // maximum sets of substitutions, such as @ for a, that are tried
)

// Minimum guesses for a score of 1, 2, 3 and 4, as defined by zxcvbn.
var thresholds = []float64{1e3 + 5, 1e6 + 5, 1e8 + 5, 1e10 + 5}

// Score returns how hard a password is to guess, from 0 to 4. inputs are words that an attacker
// would try first, such as the user's name.
func Score(password string, inputs []string) int {
	if !utf8.ValidString(password) {
		return 0
	}
	if runes := []rune(password); len(runes) > MaxScored {
		password = string(runes[:MaxScored])
	}
	words := dictionaryMatch{relevant(password, inputs)}
	guesses := scoring.MostGuessableMatchSequence(password, matchesOf(password, words), false).Guesses
	score := 0
	for _, t := range thresholds {
		if guesses >= t {
			score++
		}
	}
	return score
}

// matchesOf returns all patterns in a password.
func matchesOf(password string, words dictionaryMatch) (all []*match.Match) {
	for _, m := range []match.Matcher{
		words, reverseDictionaryMatch{dm: words}, l33tMatch{dm: words, table: leetTable}, spatialMatch{graphs: graphs()},
		repeatMatch{words}, sequenceMatch{}, regexpMatch{regexes: recentYears}, dateMatch{},
	} {
		all = append(all, m.Matches(password)...)
	}
	match.Sort(all)
	return all
}

// relevant returns the dictionary words that a password can contain, as written, reversed, or with
// substitutions, with their ranks.
func relevant(password string, inputs []string) map[string]rankedDictionary {
	wanted := map[string]bool{}
	collect := func(text string) {
		text = strings.ToLower(text)
		for i := range text {
			for j := i + 1; j <= len(text); j++ {
				wanted[text[i:j]] = true
			}
		}
	}
	collect(password)
	collect(reverse(password))
	for i, sub := range enumerateLeetSubs(relevantSubtable(password, leetTable)) {
		if i == maxSubstitutions {
			break
		}
		collect(translate(password, sub))
	}
	ranked := map[string]rankedDictionary{"user_inputs": {}}
	eachWord(func(list, word string, rank int) {
		if !wanted[word] {
			return
		}
		if ranked[list] == nil {
			ranked[list] = rankedDictionary{}
		}
		ranked[list][word] = rank
	})
	for i, word := range inputs {
		if word = strings.ToLower(word); word != "" {
			ranked["user_inputs"][word] = i + 1
		}
	}
	return ranked
}

type rankedDictionary map[string]int

// dictionaryMatch finds dictionary words.
type dictionaryMatch struct {
	rankedDictionaries map[string]rankedDictionary
}

// Matches returns the words in a password.
func (dm dictionaryMatch) Matches(password string) (all []*match.Match) {
	lower := strings.ToLower(password)
	if len(lower) != len(password) {
		lower = password // keep letters whose lower case has another length
	}
	for name, words := range dm.rankedDictionaries {
		for i := range lower {
			for j := i + 1; j <= len(lower); j++ {
				if rank, ok := words[lower[i:j]]; ok {
					all = append(all, &match.Match{
						Pattern: "dictionary", I: i, J: j - 1, Token: password[i:j], MatchedWord: lower[i:j], Rank: rank, DictionaryName: name,
					})
				}
			}
		}
	}
	match.Sort(all)
	return all
}

func graphs() []*adjacency.Graph {
	return []*adjacency.Graph{adjacency.Graphs["qwerty"], adjacency.Graphs["dvorak"], adjacency.Graphs["keypad"], adjacency.Graphs["mac_keypad"]}
}

var recentYears = []struct {
	Name   string
	Regexp *regexp.Regexp
}{{"recent_year", regexp.MustCompile(`19\d\d|20[0-3]\d`)}}

var leetTable = map[string][]string{
	"a": {"4", "@"}, "b": {"8"}, "c": {"(", "{", "[", "<"}, "e": {"3"}, "g": {"6", "9"}, "i": {"1", "!", "|"}, "l": {"1", "|", "7"},
	"o": {"0"}, "s": {"$", "5"}, "t": {"+", "7"}, "x": {"%"}, "z": {"2"},
}
