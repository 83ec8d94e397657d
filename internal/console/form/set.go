package form

import (
	"slices"
	"strings"
)

// Set gives the field with a path a value as text, and returns the field with its value before; nil if the form has no such
// field. Texts of a list are added to those that it has.
func (s *FilledForm) Set(path string, texts ...string) (field *Field, before string) {
	field = s.fieldsByPath()[path].Field
	if field == nil || len(texts) == 0 {
		return nil, ""
	}
	before = field.Text()
	switch field.Kind {
	case Group, Rows, FreeForm, Raw:
		return nil, ""
	case Lines, Several:
		lines := strings.FieldsFunc(field.Value, func(r rune) bool { return r == '\n' })
		for _, text := range texts {
			if !slices.Contains(lines, text) {
				lines = append(lines, text)
			}
		}
		field.Value = strings.Join(lines, "\n")
	case Instant:
		field.Value, field.StoredText = localText(texts[0]), texts[0]
	default:
		field.Value = strings.Join(slices.Compact(texts), "; ")
		if field.Kind == Choice {
			field.keepValue()
		}
	}
	return field, before
}

// IsList reports whether the field has a list of texts.
func (f *Field) IsList() bool { return f.Kind == Lines || f.Kind == Several }
