package filing

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
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

// Fields returns the input fields with a scalar value, in order. What the caller asks for only at the creation is no field.
func (t *Type) Fields() []string {
	return slices.DeleteFunc(scalarFields(t.Body), func(name string) bool {
		return name == "uniqueReference" || slices.Contains(t.LargeFields, name)
	})
}

// scalarFields returns the JSON names of a struct's members with a scalar value.
func scalarFields(t reflect.Type) (names []string) {
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" && isScalar(field.Type) {
			names = append(names, name)
		}
	}
	return names
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
