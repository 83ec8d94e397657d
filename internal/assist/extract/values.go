package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Confidence in values that may mean something else.
const (
	certain         Confidence = 100
	fair            Confidence = 85
	doubtful        Confidence = 65
	maxNumber                  = 35 // characters of a document's number
	maxName                    = 120
	maxBeforeNumber            = 4 // words before "no.", as in "tax document no. 12"
	doubtedDate                = "Day and month of a date may be the other way round."
)

// identifier reads the number of a document: letters, digits and some signs, with at least one
// digit.
func (r *reading) identifier(c candidate) (string, Confidence, bool) {
	text := strings.Trim(c.text, " :#.,;-–")
	if w := wordsOf(text); len(w) > 1 && len(w[0].concepts) > 1 && w[0].concepts[1] == numero {
		return "", 0, false // another label: "Rechnungsnummer Kundennummer 4711"
	}
	for _, opening := range []string{" of ", " dated ", " vom ", " du ", " del ", " dd ", " d.d. ", " / ", "  ", " (", ", "} {
		if at := strings.Index(strings.ToLower(text), opening); at > 0 && strings.ContainsFunc(text[:at], unicode.IsDigit) {
			text = text[:at]
		}
	}
	for i, w := range wordsOf(text) {
		if i > maxBeforeNumber {
			break
		}
		if w.plain == "no" {
			text = strings.Trim(text[w.end:], " :.") // such as "tax document no. 12"
			break
		}
	}
	if words := strings.Fields(text); len(words) > 1 {
		if w := wordsOf(words[0]); len(w) == 1 && slices.Contains(w[0].concepts, "invoice") {
			words = words[1:] // "Invoice 4410"
		}
		text = joinNumber(words)
	}
	text = strings.Trim(text, " .,;")
	if text == "" || len(text) > maxNumber || !strings.ContainsFunc(text, unicode.IsDigit) || onlyDate(text) && !strings.ContainsFunc(text, unicode.IsLetter) && strings.ContainsAny(text, "/.") {
		return "", 0, false
	}
	return text, certain, true
}

// joinNumber returns the part of a text in words that is a number: up to the first word of
// letters only, unless it begins the text.
func joinNumber(words []string) string {
	for i, w := range words {
		if i > 0 && !strings.ContainsFunc(w, unicode.IsDigit) || i > 3 {
			return strings.Join(words[:i], " ")
		}
		if i > 0 && onlyDate(w) {
			return strings.Join(words[:i], " ")
		}
	}
	return strings.Join(words, " ")
}

// date reads a date, and marks it as ambiguous if day and month may be swapped.
func (r *reading) date(c candidate) (string, Confidence, bool) {
	d, ok := findDate(c.text, r.order)
	if !ok {
		return "", 0, false
	}
	if !d.doubtful {
		return d.iso, certain, true
	}
	if r.order != unknownOrder && !r.guessed {
		return d.iso, 95, true // other dates prove the order
	}
	r.note(doubtedDate)
	return d.iso, doubtful, true
}

// phraseOf reads a name or another short text.
func (r *reading) phraseOf(c candidate) (string, Confidence, bool) {
	text := strings.Trim(c.text, " :;,-–")
	if text == "" || len(text) > maxName || !strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsFunc(text, unicode.IsDigit) {
		return "", 0, false
	}
	if words := wordsOf(text); len(words) == 1 && len(words[0].concepts) > 0 && c.cell != c.label {
		return "", 0, false // the header of a column, below a heading
	}
	if statesGoods(text) {
		return "", 0, false // "142 cartons household articles"
	}
	if c.label == c.cell && !c.label.colon && c.label.named < 2 {
		return "", 0, false // such as "Seller shall …"
	}
	return text, certain, true
}

// amount reads an amount of money: the last number of a text, after a tax rate.
func (r *reading) amount(c candidate) (quantity.Number, Confidence, bool) {
	text := c.text
	for rate := percent.FindStringIndex(text); rate != nil; rate = percent.FindStringIndex(text) {
		text = text[:rate[0]] + text[rate[1]:]
	}
	if plain, _ := unsigned(text); !amountLike.MatchString(fold(plain)) {
		return quantity.Number{}, 0, false
	}
	return r.number(text, c.plain)
}

var (
	percent = lazyregexp.New(`\(?\d+(?:[.,]\d+)? ?%\)?(?: (?:of|on|von|de|di))?|% ?\d{1,2}(?:[.,]\d+)?\b`)
	// amountLike matches a number with nothing but a currency around it.
	amountLike = lazyregexp.New(`^[^\pL\d-]*(?:[a-z]{2,3}\$?|us\$|kr\.?|zl|fr\.?|eur[o]?)?[^\pL\d-]*\d[\d .,'’]*[^\pL\d]*(?:[a-z]{3}|zl|kr|kc|euro)?[^\pL\d]*$`)
)

func (r *reading) number(text string, plain bool) (quantity.Number, Confidence, bool) {
	s := r.style
	if plain {
		s = pointStyle
	}
	text, negative := unsigned(text)
	n, ok := findNumber(text, s)
	if !ok {
		return quantity.Number{}, 0, false
	}
	v, ok := exact(n.plain)
	if negative && ok && !v.IsZero() {
		v, ok = exact("-" + v.String())
	}
	if n.doubtful {
		return v, fair, ok
	}
	return v, certain, ok
}

// count reads a whole number, optionally followed by a word for packages.
func (r *reading) count(c candidate) (int64, Confidence, bool) {
	n, ok := findNumber(c.text, r.style)
	if !ok || n.before != "" && strings.ContainsFunc(n.before, unicode.IsDigit) || strings.HasPrefix(n.after, "kg") {
		return 0, 0, false
	}
	v, ok := exact(n.plain)
	if !ok {
		return 0, 0, false
	}
	rat := v.Rat()
	if !rat.IsInt() || !rat.Num().IsInt64() || rat.Num().Int64() > 99_999_999 || rat.Sign() <= 0 {
		return 0, 0, false
	}
	return rat.Num().Int64(), certain, true
}

// country reads a name or a code of a country.
func (r *reading) country(c candidate) (string, Confidence, bool) {
	text := strings.TrimSpace(c.text)
	if code, ok := r.countries.country(text); ok {
		return code, certain, true
	}
	if code, ok := r.countries.ending(text); ok && len(text) < maxName {
		return code, fair, true
	}
	return "", 0, false
}

func (r *reading) currency(c candidate) (string, Confidence, bool) {
	code, named := findCurrency(c.text)
	if named {
		return code, certain, true
	}
	return code, fair, code != ""
}
