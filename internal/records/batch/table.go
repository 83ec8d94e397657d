package batch

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Import is the kind of a batch whose operations come from a table.
const Import = "import"

// Documents is the kind of a batch whose operations import documents. It is an import too.
const Documents = "documents"

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
		for _, f := range t.add(made[place], row) {
			f.Row = i
			if f.Message == "" {
				f.Message = "differs from an earlier row of " + reference
			}
			faults = append(faults, f)
		}
	}
	for i := range bodies {
		bodies[i].JSON, _ = json.Marshal(made[i])
	}
	return bodies, faults
}

// add adds a row to a body. It returns the cells that differ from an earlier row, without a message, and those that differ from
// another cell of the row.
func (t Table) add(body map[string]any, row map[string]string) (faults []RowFault) {
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
			if !put(element, path[1:], c.value(text)) {
				faults = append(faults, RowFault{Column: header, Message: "differs from the other columns of the list"})
			}
		} else if !put(body, path, c.value(text)) {
			faults = append(faults, RowFault{Column: header})
		}
	}
	for list, element := range elements {
		all, isList := body[list].([]any)
		if body[list] != nil && !isList {
			continue // a cell that is not a list, which the check of the body names
		}
		if list == itemList || !contains(all, element) {
			body[list] = append(all, element)
		}
	}
	return faults
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
		first, isObject := list[0].(map[string]any)
		return isObject && put(first, path[1:], value)
	}
	inner, _ := object[name].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		object[name] = inner
	}
	return put(inner, path[1:], value)
}

// ownHeaders are the headers that only an export of this service has together, whose other headers are paths.
var ownHeaders = []string{"id", "status", "createdAt", "updatedAt"}

// Guess returns the header of each column whose path or name, or the end of whose path, is a header. Case and punctuation do
// not matter. An end that several columns have means the member of an item or of a document. In an export of this service, and for
// cells that are JSON, only the path counts.
func Guess(columns []Column, headers []string) map[string]*string {
	g := guesser{mapped: map[string]*string{}, taken: map[int]bool{}, headers: headers}
	ends := map[string]int{}
	for _, c := range columns {
		g.mapped[c.Path] = nil
		if !c.IsJSON() {
			ends[endOf(c.Path)]++
		}
	}
	g.take(columns, func(path, header string) bool { return path == header })
	if !slices.ContainsFunc(ownHeaders, func(own string) bool { return !slices.Contains(headers, own) }) {
		return g.mapped
	}
	named := slices.DeleteFunc(slices.Clone(columns), Column.IsJSON)
	g.take(named, func(path, header string) bool { return plainName(path) == plainName(header) })
	g.take(named, func(path, header string) bool {
		end := endOf(path)
		unique := ends[end] == 1 || path == itemList+"[]."+end || path == "documents[]."+end
		return unique && plainName(end) == plainName(header)
	})
	return g.mapped
}

// guesser gives headers to columns.
type guesser struct {
	headers []string
	mapped  map[string]*string
	taken   map[int]bool // headers
}

// take gives each column without a header the first free one that is alike.
func (g *guesser) take(columns []Column, alike func(path, header string) bool) {
	for _, c := range columns {
		for i := range g.headers {
			if g.mapped[c.Path] == nil && !g.taken[i] && alike(c.Path, g.headers[i]) {
				g.mapped[c.Path], g.taken[i] = &g.headers[i], true
			}
		}
	}
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
