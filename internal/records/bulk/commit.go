package bulk

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of a request that imports rows, in bytes.
const (
	MaxCommit = 64 << 20
	maxTold   = 200 // of a name that a fault repeats
)

// Commit is a request to import rows: which column each field comes from, and the
// rows as JSON objects by header, which are made as they are needed.
type Commit struct {
	sources []source
	rows    iter.Seq[[]byte]
}

// source says which header a field comes from.
type source struct{ field, header string }

// ReadCommit reads {"mapping": {field: header or null}, "rows": [{header: value}]}
// and names every fault of it, except those of single rows. The fields are those
// that there are, in their order; the first must be mapped.
func ReadCommit(body []byte, fields []string) (*Commit, error) {
	if !utf8.Valid(body) {
		return nil, invalid("body", "is not valid UTF-8")
	}
	if !json.Valid(body) {
		return nil, invalid("body", "is not valid JSON")
	}
	body = body[blank(body, 0):]
	if body[0] != '{' {
		return nil, invalid("body", "must be an object")
	}
	c, given := &Commit{}, map[string][]byte{}
	for raw, value := range members(body) {
		name := written(raw)
		switch {
		case name != "mapping" && name != "rows":
			return nil, invalid(cut(name, maxTold), "is not a known field")
		case given[name] != nil:
			return nil, invalid(name, "appears more than once")
		}
		given[name] = value
	}
	mapping, rows := given["mapping"], given["rows"]
	if details := c.judge(mapping, rows, fields); details != nil {
		return nil, apierr.Invalid(details...)
	}
	return c, nil
}

func invalid(field, message string) error {
	return apierr.Invalid(apierr.Detail{Field: field, Message: message})
}

func (c *Commit) judge(mapping, rows []byte, fields []string) []apierr.Detail {
	details := c.readMapping(mapping, fields)
	switch {
	case rows == nil:
		return append(details, apierr.Detail{Field: "rows", Message: "is required"})
	case rows[0] != '[':
		return append(details, apierr.Detail{Field: "rows", Message: "must be a list"})
	}
	c.rows = elements(rows)
	missing, wrong := c.look()
	details = append(details, wrong...)
	for _, s := range missing {
		details = append(details, apierr.Detail{Field: "mapping." + s.field, Message: fmt.Sprintf("no row has a column %q", cut(s.header, maxTold))})
	}
	return details[:min(len(details), maxFaults):len(details)]
}

// readMapping takes the mapping apart, in the order of the fields.
func (c *Commit) readMapping(mapping []byte, fields []string) (details []apierr.Detail) {
	switch {
	case mapping == nil:
		return []apierr.Detail{{Field: "mapping", Message: "is required"}}
	case mapping[0] != '{':
		return []apierr.Detail{{Field: "mapping", Message: "must be an object"}}
	}
	seen := map[string]bool{}
	for name, value := range members(mapping) {
		s, wrong := source{field: written(name)}, ""
		again := seen[s.field]
		seen[s.field] = true
		switch {
		case !slices.Contains(fields, s.field):
			wrong = "is not a field of a client"
		case again:
			wrong = "appears more than once"
		case string(value) == "null":
			continue
		case value[0] != '"':
			wrong = "must be the name of a column, or null"
		default:
			s.header = plain(string(value))
			c.sources = append(c.sources, s)
		}
		if wrong != "" {
			details = append(details, apierr.Detail{Field: "mapping." + cut(s.field, maxTold), Message: wrong})
		}
	}
	slices.SortFunc(c.sources, func(a, b source) int { return slices.Index(fields, a.field) - slices.Index(fields, b.field) })
	if details == nil && (len(c.sources) == 0 || c.sources[0].field != fields[0]) {
		details = []apierr.Detail{{Field: "mapping." + fields[0], Message: "is required: say which column has it"}}
	}
	return details
}

// Commit is a request to import the rows of the table, by which column each field
// comes from.
func (s *Sheet) Commit(m Mapping, fields []string) (*Commit, error) {
	c, taken := &Commit{}, map[string]bool{}
	var details []apierr.Detail
	for _, field := range fields {
		header := m[field]
		switch {
		case header == nil:
			continue
		case !slices.Contains(s.Headers, *header):
			details = append(details, apierr.Detail{Field: field, Message: "must come from one of the columns"})
		case taken[*header]:
			details = append(details, apierr.Detail{Field: field, Message: fmt.Sprintf("comes from the column %q, which another field has", *header)})
		}
		taken[*header] = true
		c.sources = append(c.sources, source{field, *header})
	}
	if m[fields[0]] == nil {
		details = append(details, apierr.Detail{Field: fields[0], Message: "needs a column: without it no row can be imported"})
	}
	if details != nil {
		return nil, apierr.Invalid(details...)
	}
	c.rows = func(yield func([]byte) bool) {
		for cells := range s.Rows() {
			if !yield(s.AppendRow(nil, cells)) {
				return
			}
		}
	}
	return c, nil
}

// look goes over the rows once, and finds the headers that no row has.
func (c *Commit) look() (missing []source, wrong []apierr.Detail) {
	missing = slices.Clone(c.sources)
	rows := 0
	for row := range c.rows {
		if rows++; row[0] != '{' && len(wrong) < maxFaults {
			wrong = append(wrong, apierr.Detail{Field: fmt.Sprintf("rows[%d]", rows-1), Message: "must be an object"})
		}
		if len(missing) == 0 || row[0] != '{' {
			continue
		}
		for name := range members(row) {
			header := written(name)
			missing = slices.DeleteFunc(missing, func(s source) bool { return s.header == header })
		}
	}
	if rows > MaxRows {
		wrong = []apierr.Detail{{Field: "rows", Message: fmt.Sprintf("must have at most %d, not %d", MaxRows, rows)}}
	}
	return missing, wrong
}

// written is a member's name without its escapes.
func written(name []byte) string {
	if slices.Contains(name, '\\') {
		return plain(`"` + string(name) + `"`)
	}
	return string(name)
}

// appendRow appends a row as the input of a record. Blanks around a value are left
// out, and so is a value that is empty.
func (c *Commit) appendRow(dst []byte, row []byte) ([]byte, []apierr.Detail) {
	values := make(map[string][]byte, len(c.sources))
	for name, value := range members(row) {
		values[written(name)] = value
	}
	var wrong []apierr.Detail
	dst = append(dst, '{')
	for _, s := range c.sources {
		value := values[s.header]
		if len(value) == 0 {
			continue
		}
		if strings.IndexByte("tf{[", value[0]) >= 0 {
			wrong = append(wrong, apierr.Detail{Field: s.field, Message: "must be text"})
			continue
		}
		text := strings.TrimSpace(plain(string(value)))
		if text == "" {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), s.field...), `":`...)
		dst = appendText(dst, text)
	}
	return append(dst, '}'), wrong
}
