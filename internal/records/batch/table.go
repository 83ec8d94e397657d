package batch

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Import is the kind of a batch whose operations come from a table.
const Import = "import"

// Documents is the kind of a batch whose operations import documents. It is an import too.
const Documents = "documents"

// Column is a member of a body that a table can have as a column. Its path is items[].netMassKg for a member of a list's
// elements, and a[] for a list of texts.
type Column struct {
	Path string
	Type string // JSON type: string, number, integer or boolean
}

// separator separates the texts of a list in one cell.
const separator = ";"

// maxReference is the longest cell that rows of one body share, in bytes.
const maxReference = 200

// itemList is the list to which every row of the table adds an element, also one that it has already.
const itemList = "items"

// Body is a body from one or several rows of a table.
type Body struct {
	Row       int    // the first of its rows, from 0
	Reference string // the cell that the rows share, or the number of the row
	JSON      json.RawMessage
}

// RowFault is what is wrong with a row itself, or with a cell in it.
type RowFault struct {
	Row     int    // from 0
	Column  string // header; empty for the row
	Message string
}

// Detail names the place of the fault in the list of rows.
func (f RowFault) Detail() apierr.Detail {
	field := fmt.Sprintf("rows[%d]", f.Row)
	if f.Column != "" {
		field += "." + f.Column
	}
	return apierr.Detail{Field: field, Message: f.Message}
}

// Table is a table with the columns of a body.
type Table struct {
	Columns []Column          // in the order of the body
	Headers map[string]string // header of a column, by its path
	Group   string            // header of the column that is the same in all rows of one body; empty if each row is a body
}

// Bodies makes bodies from rows, which are cells by header. Rows of one body need not follow each other.
func (t Table) Bodies(rows []map[string]string) (bodies []Body, faults []RowFault) {
	places := map[string]int{}
	var made []map[string]any
	for i, row := range rows {
		reference := fmt.Sprint(i + 1)
		if t.Group != "" {
			if reference = strings.TrimSpace(row[t.Group]); reference == "" {
				faults = append(faults, RowFault{i, "", "has nothing in the column " + t.Group})
				continue
			}
			if len(reference) > maxReference {
				faults = append(faults, RowFault{i, t.Group, fmt.Sprintf("must not be longer than %d bytes", maxReference)})
				continue
			}
		}
		place, known := places[reference]
		if !known {
			place = len(made)
			places[reference] = place
			made = append(made, map[string]any{})
			bodies = append(bodies, Body{Row: i, Reference: reference})
		}
		for _, header := range t.add(made[place], row) {
			faults = append(faults, RowFault{i, header, "differs from an earlier row of " + reference})
		}
	}
	for i := range bodies {
		bodies[i].JSON, _ = json.Marshal(made[i])
	}
	return bodies, faults
}

// add adds a row to a body. It returns the headers of cells that differ from an earlier row.
func (t Table) add(body map[string]any, row map[string]string) (different []string) {
	elements := map[string]any{}
	for _, c := range t.Columns {
		header, mapped := t.Headers[c.Path]
		text := strings.TrimSpace(row[header])
		if !mapped || text == "" {
			continue
		}
		path := strings.Split(c.Path, ".")
		if list, inList := strings.CutSuffix(path[0], "[]"); inList && len(path) > 1 {
			element, _ := elements[list].(map[string]any)
			if element == nil {
				element = map[string]any{}
				elements[list] = element
			}
			put(element, path[1:], c.value(text))
		} else if !put(body, path, c.value(text)) {
			different = append(different, header)
		}
	}
	for list, element := range elements {
		all, _ := body[list].([]any)
		if list == itemList || !contains(all, element) {
			body[list] = append(all, element)
		}
	}
	return different
}

func contains(all []any, element any) bool {
	for _, other := range all {
		if reflect.DeepEqual(other, element) {
			return true
		}
	}
	return false
}

// put stores a value. It reports false if there is another one.
func put(object map[string]any, path []string, value any) bool {
	name, isList := strings.CutSuffix(path[0], "[]")
	if len(path) == 1 {
		old, there := object[name]
		object[name] = value
		return !there || reflect.DeepEqual(old, value)
	}
	if isList {
		list, _ := object[name].([]any)
		if len(list) == 0 {
			list = []any{map[string]any{}}
			object[name] = list
		}
		return put(list[0].(map[string]any), path[1:], value)
	}
	inner, _ := object[name].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		object[name] = inner
	}
	return put(inner, path[1:], value)
}

var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// value converts a cell. Text that is not of the type stays text, so that the check of the body names it.
func (c Column) value(text string) any {
	if strings.HasSuffix(c.Path, "[]") {
		var all []any
		for part := range strings.SplitSeq(text, separator) {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
		return all
	}
	switch {
	case (c.Type == "number" || c.Type == "integer") && decimal.MatchString(text):
		return json.Number(text)
	case c.Type == "boolean" && (text == "true" || text == "false"):
		return text == "true"
	}
	return text
}

// Guess returns the header of each column whose name, or the end of whose path, is a header. Case and punctuation do
// not matter. An end that several columns have means the member of an item or of a document.
func Guess(columns []Column, headers []string) map[string]*string {
	mapped := map[string]*string{}
	taken := map[int]bool{}
	ends := map[string]int{}
	for _, c := range columns {
		mapped[c.Path] = nil
		ends[endOf(c.Path)]++
	}
	shortName := func(path string) string {
		end := endOf(path)
		if ends[end] > 1 && path != "items[]."+end && path != "documents[]."+end {
			return ""
		}
		return plainName(end)
	}
	for _, name := range []func(string) string{plainName, shortName} {
		for _, c := range columns {
			for i := range headers {
				if mapped[c.Path] == nil && !taken[i] && plainName(headers[i]) == name(c.Path) {
					mapped[c.Path], taken[i] = &headers[i], true
				}
			}
		}
	}
	return mapped
}

// endOf returns the last member of a path.
func endOf(path string) string { return path[strings.LastIndex(path, ".")+1:] }

// plainName returns the letters and digits of a name.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}
