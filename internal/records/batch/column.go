package batch

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// Column is a member of a body that a table can have as a column. Its path is items[].netMassKg for a member of a list's
// elements, a[] for a list of texts, and items[].documents for a list of objects, whose cells are JSON.
type Column struct {
	Path string
	Type string // JSON type: string, number, integer or boolean; array or object if its cells are JSON
}

// Columns returns the columns of a table of bodies, in the order of the body. A list of objects is a column of its own beside
// those of the members of its first entry.
func Columns(s *schema.Schemas, body reflect.Type) []Column { return columnsOf(s, s.Of(body), "") }

func columnsOf(s *schema.Schemas, whole *huma.Schema, prefix string) (all []Column) {
	resolved := s.Resolve(whole)
	for _, name := range s.Members(whole) {
		path, of := prefix+name, resolved.Properties[name]
		value := s.Resolve(of)
		if value.Type == huma.TypeArray {
			path, of = path+"[]", value.Items
			value = s.Resolve(of)
		}
		switch {
		case value.Type == huma.TypeArray:
		case value.Type != huma.TypeObject:
			all = append(all, Column{Path: path, Type: value.Type})
		case len(value.Properties) == 0:
			all = append(all, Column{Path: path, Type: huma.TypeObject})
		default:
			all = append(all, columnsOf(s, of, path+".")...)
			if list, ok := strings.CutSuffix(path, "[]"); ok && path != itemList+"[]" {
				all = append(all, Column{Path: list, Type: huma.TypeArray})
			}
		}
	}
	return all
}

// OfItem reports whether the column is a member of the items, and returns its path within the item.
func (c Column) OfItem() (string, bool) { return strings.CutPrefix(c.Path, itemList+"[].") }

// WithinList reports whether the column is a member of the entries of a list other than the items. The list has a column too.
func (c Column) WithinList() bool {
	path, _ := c.OfItem()
	return strings.Contains(strings.TrimSuffix(path, "[]"), "[]")
}

// IsJSON reports whether the cells of the column are JSON.
func (c Column) IsJSON() bool { return c.Type == huma.TypeArray || c.Type == huma.TypeObject }

var decimal = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// value converts a cell. Text that is not of the type stays text, so that the check of the body names it.
func (c Column) value(text string) any {
	switch {
	case c.IsJSON():
		if v, ok := parsed(text); ok {
			return v
		}
		return text
	case strings.HasSuffix(c.Path, "[]"):
		return texts(text)
	case (c.Type == huma.TypeNumber || c.Type == huma.TypeInteger) && decimal.MatchString(text):
		return json.Number(text)
	case c.Type == huma.TypeBoolean && (text == "true" || text == "false"):
		return text == "true"
	case c.Type == huma.TypeString && strings.HasPrefix(text, `"`):
		if v, ok := parsed(text); ok {
			return v
		}
	}
	return text
}

// texts reads a cell with the texts of a list: JSON, or separated by semicolons.
func texts(cell string) []any {
	if v, ok := parsed(cell); ok && cell[0] == '[' {
		return v.([]any)
	}
	var all []any
	for part := range strings.SplitSeq(cell, separator) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// parsed reads JSON with the digits of its numbers.
func parsed(text string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

// Cell returns the cell from which the column's value is read again. The value is JSON; null and nothing are an empty cell. A text
// that a table cannot hold as it is, such as one that a spreadsheet would run as a formula, is a JSON string.
func (c Column) Cell(value string) string {
	switch {
	case value == "" || value == "null":
		return ""
	case c.IsJSON():
		return compacted(value)
	case value[0] == '[':
		return joined(value)
	case value[0] == '"':
		var text string
		if json.Unmarshal([]byte(value), &text) != nil || !isPlain(text) {
			return value
		}
		return text
	}
	return value
}

// joined returns a cell with the texts of a list.
func joined(list string) string {
	var all []string
	awkward := func(text string) bool { return !isPlain(text) || strings.Contains(text, separator) }
	_ = json.Unmarshal([]byte(list), &all)
	if text := strings.Join(all, separator); isPlain(text) && !slices.ContainsFunc(all, awkward) {
		return text
	}
	return compacted(list)
}

// isPlain reports whether a text is the same after it was a cell.
func isPlain(text string) bool {
	return text != "" && strings.TrimSpace(text) == text && text[0] != '"' && text[0] != '[' && !csvio.IsFormula(text) &&
		!strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == '\ufeff' })
}

func compacted(value string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(value)) != nil {
		return value
	}
	return out.String()
}
