package mapping

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed places.txt
var placesText string

// places are the words by which values are recognised; they never change.
var places = sync.OnceValue(func() placeNames { return placesOf(mustReadSets(placesText)) })

type placeNames struct {
	cities, countries, streets, companies map[string]bool
	endings                               []string
}

func placesOf(all map[string]map[string]bool) placeNames {
	return placeNames{all["cities"], all["countries"], all["streets"], all["companies"], slices.Sorted(maps.Keys(all["endings"]))}
}

// shape is a form of values.
type shape int

const (
	gbEORI shape = iota
	anyEORI
	sureVAT
	anyVAT
	mail
	call
	gbPostcode
	anyPostcode
	localPostcode // of the country in the same row; see locate
	countryCode
	anyCountry
	roleWord
	company
	person
	street
	town
	shortCode
	date
	amount
	yesNo
	plainWords
	shapeCount
)

// shapes are the checks for each shape.
var shapes = [shapeCount]is{
	gbEORI: isUKEORI, anyEORI: isEORI, sureVAT: isVAT, anyVAT: isVATLike, mail: isEmail, call: isPhone,
	gbPostcode: isUKPostcode, anyPostcode: isPostcode, localPostcode: isAlone, countryCode: isCountry, anyCountry: isCountryLike, roleWord: isRole,
	company: isCompany, person: isPerson, street: isStreet, town: isCity, shortCode: isCode, date: isDate, amount: amountShape.MatchString,
	yesNo: isYesNo, plainWords: isWords,
}

// Limits of what is read.
const (
	maxSampled = 60  // values of a column
	maxValue   = 200 // bytes of a value
)

// values are the non-empty values of a column: their number, and the percentage with each
// shape.
type values struct {
	count    int
	share    [shapeCount]int
	distinct int // percentage of different values
	longest  int

	rowNumbers bool // 1, 2, 3 …
}

func valuesOf(raw []string) (v values) {
	seen := map[string]int{}
	v.rowNumbers = true
	for _, text := range raw {
		text = cut(strings.TrimSpace(text))
		if text == "" || v.count == maxSampled {
			continue
		}
		v.count++
		v.rowNumbers = v.rowNumbers && text == strconv.Itoa(v.count)
		seen[text]++
		v.longest = max(v.longest, utf8.RuneCountInString(text))
		for s, fits := range shapes {
			if fits(text) {
				v.share[s]++
			}
		}
	}
	if v.count == 0 {
		return v
	}
	for s := range v.share {
		v.share[s] = v.share[s] * 100 / v.count
	}
	v.distinct = len(seen) * 100 / v.count
	return v
}

// cut shortens a value between characters.
func cut(text string) string {
	if len(text) <= maxValue {
		return text
	}
	return strings.ToValidUTF8(text[:maxValue], "")
}

// Limits of percentages.
const (
	most = 80 // from here on the column has the shape
	few  = 20 // up to here it does not
)

// mostly reports whether a column has a shape.
func (v *values) mostly(s shape) bool { return v.count > 0 && v.share[s] >= most }
