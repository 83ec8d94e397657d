package dataset

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed requirements.txt
var requirementsText string

// Letter is what a data set requires of a data element.
type Letter byte

// Letters. Small ones are our own knowledge, capital ones are published.
const (
	Absent       Letter = '-' // not in the data set
	Mandatory    Letter = 'A'
	Dependent    Letter = 'D'
	Optional     Letter = 'C'
	OwnMandatory Letter = 'a'
	OwnDependent Letter = 'd'
	OwnOptional  Letter = 'c'
	Advised      Letter = '?' // published as mandatory, but HMRC accepts declarations without it
)

// columns are the data sets of requirements.txt in its order.
var columns = []Set{H1, H2, H3, H4, H5, I1, C21I, B1, B2, B4, C1, C21E}

// row is a line of requirements.txt.
type row struct {
	letters  map[Set]Letter
	from, to string // days (YYYY-MM-DD); empty for none
}

var requirements = sync.OnceValue(func() map[string][]row {
	all, err := parseRequirements(requirementsText)
	if err != nil {
		panic(err) // a test reads the file
	}
	return all
})

func parseRequirements(text string) (map[string][]row, error) {
	all := map[string][]row{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) != len(columns)+3 {
			return nil, fmt.Errorf("dataset: requirements: %d columns in %q", len(words), line)
		}
		r := row{letters: map[Set]Letter{}, from: day(words[len(words)-2]), to: day(words[len(words)-1])}
		for n, set := range columns {
			word := words[n+1]
			if r.letters[set] = Letter(word[0]); word == "A?" {
				r.letters[set] = Advised
			}
		}
		all[words[0]] = append(all[words[0]], r)
	}
	return all, nil
}

func day(word string) string {
	if word == "-" {
		return ""
	}
	return word
}

// Required returns what a data set requires of a data element, such as 6/1, on a day (YYYY-MM-DD).
func (s Set) Required(element, on string) Letter {
	base, excluded, added := s.derived()
	switch {
	case added[element] != 0:
		return added[element]
	case excluded(element):
		return Absent
	}
	for _, r := range requirements()[element] {
		if r.from <= on && (r.to == "" || on <= r.to) {
			return s.own(r.letters[base])
		}
	}
	return Absent
}

// own returns a letter of H8, which was not read in a published table, as our own knowledge.
func (s Set) own(l Letter) Letter {
	switch {
	case s != H8:
		return l
	case l == Advised:
		return OwnMandatory
	case l >= 'A' && l <= 'Z':
		return l - 'A' + 'a'
	}
	return l
}

// derived returns how a data set without a column of its own follows from another one.
func (s Set) derived() (base Set, excluded func(string) bool, added map[string]Letter) {
	nothing := func(string) bool { return false }
	switch s {
	case H7:
		return H1, func(e string) bool { return !isOneOf(e, lowValue) }, lowValueLetters
	case H8:
		return H1, func(e string) bool { return isOneOf(e, notAtRisk) }, nil
	case FSD:
		return H1, func(e string) bool { return !isOneOf(e, final) }, finalLetters
	case C21IEIDR:
		return C21I, nothing, recorded
	case C21EEIDR:
		return C21E, nothing, recorded
	}
	return s, nothing, nil
}

func isOneOf(word, list string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }

// Elements of the data sets without a published table that was read. All is our own knowledge.
const (
	lowValue  = "1/1 1/2 1/6 1/10 1/11 2/1 2/2 2/3 2/4 2/5 2/6 3/1 3/2 3/15 3/16 3/18 3/19 3/20 3/21 3/39 3/40 4/3 4/8 5/8 5/14 5/15 5/23 6/1 6/5 6/8 6/14 6/15 6/18 7/4 8/2 8/3"
	notAtRisk = "4/1 4/3 4/4 4/5 4/6 4/7 4/8 4/9 4/10 4/11 4/12 4/13 4/15 4/16 4/17 5/14 6/9 6/11 7/2 8/5"
	final     = "1/1 1/2 1/6 1/9 1/10 1/11 2/1 2/2 2/3 2/4 2/5 3/18 3/19 3/20 3/21 3/39 5/23"
)

// Letters of those data sets that differ from the ones of H1 and C21.
var (
	lowValueLetters = map[string]Letter{
		"1/1": OwnMandatory, "1/2": OwnMandatory, "1/10": OwnMandatory, "1/11": OwnMandatory, "2/1": OwnMandatory, "2/5": OwnMandatory, "3/18": OwnMandatory,
		"5/23": OwnMandatory, "6/8": OwnMandatory, "6/14": OwnMandatory, "6/1": OwnDependent, "6/5": OwnDependent, "5/8": OwnOptional, "5/14": OwnOptional,
		"5/15": OwnOptional, "6/15": OwnOptional, "6/18": OwnOptional, "7/4": OwnOptional,
	}
	finalLetters = map[string]Letter{
		"1/1": OwnMandatory, "1/2": OwnMandatory, "1/6": OwnMandatory, "1/9": OwnOptional, "1/10": OwnMandatory, "1/11": OwnMandatory, "2/1": OwnMandatory,
		"2/2": OwnMandatory, "2/5": OwnMandatory, "3/18": OwnMandatory, "5/23": OwnMandatory,
	}
	recorded = map[string]Letter{"3/39": OwnMandatory, "2/3": OwnMandatory}
)
