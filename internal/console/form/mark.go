package form

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// rowField is a field and the name of its row, with which an error begins.
type rowField struct {
	*Field
	row string
}

// AddErrors adds errors to their fields, and stores them as sentences with the names of the
// controls. A field keeps its first error.
func (s *FilledForm) AddErrors(details ...apierr.Detail) {
	fields := s.fieldsByPath()
	for _, d := range details {
		f := nearest(fields, d.Field)
		if f.Field == nil {
			s.Errors = append(s.Errors, apierr.Detail{Field: d.Field, Message: Label(lastMember(d.Field)) + " " + d.Message})
			continue
		}
		if f.Error != "" {
			continue
		}
		f.Error = f.Label + " " + f.errorText(d)
		s.Errors = append(s.Errors, apierr.Detail{Field: f.Name, Message: f.row + f.Error})
	}
}

// AddFindings adds findings to the fields that they are about.
func (s *FilledForm) AddFindings(findings []rules.Finding) {
	fields := s.fieldsByPath()
	for _, finding := range findings {
		if f := nearest(fields, finding.Field); f.Field != nil {
			finding.Message, finding.Suggestion = s.ReplaceNames(finding.Message), s.ReplaceNames(finding.Suggestion)
			f.Findings = append(f.Findings, finding)
		}
	}
}

// FieldAt returns the field with a path, or the nearest that contains it; nil if there is none.
func (s *FilledForm) FieldAt(path string) *Field { return nearest(s.fieldsByPath(), path).Field }

// LabelAt returns the label of the field with a path, including its row.
func (s *FilledForm) LabelAt(path string) string {
	f := nearest(s.fieldsByPath(), path)
	switch {
	case f.Field == nil:
		return Label(lastMember(path))
	case f.row != "" && f.Label == valueLabel:
		return strings.TrimSuffix(f.row, ": ")
	}
	return f.row + f.Label
}

// fieldsByPath returns all fields by the paths that errors and findings use.
func (s *FilledForm) fieldsByPath() map[string]rowField {
	fields := map[string]rowField{}
	for _, f := range s.Fields {
		f.collectFields(fields, "")
	}
	return fields
}

func (f *Field) collectFields(fields map[string]rowField, row string) {
	fields[f.Name] = rowField{f, row}
	for _, member := range f.Fields {
		member.collectFields(fields, row)
	}
	for _, r := range f.Rows {
		r.collectFields(fields, r.Label+": ")
		if f.Kind == FreeForm {
			fields[f.Name+"."+r.Fields[nameIndex].Value] = rowField{r.Fields[valueIndex], r.Label + ": "}
		}
	}
}

// nearest returns the field with a path, or the nearest field that contains it.
func nearest(fields map[string]rowField, path string) rowField {
	for ; path != ""; path = parentPath(path) {
		if f, ok := fields[path]; ok {
			return f
		}
	}
	return rowField{}
}

func parentPath(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

func lastMember(path string) string {
	return strings.TrimRight(path[strings.LastIndex(path, ".")+1:], "[]0123456789")
}

var lineIndex = lazyregexp.New(`\[(\d+)\]$`)

// errorText rewrites a schema error for users who do not know the schema.
func (f *Field) errorText(d apierr.Detail) string {
	line := ""
	if at := lineIndex.FindStringSubmatch(d.Field); at != nil && f.Kind == Lines {
		n, _ := strconv.Atoi(at[1])
		line = "in line " + strconv.Itoa(n+1) + " "
	}
	switch {
	case f.Kind == Choice && f.Value != "":
		return "must be one of the choices"
	case d.Message == "is required":
		return d.Message
	case f.isCountry():
		return line + "must be a country by its name or its two letters, such as GB"
	case f.schema != nil && f.schema.Format == "uuid":
		return "must be the name or reference of exactly one record"
	case strings.HasPrefix(d.Message, "must look like ") && f.schema != nil && example(f.schema) != "":
		return line + "must look like " + example(f.schema)
	}
	return line + d.Message
}
