package filing

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"sync/atomic"
)

// nullMembers holds, for each kind, the members that are null until the service adds them, each encoded
// as "name":. They are filled in when a record is shown, so that records of earlier versions have them
// too. A kind is registered when its Type is made.
var nullMembers atomic.Pointer[map[string][]string]

// registerNulls registers the members that Adds declares as pointers without omitempty.
func registerNulls(kind string, adds reflect.Type) {
	var names []string
	if adds != nil {
		for _, field := range reflect.VisibleFields(adds) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omitempty") {
				names = append(names, `"`+name+`":`)
			}
		}
	}
	for {
		known := nullMembers.Load()
		all := map[string][]string{}
		if known != nil {
			all = maps.Clone(*known)
		}
		all[kind] = names
		if nullMembers.CompareAndSwap(known, &all) {
			return
		}
	}
}

// appendNulls appends the members of a kind that the service has not added. Their names must not occur
// deeper inside of what the service adds.
func appendNulls(dst []byte, kind string, added json.RawMessage) []byte {
	known := nullMembers.Load()
	if known == nil {
		return dst
	}
	for _, name := range (*known)[kind] {
		if !bytes.Contains(added, []byte(name)) {
			dst = append(append(append(dst, ','), name...), "null"...)
		}
	}
	return dst
}
