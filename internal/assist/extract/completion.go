package extract

import (
	"iter"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Upper limits of the confidence in a model's values.
const (
	inText          Confidence = 75 // a value that is in the text, perhaps for another field
	fromPicture     Confidence = 70 // a value from a picture, which cannot be checked
	wrongCheckDigit Confidence = 40 // an identifier with a wrong check digit
	offlineTrusted  Confidence = 70 // offline values with more confidence stay
)

// completion fills the gaps of a document with a model's answer.
type completion struct {
	*reading
	answer    modelAnswer
	sure      Confidence
	rows      []*row // the lines that the model was given
	near      int    // the line on which the last line of goods begins
	taken     int    // values taken from the model
	dropped   int    // invalid values, or values that are not in the document
	truncated bool

	numbers map[*cell][][]int // their positions in cells
}

type reader[T any] func(candidate) (T, Confidence, bool)

// fillGap fills a field that is missing or doubtful.
func fillGap[T any](m *completion, to **Field[T], places iter.Seq[candidate], read reader[T]) {
	if sure(*to) > offlineTrusted {
		return
	}
	for c := range places {
		v, sure, ok := read(c)
		if !ok {
			continue
		}
		f := field(v, c, sure)
		if f.Found.Source = Provider; m.sure == fromPicture {
			f.Found.Line = 0 // a line of the answer, not of the picture
			f.Found.Cell = 0
		}
		*to = f
		m.taken++
		return
	}
	m.dropped++
}

// fromText fills a field with one text of the model.
func fromText[T any](m *completion, to **Field[T], text string, read reader[T]) {
	if strings.TrimSpace(text) != "" {
		fillGap(m, to, m.places(text), read)
	}
}

// measured fills a mass or a volume; the unit may be elsewhere, for example in the header of
// the column.
func measured[T any](m *completion, to **Field[T], text string, read reader[T]) {
	text = bounded(text)
	if n, ok := findNumber(text, m.style); ok && n.before == "" && unitText.MatchString(n.after) {
		fillGap(m, to, m.withUnit(strings.TrimSuffix(text, n.after), n.after), read)
		return
	}
	fromText(m, to, text, read)
}

func (m *completion) withUnit(number, unit string) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		known := false
		for range m.places(unit) {
			known = true
			break
		}
		for whole := range m.places(number + unit) {
			if !yield(whole) {
				return
			}
		}
		for c := range m.places(number) {
			if known {
				c.text += " " + unit
			}
			if !yield(c) {
				return
			}
		}
	}
}

// spread fills a text that may be on several lines, its parts separated by commas.
func (m *completion) spread(to **Text, text string) {
	if strings.TrimSpace(text) == "" || sure(*to) > offlineTrusted {
		return
	}
	var first candidate
	var parts []string
	for part := range strings.FieldsFuncSeq(bounded(text), func(r rune) bool { return r == ',' || r == '\n' }) {
		for c := range m.places(part) {
			if len(parts) == 0 {
				first = c
			}
			parts = append(parts, c.text)
			break
		}
	}
	first.text = strings.Join(parts, ", ")
	fillGap(m, to, func(yield func(candidate) bool) {
		if len(parts) > 0 {
			yield(first)
		}
	}, func(c candidate) (string, Confidence, bool) { return c.text, certain, true })
}

// money fills a currency by its code, or by the sign in the amounts.
func (m *completion) money(to **Text, text string) {
	want, _ := findCurrency(bounded(text))
	if want == "" {
		fromText(m, to, text, m.currency)
		return
	}
	fillGap(m, to, func(yield func(candidate) bool) {
		for _, row := range m.rows {
			for _, c := range row.cells {
				if code, _ := findCurrency(c.Text); code == want && !yield(candidate{text: c.Text, cell: c, sure: m.sure}) {
					return
				}
			}
		}
	}, m.currency)
}

func vatNumber(c candidate) (string, Confidence, bool) {
	vat := compactID(findVAT(c.text))
	if v, err := ident.ParseVRN(strings.TrimPrefix(vat, "GB")); err == nil && strings.HasPrefix(vat, "GB") && !v.ValidChecksum() {
		return vat, wrongCheckDigit, true
	}
	return vat, certain, vat != ""
}

func eori(c candidate) (string, Confidence, bool) {
	e, err := ident.ParseEORI(strings.ReplaceAll(c.text, " ", ""))
	return string(e), certain, err == nil
}

func carrierCode(c candidate) (string, Confidence, bool) {
	return c.text, certain, scac.MatchString(c.text)
}

func incotermOf(c candidate) (string, Confidence, bool) {
	if term := incoterm.FindString(c.text); term != c.text || term != strings.ToUpper(term) {
		return "", 0, false
	}
	return c.text, certain, true
}

func freight(c candidate) (string, Confidence, bool) {
	text := phrase(c.text)
	pre, col := strings.Contains(text, "prepaid"), strings.Contains(text, "collect")
	if pre {
		return "PREPAID", fair, !col
	}
	return "COLLECT", fair, col
}

// described reads a description of goods, which must contain a letter.
func described(c candidate) (string, Confidence, bool) {
	return c.text, certain, strings.ContainsFunc(c.text, unicode.IsLetter)
}
