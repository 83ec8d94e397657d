package schema_test

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// maker generates values from schemas. They depend on its random numbers, its records and the time.
type maker struct {
	*rand.Rand
	now   time.Time
	hook  string                   // permitted URL of webhooks
	known func(name string) string // an id for a member such as clientId
}

// Shares, in percent.
const (
	asExampled = 70 // values taken from the document's examples
	optional   = 40 // optional members that are present
	emptied    = 4  // nullable values that are null
)

// Maximum sizes if the schema allows more.
const (
	fewItems  = 3
	fewDepths = 6
	longText  = 600
)

func (m *maker) percent(share int) bool { return m.IntN(100) < share }

func pick[T any](m *maker, all []T) T { return all[m.IntN(len(all))] }

// value generates a value that the schema accepts.
func (m *maker) value(s *openapi3.Schema, path, name string, depth int) *node {
	n := &node{schema: s, path: path}
	switch {
	case s.Type.Includes("null") && m.percent(emptied):
		n.raw = "null"
	case len(s.Enum) > 0:
		raw, _ := json.Marshal(pick(m, s.Enum))
		n.raw = string(raw)
	case s.Type.Includes("object"):
		m.object(n, depth)
	case s.Type.Includes("array"):
		m.array(n, name, depth)
	case s.Type.Includes("string"):
		n.raw = quoted(m.text(s, name))
	case s.Type.Includes("integer"), s.Type.Includes("number"):
		n.raw = m.number(s)
	case s.Type.Includes("boolean"):
		n.raw = strconv.FormatBool(m.percent(50))
	default:
		n.raw = pick(m, anything)
	}
	return n
}

// anything is JSON for schemas that accept any.
var anything = []string{`null`, `true`, `0`, `-1.5e3`, `""`, `"A\u0000b"`, `[]`, `{}`, `{"":[{"a":null}]}`, `"2026-12-01"`, `["47599","x"]`, `1e40`}

func (m *maker) object(n *node, depth int) {
	n.shape = '{'
	for _, name := range slices.Sorted(maps.Keys(n.schema.Properties)) {
		if n.requires(name) || depth < fewDepths && m.percent(optional) {
			n.kids = append(n.kids, member{name, m.value(n.schema.Properties[name].Value, n.field(name), name, depth+1)})
		}
	}
	if free := n.schema.AdditionalProperties.Has; free != nil && *free || len(n.schema.Properties) == 0 && free == nil {
		for i := range m.IntN(fewItems) {
			n.kids = append(n.kids, member{pick(m, oddNames) + strconv.Itoa(i), &node{schema: &openapi3.Schema{}, raw: pick(m, anything)}})
		}
	}
	m.Shuffle(len(n.kids), func(i, j int) { n.kids[i], n.kids[j] = n.kids[j], n.kids[i] })
}

// oddNames are names that a free-form object may have.
var oddNames = []string{"", "code", "field", "Name", "pointer", "a.b", "x[0]", "\u202e", "Ł", "__proto__", "description", "reviewPeriodEnd"}

func (m *maker) array(n *node, name string, depth int) {
	n.shape = '['
	least := int(n.schema.MinItems)
	size := least + m.IntN(fewItems)
	if m.percent(1) && n.schema.MaxItems != nil && *n.schema.MaxItems < 100 {
		size = int(*n.schema.MaxItems)
	}
	for i := range size {
		n.kids = append(n.kids, member{node: m.value(n.schema.Items.Value, n.place(i), name, depth+1)})
	}
}

// text generates a text that the schema accepts.
func (m *maker) text(s *openapi3.Schema, name string) string {
	switch {
	case s.Format == "uuid" || collections[name] != "":
		return m.known(name)
	case s.Format == "uri":
		return m.hook + pick(m, []string{"", "/a?b=c", "/%F0%9F%98%80", "/x#y"})
	case len(s.Examples) > 0 && m.percent(asExampled):
		if example, ok := s.Examples[m.IntN(len(s.Examples))].(string); ok {
			return example
		}
	}
	switch {
	case s.Format == "date-time":
		return m.instant()
	case s.Format == "date":
		return m.now.AddDate(0, 0, m.IntN(2000)-1000).Format(time.DateOnly)
	case s.Pattern == "^[A-Z]{2}$": // a country
		return pick(m, []string{"GB", "XI", "FR", "CN", "US", "TR", "BD", "ZW"})
	case s.Pattern != "":
		return matching(m.Rand, s.Pattern)
	}
	return m.prose(int(s.MinLength), longest(s))
}

// instant is in the next or last months, or at an end of the calendar.
func (m *maker) instant() string {
	if m.percent(10) {
		return pick(m, []string{"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-12-31T23:59:59.999999999+14:00", "2028-02-29T00:00:00-12:00"})
	}
	return m.now.Add(time.Duration(m.IntN(400*24)-200*24) * time.Hour).Format(time.RFC3339)
}

// words are texts of all kinds.
var words = []string{
	"Brass lamps", "GB123456789000", "6109100010", "GBFXT", "Ningbo Cotton Works", "a", " x ", "=1+1", "'; DROP TABLE filings;--", "<b>&amp;", "Łódź",
	"😀👩‍👩‍👧", "\u202eabc", "e\u0301\u0301", "\ufeff", "\u2028", "\t", "\r\n", "\x7f", "../../etc/passwd", "%00", "${x}", "{{.}}", "null", "\u00a0",
}

// prose is a text with a length between two limits, sometimes the upper one.
func (m *maker) prose(least, most int) string {
	size := min(most, least+m.IntN(40))
	if m.percent(10) {
		size = min(most, longText)
	}
	var out []rune
	for len(out) < size {
		out = append(out, []rune(pick(m, words))...)
	}
	if out = out[:size]; strings.TrimSpace(string(out)) == "" && size > 0 {
		out[0] = 'x'
	}
	return string(out)
}

// longest is the maximum number of characters of a text.
func longest(s *openapi3.Schema) int {
	if s.MaxLength == nil {
		return longText
	}
	return int(*s.MaxLength)
}

// number generates a number that the schema accepts: an example, a bound, or one between.
func (m *maker) number(s *openapi3.Schema) string {
	if len(s.Examples) > 0 && m.percent(asExampled) {
		if example, ok := s.Examples[0].(float64); ok {
			return strconv.FormatFloat(example, 'f', -1, 64)
		}
	}
	least, most := -1000.0, 1000.0
	if s.Min != nil {
		least = *s.Min
	}
	if s.Max != nil {
		most = *s.Max
	}
	value := least + math.Floor(m.Float64()*min(most-least, 5000))
	if m.percent(20) {
		value = pick(m, []float64{least, most})
	}
	text := strconv.FormatFloat(value, 'f', -1, 64)
	if decimals := places(s); decimals > 0 && value != most && value == math.Trunc(value) && m.percent(50) {
		text += "." + strings.Repeat("0", decimals-1) + "1"
	}
	return text
}

// places is the permitted number of decimal places.
func places(s *openapi3.Schema) int {
	if s.MultipleOf == nil {
		return 0
	}
	return int(math.Round(-math.Log10(*s.MultipleOf)))
}
