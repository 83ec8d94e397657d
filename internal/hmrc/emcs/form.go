package emcs

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// formKind is how the text of a leaf is written.
type formKind int

const (
	noForm      formKind = iota
	anyText              // least to most characters
	digits               // least to most digits
	fromOne              // a whole number from 1, up to most digits
	fromZero             // a whole number from 0, up to most digits
	decimal              // a positive number with up to most digits, places of them after the point
	oneOf                // a code
	patternForm          // a regular expression
	dateForm
	timeForm
	dateTimeForm
	base64Form
)

type form struct {
	kind        formKind
	least, most int
	places      int
	codes       []string
	pattern     *lazyregexp.Regexp
	words       string // what a text must be, for findings
}

// patterns are the forms with a regular expression, and their words.
var patterns = map[string]form{
	"arc":     patternOf(`^[0-9]{2}[A-Z]{2}[A-Z0-9]{16}[0-9]$`, "an ARC: two digits, two letters, 16 letters or digits, and one digit"),
	"ern":     patternOf(`^[A-Z]{2}[a-zA-Z0-9]{11}$`, "an excise number: two letters and 11 letters or digits"),
	"office":  patternOf(`^[A-Z]{2}[a-zA-Z0-9]{6}$`, "an office: two letters and six letters or digits"),
	"report":  patternOf(`^[A-Z]{2}[a-zA-Z0-9]{13}[0-9]$`, "a report number of 16 characters"),
	"journey": patternOf(`^(H([01][0-9]|2[0-4])|D([0-8][0-9]|9[0-2]))$`, "H00 to H24 or D00 to D92"),
	"error":   patternOf(`^[0-9]{4}$`, "the four digits of an error"), // HMRC's list grows, so that any number is read
	"a2":      patternOf(`^[A-Z]{2}$`, "two capital letters"),
	"al2":     patternOf(`^[a-zA-Z]{2}$`, "two letters"),
}

func patternOf(pattern, words string) form {
	return form{kind: patternForm, pattern: lazyregexp.New(pattern), words: words}
}

var plainForms = map[string]form{
	"date":     {kind: dateForm, words: "a date such as 2026-11-27"},
	"time":     {kind: timeForm, words: "a time such as 14:30:00"},
	"datetime": {kind: dateTimeForm, words: "a date and time such as 2026-11-27T14:30:00"},
	"base64":   {kind: base64Form, words: "Base64"},
}

// parseForm reads a form of schema.txt.
func parseForm(text string) form {
	if f, known := patterns[text]; known {
		return f
	}
	if f, known := plainForms[text]; known {
		return f
	}
	if codes, ok := strings.CutPrefix(text, "{"); ok {
		f := form{kind: oneOf, codes: strings.Split(strings.TrimSuffix(codes, "}"), ",")}
		f.words = "one of " + strings.Join(f.codes, ", ")
		return f
	}
	if size, ok := strings.CutPrefix(text, "d"); ok {
		whole, places, _ := strings.Cut(size, ".")
		f := form{kind: decimal, most: number(whole), places: number(places)}
		f.words = fmt.Sprintf("a number above 0 with at most %d digits, %d of them after the point", f.most, f.places)
		return f
	}
	return parseLength(text)
}

func parseLength(text string) form {
	name := strings.TrimRight(text, "0123456789.")
	f := form{least: 1, most: number(strings.TrimLeft(text[len(name):], "."))}
	if !strings.Contains(text, "..") {
		f.least = f.most
	}
	size := strconv.Itoa(f.most)
	if f.least != f.most {
		size = "1 to " + size
	}
	switch name {
	case "n":
		f.kind, f.words = digits, size+" digits"
	case "pos":
		f.kind, f.words = fromOne, "a whole number from 1 with at most "+strconv.Itoa(f.most)+" digits"
	case "num":
		f.kind, f.words = fromZero, "a whole number with at most "+strconv.Itoa(f.most)+" digits"
	default:
		f.kind, f.words = anyText, size+" characters"
	}
	return f
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// Layouts of dates and times. EMCS writes no time zone; fractions of a second may follow.
const (
	dateLayout     = "2006-01-02"
	timeLayout     = "15:04:05"
	dateTimeLayout = "2006-01-02T15:04:05"
)

// accepts reports whether a text has the form.
func (f form) accepts(text string) bool {
	switch f.kind {
	case anyText:
		n := utf8.RuneCountInString(text)
		return f.least <= n && n <= f.most
	case digits:
		return allDigits(text) && f.least <= len(text) && len(text) <= f.most
	case fromOne, fromZero:
		return text == "0" && f.kind == fromZero || allDigits(text) && text[0] != '0' && len(text) <= f.most
	case decimal:
		return f.acceptsDecimal(text)
	case oneOf:
		return slices.Contains(f.codes, text)
	case patternForm:
		return f.pattern.MatchString(text)
	case base64Form:
		_, err := base64.StdEncoding.DecodeString(text)
		return err == nil
	}
	layout := map[formKind]string{dateForm: dateLayout, timeForm: timeLayout, dateTimeForm: dateTimeLayout}[f.kind]
	_, err := time.Parse(layout, text)
	return err == nil && !strings.Contains(text, ",")
}

// acceptsDecimal reports whether a text is a positive decimal number without needless zeros at its beginning.
func (f form) acceptsDecimal(text string) bool {
	whole, fraction, pointed := strings.Cut(text, ".")
	if !allDigits(whole) || len(whole) > 1 && whole[0] == '0' || pointed && !allDigits(fraction) {
		return false
	}
	return len(whole)+len(fraction) <= f.most && len(fraction) <= f.places && strings.Trim(text, "0.") != ""
}

func allDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
