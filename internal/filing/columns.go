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
	columns := append([]string{"id", "status", "createdAt", "updatedAt"}, t.Fields()...)
	if t.Adds != nil {
		columns = append(columns, scalarFields(t.Adds)...)
	}
	return columns
}

// Fields are the input fields that have one value, in order.
func (t *Type) Fields() []string {
	return slices.DeleteFunc(scalarFields(t.Body), func(name string) bool { return slices.Contains(t.LargeFields, name) })
}

// scalarFields are the names of the members of a struct that have one value.
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

// isScalar tells whether a type's JSON is one text, number or truth value.
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
