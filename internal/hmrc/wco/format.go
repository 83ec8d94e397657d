package wco

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// kind is a kind of restriction in the schema.
type kind uint8

const (
	prose    kind = iota // xsd:string that may be cut
	exact                // xsd:string that may not
	token                // xsd:token
	listed               // an enumeration
	letters              // exactly so many letters
	capitals             // exactly so many capital letters
	digits               // at most so many digits
	decimal              // xsd:decimal
	instant              // a date, or date and time with zone
)

// format holds the restrictions of one element.
type format struct {
	kind     kind
	max      int
	scale    int
	allowed  string // of an enumeration, with spaces between
	required bool
	counted  bool // left empty, it is the element's place among its like
}

// check returns an error if a tidy, non-empty value is not allowed.
func (f format) check(value string) string {
	length := utf8.RuneCountInString(value)
	switch f.kind {
	case listed:
		if !slices.Contains(strings.Fields(f.allowed), value) {
			return "must be one of " + f.allowed
		}
	case letters, capitals:
		if length != f.max || !all(value, f.kind.holds) {
			return "must be " + strconv.Itoa(f.max) + " letters"
		}
	case digits:
		if length > f.max || !all(value, f.kind.holds) {
			return "must be at most " + strconv.Itoa(f.max) + " digits"
		}
	case decimal:
		return f.checkDecimal(value)
	case instant:
		if !isInstant(value) {
			return "must be yyyymmdd or yyyymmddhhmmss with Z or a zone such as +01"
		}
	default:
		if length > f.max {
			return "must be at most " + strconv.Itoa(f.max) + " characters"
		}
	}
	return ""
}

func (k kind) holds(c byte) bool {
	switch k {
	case letters:
		return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	case capitals:
		return 'A' <= c && c <= 'Z'
	default:
		return '0' <= c && c <= '9'
	}
}

func all(value string, holds func(byte) bool) bool {
	for i := range len(value) {
		if !holds(value[i]) {
			return false
		}
	}
	return true
}

// checkDecimal counts digits as XML Schema does: insignificant zeros do not count.
func (f format) checkDecimal(value string) string {
	if value[0] == '+' || value[0] == '-' {
		value = value[1:]
	}
	whole, fraction, _ := strings.Cut(value, ".")
	if (whole == "" && fraction == "") || !all(whole, digits.holds) || !all(fraction, digits.holds) {
		return "must be a plain decimal number"
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if len(whole)+len(fraction) > f.max || len(fraction) > f.scale {
		return "must have at most " + strconv.Itoa(f.max) + " digits, " + strconv.Itoa(f.scale) + " of them after the point"
	}
	return ""
}

// isInstant reports whether a value has format 102 or 304: 20261121, 20261121093000Z, 20260721093000+01.
func isInstant(value string) bool {
	if !strings.HasPrefix(value, "20") {
		return false
	}
	switch len(value) {
	case 8:
		return all(value, digits.holds)
	case 15:
		return all(value[:14], digits.holds) && value[14] == 'Z'
	case 17:
		return all(value[:14], digits.holds) && (value[14] == '+' || value[14] == '-') && all(value[15:], digits.holds)
	default:
		return false
	}
}

// truncate shortens free text to a number of characters.
func truncate(value string, max int) string {
	if len(value) <= max {
		return value
	}
	for at := range value {
		if max == 0 {
			return strings.TrimRight(value[:at], " ")
		}
		max--
	}
	return value
}

// tidy removes characters that XML 1.0 does not allow and invalid UTF-8, replaces white space by single spaces, and
// trims. The schema does not allow line breaks.
func tidy(value string) string {
	if isTidy(value) {
		return value
	}
	var out strings.Builder
	out.Grow(len(value))
	gap := false
	for at, c := range value {
		switch {
		case unicode.IsSpace(c):
			gap = out.Len() > 0
		case !safexml.IsChar(c), c == utf8.RuneError && !strings.HasPrefix(value[at:], "\uFFFD"):
			// dropped
		default:
			if gap {
				out.WriteByte(' ')
				gap = false
			}
			out.WriteRune(c)
		}
	}
	return out.String()
}

// isTidy reports whether text is ASCII without superfluous spaces; false if unsure.
func isTidy(value string) bool {
	space := true
	for i := range len(value) {
		c := value[i]
		if c < ' ' || c >= utf8.RuneSelf || (c == ' ' && space) {
			return false
		}
		space = c == ' '
	}
	return !space || value == ""
}
