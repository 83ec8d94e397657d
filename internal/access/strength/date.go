// Copyright (c) 2018 Vincent Vanackere and Trustelem. MIT licence, as of
// github.com/trustelem/zxcvbn, whose matchers load all dictionaries when a program starts.

package strength

import (
	"slices"
	"strconv"

	"github.com/trustelem/zxcvbn/match"
	"github.com/trustelem/zxcvbn/scoring"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

const dateMaxYear = 2050
const dateMinYear = 1000

var dateSplits = map[int][]struct{ k, l int }{
	4: { // for length-4 strings, eg 1191 or 9111, two ways to split:
		{1, 2}, // 1 1 91 (2nd split starts at index 1, 3rd at index 2)
		{2, 3}, // 91 1 1
	},
	5: {
		{1, 3}, // 1 11 91
		{2, 3}, // 11 1 91
	},
	6: {
		{1, 2}, // 1 1 1991
		{2, 4}, // 11 11 91
		{4, 5}, // 1991 1 1
	},
	7: {
		{1, 3}, // 1 11 1991
		{2, 3}, // 11 1 1991
		{4, 5}, // 1991 1 11
		{4, 6}, // 1991 11 1
	},
	8: {
		{2, 4}, // 11 11 1991
		{4, 6}, // 1991 11 11
	},
}

// A date with separators has the same one twice, which is checked separately.
var (
	maybeDateNoSeparator   = lazyregexp.New(`^\d{4,8}$`)
	maybeDateWithSeparator = lazyregexp.New(`^(\d{1,4})([\s\v\x{85}\p{Z}/\\_.-])(\d{1,2})([\s\v\x{85}\p{Z}/\\_.-])(\d{1,4})$`)
)

// a "date" is recognized as:
//   any 3-tuple that starts or ends with a 2- or 4-digit year,
//   with 2 or 0 separator chars (1.1.91 or 1191),
//   maybe zero-padded (01-01-91 vs 1-1-91),
//   a month between 1 and 12,
//   a day between 1 and 31.
//
// note: this isn't true date parsing in that "feb 31st" is allowed,
// this doesn't check for leap years, etc.
//
// recipe:
// start with regex to find maybe-dates, then attempt to map the integers
// onto month-day-year to filter the maybe-dates into dates.
// finally, remove matches that are substrings of other matches to reduce noise.
//
// note: instead of using a lazy or greedy regex to find many dates over the full string,
// this uses a ^...$ regex against every substring of the password -- less performant but leads
// to every possible date match.

type dateMatchCandidate struct {
	Day   int
	Month int
	Year  int
}

type dateMatch struct{}

func (dm dateMatch) Matches(password string) []*match.Match {
	matches := withoutSubstrings(append(datesWithoutSeparator(password), datesWithSeparator(password)...))
	match.Sort(matches)
	return matches
}

// dates without separators are between length 4 '1191' and 8 '11111991'
func datesWithoutSeparator(password string) (matches []*match.Match) {
	for i := 0; i <= len(password)-4; i++ {
		for j := i + 3; j <= i+7 && j < len(password); j++ {
			token := password[i : j+1]
			if !maybeDateNoSeparator.MatchString(token) {
				continue
			}
			if best := bestSplit(token); best != nil {
				matches = append(matches, &match.Match{
					Pattern: "date", Token: token, I: i, J: j, Year: best.Year, Month: best.Month, Day: best.Day,
				})
			}
		}
	}
	return matches
}

// bestSplit returns the date that likely takes the fewest guesses among the ways to split a
// token: a year closest to scoring.ReferenceYear. Considering '111504', it prefers 11-15-04
// to 1-1-1504 (interpreting '04' as 2004).
func bestSplit(token string) (best *dateMatchCandidate) {
	for _, s := range dateSplits[len(token)] {
		dmy := mapIntsToDMY(token[0:s.k], token[s.k:s.l], token[s.l:])
		if dmy != nil && (best == nil || dateMatchMetric(dmy) < dateMatchMetric(best)) {
			best = dmy
		}
	}
	return best
}

// dates with separators are between length 6 '1/1/91' and 10 '11/11/1991'
func datesWithSeparator(password string) (matches []*match.Match) {
	for i := 0; i <= len(password)-6; i++ {
		for j := i + 5; j <= i+9 && j < len(password); j++ {
			token := password[i : j+1]
			m := maybeDateWithSeparator.FindStringSubmatch(token)
			if m == nil || m[2] != m[4] {
				continue
			}
			dmy := mapIntsToDMY(m[1], m[3], m[5])
			if dmy != nil {
				matches = append(matches, &match.Match{
					Pattern: "date", Token: token, I: i, J: j, Separator: m[2],
					Year: dmy.Year, Month: dmy.Month, Day: dmy.Day,
				})
			}
		}
	}
	return matches
}

// withoutSubstrings removes matches that are within others: '2015_06_04' also matches as
// 15_06_04, 5_06_04, ..., even 2015 (as 5/1/2020).
func withoutSubstrings(matches []*match.Match) (kept []*match.Match) {
	for _, m := range matches {
		within := slices.ContainsFunc(matches, func(o *match.Match) bool { return m != o && o.I <= m.I && o.J >= m.J })
		if !within {
			kept = append(kept, m)
		}
	}
	return kept
}

func dateMatchMetric(c *dateMatchCandidate) int {
	return abs(c.Year - scoring.ReferenceYear)
}

func mapIntsToDMY(s1, s2, s3 string) *dateMatchCandidate {
	// given a 3-tuple, discard if:
	//   middle int is over 31 (for all dmy formats, years are never allowed in the middle)
	//   middle int is zero
	//   any int is over the max allowable year
	//   any int is over two digits but under the min allowable year
	//   2 ints are over 31, the max allowable day
	//   2 ints are zero
	//   all ints are over 12, the max allowable month
	i1, _ := strconv.Atoi(s1)
	i2, _ := strconv.Atoi(s2)
	i3, _ := strconv.Atoi(s3)
	if i2 > 31 || i2 <= 0 {
		return nil
	}
	over12 := 0
	over31 := 0
	under1 := 0
	for _, i := range [3]int{i1, i2, i3} {
		if (i > 99 && i < dateMinYear) || i > dateMaxYear {
			return nil
		}
		if i > 31 {
			over31++
		}
		if i > 12 {
			over12++
		}
		if i <= 0 {
			under1++
		}
	}
	if over31 >= 2 || over12 == 3 || under1 >= 2 {
		return nil
	}

	// first look for a four digit year: yyyy + daymonth or daymonth + yyyy
	possibleYearSplits := [][3]int{
		{i3, i1, i2}, // year last
		{i1, i2, i3}, // year first
	}
	for _, split := range possibleYearSplits {
		y := split[0]
		if dateMinYear <= y && y <= dateMaxYear {
			// for a candidate that includes a four-digit year,
			// when the remaining ints don't match to a day and month,
			// it is not a date.
			return mapIntsToDM(split[1], split[2], y)
		}
	}

	// given no four-digit year, two digit years are the most flexible int to match, so
	// try to parse a day-month out of ints[0..1] or ints[1..0]
	for _, split := range possibleYearSplits {
		y := split[0]
		dm := mapIntsToDM(split[1], split[2], y)
		if dm != nil {
			dm.Year = twoToFourDigitYear(dm.Year)
			return dm
		}
	}
	return nil
}

func mapIntsToDM(i1, i2 int, year int) *dateMatchCandidate {
	if i1 <= 31 && i2 <= 12 {
		return &dateMatchCandidate{
			Day:   i1,
			Month: i2,
			Year:  year,
		}
	}
	if i2 <= 31 && i1 <= 12 {
		return &dateMatchCandidate{
			Day:   i2,
			Month: i1,
			Year:  year,
		}
	}
	return nil
}

func twoToFourDigitYear(year int) int {
	if year > 99 {
		return year
	} else if year > 50 {
		// 87 -> 1987
		return year + 1900
	} else {
		// 15 -> 2015
		return year + 2000
	}
}
