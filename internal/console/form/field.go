package form

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// Kind is the type of a field's control.
type Kind string

// The kinds of fields.
const (
	Text     Kind = "text"
	TextArea Kind = "area" // text of several lines
	Number   Kind = "number"
	Choice   Kind = "choice"
	Instant  Kind = "instant" // date and time in London
	Day      Kind = "day"
	Lines    Kind = "lines"   // texts, one per line
	Group    Kind = "group"   // an object, or a row of a list
	Rows     Kind = "rows"    // a list of objects
	Several  Kind = "several" // texts out of options
	FreeForm Kind = "free"    // an object with members of any name: rows of name, type and value
	Raw      Kind = "raw"     // JSON, if no other kind fits
)

// Field is one field of a form.
type Field struct {
	Name         string // name and ID of the control: the path of the field
	Kind         Kind
	Label, Hint  string
	Value        string
	StoredText   string // stored text of a timestamp
	Error        string // a whole sentence
	Optional     bool
	Focus        bool   // whether the control gets the focus, because its row was just added
	Width        string // short or medium; empty for the full width
	Inputmode    string
	Autocomplete string
	MaxLength    int
	Options      []Option
	Datalist     []Option // usual answers of a text field; others are accepted
	Suggestions  []Option // suggested member names of a free-form object
	Findings     []rules.Finding
	Fields       []*Field // members of a group
	Rows         []*Field // rows of a list or a free-form object, each a group
	MaxRows      int      // maximum number of rows
	Link         string   // address of the record that the value names
	RecordName   string   // name of that record
	Described    bool     // the form has a description of it
	Numbers      string   // numbers of its data elements, such as 3/1, 3/2
	HiddenRows   int      // rows that LimitRows has removed
	Decides      bool     // the layout of the form depends on the answer

	member   string
	rowLabel string       // name of a row, such as Item
	schema   *huma.Schema // resolved; nil if any value is valid
	depth    int
	columns  []string // members of a row in their order; nil for that of the schema
	list     string   // name of Datalist, if fields share it
	country  bool
	hidden   bool // not shown while it is empty
}

// Option is an answer of a choice.
type Option struct{ Value, Label string }

// Limits of a form.
const (
	maxNesting = 4   // levels of nested objects; deeper ones are shown as JSON
	maxRows    = 999 // rows of a free-form object, or of a list whose schema sets no limit
	longText   = 300 // maximum length from which a text gets several lines, in characters
)

// newField returns the field for a member of an object.
func (f *Form) newField(name, member string, schema *huma.Schema, optional bool, depth int) *Field {
	s := f.schemas.Resolve(schema)
	field := &Field{Name: name, member: member, Label: Label(member), Optional: optional, schema: s, depth: depth}
	field.Hint = f.words.replaceNames(schema.Description)
	if field.Hint == "" && s != nil {
		field.Hint = f.words.replaceNames(s.Description)
	}
	field.Kind = kindOf(s, f.schemas.Resolve, depth)
	switch field.Kind {
	case Text, TextArea:
		field.setTextSize(example(schema))
	case Number:
		field.Inputmode, field.Width = "decimal", "short"
		if s.Type == huma.TypeInteger {
			field.Inputmode = "numeric"
		}
	case Choice:
		field.Options, field.Width = f.options(s), "medium"
	case Instant, Day:
		field.Width = "medium"
		field.Hint = sentence(field.Hint, "London time", field.Kind == Instant)
	case Lines:
		field.Hint = sentence(field.Hint, "one in a line", true)
	case Group:
		field.Fields = f.newFields(name, s, f.schemas.Members(schema), depth+1)
	case Rows:
		field.rowLabel, field.MaxRows = Singular(field.Label), maxRowsOf(s)
	case FreeForm:
		field.rowLabel, field.MaxRows, field.Hint = "entry", maxRows, cmp.Or(field.Hint, "Other details, each with a name")
		field.Fields = f.namedFields(name, depth)
	}
	f.addDescription(field)
	f.addLayout(field)
	if strings.EqualFold(field.Hint, field.Label) {
		field.Hint = ""
	}
	return field
}

// secretMark marks the schema of a secret, whose text is sent and never shown.
const secretMark = schema.IsSecret

// dayPattern is the pattern of a date in bodies that check its form and not the day itself.
const dayPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"

// kindOf returns the kind of field for a schema.
func kindOf(s *huma.Schema, resolve func(*huma.Schema) *huma.Schema, depth int) Kind {
	switch {
	case s != nil && s.Extensions[secretMark] == true:
		return Text
	case s == nil || s.Type == "" || depth > maxNesting || s.Extensions[schema.IsContent] == true:
		return Raw
	case len(s.Enum) > 0 || s.Type == huma.TypeBoolean:
		return Choice
	case s.Type == huma.TypeString && s.Format == "date-time":
		return Instant
	case s.Type == huma.TypeString && (s.Format == "date" || s.Pattern == dayPattern):
		return Day
	case s.Type == huma.TypeString && s.MaxLength != nil && *s.MaxLength >= longText:
		return TextArea
	case s.Type == huma.TypeString:
		return Text
	case s.Type == huma.TypeNumber || s.Type == huma.TypeInteger:
		return Number
	case s.Type == huma.TypeArray:
		return kindOfList(resolve(s.Items))
	case len(s.Properties) > 0:
		return Group
	}
	return FreeForm
}

func kindOfList(items *huma.Schema) Kind {
	switch {
	case items == nil:
		return Raw
	case items.Type == huma.TypeObject && len(items.Properties) > 0:
		return Rows
	case items.Type == huma.TypeString || items.Type == huma.TypeNumber || items.Type == huma.TypeInteger:
		return Lines
	}
	return Raw
}

// setTextSize sets the size of a text field and shows an example of a code.
func (f *Field) setTextSize(example string) {
	if f.schema.MaxLength != nil {
		f.MaxLength = *f.schema.MaxLength
	}
	switch {
	case f.schema.Format == "country":
		f.Width, f.Hint = "medium", countryHint(f.Hint)
	case f.MaxLength > 0 && f.MaxLength <= 10:
		f.Width = "short"
	case f.MaxLength > 0 && f.MaxLength <= 40, f.schema.Pattern != "":
		f.Width = "medium"
	}
	if f.Kind == Text && f.schema.Format != "uuid" && strings.ContainsAny(example, "0123456789") && !strings.Contains(f.Hint, "such as") {
		f.Hint = sentence(f.Hint, "such as "+example, true)
	}
}

// countryHint rewrites an error about a country code for users.
func countryHint(hint string) string {
	before, _, _ := strings.Cut(hint, "ISO 3166")
	return sentence(strings.TrimRight(before, ", "), "by its name or two letters such as GB", true)
}

// example returns an example of an answer, or "".
func example(s *huma.Schema) string {
	if len(s.Examples) == 0 {
		return ""
	}
	text, _ := s.Examples[0].(string)
	return text
}

func sentence(hint, more string, add bool) string {
	switch {
	case !add:
		return hint
	case hint == "":
		return strings.ToUpper(more[:1]) + more[1:]
	}
	return hint + ", " + more
}

func (f *Form) options(s *huma.Schema) []Option {
	options := []Option{{"", ""}}
	if s.Type == huma.TypeBoolean {
		return append(options, Option{"true", "Yes"}, Option{"false", "No"})
	}
	for _, value := range s.Enum {
		text := fmt.Sprint(value)
		options = append(options, Option{text, f.answerText(text)})
	}
	return options
}

// answerText returns the text of an answer: the kind's own text, or else one made from the answer.
func (f *Form) answerText(answer string) string { return cmp.Or(f.answers[answer], Words(answer)) }

func maxRowsOf(s *huma.Schema) int {
	if s.MaxItems != nil {
		return *s.MaxItems
	}
	return maxRows
}

// Choices turns a text field into a choice. A value that is not among the options stays selectable.
func (f *Field) Choices(options ...Option) {
	f.Kind, f.Options, f.Width = Choice, append([]Option{{"", ""}}, options...), ""
	f.keepValue()
}

// keepValue adds the current value to the options if it is not among them.
func (f *Field) keepValue() {
	for value := range strings.SplitSeq(f.Value, "\n") {
		if value != "" && !slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == value }) {
			f.Options = append(f.Options, Option{value, value})
		}
	}
}

// Wide reports whether the field uses the whole width of the form.
func (f *Field) Wide() bool {
	return f.TextRows() > 0 || f.Kind == Several || f.Kind == Group || f.Kind == Rows || f.Kind == FreeForm
}

// TextRows returns the number of text lines shown; 0 for a control of one line.
func (f *Field) TextRows() int {
	const least, most = 2, 12
	lines := strings.Count(f.Value, "\n") + 1
	switch f.Kind {
	case TextArea:
		return min(max(lines, len(f.Value)/80+1, least), most)
	case Lines, Raw:
		return min(max(lines+1, least), most)
	}
	return 0
}

// ControlName returns the name under which the control is submitted.
func (f *Field) ControlName() string {
	if f.Kind == Raw {
		return f.Name + jsonSuffix
	}
	return f.Name
}

// RowName returns the name of a row for use within a sentence.
func (f *Field) RowName() string { return strings.ToLower(f.rowLabel[:1]) + f.rowLabel[1:] }

// Type returns the type of the input element.
func (f *Field) Type() string {
	switch {
	case f.Kind == Instant && (f.Value == "" || f.Value == localText(f.StoredText) || ParseInstant(f.Value) != ""):
		return "datetime-local"
	case f.Kind == Day && (f.Value == "" || isDay(f.Value)):
		return "date"
	}
	return "text"
}

// Step returns the resolution of a timestamp control in seconds, or "" for whole minutes.
func (f *Field) Step() string {
	switch {
	case f.Kind != Instant || len(f.Value) <= len(minuteLayout):
		return ""
	case len(f.Value) <= len(secondLayout):
		return "1"
	}
	return "0.001"
}

// DescribedBy returns the IDs of the hint, the error and the findings.
func (f *Field) DescribedBy() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.Name+"-hint")
	}
	if f.Error != "" {
		ids = append(ids, f.Name+"-error")
	}
	for i := range f.Findings {
		ids = append(ids, f.FindingID(i))
	}
	return strings.Join(ids, " ")
}

// FindingID returns the ID of a finding beside the field.
func (f *Field) FindingID(n int) string { return f.Name + "-finding-" + strconv.Itoa(n) }

// Blank reports whether the field is empty.
func (f *Field) Blank() bool { return f.isBlank() }

// HasMaxRows reports whether the list has its maximum number of rows.
func (f *Field) HasMaxRows() bool { return len(f.Rows) >= f.MaxRows }

// HasProblem reports whether the field or a field in it has an error or a finding, so that it is shown open.
func (f *Field) HasProblem() bool {
	wrong := func(f *Field) bool { return f.HasProblem() }
	return f.Error != "" || len(f.Findings) > 0 || slices.ContainsFunc(f.Fields, wrong) || slices.ContainsFunc(f.Rows, wrong)
}
