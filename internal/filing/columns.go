package filing

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"
)

// MetadataColumn is the column of a table with the metadata, as a JSON object.
const MetadataColumn = "metadata"

// Columns returns the members of a record for a table, in order: those of every record, then the input fields and the
// added ones, without large fields, lists and objects, then the metadata.
func (t *Type) Columns() []string {
	columns := append([]string{"id", "status", "createdAt", "updatedAt"}, t.Fields()...)
	if t.Adds != nil {
		columns = append(columns, slices.DeleteFunc(scalarFields(t.Adds), func(name string) bool { return slices.Contains(columns, name) })...)
	}
	if t.ReferenceField != "" {
		columns = append(columns, MetadataColumn)
	}
	return columns
}

// Fields returns the input fields that are columns of a table, in order: those with a scalar value and the ListColumns. What
// the caller asks for only at the creation is no field.
func (t *Type) Fields() []string {
	return slices.DeleteFunc(scalarFields(t.Body, t.ListColumns...), func(name string) bool {
		return name == "uniqueReference" || slices.Contains(t.LargeFields, name)
	})
}

// scalarFields returns the JSON names of a struct's members with a scalar value, and of some other members.
func scalarFields(t reflect.Type, others ...string) (names []string) {
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" && (isScalar(field.Type) || slices.Contains(others, name)) {
			names = append(names, name)
		}
	}
	return names
}

// IsText reports whether an input field is a text in JSON. The cell of another field is JSON.
func (t *Type) IsText(field string) bool {
	for _, f := range reflect.VisibleFields(t.Body) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == field {
			kind := f.Type
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			return kind.Kind() == reflect.String || kind == reflect.TypeFor[time.Time]()
		}
	}
	return false
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// isScalar reports whether a type is a string, number or boolean in JSON.
func isScalar(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		return isScalar(t.Elem())
	}
	switch t.Kind() {
	case reflect.Struct:
		return t.Implements(marshaler)
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Interface:
		return false
	}
	return true
}
