package schema

import (
	"cmp"
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

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

func (w *walk) text(s *huma.Schema, v string) {
	if s == nil {
		return
	}
	if s.Type != huma.TypeString {
		w.fault("must be %s, not text", kind(s))
		return
	}
	length := utf8.RuneCountInString(v)
	switch {
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(v)):
		w.fault("must be one of %s", list(s.Enum))
	case s.MinLength != nil && strings.TrimSpace(v) == "":
		w.fault("must not be empty")
	case s.MinLength != nil && length < *s.MinLength:
		w.fault("must have at least %d characters", *s.MinLength)
	case s.MaxLength != nil && length > *s.MaxLength:
		w.fault("must have at most %d characters, not %d", *s.MaxLength, length)
	case s.Pattern != "" && !compiled(s.Pattern).MatchString(v):
		w.fault("must look like %s", s.Pattern)
	case strings.ContainsRune(v, 0):
		w.fault("must not contain the character U+0000")
	default:
		if problem := formats[s.Format]; problem != nil {
			if message := problem(v); message != "" {
				w.fault("%s", message)
			}
		}
	}
}

// instant is the form of RFC 3339, which time.Parse does not insist on.
var instant = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// formats say what is wrong with a text of a format, or nothing.
var formats = map[string]func(string) string{
	"date-time": func(v string) string {
		t, err := time.Parse(time.RFC3339, v)
		if year := t.UTC().Year(); err != nil || !instant.MatchString(v) || year < 1 || year > 9999 {
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

// Limits of a number that is looked at.
const (
	maxDigits      = 40 // characters before the exponent
	exponentDigits = 2
	maxPlaces      = maxDigits + 99 // decimal places that such a number can have
)

// number judges a number; one that nothing could decode is refused anywhere.
func (w *walk) number(s *huma.Schema, v string) {
	if s != nil && s.Type != huma.TypeNumber && s.Type != huma.TypeInteger {
		w.fault("must be %s, not a number", kind(s))
		return
	}
	text, ok := plain(v)
	switch {
	case !ok:
		w.fault("is too large or too long a number")
	case s == nil:
	case s.Type == huma.TypeInteger && strings.ContainsAny(v, ".eE"):
		w.fault("must be a whole number, written without a point or an exponent")
	case s.Minimum != nil && *s.Minimum == 0 && compare(text, 0) < 0:
		w.fault("must not be negative")
	case s.Minimum != nil && compare(text, *s.Minimum) < 0:
		w.fault("must be at least %s", short(*s.Minimum))
	case s.Maximum != nil && compare(text, *s.Maximum) > 0:
		w.fault("must be at most %s", short(*s.Maximum))
	case s.ExclusiveMinimum != nil && compare(text, *s.ExclusiveMinimum) <= 0:
		w.fault("must be more than %s", short(*s.ExclusiveMinimum))
	case s.ExclusiveMaximum != nil && compare(text, *s.ExclusiveMaximum) >= 0:
		w.fault("must be less than %s", short(*s.ExclusiveMaximum))
	case s.MultipleOf != nil && placesIn(text) > placesOf(*s.MultipleOf):
		w.fault("must have at most %d decimal places", placesOf(*s.MultipleOf))
	case s.Type == huma.TypeInteger && !fits(v, s.Format):
		w.fault("is too large or too long a number")
	}
}

// plain writes a JSON number without an exponent, exactly.
func plain(v string) (string, bool) {
	mantissa, exponent, found := strings.Cut(strings.ToLower(v), "e")
	if len(mantissa) > maxDigits || len(strings.TrimLeft(exponent, "+-0")) > exponentDigits {
		return "", false
	}
	if !found {
		return v, true
	}
	r, ok := new(big.Rat).SetString(v)
	if !ok {
		return "", false
	}
	return r.FloatString(maxPlaces), true
}

// compare is -1, 0 or 1 as a plain number is less than, equal to or more than a
// bound. Two numbers can share one float64 only when they are closest to the same.
func compare(text string, bound float64) int {
	size, _ := strconv.ParseFloat(text, 64)
	if size != bound {
		return cmp.Compare(size, bound)
	}
	exact, _ := new(big.Rat).SetString(text)
	limit, _ := new(big.Rat).SetString(short(bound))
	return exact.Cmp(limit)
}

// fits tells whether a whole number can be kept.
func fits(v, format string) bool {
	bits := 64
	if format == "int32" {
		bits = 32
	}
	_, err := strconv.ParseInt(v, 10, bits)
	return err == nil
}

// placesIn counts the decimal places that a plain number needs.
func placesIn(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(strings.TrimRight(fraction, "0"))
}

// placesOf turns a step such as 0.01 into its decimal places.
func placesOf(step float64) int { return int(math.Round(-math.Log10(step))) }

func short(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
