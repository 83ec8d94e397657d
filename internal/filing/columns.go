package filing

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Columns are the members of a record that a table has room for, in order: what
// every record has, then the input fields and what the service adds, without the
// bulky ones and without lists and objects.
func (t *Type) Columns() []string {
	columns := []string{"id", "status", "createdAt", "updatedAt"}
	for _, part := range []reflect.Type{t.Body, t.Adds} {
		if part == nil {
			continue
		}
		for _, field := range reflect.VisibleFields(part) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name != "" && name != "-" && single(field.Type) && !slices.Contains(t.Bulky, name) {
				columns = append(columns, name)
			}
		}
	}
	return columns
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// single tells whether a type's JSON is one text, number or truth value.
func single(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		return single(t.Elem())
	}
	switch t.Kind() {
	case reflect.Struct:
		return t.Implements(marshaler)
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Interface:
		return false
	}
	return true
}
