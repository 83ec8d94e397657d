package explain

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// DeclaredField is a field of the declaration that an error is about.
type DeclaredField struct {
	Field       string  `json:"field" doc:"Path of the field, such as items[0].netMassKg; in words if it is not an input" example:"items[0].netMassKg"`
	FieldName   string  `json:"fieldName,omitempty" doc:"The field in plain words" example:"net mass of item 1"`
	DataElement string  `json:"dataElement,omitempty" doc:"Number of the data element in the tariff's declaration guide, if it has one" example:"6/1"`
	Pointer     string  `json:"pointer,omitempty" doc:"Pointer of CDS" example:"42A.67A.68A[1].23A.65A.128"`
	Value       *string `json:"value" doc:"Value of the field; null if empty or unknown" example:"120.5"`
}

// place is a place in a declaration with everything that is known about it.
type place struct {
	DeclaredField
	at       pointer.Pointer
	known    *field // nil if unknown
	name     string // of the field without its item
	readable bool   // the records could be read there
}

// placeOf returns the place of a pointer.
func placeOf(p pointer.Pointer) place {
	s := place{at: p, known: knownOf(p)}
	s.name = nameOf(p, s.known)
	s.Field, s.DataElement, s.Pointer = p.Field(), p.Element(), oneLine(p.String(), maxNamed)
	s.FieldName = s.name + within(p)
	return s
}

// named returns a place of which only a name is known.
func named(text string) place {
	text = oneLine(text, maxNamed)
	return place{name: text, DeclaredField: DeclaredField{Field: text, FieldName: text}}
}

// entries are sections of which a trader counts the occurrences.
var entries = []string{"02A", "03A", "99A", "17C", "31B", "44B", "90A"}

// within names the item and the occurrence of a place.
func within(p pointer.Pointer) string {
	last := p[len(p)-1]
	item, entry := "", ""
	for i, step := range p {
		switch {
		case step.Section == "68A" && last.Section == "68A" && last.Tag != "103" && step.Sequence > 0:
			item = fmt.Sprintf(" %d", step.Sequence)
		case step.Section == "68A" && step.Sequence > 0:
			item = fmt.Sprintf(" of item %d", step.Sequence)
		case step.Section == "68A" && last.Section != "68A":
			item = " of an item"
		case slices.Contains(entries, step.Section) && step.Sequence > 0 && (step.Sequence > 1 || p[max(i-1, 0)].Section == "68A"):
			entry = fmt.Sprintf(" (entry %d)", step.Sequence)
		}
	}
	return item + entry
}

// knownOf finds the texts for a place, the most specific ones first.
func knownOf(p pointer.Pointer) *field {
	for _, key := range keysOf(p) {
		if f := places()[key]; f != nil {
			return f
		}
	}
	return nil
}

// keysOf returns the keys that the files may have for a place, the most specific ones first.
func keysOf(p pointer.Pointer) []string {
	last := p[len(p)-1]
	section := last.Section
	if last.Sequence > 1 {
		section += "+"
	}
	parent := ""
	if len(p) > 1 {
		parent = p[len(p)-2].Section + "."
	}
	keys := make([]string, 0, 6)
	if last.Tag != "" {
		keys = append(keys, parent+last.Section+"."+last.Tag, section+"."+last.Tag, last.Section+"."+last.Tag)
	}
	return append(keys, parent+last.Section, section, last.Section)
}

// nameOf returns the name of a place in words; without texts for it, the words of the schema's
// name.
func nameOf(p pointer.Pointer, f *field) string {
	if f != nil {
		return f.name
	}
	parts := strings.Split(p.Path(), "/")
	name, _, _ := strings.Cut(parts[len(parts)-1], "[")
	return oneLine(splitWords(name), maxNamed)
}

// splitWords turns ExitDateTime into exit date time; LPCO stays one word.
func splitWords(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// skeleton returns a field's path without indices.
func skeleton(field string) string {
	var b strings.Builder
	inside := false
	for _, r := range field {
		inside = inside && r != ']'
		if !inside {
			b.WriteRune(r)
		}
		inside = inside || r == '['
	}
	return b.String()
}
