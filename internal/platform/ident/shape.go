package ident

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
)

// maxText is longer than any identifier of the field, spaces included.
const maxText = 64

// shape is how an identifier is written, and what to tell whoever wrote it otherwise.
type shape struct {
	pattern *regexp.Regexp
	must    string
}

func newShape(pattern, must string) shape {
	return shape{pattern: regexp.MustCompile("^(?:" + pattern + ")$"), must: must}
}

func (s shape) parse(text string) (string, error) {
	if len(text) <= maxText {
		if n := normal(text); s.pattern.MatchString(n) {
			return n, nil
		}
	}
	return "", errors.New(s.must)
}

// normal is upper case without any space.
func normal(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case 'a' <= r && r <= 'z': // not unicode.ToUpper, which makes an ASCII letter of ı and ſ
			return r - 'a' + 'A'
		}
		return r
	}, text)
}
