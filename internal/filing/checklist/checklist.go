// Package checklist lists what a person types into the site of an authority: the values of a record in the order of the site,
// with its labels. A list is data in the package of a Hub.
package checklist

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// List is what is typed into a site, or shown at a place.
type List struct {
	Site     string           // name of the authority's site
	Address  string           // of the site; empty if it depends on the record
	Sections []layout.Section // nil for those of the form
	// Blocked are warnings by the state in which the record cannot be used yet.
	Blocked map[lifecycle.State]string
}

// own are members that belong to the user and to no authority.
var own = []string{"reference", "ownReference", "uniqueReference", "metadata"}

// SiteSection is a group of values.
type SiteSection struct {
	Title  string      `json:"title" doc:"Heading" example:"Consignor"`
	Values []SiteValue `json:"values" nullable:"false" doc:"Values. They are in the order of the site"`
}

// SiteValue is a value with its label.
type SiteValue struct {
	Label string `json:"label" doc:"Label" example:"Country of dispatch"`
	Field string `json:"field" doc:"Member" example:"consignorCountry"`
	Text  string `json:"text" doc:"Text. A person types or chooses it" example:"United Kingdom (GB)"`
}

// Fill returns the values that a record has, with the sections of a form if the list has none of its own. Sections without
// values are left out.
func (l *List) Fill(form *layout.Form, body json.RawMessage) ([]SiteSection, error) {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber() // decimals stay as they are written
	var record map[string]any
	if err := d.Decode(&record); err != nil {
		return nil, err
	}
	shown := layout.Form{Sections: l.Sections}
	if shown.Sections == nil && form != nil {
		shown = *form
	}
	one := func(path string) string {
		text, _ := at(record, path).(string)
		return text
	}
	filled := []SiteSection{}
	for _, s := range shown.Active(one) {
		section := SiteSection{Title: s.Title}
		for _, f := range s.Fields {
			if !slices.Contains(own, f.Path) {
				section.Values = append(section.Values, valuesOf(f, found(record, f))...)
			}
		}
		if len(section.Values) > 0 {
			filled = append(filled, section)
		}
	}
	return filled, nil
}

// found returns the value of a field, under any of its names.
func found(record map[string]any, f layout.Field) any {
	if v := at(record, f.Path); v != nil {
		return v
	}
	folder, _, nested := strings.Cut(f.Path, ".")
	for _, name := range f.Also {
		if nested {
			name = folder + "." + name
		}
		if v := at(record, name); v != nil {
			return v
		}
	}
	return nil
}

// at returns the value at a path; nil for none.
func at(record map[string]any, path string) any {
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		return record[name]
	}
	inner, _ := record[name].(map[string]any)
	return at(inner, rest)
}

// valuesOf returns the values of a field: one, or those of each row.
func valuesOf(f layout.Field, value any) (all []SiteValue) {
	switch v := value.(type) {
	case []any:
		var texts []string
		for _, entry := range v {
			row, isRow := entry.(map[string]any)
			if !isRow {
				texts = append(texts, textOf(f, entry))
				continue
			}
			for _, c := range f.Columns {
				for _, inner := range valuesOf(c, found(row, c)) {
					inner.Field = f.Path + "[]." + inner.Field
					all = append(all, inner)
				}
			}
		}
		if texts != nil {
			all = append(all, SiteValue{f.Label, f.Path, strings.Join(texts, "\n")})
		}
	default:
		if text := textOf(f, value); text != "" {
			all = []SiteValue{{f.Label, f.Path, text}}
		}
	}
	return all
}

// textOf returns a value as a person types it: the name of an option, a date in London time.
func textOf(f layout.Field, value any) string {
	switch v := value.(type) {
	case string:
		for _, o := range f.Options {
			if o.Value == v {
				return o.Label
			}
		}
		if t, err := time.Parse(time.RFC3339, v); err == nil {
			return t.In(calendar.London()).Format("2 January 2006 15:04")
		}
		if t, err := time.Parse(time.DateOnly, v); err == nil {
			return t.Format("2 January 2006")
		}
		if strings.HasSuffix(strings.ToLower(f.Path), "country") || strings.HasSuffix(f.Path, "countryOfOrigin") {
			return ident.Country(v).NameAndCode()
		}
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	}
	return ""
}
