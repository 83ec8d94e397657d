package bulk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Limits of an import request in bytes.
const (
	MaxCommit      = 64 << 20
	maxNameInError = 200 // of a name that is repeated in an error
)

// Commit is a request to import rows: the column of each field, and the rows as JSON objects by
// header, which are produced one at a time.
type Commit struct {
	sources []source
	rows    iter.Seq[[]byte]
}

// source is the column header of a field.
type source struct{ field, header string }

// ReadCommit reads {"mapping": {field: header or null}, "rows": [{header: value}]} and reports all
// errors in it, except those of single rows. fields are the allowed fields in order; the first must be
// mapped.
func ReadCommit(body []byte, fields []string) (*Commit, error) {
	if !utf8.Valid(body) {
		return nil, invalid("body", "is not valid UTF-8")
	}
	if !json.Valid(body) {
		return nil, invalid("body", "is not valid JSON")
	}
	body = body[skipSpace(body, 0):]
	if body[0] != '{' {
		return nil, invalid("body", "must be an object")
	}
	c, given := &Commit{}, map[string][]byte{}
	for raw, value := range members(body) {
		name := memberName(raw)
		switch {
		case name != "mapping" && name != "rows":
			return nil, invalid(truncate(name, maxNameInError), "is not a known field")
		case given[name] != nil:
			return nil, invalid(name, "appears more than once")
		}
		given[name] = value
	}
	mapping, rows := given["mapping"], given["rows"]
	if details := c.check(mapping, rows, fields); details != nil {
		return nil, apierr.Invalid(details...)
	}
	return c, nil
}

func invalid(field, message string) error {
	return apierr.Invalid(apierr.Detail{Field: field, Message: message})
}

func (c *Commit) check(mapping, rows []byte, fields []string) []apierr.Detail {
	details := c.readMapping(mapping, fields)
	switch {
	case rows == nil:
		return append(details, apierr.Detail{Field: "rows", Message: "is required"})
	case rows[0] != '[':
		return append(details, apierr.Detail{Field: "rows", Message: "must be a list"})
	}
	c.rows = elements(rows)
	missing, errs := c.findMissing()
	details = append(details, errs...)
	for _, s := range missing {
		details = append(details, apierr.Detail{Field: "mapping." + s.field, Message: fmt.Sprintf("no row has a column %q", truncate(s.header, maxNameInError))})
	}
	return details[:min(len(details), maxErrorDetails):len(details)]
}

// readMapping parses the mapping and sorts it in the order of the fields.
func (c *Commit) readMapping(mapping []byte, fields []string) (details []apierr.Detail) {
	switch {
	case mapping == nil:
		return []apierr.Detail{{Field: "mapping", Message: "is required"}}
	case mapping[0] != '{':
		return []apierr.Detail{{Field: "mapping", Message: "must be an object"}}
	}
	seen := map[string]bool{}
	for name, value := range members(mapping) {
		s, errs := source{field: memberName(name)}, ""
		again := seen[s.field]
		seen[s.field] = true
		switch {
		case !slices.Contains(fields, s.field):
			errs = "is not a field of these records"
		case again:
			errs = "appears more than once"
		case string(value) == "null":
			continue
		case value[0] != '"':
			errs = "must be the name of a column, or null"
		default:
			s.header = cellText(string(value))
			c.sources = append(c.sources, s)
		}
		if errs != "" {
			details = append(details, apierr.Detail{Field: "mapping." + truncate(s.field, maxNameInError), Message: errs})
		}
	}
	sorting.Stable(c.sources, func(a, b source) int { return slices.Index(fields, a.field) - slices.Index(fields, b.field) })
	if details == nil && (len(c.sources) == 0 || c.sources[0].field != fields[0]) {
		details = []apierr.Detail{{Field: "mapping." + fields[0], Message: "is required: choose its column"}}
	}
	return details
}

// Commit returns the request to import the rows of the table with a mapping.
func (s *Sheet) Commit(m Mapping, fields []string) (*Commit, error) {
	c, taken := &Commit{}, map[string]bool{}
	var details []apierr.Detail
	for _, field := range fields {
		header := m[field]
		switch {
		case header == nil:
			continue
		case !slices.Contains(s.Headers, *header):
			details = append(details, apierr.Detail{Field: field, Message: "must be mapped to an existing column"})
		case taken[*header]:
			details = append(details, apierr.Detail{Field: field, Message: fmt.Sprintf("is mapped to the column %q, which another field uses", *header)})
		}
		taken[*header] = true
		c.sources = append(c.sources, source{field, *header})
	}
	if m[fields[0]] == nil {
		details = append(details, apierr.Detail{Field: fields[0], Message: "must be mapped to a column: no row can be imported without it"})
	}
	if details != nil {
		return nil, apierr.Invalid(details...)
	}
	c.rows = s.objects()
	return c, nil
}

// appendCompact appends valid JSON without white space.
func appendCompact(dst []byte, text string) []byte {
	out := bytes.NewBuffer(dst)
	_ = json.Compact(out, []byte(text))
	return out.Bytes()
}

// findMissing reads all rows once and returns the mapped headers that no row has.
func (c *Commit) findMissing() (missing []source, errs []apierr.Detail) {
	missing = slices.Clone(c.sources)
	rows := 0
	for row := range c.rows {
		if rows++; row[0] != '{' && len(errs) < maxErrorDetails {
			errs = append(errs, apierr.Detail{Field: fmt.Sprintf("rows[%d]", rows-1), Message: "must be an object"})
		}
		if len(missing) == 0 || row[0] != '{' {
			continue
		}
		for name := range members(row) {
			header := memberName(name)
			missing = slices.DeleteFunc(missing, func(s source) bool { return s.header == header })
		}
	}
	if rows > MaxRows {
		errs = []apierr.Detail{{Field: "rows", Message: fmt.Sprintf("must have at most %d, not %d", MaxRows, rows)}}
	}
	return missing, errs
}

// memberName returns a member's name without escapes.
func memberName(name []byte) string {
	if slices.Contains(name, '\\') {
		return cellText(`"` + string(name) + `"`)
	}
	return string(name)
}

// appendRow appends a row as the input of a record of a kind. Surrounding spaces and empty values are removed. A cell of a
// field that is not a text is JSON, such as a number or a list.
func (c *Commit) appendRow(dst []byte, row []byte, t *filing.Type) ([]byte, []apierr.Detail) {
	values := make(map[string][]byte, len(c.sources))
	for name, value := range members(row) {
		values[memberName(name)] = value
	}
	var errs []apierr.Detail
	dst = append(dst, '{')
	for _, s := range c.sources {
		value := values[s.header]
		if len(value) == 0 {
			continue
		}
		if strings.IndexByte("tf{[", value[0]) >= 0 {
			errs = append(errs, apierr.Detail{Field: s.field, Message: "must be text"})
			continue
		}
		text := strings.TrimSpace(cellText(string(value)))
		if text == "" {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), s.field...), `":`...)
		if !t.IsText(s.field) && json.Valid([]byte(text)) {
			dst = appendCompact(dst, text)
			continue
		}
		dst = appendText(dst, text)
	}
	return append(dst, '}'), errs
}
