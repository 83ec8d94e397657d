package form

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Names of the buttons that add and remove a row. Their value is the name of the list or the row.
const (
	addButton    = "add"
	removeButton = "remove"
)

// Suffixes of the names of additional controls.
const (
	storedSuffix = "~was"  // the stored timestamp
	jsonSuffix   = "~json" // the value is JSON
)

// submittedForm is the submitted values of a form.
type submittedForm struct {
	values      url.Values
	rows        map[string][]int // row numbers that were submitted, by name of the list
	add, remove string
	rowsChanged bool
}

func newSubmittedForm(values url.Values) *submittedForm {
	t := &submittedForm{values: values, rows: map[string][]int{}, add: values.Get(addButton), remove: values.Get(removeButton)}
	for name := range values {
		t.addRows(name)
	}
	for list, rows := range t.rows {
		slices.Sort(rows)
		t.rows[list] = slices.Compact(rows)
	}
	return t
}

// has reports whether a value or a row was submitted for a path.
func (t *submittedForm) has(path string) bool { return t.values.Get(path) != "" || t.rows[path] != nil }

// addRows records the rows in a name: items[2].name is in row 2 of items, and formData~3~name
// in row 3 of formData.
func (t *submittedForm) addRows(name string) {
	for i, r := range name {
		end := map[rune]string{'[': "]", '~': "~"}[r]
		if end == "" {
			continue
		}
		digits, _, found := strings.Cut(name[i+1:], end)
		if n, err := strconv.Atoi(digits); found && err == nil && n >= 0 {
			t.rows[name[:i]] = append(t.rows[name[:i]], n)
		}
	}
}

// read sets a field from the values that were submitted with the prefix from.
func (f *Form) read(field *Field, t *submittedForm, from string) {
	if t.values.Has(from + jsonSuffix) {
		field.Kind, field.Value, field.Fields = Raw, strings.TrimSpace(t.values.Get(from+jsonSuffix)), nil
		return
	}
	switch field.Kind {
	case Group:
		for _, member := range field.Fields {
			f.read(member, t, from+"."+member.member)
		}
	case Rows:
		f.readRows(field, t, from)
	case FreeForm:
		for _, named := range field.Fields {
			f.read(named, t, from+"."+named.member)
		}
		field.readFreeForm(t, from)
	case Several:
		field.Value = strings.TrimSpace(strings.Join(t.values[from], "\n"))
		field.keepValue()
	default:
		field.setTyped(t.values.Get(from), t.values.Get(from+storedSuffix))
	}
}

// setTyped sets a field with one control from its submitted value.
func (f *Field) setTyped(typed, was string) {
	f.Value = strings.TrimSpace(strings.ReplaceAll(typed, "\r\n", "\n"))
	switch {
	case f.Kind == Instant:
		f.StoredText = was
	case f.Kind == Day:
		f.Value = parseDay(f.Value)
	case f.Kind == Choice:
		f.keepValue()
	case f.isCountry():
		if c, known := ident.FindCountry(f.Value); known {
			f.Value = string(c)
		}
	case f.Kind == Text && strings.Contains(f.Value, "\n"):
		f.Kind = TextArea
	}
}

// readRows reads the rows that are not empty, and adds or removes a row if its button was pressed.
func (f *Form) readRows(list *Field, t *submittedForm, from string) {
	for _, n := range t.rows[from] {
		at := from + "[" + strconv.Itoa(n) + "]"
		if t.remove == at {
			t.rowsChanged = true
			continue
		}
		row := f.addRow(list)
		for _, member := range row.Fields {
			f.read(member, t, at+"."+member.member)
		}
		if row.isBlank() {
			list.Rows = list.Rows[:len(list.Rows)-1]
		}
	}
	switch {
	case t.add == from && !list.HasMaxRows():
		t.rowsChanged = true
		f.addRow(list).setFocus()
	case t.add == from:
		t.rowsChanged = true
	case len(list.Rows) == 0:
		f.addRequiredRow(list)
	}
}

// readFreeForm reads the rows of a free-form object.
func (f *Field) readFreeForm(t *submittedForm, from string) {
	for _, n := range t.rows[from] {
		at := from + "~" + strconv.Itoa(n)
		if t.remove == at {
			t.rowsChanged = true
			continue
		}
		name, value := strings.TrimSpace(t.values.Get(at+"~name")), strings.ReplaceAll(t.values.Get(at+"~value"), "\r\n", "\n")
		if name == "" && value == "" {
			continue
		}
		row := f.newEntry()
		row.setName(name)
		row.Fields[valueIndex].Value = value
		if as := t.values.Get(at + "~type"); as != "" {
			row.Fields[typeIndex].Value = as
		}
	}
	if t.add == from {
		t.rowsChanged = true
		f.newEntry().setFocus()
	}
}

// isBlank reports whether the field has no value.
func (f *Field) isBlank() bool {
	filled := func(f *Field) bool { return !f.isBlank() }
	return f.Value == "" && !slices.ContainsFunc(f.Fields, filled) && !slices.ContainsFunc(f.Rows, filled)
}

// setFocus gives the focus to the first control of a row.
func (f *Field) setFocus() {
	if len(f.Fields) > 0 {
		f.Fields[0].Focus = true
	}
}

// isNumber reports whether a text is a JSON number.
func isNumber(text string) bool {
	digits := func(s string) (rest string, n int) {
		rest = strings.TrimLeft(s, "0123456789")
		return rest, len(s) - len(rest)
	}
	whole := strings.TrimPrefix(text, "-")
	rest, n := digits(whole)
	if n == 0 || n > 1 && whole[0] == '0' {
		return false
	}
	if fraction, found := strings.CutPrefix(rest, "."); found {
		if rest, n = digits(fraction); n == 0 {
			return false
		}
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	exponent := rest[1:]
	if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	rest, n = digits(exponent)
	return rest == "" && n > 0
}

// parseNumber returns typed text as a JSON number, without a pound sign, thousands separators and
// leading zeros, and whether it is one.
func parseNumber(typed string) (text string, is bool) {
	text = strings.TrimSpace(strings.TrimPrefix(typed, "£"))
	if hasThousandsCommas(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	if isNumber(text) {
		return text, true
	}
	sign := ""
	if rest, found := strings.CutPrefix(text, "-"); found {
		sign, text = "-", rest
	}
	text = strings.TrimLeft(text, "0")
	if text == "" || text[0] == '.' {
		text = "0" + text
	}
	return sign + text, isNumber(sign + text)
}

// hasThousandsCommas reports whether a number has commas, and only between thousands.
func hasThousandsCommas(text string) bool {
	whole, _, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3) || strings.Trim(g, "0123456789") != "" {
			return false
		}
	}
	return len(groups) > 1
}

// isNumberList reports whether a list contains numbers.
func isNumberList(s *huma.Schema) bool {
	return s != nil && s.Items != nil && (s.Items.Type == huma.TypeNumber || s.Items.Type == huma.TypeInteger)
}
