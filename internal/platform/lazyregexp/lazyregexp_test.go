package lazyregexp_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Every method answers as regexp.Regexp does.
func TestSameAsRegexp(t *testing.T) {
	const expression, text = `(\d)([a-z])`, "1a 22b, 3c"
	lazy, plain := lazyregexp.New(expression), regexp.MustCompile(expression)
	for name, got := range map[string][2]any{
		"MatchString":                {lazy.MatchString(text), plain.MatchString(text)},
		"FindString":                 {lazy.FindString(text), plain.FindString(text)},
		"FindStringIndex":            {lazy.FindStringIndex(text), plain.FindStringIndex(text)},
		"FindStringSubmatch":         {lazy.FindStringSubmatch(text), plain.FindStringSubmatch(text)},
		"FindStringSubmatchIndex":    {lazy.FindStringSubmatchIndex(text), plain.FindStringSubmatchIndex(text)},
		"FindAllString":              {lazy.FindAllString(text, 2), plain.FindAllString(text, 2)},
		"FindAllStringIndex":         {lazy.FindAllStringIndex(text, -1), plain.FindAllStringIndex(text, -1)},
		"FindAllStringSubmatch":      {lazy.FindAllStringSubmatch(text, -1), plain.FindAllStringSubmatch(text, -1)},
		"ReplaceAllString":           {lazy.ReplaceAllString(text, "$2$1"), plain.ReplaceAllString(text, "$2$1")},
		"FindAllStringSubmatchIndex": {lazy.FindAllStringSubmatchIndex(text, -1), plain.FindAllStringSubmatchIndex(text, -1)},
		"ReplaceAllStringFunc":       {lazy.ReplaceAllStringFunc(text, strings.ToUpper), plain.ReplaceAllStringFunc(text, strings.ToUpper)},
		"Split":                      {lazy.Split(text, -1), plain.Split(text, -1)},
	} {
		if !reflect.DeepEqual(got[0], got[1]) {
			t.Errorf("%s: got %v, want %v", name, got[0], got[1])
		}
	}
}

// A wrong expression panics at its first use and not before.
func TestWrongExpression(t *testing.T) {
	wrong := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was used without a panic")
		}
	}()
	wrong.MatchString("text")
}
