package ens_test

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
)

// aboutNumbers reads a comparison of numbers.
func (s *statement) aboutNumbers() condition {
	left := s.sum()
	for symbol, compare := range map[string]func(a, b float64) bool{
		"<=": func(a, b float64) bool { return a <= b }, ">=": func(a, b float64) bool { return a >= b }, "> ": func(a, b float64) bool { return a > b },
		"=": func(a, b float64) bool { return a == b }, "≠": func(a, b float64) bool { return a != b },
	} {
		if s.take(symbol) {
			right := s.sum()
			return func(c scope) bool { return compare(left(c), right(c)) }
		}
	}
	panic("expected a comparison")
}

func (s *statement) sum() quantity {
	total := s.product()
	for s.take("+") {
		first, second := total, s.product()
		total = func(c scope) float64 { return first(c) + second(c) }
	}
	return total
}

func (s *statement) product() quantity {
	total := s.factor()
	for s.take("*") {
		first, second := total, s.factor()
		total = func(c scope) float64 { return first(c) * second(c) }
	}
	return total
}

func (s *statement) factor() quantity {
	if s.take("(") {
		inner := s.sum()
		s.must(")")
		return inner
	}
	if at, ok := s.subject("number"); ok {
		return func(c scope) float64 { return float(firstText(at(c), trimmed)) }
	}
	if at, ok := s.subject("count"); ok {
		return func(c scope) float64 { return float64(len(at(c))) }
	}
	if at, ok := s.subject("sum"); ok {
		return func(c scope) (total float64) {
			for _, e := range at(c) {
				total += float(trimmed(e.Text()))
			}
			return total
		}
	}
	if at, ok := s.subject("countDistinctChildCount"); ok {
		return func(c scope) float64 {
			return distinct(at(c), func(e *element.Element) string { return strconv.Itoa(len(e.Children)) })
		}
	}
	return s.factorOfTwo()
}

// factorOfTwo reads a function of a path and something else, or a number.
func (s *statement) factorOfTwo() quantity {
	switch {
	case s.take("countDistinct("):
		path, edit := s.path(), raw
		if s.must(","); s.take("true") {
			edit = trimmed
		} else {
			s.must("false")
		}
		s.must(")")
		return func(c scope) float64 {
			return distinct(hits(c.this, path), func(e *element.Element) string { return edit(e.Text()) })
		}
	case s.take("count("):
		path := s.path()
		s.must("=")
		text := s.literal()
		s.must(")")
		return func(c scope) (n float64) {
			for _, e := range hits(c.this, path) {
				if trimmed(e.Text()) == text {
					n++
				}
			}
			return n
		}
	case s.take("other.intOrElse("):
		path := s.path()
		s.must(", 0)")
		return func(c scope) float64 {
			if n, ok := wholeNumber(firstText(hits(c.other, path), raw)); ok {
				return float64(n)
			}
			return 0
		}
	}
	n := s.number()
	return func(scope) float64 { return n }
}

func wholeNumber(text string) (int, bool) {
	n, err := strconv.ParseInt(trimmed(text), 10, 32)
	return int(n), err == nil
}

func distinct(all []*element.Element, by func(*element.Element) string) float64 {
	seen := map[string]bool{}
	for _, e := range all {
		seen[by(e)] = true
	}
	return float64(len(seen))
}

// hits are the elements at a path, found without the code that the rules use.
func hits(from *element.Element, path string) (found []*element.Element) {
	found = []*element.Element{from}
	for step := range strings.SplitSeq(path, "/") {
		var next []*element.Element
		for _, e := range found {
			switch step {
			case ".":
				next = append(next, e)
			case "..":
				if e.Parent != nil {
					next = append(next, e.Parent)
				}
			default:
				for _, c := range e.Children {
					if c.Name.Local == step {
						next = append(next, c)
					}
				}
			}
		}
		found = next
	}
	return found
}

func existsAt(from *element.Element, path string, is func(*element.Element) bool) bool {
	for _, e := range hits(from, path) {
		if is(e) {
			return true
		}
	}
	return false
}
