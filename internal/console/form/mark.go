package form

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// place is a field and the name of its row, with which an error begins.
type place struct {
	*Field
	row string
}

// Mark adds errors to their fields, and stores them as sentences with the names of the
// controls. A field keeps its first error.
func (s *Sheet) Mark(faults ...apierr.Detail) {
	places := s.places()
	for _, d := range faults {
		f := nearest(places, d.Field)
		if f.Field == nil {
			s.Faults = append(s.Faults, apierr.Detail{Field: d.Field, Message: Label(lastOf(d.Field)) + " " + d.Message})
			continue
		}
		if f.Error != "" {
			continue
		}
		f.Error = f.Label + " " + f.inWords(d)
		s.Faults = append(s.Faults, apierr.Detail{Field: f.Name, Message: f.row + f.Error})
	}
}

// Judge adds findings to the fields that they are about.
func (s *Sheet) Judge(findings []rules.Finding) {
	places := s.places()
	for _, finding := range findings {
		if f := nearest(places, finding.Field); f.Field != nil {
			finding.Message, finding.Suggestion = s.InWords(finding.Message), s.InWords(finding.Suggestion)
			f.Findings = append(f.Findings, finding)
		}
	}
}

// At returns the field with a path, or the nearest that contains it; nil if there is none.
func (s *Sheet) At(path string) *Field { return nearest(s.places(), path).Field }

// Called returns the label of the field with a path, including its row.
func (s *Sheet) Called(path string) string {
	f := nearest(s.places(), path)
	switch {
	case f.Field == nil:
		return Label(lastOf(path))
	case f.row != "" && f.Label == valueLabel:
		return strings.TrimSuffix(f.row, ": ")
	}
	return f.row + f.Label
}

// places returns all fields by the paths that errors and findings use.
func (s *Sheet) places() map[string]place {
	places := map[string]place{}
	for _, f := range s.Fields {
		f.placed(places, "")
	}
	return places
}

func (f *Field) placed(places map[string]place, row string) {
	places[f.Name] = place{f, row}
	for _, member := range f.Fields {
		member.placed(places, row)
	}
	for _, r := range f.Rows {
		r.placed(places, r.Label+": ")
		if f.Kind == Free {
			places[f.Name+"."+r.Fields[nameAt].Value] = place{r.Fields[valueAt], r.Label + ": "}
		}
	}
}

// nearest returns the field with a path, or the nearest field that contains it.
func nearest(places map[string]place, path string) place {
	for ; path != ""; path = above(path) {
		if f, ok := places[path]; ok {
			return f
		}
	}
	return place{}
}

func above(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

func lastOf(path string) string {
	return strings.TrimRight(path[strings.LastIndex(path, ".")+1:], "[]0123456789")
}

var inLine = regexp.MustCompile(`\[(\d+)\]$`)

// inWords rewrites a schema error for users who do not know the schema.
func (f *Field) inWords(d apierr.Detail) string {
	line := ""
	if at := inLine.FindStringSubmatch(d.Field); at != nil && f.Kind == Lines {
		n, _ := strconv.Atoi(at[1])
		line = "in line " + strconv.Itoa(n+1) + " "
	}
	switch {
	case f.Kind == Choice && f.Value != "":
		return "must be one of the choices"
	case d.Message == "is required":
		return d.Message
	case f.country():
		return line + "must be a country by its name or its two letters, such as GB"
	case f.schema != nil && f.schema.Format == "uuid":
		return "must be the name or reference of exactly one record"
	case strings.HasPrefix(d.Message, "must look like ") && f.schema != nil && example(f.schema) != "":
		return line + "must look like " + example(f.schema)
	}
	return line + d.Message
}
