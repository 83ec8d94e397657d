package ens_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
)

// scope is what a statement of a rule is about: an element, and another that is compared with it.
type scope struct{ this, other *element.Element }

type (
	condition func(scope) bool
	quantity  func(scope) float64
)

// statement reads the statement of a rule, in the notation of the published list. It shares no code with the rules.
type statement struct {
	text string
	rest string
}

// parseStatement returns when a rule holds.
func parseStatement(text string) (holds condition, err error) {
	s := &statement{text, text}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v at %q of %q", r, s.rest, text)
		}
	}()
	holds = s.any()
	if s.space(); s.rest != "" {
		panic("not the end")
	}
	return holds, nil
}

func (s *statement) space() { s.rest = strings.TrimLeft(s.rest, " ") }

// take reads a symbol if it is next.
func (s *statement) take(symbol string) bool {
	s.space()
	rest, ok := strings.CutPrefix(s.rest, symbol)
	if ok {
		s.rest = rest
	}
	return ok
}

func (s *statement) must(symbol string) {
	if !s.take(symbol) {
		panic("expected " + symbol)
	}
}

// until reads up to a mark, and the mark.
func (s *statement) until(mark string) string {
	text, rest, ok := strings.Cut(s.rest, mark)
	if !ok {
		panic("expected " + mark)
	}
	s.rest = rest
	return text
}

// literal reads a text in «».
func (s *statement) literal() string {
	s.must("«")
	return s.until("»")
}

func (s *statement) pattern(re *regexp.Regexp) string {
	s.space()
	found := re.FindString(s.rest)
	if found == "" {
		panic("expected " + re.String())
	}
	s.rest = s.rest[len(found):]
	return found
}

var (
	pathForm   = regexp.MustCompile(`^[A-Z.][A-Za-z0-9./]*`)
	numberForm = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?`)
)

func (s *statement) path() string    { return s.pattern(pathForm) }
func (s *statement) number() float64 { return float(s.pattern(numberForm)) }

func float(text string) float64 {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return value
}

// any reads conditions of which one has to hold.
func (s *statement) any() condition {
	first := s.all()
	if !s.take("or ") {
		return first
	}
	second := s.any()
	return func(c scope) bool { return first(c) || second(c) }
}

func (s *statement) all() condition {
	first := s.one()
	if !s.take("and ") {
		return first
	}
	second := s.all()
	return func(c scope) bool { return first(c) && second(c) }
}

func (s *statement) one() condition {
	switch {
	case s.take("not "):
		inner := s.one()
		return func(c scope) bool { return !inner(c) }
	case s.take("("):
		inner := s.any()
		s.must(")")
		return inner
	case s.take("every "):
		return s.every()
	case s.take("some other in "):
		path := s.path()
		s.must("satisfies [")
		inner := s.any()
		s.must("]")
		return func(c scope) bool {
			return existsAt(c.this, path, func(other *element.Element) bool { return inner(scope{c.this, other}) })
		}
	case s.take("after(trimmed(.), «.») length <= "):
		most := s.number()
		return func(c scope) bool {
			_, after, _ := strings.Cut(blank.ReplaceAllString(c.this.Text(), ""), ".")
			return float64(utf8.RuneCountInString(after)) <= most
		}
	}
	if s.space(); pathForm.MatchString(s.rest) {
		return s.aboutPath()
	}
	return s.comparison()
}

// every reads "every P has Q = «x»".
func (s *statement) every() condition {
	path := s.path()
	s.must("has")
	part := s.path()
	s.must("=")
	text := s.literal()
	return func(c scope) bool {
		return !existsAt(c.this, path, func(e *element.Element) bool {
			return !existsAt(e, part, func(p *element.Element) bool { return blank.ReplaceAllString(p.Text(), "") == text })
		})
	}
}

// aboutPath reads "P =~ /r/" or "P reads 1,2,3…".
func (s *statement) aboutPath() condition {
	path := s.path()
	if s.take("reads 1,2,3…") {
		return func(c scope) bool {
			next := 0
			return !existsAt(c.this, path, func(e *element.Element) bool {
				next++
				value, ok := wholeNumber(e.Text())
				return !ok || value != next
			})
		}
	}
	s.must("=~ /")
	end := regexp.MustCompile(`/( |\)|$)`).FindStringIndex(s.rest)
	matches := javaPattern(s.rest[:end[0]])
	s.rest = s.rest[end[0]+1:]
	return func(c scope) bool {
		found := hits(c.this, path)
		return len(found) > 0 && matches(found[0].Text())
	}
}

// javaPattern returns what matches a pattern in the notation of Java as a whole. Go has no look-ahead, and its point matches all but \n.
func javaPattern(pattern string) func(string) bool {
	whole := func(p string) *regexp.Regexp {
		return regexp.MustCompile(`^(?:` + strings.ReplaceAll(p, `).+`, `)[^\n\r\x{85}\x{2028}\x{2029}]+`) + `)$`)
	}
	if rest, ahead := strings.CutPrefix(pattern, "^(?!"); ahead {
		forbidden, rest, _ := strings.Cut(rest, ")")
		first, second, _ := strings.Cut(rest, "|")
		begins, free, other := regexp.MustCompile("^"+forbidden), whole("()"+first), whole(second)
		return func(text string) bool {
			return !begins.MatchString(text) && free.MatchString(text) || other.MatchString(text)
		}
	}
	return whole(pattern).MatchString
}

// subject reads a function of a path, with the element that the path begins at.
func (s *statement) subject(name string) (at func(scope) []*element.Element, ok bool) {
	before := s.rest
	other := s.take("other.")
	if !other {
		s.take("this.")
	}
	if !s.take(name + "(") {
		s.rest = before
		return nil, false
	}
	path := s.path()
	if !s.take(")") {
		s.rest = before // a function of a path and something else
		return nil, false
	}
	return func(c scope) []*element.Element {
		if other {
			return hits(c.other, path)
		}
		return hits(c.this, path)
	}, true
}

// comparison reads a comparison of texts or numbers, and what is present or absent.
func (s *statement) comparison() condition {
	if at, ok := s.subject("present"); ok {
		return func(c scope) bool { return len(at(c)) > 0 }
	}
	if at, ok := s.subject("absent"); ok {
		return func(c scope) bool { return len(at(c)) == 0 }
	}
	for name, edit := range map[string]func(string) string{"trimmed": trimmed, "raw": raw} {
		if at, ok := s.subject(name); ok {
			return s.aboutText(name, edit, func(c scope) string { return firstText(at(c), edit) })
		}
	}
	return s.aboutNumbers()
}

var blank = regexp.MustCompile(`^[ \t\r\n]+|[ \t\r\n]+$`)

func raw(text string) string     { return text }
func trimmed(text string) string { return blank.ReplaceAllString(text, "") }

func firstText(found []*element.Element, edit func(string) string) string {
	if len(found) == 0 {
		return ""
	}
	return edit(found[0].Text())
}

// aboutText reads what is said about a text.
func (s *statement) aboutText(name string, edit func(string) string, text func(scope) string) condition {
	switch {
	case s.take("first character ≠"):
		first := s.literal()
		return func(c scope) bool { return !strings.HasPrefix(text(c), first) }
	case s.take("length <="):
		most := s.number()
		return func(c scope) bool { return float64(utf8.RuneCountInString(text(c))) <= most }
	case s.take("begins"):
		begin := s.literal()
		return func(c scope) bool { return strings.HasPrefix(text(c), begin) }
	case s.take("contains"):
		part := s.literal()
		return func(c scope) bool { return strings.Contains(text(c), part) }
	case s.take("≠"):
		other := s.literal()
		return func(c scope) bool { return text(c) != other }
	}
	s.must("=")
	if at, ok := s.subject(name); ok {
		return func(c scope) bool { return text(c) == firstText(at(c), edit) }
	}
	other := s.literal()
	return func(c scope) bool { return text(c) == other }
}
