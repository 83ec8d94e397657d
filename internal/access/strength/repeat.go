// Copyright (c) 2018 Vincent Vanackere and Trustelem. MIT licence, as of
// github.com/trustelem/zxcvbn, whose matchers load all dictionaries when a program starts.

package strength

import (
	"slices"

	"github.com/trustelem/zxcvbn/match"
	"github.com/trustelem/zxcvbn/scoring"
)

type repeatMatch struct{ words dictionaryMatch }

func (r repeatMatch) Matches(password string) []*match.Match {
	var matches []*match.Match
	text := []rune(password)
	for from := 0; ; {
		found, ok := firstRepetition(text, from, true)
		if !ok {
			return matches
		}
		if short, _ := firstRepetition(text, from, false); short.length() >= found.length() {
			// the shortest unit beats the longest for 'aaaaa'
			//   longest:  aaaa,  a unit of aa
			//   shortest: aaaaa, a unit of a
			found = short
		} else {
			// the longest unit beats the shortest for 'aabaab'
			//   longest:  aabaab, a unit of aab
			//   shortest: aa,     a unit of a
			// and may be a repetition itself, as aabaab in aabaabaabaab.
			found.unit = shortestUnit(text[found.start:found.end])
		}
		matches = append(matches, r.matchOf(text, found))
		from = found.end
	}
}

// matchOf scores the unit of a repetition as a password of its own.
func (r repeatMatch) matchOf(text []rune, found repetition) *match.Match {
	token, unit := string(text[found.start:found.end]), string(text[found.start:found.start+found.unit])
	analysis := scoring.MostGuessableMatchSequence(unit, matchesOf(unit, r.words), false)
	return &match.Match{
		Pattern: "repeat", Token: token, I: len(string(text[:found.start])), J: len(string(text[:found.end])) - 1,
		BaseToken: unit, BaseGuesses: analysis.Guesses, BaseMatches: analysis.Sequence, RepeatCount: found.length() / found.unit,
	}
}

// repetition is a part of a text in which a unit occurs at least twice in a row. Positions are
// in runes.
type repetition struct{ start, end, unit int }

func (r repetition) length() int { return r.end - r.start }

// firstRepetition returns the first repetition that starts at from or later, and among those
// that start at the same place the one with the longest or the shortest unit.
func firstRepetition(text []rune, from int, longest bool) (repetition, bool) {
	for start := from; start < len(text); start++ {
		most := (len(text) - start) / 2
		for n := range most {
			unit := n + 1
			if longest {
				unit = most - n
			}
			if end := repeatedUntil(text, start, unit); end > start+unit {
				return repetition{start, end, unit}, true
			}
		}
	}
	return repetition{}, false
}

// repeatedUntil returns the end of the consecutive occurrences of the unit at start.
func repeatedUntil(text []rune, start, unit int) int {
	end := start + unit
	for end+unit <= len(text) && slices.Equal(text[start:start+unit], text[end:end+unit]) {
		end += unit
	}
	return end
}

// shortestUnit returns the length of the shortest unit whose repetition is the whole text.
func shortestUnit(text []rune) int {
	unit := 1
	for repeatedUntil(text, 0, unit) < len(text) {
		unit++
	}
	return unit
}
