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
	wasEnd  = "~was"  // the stored timestamp
	jsonEnd = "~json" // the value is JSON
)

// typedForm is the submitted values of a form.
type typedForm struct {
	values      url.Values
	rows        map[string][]int // row numbers that were submitted, by name of the list
	add, remove string
	turned      bool
}

func newTyped(values url.Values) *typedForm {
	t := &typedForm{values: values, rows: map[string][]int{}, add: values.Get(addButton), remove: values.Get(removeButton)}
	for name := range values {
		t.note(name)
	}
	for list, rows := range t.rows {
		slices.Sort(rows)
		t.rows[list] = slices.Compact(rows)
	}
	return t
}

// note records the rows in a name: items[2].name is in row 2 of items, and formData~3~name
// in row 3 of formData.
func (t *typedForm) note(name string) {
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
func (f *Form) read(field *Field, t *typedForm, from string) {
	if t.values.Has(from + jsonEnd) {
		field.Kind, field.Value, field.Fields = Raw, strings.TrimSpace(t.values.Get(from+jsonEnd)), nil
		return
	}
	switch field.Kind {
	case Group:
		for _, member := range field.Fields {
			f.read(member, t, from+"."+member.member)
		}
	case Rows:
		f.readRows(field, t, from)
	case Free:
		field.readFree(t, from)
	default:
		field.take(t.values.Get(from), t.values.Get(from+wasEnd))
	}
}

// take sets a field with one control from its submitted value.
func (f *Field) take(typed, was string) {
	f.Value = strings.TrimSpace(strings.ReplaceAll(typed, "\r\n", "\n"))
	switch {
	case f.Kind == Instant:
		f.Was = was
	case f.Kind == Day:
		f.Value = dayOf(f.Value)
	case f.Kind == Choice:
		f.keep()
	case f.country():
		if c, known := ident.FindCountry(f.Value); known {
			f.Value = string(c)
		}
	case f.Kind == Text && strings.Contains(f.Value, "\n"):
		f.Kind = Area
	}
}

// readRows reads the rows that are not empty, and adds or removes a row if its button was pressed.
func (f *Form) readRows(list *Field, t *typedForm, from string) {
	for _, n := range t.rows[from] {
		at := from + "[" + strconv.Itoa(n) + "]"
		if t.remove == at {
			t.turned = true
			continue
		}
		row := f.add(list)
		for _, member := range row.Fields {
			f.read(member, t, at+"."+member.member)
		}
		if row.blank() {
			list.Rows = list.Rows[:len(list.Rows)-1]
		}
	}
	switch {
	case t.add == from && !list.Full():
		t.turned = true
		f.add(list).focus()
	case t.add == from:
		t.turned = true
	case len(list.Rows) == 0:
		f.open(list)
	}
}

// readFree reads the rows of a free-form object.
func (f *Field) readFree(t *typedForm, from string) {
	for _, n := range t.rows[from] {
		at := from + "~" + strconv.Itoa(n)
		if t.remove == at {
			t.turned = true
			continue
		}
		name, value := strings.TrimSpace(t.values.Get(at+"~name")), strings.ReplaceAll(t.values.Get(at+"~value"), "\r\n", "\n")
		if name == "" && value == "" {
			continue
		}
		row := f.newPair()
		row.call(name)
		row.Fields[valueAt].Value = value
		if as := t.values.Get(at + "~type"); as != "" {
			row.Fields[typeAt].Value = as
		}
	}
	if t.add == from {
		t.turned = true
		f.newPair().focus()
	}
}

// blank reports whether the field has no value.
func (f *Field) blank() bool {
	filled := func(f *Field) bool { return !f.blank() }
	return f.Value == "" && !slices.ContainsFunc(f.Fields, filled) && !slices.ContainsFunc(f.Rows, filled)
}

// focus gives the focus to the first control of a row.
func (f *Field) focus() {
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

// numberOf returns typed text as a JSON number, without a pound sign, thousands separators and
// leading zeros, and whether it is one.
func numberOf(typed string) (text string, is bool) {
	text = strings.TrimSpace(strings.TrimPrefix(typed, "£"))
	if thousands(text) {
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

// thousands reports whether a number has commas, and only between thousands.
func thousands(text string) bool {
	whole, _, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3) || strings.Trim(g, "0123456789") != "" {
			return false
		}
	}
	return len(groups) > 1
}

// ofNumbers reports whether a list contains numbers.
func ofNumbers(s *huma.Schema) bool {
	return s != nil && s.Items != nil && (s.Items.Type == huma.TypeNumber || s.Items.Type == huma.TypeInteger)
}
