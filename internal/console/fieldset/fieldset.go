// Package fieldset describes the fields of forms for customs records by the table in hub/customs/fields.
package fieldset

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Selection is which fields of a record a form shows. Others are shown if they have a value.
type Selection struct {
	fields.Record
	Prefix string // of the paths in the table, such as items[].
	Set    dataset.Set
	Day    string // YYYY-MM-DD
	All    bool   // also fields that the data set does not have
}

// Describe returns the descriptions of the fields.
func (s Selection) Describe(path string) (form.Description, bool) {
	f, ok := fields.At(s.Record, s.Prefix+path)
	if !ok {
		return form.Description{}, false
	}
	d := form.Description{Label: f.Label, Hint: f.Help, RowLabel: f.One, Numbers: f.Numbers(), Country: f.List == "countries", Hidden: !s.shows(f)}
	if outer, ok := fields.At(s.Record, f.Path[:max(strings.LastIndexByte(f.Path, '.'), 0)]); ok && outer.Elements == f.Elements {
		d.Numbers = "" // the label around it names them
	}
	if (f.Type == fields.Group || f.Type == fields.List) && strings.Count(d.Numbers, ",") >= maxNumbers {
		d.Numbers = "" // each of its fields has its own
	}
	if d.Options = options(f.List); d.Options != nil {
		d.List, d.Closed = f.List, slices.Contains(closed, f.List)
	}
	return d, true
}

// maxNumbers is how many data elements the label of a group names at most.
const maxNumbers = 2

// shows reports whether an empty field is shown. Clients and organisations are for declarations of any data set.
func (s Selection) shows(f fields.Field) bool {
	return s.All || s.Record == fields.Client || s.Record == fields.Organisation || f.AppliesTo(s.Set, s.Day)
}

// closed are the lists that have all values that a user needs.
var closed = []string{
	"modes", "transportCharges", "locationTypes", "locationQualifiers", "representations", "previousCategories", "valuationMethods", "origins", "classifications",
	"additionalTypes", "declarationTypes", "dataSets", "warehouses", "supplyChainRoles", "fiscalRoles",
}

// options returns the values of a code list; nil if it has none here.
func options(list string) (all []form.Option) {
	switch list {
	case "currencies":
		for _, code := range codelist.Currencies().All() {
			all = append(all, form.Option{Value: code})
		}
		return all
	case "packages":
		for _, c := range worksheet.SuggestionLists[list] {
			all = append(all, form.Option{Value: c.Value, Label: c.Label})
		}
		return all
	}
	for _, v := range fields.Lists[list] {
		all = append(all, form.Option{Value: v.Code, Label: v.Name})
	}
	return all
}
