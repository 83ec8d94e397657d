package form

import (
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
)

// Section is a group of fields under a heading.
type Section struct {
	ID, Title, Help string
	Fields          []*Field
	Sources         []layout.Source
	Folded          bool // closed, because it is for rare cases and empty
}

// Layout returns the form with its fields in the sections of a layout; nil for none.
func (f *Form) Layout(l *layout.Form) *Form {
	arranged := *f
	arranged.layout = l
	return &arranged
}

// state is what a layout shows for some values.
type state struct {
	sections []layout.Section
	fields   map[string]layout.Field // by path, also of those that are not shown
	shown    map[string]bool         // paths of the fields in sections
}

// inState returns the form with the fields that its layout has for some values. A field of a free-form object that was
// submitted is read, even if it is not shown any more.
func (f *Form) inState(value func(path string) string, submitted func(path string) bool) *Form {
	if f.layout == nil {
		return f
	}
	s := &state{sections: f.layout.Active(value), fields: map[string]layout.Field{}, shown: map[string]bool{}}
	for _, section := range s.sections {
		for _, field := range section.Fields {
			s.add(field)
			s.shown[field.Path] = true
		}
	}
	for _, section := range f.layout.Sections {
		for _, field := range section.Fields {
			if _, known := s.fields[field.Path]; !known {
				s.add(field)
				s.shown[field.Path] = submitted(field.Path)
			}
		}
	}
	for _, field := range f.layout.Other {
		s.add(field)
	}
	with := *f
	with.state, with.words = s, maps.Clone(f.words)
	s.addWords(with.words)
	return &with
}

func (s *state) add(field layout.Field) {
	s.fields[field.Path] = field
	for _, column := range field.Columns {
		s.fields[field.Path+"[]."+column.Path] = column
	}
}

// addWords adds the labels of the layout to a dictionary. A name in small letters, such as tier, is only replaced together
// with the name of its object.
func (s *state) addWords(words dictionary) {
	for path, field := range s.fields {
		if field.Label == "" {
			continue
		}
		label, name := "“"+field.Label+"”", lastMember(path)
		if name != path {
			words[path] = label
		}
		if strings.ToLower(name) != name {
			words[name] = label
		}
	}
}

// namedFields returns the fields for known members of a free-form object.
func (f *Form) namedFields(object string, depth int) (fields []*Field) {
	if f.state == nil {
		return nil
	}
	for _, section := range f.layout.Sections {
		for _, d := range section.Fields {
			name, within := strings.CutPrefix(d.Path, object+".")
			if !within || !f.state.shown[d.Path] || slices.ContainsFunc(fields, func(other *Field) bool { return other.Name == d.Path }) {
				continue
			}
			d = f.state.fields[d.Path]
			field := f.newField(d.Path, name, schemaOf(d), true, depth+1)
			if d.Format == layout.Several {
				field.Kind = Several
			}
			for _, column := range d.Columns {
				field.columns = append(field.columns, column.Path)
			}
			fields = append(fields, field)
		}
	}
	return fields
}

// longAnswer makes a text field have several lines.
const longAnswer = 2000

// schemaOf returns the schema of a known member of a free-form object.
func schemaOf(d layout.Field) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	switch d.Format {
	case layout.Address:
		most := longAnswer
		return &huma.Schema{Type: huma.TypeString, MaxLength: &most}
	case layout.Day:
		return &huma.Schema{Type: huma.TypeString, Format: "date"}
	case layout.Amount:
		return &huma.Schema{Type: huma.TypeNumber}
	case layout.Count:
		return &huma.Schema{Type: huma.TypeInteger}
	case layout.YesNo:
		return &huma.Schema{Type: huma.TypeBoolean}
	case layout.Lines, layout.Several:
		return &huma.Schema{Type: huma.TypeArray, Items: text}
	case layout.Rows:
		row := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
		for _, column := range d.Columns {
			row.Properties[column.Path] = schemaOf(column)
		}
		return &huma.Schema{Type: huma.TypeArray, Items: row}
	}
	return text
}

// addLayout adds what the layout says about a field.
func (f *Form) addLayout(field *Field) {
	if f.state == nil {
		return
	}
	d, ok := f.state.fields[rowIndex.ReplaceAllString(field.Name, "[]")]
	if !ok {
		return
	}
	if d.Label != "" {
		field.Label = d.Label
	}
	if d.Hint != "" {
		field.Hint = d.Hint
	}
	if field.rowLabel != "" {
		field.rowLabel = Singular(field.Label)
	}
	field.Optional = field.Optional && (!d.Expected || field.Kind == Group)
	field.Decides = field.Name == f.layout.Decides
	options := make([]Option, len(d.Options))
	for i, o := range d.Options {
		options[i] = Option(o)
	}
	switch {
	case len(options) == 0:
	case field.Kind == Choice:
		field.Options, field.Width = withBlank(options), ""
	case d.Format == layout.Several:
		field.Options = options
	case field.Kind == Text && d.Closed:
		field.Choices(options...)
	case field.Kind == Text:
		field.Datalist, field.list = options, d.List
	}
}

// otherTitle is the heading of the fields that the layout does not name.
const otherTitle = "Other details"

// Sections returns the fields in the sections of the layout; nil if the form has none. Fields that the layout does not show
// are last if they have a value or a fault.
func (s *FilledForm) Sections() (all []Section) {
	if s.state == nil {
		return nil
	}
	fields, placed := s.fieldsByPath(), map[string]bool{}
	for _, section := range s.state.sections {
		shown := Section{ID: "part-" + strings.ToLower(strings.ReplaceAll(section.Title, " ", "-")), Title: section.Title, Help: section.Help, Sources: section.Sources}
		for _, d := range section.Fields {
			if field := fields[d.Path].Field; field != nil && field.Name == d.Path && !placed[d.Path] {
				placed[d.Path] = true
				shown.Fields = append(shown.Fields, field.withoutNamed())
			}
		}
		if len(shown.Fields) > 0 {
			all = append(all, shown)
		}
	}
	other := Section{ID: "part-other", Title: otherTitle, Folded: true}
	for _, field := range s.Fields {
		_, hidden := s.state.shown[field.Name]
		if rest := field.withoutNamed(); !placed[field.Name] && (!hidden || !rest.isBlank() || rest.HasProblem()) {
			other.Fields = append(other.Fields, rest)
			other.Folded = other.Folded && rest.isBlank() && !rest.HasProblem()
		}
		for _, named := range field.Fields {
			if field.Kind == FreeForm && !placed[named.Name] && (!named.isBlank() || named.HasProblem()) {
				other.Fields, other.Folded = append(other.Fields, named), false
			}
		}
	}
	if len(other.Fields) > 0 {
		all = append(all, other)
	}
	return all
}

// withoutNamed returns a free-form object without its known members, which have places of their own.
func (f *Field) withoutNamed() *Field {
	if f.Kind != FreeForm || len(f.Fields) == 0 {
		return f
	}
	rest := *f
	rest.Fields = nil
	return &rest
}

// FocusFirst gives the focus to the first field with an error or a finding, or otherwise to the first empty one, unless only
// faults count.
func (s *FilledForm) FocusFirst(onlyFaults bool) {
	var first *Field
	for _, section := range s.Sections() {
		for _, field := range section.Fields {
			switch {
			case field.Kind == Group || field.Kind == Rows || field.Kind == FreeForm || field.Kind == Several:
			case field.HasProblem():
				field.Focus = true
				return
			case first == nil && field.isBlank() && !section.Folded && !onlyFaults:
				first = field
			}
		}
	}
	if first != nil {
		first.Focus = true
	}
}

// Filled reports whether a field of the section has a value.
func (s Section) Filled() bool {
	return slices.ContainsFunc(s.Fields, func(f *Field) bool { return !f.isBlank() })
}
