package rule

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// The tests that rules are made of. Paths begin at the element of the rule.

func has(path string) test {
	return func(e *element.Element) bool { return e.Has(path) }
}

func lacks(path string) test { return not(has(path)) }

func not(t test) test {
	return func(e *element.Element) bool { return !t(e) }
}

func either(tests ...test) test {
	return func(e *element.Element) bool {
		return slices.ContainsFunc(tests, func(t test) bool { return t(e) })
	}
}

func both(tests ...test) test {
	return func(e *element.Element) bool {
		return !slices.ContainsFunc(tests, func(t test) bool { return !t(e) })
	}
}

// never is the test for elements that must not occur.
func never(*element.Element) bool { return false }

// is compares the first text at a path, without white space at its ends.
func is(path string, texts ...string) test {
	return func(e *element.Element) bool { return slices.Contains(texts, e.Trimmed(path)) }
}

// begins compares the first text at a path as it stands.
func begins(path, prefix string) test {
	return func(e *element.Element) bool { return strings.HasPrefix(e.RawText(path), prefix) }
}

// contains looks for characters in the first text at a path.
func contains(path, characters string) test {
	return func(e *element.Element) bool { return strings.ContainsAny(e.RawText(path), characters) }
}

// matches compares the whole first text at a path, white space included; nothing does not match.
func matches(path string, pattern *lazyregexp.Regexp) test {
	return func(e *element.Element) bool {
		found := e.First(path)
		return found != nil && pattern.MatchString(found.Text())
	}
}

// equals compares the first text at a path as a number: 01 equals 1.
func equals(path string, numbers ...float64) test {
	return func(e *element.Element) bool { return slices.Contains(numbers, number(e, path)) }
}

// unpadded holds for a text of one character, and for any that does not begin with 0.
func unpadded(path string) test {
	return func(e *element.Element) bool {
		text := e.Trimmed(path)
		return !strings.HasPrefix(text, "0") || len(text) <= 1
	}
}

// some compares all texts at a path, without white space at their ends.
func some(path, text string) test {
	return func(e *element.Element) bool { return count(e, path, text) > 0 }
}

func atMost(path string, most int) test {
	return func(e *element.Element) bool { return length(e, path) <= most }
}

func atLeast(path string, least int) test {
	return func(e *element.Element) bool { return length(e, path) >= least }
}

func length(e *element.Element, path string) (n int) {
	e.Each(path, func(*element.Element) bool { n++; return true })
	return n
}

func count(e *element.Element, path, text string) (n int) {
	e.Each(path, func(found *element.Element) bool {
		if element.Trim(found.Text()) == text {
			n++
		}
		return true
	})
	return n
}

// number reads the first text at a path; NaN if there is none or if it is not a number.
func number(e *element.Element, path string) float64 {
	found := e.First(path)
	if found == nil {
		return math.NaN()
	}
	return parse(found.Text())
}

// decimal is what Java reads as a number, without its hexadecimal form.
var decimal = lazyregexp.New(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[dDfF]?$`)

// parse reads a number as HMRC does. HMRC compares masses as binary numbers, so this does too.
func parse(text string) float64 {
	text = element.Trim(text)
	if !decimal.MatchString(text) {
		return math.NaN()
	}
	value, _ := strconv.ParseFloat(strings.TrimRight(text, "dDfF"), 64) // beyond the range it is infinite, as in Java
	return value
}

// integer reads a text as Java reads an int.
func integer(text string) (value int64, ok bool) {
	value, err := strconv.ParseInt(element.Trim(text), 10, 32)
	return value, err == nil
}

// sum adds all numbers at a path. It is NaN if one is not a number.
func sum(e *element.Element, path string) (total float64) {
	e.Each(path, func(found *element.Element) bool {
		total += parse(found.Text())
		return true
	})
	return total
}

// fraction is the number of characters after the first point of an element's text.
func fraction(e *element.Element) int {
	_, after, _ := strings.Cut(e.Trimmed("."), ".")
	return utf8.RuneCountInString(after)
}
