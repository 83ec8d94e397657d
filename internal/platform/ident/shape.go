package ident

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
)

// maxText is longer than any identifier, including spaces.
const maxText = 64

// shape is the pattern of an identifier and the requirement that errors state.
type shape struct {
	pattern     *regexp.Regexp
	requirement string
}

func newShape(pattern, must string) shape {
	return shape{pattern: regexp.MustCompile("^(?:" + pattern + ")$"), requirement: must}
}

func (s shape) parse(text string) (string, error) {
	if len(text) <= maxText {
		if n := normal(text); s.pattern.MatchString(n) {
			return n, nil
		}
	}
	return "", errors.New(s.requirement)
}

// normal returns the text in upper case without spaces.
func normal(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case 'a' <= r && r <= 'z': // not unicode.ToUpper, which turns ı and ſ into ASCII letters
			return r - 'a' + 'A'
		}
		return r
	}, text)
}
