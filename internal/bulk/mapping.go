package bulk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
)

// Column is a column of an uploaded table with its first values.
type Column struct {
	Header string
	Values []string
}

// Mapping says which header a field of a client comes from; nil for none.
type Mapping map[string]*string

// Mapper guesses a mapping. Guess is one that needs nobody's help.
type Mapper func(context.Context, []Column) (Mapping, error)

// sampled is how many rows a mapper sees.
const sampled = 200

// Columns are the columns of the table with their first values.
func (s *Sheet) Columns() []Column {
	columns := make([]Column, len(s.Headers))
	for i, header := range s.Headers {
		columns[i].Header = header
	}
	n := 0
	for cells := range s.Rows() {
		if n++; n > sampled {
			break
		}
		for i, cell := range cells {
			columns[i].Values = append(columns[i].Values, cell)
		}
	}
	return columns
}

// Points of a header, and what a guess needs to be made.
const (
	sayingIt     = 100 // the header says it; a little less the further behind in the list
	countingIt   = 90  // it says it with "number" or the like behind
	endingOnIt   = 70  // it says it after other words
	mentioningIt = 45  // it says it among other words
	enough       = 40
	contradicted = -60 // the values are of another shape
	confirmed    = 30
)

// Guess maps by what headers say and by what the values look like. The same columns
// give the same mapping; no header is used twice.
func Guess(_ context.Context, columns []Column) (Mapping, error) {
	type candidate struct{ points, field, column int }
	var candidates []candidate
	for f := range clientFields {
		for c := range columns {
			if p := clientFields[f].points(&columns[c]); p >= enough {
				candidates = append(candidates, candidate{p, f, c})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.points, a.points) })
	m, taken := Mapping{}, map[int]bool{}
	for _, f := range clientFields {
		m[f.name] = nil
	}
	for _, c := range candidates {
		name := clientFields[c.field].name
		if m[name] == nil && !taken[c.column] {
			m[name], taken[c.column] = &columns[c.column].Header, true
		}
	}
	return m, nil
}

// points say how well a column fits a field.
func (f *field) points(c *Column) int {
	points := f.said(words(c.Header))
	if f.is == nil {
		return points
	}
	percent, count := share(c.Values, f.is)
	switch {
	case percent >= 80 && points == 0:
		return f.proof
	case percent >= 80:
		return points + confirmed
	case percent < 20 && count >= 3 && f.name != "name":
		return points + contradicted
	}
	return points
}

// counting are words behind a header that say that it is a number or a name of it.
var counting = []string{"no", "nr", "number", "num", "code", "id", "reg", "registration", "#"}

// said gives points for what a header says.
func (f *field) said(header []string) int {
	all := strings.Join(header, "")
	bare := header
	for len(bare) > 1 && slices.Contains(counting, bare[len(bare)-1]) {
		bare = bare[:len(bare)-1]
	}
	best := 0
	for i, h := range f.headers {
		squeezed := strings.ReplaceAll(h, " ", "")
		switch {
		case all == squeezed:
			return sayingIt - min(i, sayingIt-countingIt-1)
		case len(bare) < len(header) && !f.numbered:
			continue
		case strings.Join(bare, "") == squeezed:
			best = max(best, countingIt)
		case strings.HasSuffix(" "+strings.Join(bare, " "), " "+h):
			best = max(best, endingOnIt+strings.Count(h, " "))
		case strings.Contains(" "+strings.Join(bare, " ")+" ", " "+h+" "):
			best = max(best, mentioningIt+strings.Count(h, " "))
		}
	}
	return best
}

// words are the words of a header in lower case: "VATRegNo." is vat, reg and no.
func words(header string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(header)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '#' {
			end()
			continue
		}
		if i > 0 && len(word) > 0 && turns(runes[i-1], r, runes[i+1:]) {
			end()
		}
		word = append(word, r)
	}
	end()
	return out
}

// turns tells whether a new word begins with a letter or digit.
func turns(before, r rune, behind []rune) bool {
	if unicode.IsDigit(r) != unicode.IsDigit(before) {
		return true
	}
	if !unicode.IsUpper(r) {
		return false
	}
	return unicode.IsLower(before) || len(behind) > 0 && unicode.IsLower(behind[0])
}
