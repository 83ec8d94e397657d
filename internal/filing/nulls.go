package filing

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"sync/atomic"
)

// nullMembers holds, for each kind, the members that are null until the service adds them. They are filled in when a record is shown, so that records of earlier versions have them
// too. A kind is registered when its Type is made.
var nullMembers atomic.Pointer[map[string][]nullMember]

// nullMember is a member of a record that does not have it.
type nullMember struct {
	name       string // encoded as "name":
	unless     string // the encoded name of a member; records with it have valueThere instead of null. Empty for none
	valueThere string
}

// registerNulls registers the members that Adds declares as pointers without omitempty. One of them may have another value
// for some records.
func registerNulls(kind string, adds reflect.Type, other nullMember) {
	var names []nullMember
	if adds != nil {
		for _, field := range reflect.VisibleFields(adds) {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omitempty") {
				m := nullMember{name: encodedName(name)}
				if m.name == other.name {
					m = other
				}
				names = append(names, m)
			}
		}
	}
	for {
		known := nullMembers.Load()
		all := map[string][]nullMember{}
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
	for _, m := range nullsOf(kind) {
		if bytes.Contains(added, []byte(m.name)) {
			continue
		}
		dst = append(append(dst, ','), m.name...)
		if m.appliesTo(added) {
			dst = append(dst, m.valueThere...)
			continue
		}
		dst = append(dst, "null"...)
	}
	return dst
}

// nullsOf returns the members of a kind.
func nullsOf(kind string) []nullMember {
	if known := nullMembers.Load(); known != nil {
		return (*known)[kind]
	}
	return nil
}

// appliesTo reports whether a record without the member has valueThere.
func (m nullMember) appliesTo(added json.RawMessage) bool {
	return m.unless != "" && bytes.Contains(added, []byte(m.unless))
}

// encodedName returns the name of a member as it stands in compact JSON.
func encodedName(name string) string { return `"` + name + `":` }
