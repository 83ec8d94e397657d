package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// style is the notation of fractions in a document: 1,234.56 or 1.234,56.
type style int

const (
	unknownStyle style = iota
	pointStyle
	commaStyle
)

// numeral matches numbers in documents: with groups of three digits (or of two as in India),
// separated by a point, a comma, a space or an apostrophe, or without groups. Four to six digits
// after a separator are a fraction.
var numeral = lazyregexp.New(`\d+[.,]\d{4,6}|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:[ '’.,]\d{3})+(?:[.,]\d{1,6})?|\d+(?:[.,]\d+)?`)

// numberIn is the first number in a text in plain form, with the text before and after it. It
// is doubtful if a separator may mean groups or a fraction.
type numberIn struct {
	plain         string
	before, after string
	doubtful      bool
}

// findNumber reads the first number of a text.
func findNumber(text string, s style) (numberIn, bool) {
	at := numeral.FindStringIndex(text)
	if at == nil {
		return numberIn{}, false
	}
	n := numberIn{before: strings.TrimSpace(text[:at[0]]), after: strings.TrimSpace(text[at[1]:])}
	written := text[at[0]:at[1]]
	if at[1] < len(text) && text[at[1]] >= '0' && text[at[1]] <= '9' {
		return n, false // the groups have a wrong length
	}
	n.plain, n.doubtful = plainNumber(written, s)
	return n, n.plain != ""
}

// minus are the signs before a negative number.
const minus = "-–−"

var (
	signBefore = lazyregexp.New(`^[^\d\pL–−-]*(?:\pL{2,3}\$? )?[^\d\pL–−-]*[–−-] ?(?:\p{Sc}|\pL{3})? ?\d`)
	signBehind = lazyregexp.New(`[.,]\d\d ?[-–−](?: ?(?:\p{Sc}|\pL{3}))?$`)
	bracketed  = lazyregexp.New(`^[^\d\pL]*(?:\pL{2,3})? ?\([^\d\pL()]*(?:\pL{2,3})? ?\d[\d .,'’]*[.,]\d\d ?(?:\p{Sc}|\pL{2,3})?\)(?: ?(?:\p{Sc}|\pL{3}))?$`)
)

// unsigned returns an amount without its sign: a minus before its digits or behind its fraction, or brackets around it, as accountants
// write. Behind a whole number a dash stands for the fraction.
func unsigned(text string) (plain string, negative bool) {
	text = strings.TrimSpace(text)
	switch {
	case bracketed.MatchString(text):
		return strings.NewReplacer("(", "", ")", "").Replace(text), true
	case signBefore.MatchString(text):
		at := strings.IndexAny(text, minus)
		return text[:at] + strings.TrimLeft(text[at:], minus+" "), true
	case signBehind.MatchString(text):
		at := max(strings.LastIndex(text, "-"), strings.LastIndex(text, "–"), strings.LastIndex(text, "−"))
		return strings.TrimSpace(text[:at] + strings.TrimLeft(text[at:], minus)), true
	}
	return text, false
}

// plainNumber returns a number with a decimal point and without groups.
func plainNumber(written string, s style) (plain string, doubtful bool) {
	written = strings.NewReplacer(" ", "", "'", "", "’", "").Replace(written)
	point, comma := strings.LastIndexByte(written, '.'), strings.LastIndexByte(written, ',')
	fraction := max(point, comma)
	switch {
	case fraction < 0:
		return written, false
	case point >= 0 && comma >= 0:
	case strings.Count(written, written[fraction:fraction+1]) > 1:
		fraction = -1
	case len(written)-fraction-1 == 3 && written[0] != '0' && fraction <= 3:
		isComma := written[fraction] == ','
		doubtful = s == unknownStyle
		if isComma == (s != commaStyle) {
			fraction = -1
		}
	}
	digits := strings.NewReplacer(".", "", ",", "")
	if fraction < 0 {
		return digits.Replace(written), doubtful
	}
	return digits.Replace(written[:fraction]) + "." + written[fraction+1:], doubtful
}

// decisive returns the style that a number proves.
func decisive(written string) style {
	written = strings.NewReplacer(" ", "", "'", "", "’", "").Replace(written)
	point, comma := strings.LastIndexByte(written, '.'), strings.LastIndexByte(written, ',')
	fraction := max(point, comma)
	if fraction < 0 {
		return unknownStyle
	}
	mark := written[fraction : fraction+1]
	switch behind := len(written) - fraction - 1; {
	case strings.Count(written, mark) > 1: // it separates groups
		if mark == "." {
			return commaStyle
		}
		return pointStyle
	case point >= 0 && comma >= 0, behind != 3, written[0] == '0':
		if mark == "." {
			return pointStyle
		}
		return commaStyle
	}
	return unknownStyle
}

// exact parses a plain number.
func exact(plain string) (quantity.Number, bool) {
	if plain, negative := strings.CutPrefix(plain, "-"); negative {
		n, err := quantity.ParseNumber("-" + plain)
		return n, err == nil
	}
	plain = strings.TrimLeft(plain, "0")
	if plain == "" || plain[0] == '.' {
		plain = "0" + plain
	}
	if whole, fraction, ok := strings.Cut(plain, "."); ok && len(fraction) > quantity.MassPlaces {
		plain = whole + "." + fraction[:quantity.MassPlaces]
	}
	n, err := quantity.ParseNumber(plain)
	return n, err == nil
}
