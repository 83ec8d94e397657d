package strict

import (
	"math"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/ident"
)

func (w *walk) text(s *huma.Schema, path, v string) {
	if s == nil {
		return
	}
	if s.Type != huma.TypeString {
		w.fault(path, "must be %s, not text", kind(s))
		return
	}
	length := utf8.RuneCountInString(v)
	switch {
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(v)):
		w.fault(path, "must be one of %s", list(s.Enum))
	case s.MinLength != nil && strings.TrimSpace(v) == "":
		w.fault(path, "must not be empty")
	case s.MinLength != nil && length < *s.MinLength:
		w.fault(path, "must have at least %d characters", *s.MinLength)
	case s.MaxLength != nil && length > *s.MaxLength:
		w.fault(path, "must have at most %d characters, not %d", *s.MaxLength, length)
	case s.Pattern != "" && !compiled(s.Pattern).MatchString(v):
		w.fault(path, "must look like %s", s.Pattern)
	case strings.ContainsRune(v, 0):
		w.fault(path, "must not contain the character U+0000")
	default:
		if problem := formats[s.Format]; problem != nil {
			if message := problem(v); message != "" {
				w.fault(path, "%s", message)
			}
		}
	}
}

// formats say what is wrong with a text of a format, or nothing.
var formats = map[string]func(string) string{
	"date-time": func(v string) string {
		t, err := time.Parse(time.RFC3339, v)
		if err != nil || t.Year() < 1 {
			return "must be an instant such as 2026-11-21T09:00:00Z"
		}
		return ""
	},
	"uuid": func(v string) string {
		if !ident.IsUUID(strings.ToLower(v)) {
			return "must be a UUID"
		}
		return ""
	},
	"country": func(v string) string {
		if c, err := ident.ParseCountry(v); err != nil || string(c) != v {
			return "must be an ISO 3166-1 alpha-2 country code such as GB"
		}
		return ""
	},
	"uri": func(v string) string {
		if u, err := url.Parse(v); err != nil || u.Scheme == "" || u.Host == "" {
			return "must be an absolute address such as https://example.com/hook"
		}
		return ""
	},
}

var patterns sync.Map

func compiled(pattern string) *regexp.Regexp {
	if re, ok := patterns.Load(pattern); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(pattern)
	patterns.Store(pattern, re)
	return re
}

// maxDigits is the longest number that is looked at.
const maxDigits = 40

func (w *walk) number(s *huma.Schema, path, v string) {
	if s == nil {
		return
	}
	if s.Type != huma.TypeNumber && s.Type != huma.TypeInteger {
		w.fault(path, "must be %s, not a number", kind(s))
		return
	}
	text, ok := plain(v)
	if !ok {
		w.fault(path, "is too large or too long a number")
		return
	}
	size, _ := strconv.ParseFloat(text, 64)
	switch places := placesIn(text); {
	case s.Type == huma.TypeInteger && places > 0:
		w.fault(path, "must be a whole number")
	case s.Minimum != nil && *s.Minimum == 0 && size < 0:
		w.fault(path, "must not be negative")
	case s.Minimum != nil && size < *s.Minimum:
		w.fault(path, "must be at least %s", short(*s.Minimum))
	case s.Maximum != nil && size > *s.Maximum:
		w.fault(path, "must be at most %s", short(*s.Maximum))
	case s.MultipleOf != nil && places > placesOf(*s.MultipleOf):
		w.fault(path, "must have at most %d decimal places", placesOf(*s.MultipleOf))
	}
}

// plain writes a JSON number without an exponent, exactly.
func plain(v string) (string, bool) {
	mantissa, exponent, found := strings.Cut(strings.ToLower(v), "e")
	if len(mantissa) > maxDigits || len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return "", false
	}
	if !found {
		return v, true
	}
	r, ok := new(big.Rat).SetString(v)
	if !ok {
		return "", false
	}
	return r.FloatString(2 * maxDigits), true
}

// placesIn counts the decimal places that a plain number needs.
func placesIn(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(strings.TrimRight(fraction, "0"))
}

// placesOf turns a step such as 0.01 into its decimal places.
func placesOf(step float64) int { return int(math.Round(-math.Log10(step))) }

func short(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
