package schema_test

import (
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// mutation makes a value invalid in one way, and returns the field that the error must name; empty if this is not
// possible for the value.
type mutation func(m *maker, n *node) string

// attempts is how often invalidate tries to find a value that it can make invalid.
const attempts = 20

// invalidate makes a body invalid in one place and returns the wrong field.
func (m *maker) invalidate(root *node, patch bool) string {
	for range attempts {
		n := pick(m, root.all())
		if patch && (n == root || n.schema.Type.Includes("null")) {
			continue // a patch may leave out and remove any member
		}
		if field := pick(m, mutations)(m, n); field != "" {
			return field
		}
	}
	root.becomes(`"text"`)
	return root.named()
}

var mutations = []mutation{anotherType, noValue, unknownMember, missingMember, badText, badNumber, tooManyItems, noItems, twice}

// typed reports whether the schema restricts the type.
func typed(s *openapi3.Schema) bool { return s.Type != nil }

func anotherType(m *maker, n *node) string {
	if !typed(n.schema) {
		return ""
	}
	others := map[string]string{"string": "7", "object": `{"a":1}`, "array": "[1]", "boolean": "true", "number": "1.5", "integer": "1.5"}
	var names []string
	for name := range others {
		if !n.schema.Type.Includes(name) && !(name == "integer" && n.schema.Type.Includes("number")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	raw := others[pick(m, names)]
	if raw == "7" && (n.schema.Type.Includes("number") || n.schema.Type.Includes("integer")) {
		raw = `"7"`
	}
	if raw == "7" && n.schema.Type.Includes("string") {
		return ""
	}
	n.becomes(raw)
	return n.named()
}

func noValue(_ *maker, n *node) string {
	if !typed(n.schema) || n.schema.Type.Includes("null") || slices.Contains(n.schema.Enum, nil) {
		return ""
	}
	n.becomes("null")
	return n.named()
}

// closed reports whether an object accepts no unknown members.
func closed(n *node) bool {
	free := n.schema.AdditionalProperties.Has
	return n.shape == '{' && free != nil && !*free
}

func unknownMember(m *maker, n *node) string {
	if !closed(n) {
		return ""
	}
	const name = "zzz"
	n.kids = append(n.kids, member{name, &node{schema: &openapi3.Schema{}, raw: pick(m, anything)}})
	return n.field(name)
}

func missingMember(m *maker, n *node) string {
	if n.shape != '{' || len(n.schema.Required) == 0 {
		return ""
	}
	name := pick(m, n.schema.Required)
	n.kids = slices.DeleteFunc(n.kids, func(kid member) bool { return kid.name == name })
	return n.field(name)
}

func twice(m *maker, n *node) string {
	if !closed(n) || len(n.kids) == 0 {
		return ""
	}
	kid := pick(m, n.kids)
	n.kids = append(n.kids, kid)
	return n.field(kid.name)
}

func badText(m *maker, n *node) string {
	s := n.schema
	if !s.Type.Includes("string") || s.Type.Includes("null") {
		return ""
	}
	var bad []string
	if s.MaxLength != nil {
		bad = append(bad, strings.Repeat("x", int(*s.MaxLength)+1))
	}
	if s.MinLength > 0 {
		bad = append(bad, "", " \t")
	}
	if s.Pattern != "" || s.Format != "" || len(s.Enum) > 0 {
		bad = append(bad, "?", "\u0661\u0662", strings.Repeat("9", 300))
	}
	bad = append(bad, "a\x00b")
	n.becomes(quoted(pick(m, bad)))
	return n.named()
}

func badNumber(m *maker, n *node) string {
	s := n.schema
	bad := []string{"1e400", "-1e400", strings.Repeat("9", 400), "0." + strings.Repeat("0", 60) + "1"}
	if s.Max != nil {
		bad = append(bad, strconv.FormatFloat(*s.Max+1, 'f', -1, 64))
	}
	if s.Min != nil {
		bad = append(bad, strconv.FormatFloat(*s.Min-1, 'f', -1, 64))
	}
	switch {
	case s.Type.Includes("integer"):
		bad = append(bad, "1.5", "1e2", "1.0", "9223372036854775808")
	case !s.Type.Includes("number"):
		return ""
	case s.MultipleOf != nil:
		bad = append(bad, "1."+strings.Repeat("0", places(s))+"1")
	}
	n.becomes(pick(m, bad))
	return n.named()
}

// manyItems is the length of a list that is too long.
const manyItems = 1000

func tooManyItems(m *maker, n *node) string {
	if n.shape != '[' || n.schema.MaxItems == nil || *n.schema.MaxItems >= manyItems {
		return ""
	}
	for len(n.kids) <= int(*n.schema.MaxItems) {
		n.kids = append(n.kids, member{node: m.value(n.schema.Items.Value, n.place(len(n.kids)), "", fewDepths)})
	}
	return n.named()
}

func noItems(_ *maker, n *node) string {
	if n.shape != '[' || n.schema.MinItems == 0 {
		return ""
	}
	n.kids = nil
	return n.named()
}

// garble returns text that is not JSON, or not exactly one value.
func (m *maker) garble(text string) string {
	deep := m.IntN(5000)
	return pick(m, []string{
		text[:m.IntN(len(text))], text + text, text + "]", "\ufeff" + text, "{'a':1}", "{a:1}", "// x\n" + text, text + "\x00", `{"a":01}`, "nul", `{"a":"` + "\n" + `"}`,
		strings.Repeat("[", 50+deep), strings.Repeat(`{"a":`, 50+deep), `{"a":"` + "\xff\xfe" + `"}`, "[1,2", "\xff\xfe{\x00}\x00", "<a/>", "a=b&c=d", " ",
	})
}
