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
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

func (w *checker) text(s *huma.Schema, v string) {
	if s == nil {
		return
	}
	if s.Type != huma.TypeString {
		w.report("must be %s, not text", typeName(s))
		return
	}
	length := utf8.RuneCountInString(v)
	switch {
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(v)):
		w.report("must be one of %s", joinValues(s.Enum))
	case s.MinLength != nil && strings.TrimSpace(v) == "":
		w.report("must not be empty")
	case s.MinLength != nil && length < *s.MinLength:
		w.report("must have at least %d characters", *s.MinLength)
	case s.MaxLength != nil && length > *s.MaxLength:
		w.report("must have at most %d characters, not %d", *s.MaxLength, length)
	case s.Pattern != "" && !compilePattern(s.Pattern).MatchString(v):
		w.report("must look like %s", s.Pattern)
	case strings.ContainsRune(v, 0):
		w.report("must not contain the character U+0000")
	default:
		if problem := formats[s.Format]; problem != nil {
			if message := problem(v); message != "" {
				w.report("%s", message)
			}
		}
	}
}

// instant is the format of RFC 3339; time.Parse accepts more.
var instant = lazyregexp.New(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// formats maps each format to a function that returns an error message, or "" for a valid text.
var formats = map[string]func(string) string{
	"date-time": func(v string) string {
		t, err := time.Parse(time.RFC3339, v)
		if year := t.UTC().Year(); err != nil || !instant.MatchString(v) || year < 1 || year > 9999 {
			return "must be a date and time such as 2026-11-21T09:00:00Z"
		}
		return ""
	},
	// An empty date is one that is left out.
	"date": func(v string) string {
		if _, err := time.Parse(time.DateOnly, v); err != nil && v != "" {
			return "must be a day such as 2026-11-21"
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
	"trading-country": func(v string) string {
		if !ident.IsTradingCountry(v) {
			return "must be an ISO 3166-1 alpha-2 country code such as GB, XI for Northern Ireland or XK for Kosovo"
		}
		return ""
	},
	"trading-area": func(v string) string {
		if !ident.IsTradingCountry(v) && v != "EU" && !areaID.MatchString(v) {
			return "must be a country code such as GB, EU, or the four digits of an area of the tariff"
		}
		return ""
	},
	"uri": func(v string) string {
		if u, err := url.Parse(withOneHost(v)); err != nil || u.Scheme == "" || u.Host == "" {
			return "must be an absolute URL such as https://example.com/hook"
		}
		return ""
	},
}

// areaID is the number of a geographical area of the tariff.
var areaID = lazyregexp.New(`^[0-9]{4}$`)

// withOneHost returns a URL without the further hosts that an address of Kafka may name: kafka://one:9093,two:9093.
func withOneHost(v string) string {
	scheme, rest, found := strings.Cut(v, "://")
	authority, path, _ := strings.Cut(rest, "/")
	first, _, several := strings.Cut(authority, ",")
	if !found || !several {
		return v
	}
	return scheme + "://" + first + "/" + path
}

var patterns sync.Map

func compilePattern(pattern string) *regexp.Regexp {
	if re, ok := patterns.Load(pattern); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(pattern)
	patterns.Store(pattern, re)
	return re
}

// Limits of a number; a longer one is rejected without being parsed.
const (
	maxDigits      = 40 // characters before the exponent
	exponentDigits = 2
	maxPlaces      = maxDigits + 99 // decimal places that such a number can have
)

// number checks a number. A number that no Go type can hold is rejected whatever the schema.
func (w *checker) number(s *huma.Schema, v string) {
	if s != nil && s.Type != huma.TypeNumber && s.Type != huma.TypeInteger {
		w.report("must be %s, not a number", typeName(s))
		return
	}
	text, ok := withoutExponent(v)
	switch {
	case !ok:
		w.report("is too large or too long a number")
	case s == nil:
	case s.Type == huma.TypeInteger && strings.ContainsAny(v, ".eE"):
		w.report("must be a whole number, written without a point or an exponent")
	case s.Minimum != nil && *s.Minimum == 0 && compare(text, 0) < 0:
		w.report("must not be negative")
	case s.Minimum != nil && compare(text, *s.Minimum) < 0:
		w.report("must be at least %s", formatFloat(*s.Minimum))
	case s.Maximum != nil && compare(text, *s.Maximum) > 0:
		w.report("must be at most %s", formatFloat(*s.Maximum))
	case s.ExclusiveMinimum != nil && compare(text, *s.ExclusiveMinimum) <= 0:
		w.report("must be more than %s", formatFloat(*s.ExclusiveMinimum))
	case s.ExclusiveMaximum != nil && compare(text, *s.ExclusiveMaximum) >= 0:
		w.report("must be less than %s", formatFloat(*s.ExclusiveMaximum))
	case s.MultipleOf != nil && decimalPlaces(text) > stepPlaces(*s.MultipleOf):
		w.report("must have at most %d decimal places", stepPlaces(*s.MultipleOf))
	case s.Type == huma.TypeInteger && !fitsInteger(v, s.Format):
		w.report("is too large or too long a number")
	}
}

// withoutExponent returns a JSON number without an exponent, without loss.
func withoutExponent(v string) (string, bool) {
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

// compare returns -1, 0 or 1 if the number is less than, equal to or greater than a bound. Two
// different numbers can have the same float64, so equal ones are compared exactly.
func compare(text string, bound float64) int {
	size, _ := strconv.ParseFloat(text, 64)
	if size != bound {
		return cmp.Compare(size, bound)
	}
	exact, _ := new(big.Rat).SetString(text)
	limit, _ := new(big.Rat).SetString(formatFloat(bound))
	return exact.Cmp(limit)
}

// fitsInteger reports whether a whole number fits the integer type of the format.
func fitsInteger(v, format string) bool {
	bits := 64
	if format == "int32" {
		bits = 32
	}
	_, err := strconv.ParseInt(v, 10, bits)
	return err == nil
}

// decimalPlaces counts the decimal places of a number without exponent; trailing zeros do not count.
func decimalPlaces(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(strings.TrimRight(fraction, "0"))
}

// stepPlaces returns the decimal places of a step such as 0.01.
func stepPlaces(step float64) int { return int(math.Round(-math.Log10(step))) }

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
