package emcs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Names of members that are not elements.
const (
	languageMember = "language"
	valueMember    = "value"
	english        = "en"
)

// Fault is a mistake in the JSON form of a message.
type Fault struct {
	Field   string // such as submittedDraftOfEADESAD.bodyEadEsad[0].quantity; empty for the whole
	Message string
}

// maxFaults bounds the faults of one body.
const maxFaults = 100

// FromJSON reads the JSON form of the content of Body, in the form that the package describes. Numbers are accepted for strings and keep
// their digits; true and false are 1 and 0. All faults are returned, up to 100, and no body if there are any. Forms of values are left to [Check].
func FromJSON(kind Kind, v Version, data []byte) (*Element, []Fault) {
	below, known := schemas()[kind]
	if !known || v.index() < 0 {
		return nil, []Fault{{Message: fmt.Sprintf("is not a message: %s %s", kind, v)}}
	}
	if !jsontext.Value(data).IsValid() { // also if an object has a member twice
		return nil, []Fault{{Message: "must be JSON without members of the same name"}}
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var content map[string]any
	if err := decoder.Decode(&content); err != nil || content == nil {
		return nil, []Fault{{Message: "must be a JSON object"}}
	}
	r := jsonReader{version: v}
	body := r.body(below, content)
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return body, nil
}

type jsonReader struct {
	version Version
	faults  []Fault
}

func (r *jsonReader) fault(field, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, Fault{Field: field, Message: fmt.Sprintf(format, args...)})
	}
}

func (r *jsonReader) body(below *spec, content map[string]any) *Element {
	for _, name := range sortedNames(content) {
		if name != below.member {
			r.fault(clip(name), "is not a member; the only one is %s", below.member)
		}
	}
	value, found := content[below.member]
	if !found {
		r.fault(below.member, "is required")
		return nil
	}
	return r.value(below, below.member, value)
}

func sortedNames(content map[string]any) []string {
	names := make([]string, 0, len(content))
	for name := range content {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// value reads an element; nil after a fault, and for null.
func (r *jsonReader) value(s *spec, field string, value any) *Element {
	if value == nil {
		return nil
	}
	members, isObject := value.(map[string]any)
	switch {
	case s.isGroup() && isObject:
		return r.group(s, field, members)
	case s.isGroup():
		r.fault(field, "must be an object")
		return nil
	case isObject && s.language != noLanguage:
		return r.words(s, field, members)
	}
	text, ok := textOf(value)
	if !ok {
		r.fault(field, "must be a string")
		return nil
	}
	e := Leaf(s.name, collapse(text))
	if e != nil && s.language != noLanguage {
		e.Language = english
	}
	return e
}

// textOf returns the text of a string, number or boolean.
func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		if v {
			return "1", true
		}
		return "0", true
	}
	return "", false
}

// words reads a text with a language.
func (r *jsonReader) words(s *spec, field string, members map[string]any) *Element {
	for _, name := range sortedNames(members) {
		if _, isText := members[name].(string); !isText || name != valueMember && name != languageMember {
			r.fault(field+"."+clip(name), "is not a member with a string; known are value and language")
		}
	}
	text, _ := members[valueMember].(string)
	language, _ := members[languageMember].(string)
	return Words(s.name, collapse(text), strings.TrimSpace(language))
}

func (r *jsonReader) group(s *spec, field string, members map[string]any) *Element {
	e := &Element{Name: s.name}
	for _, name := range sortedNames(members) {
		if name == languageMember && s.language != noLanguage {
			e.Language = r.language(field, members[name])
		} else if s.memberSpec(name, r.version) == nil {
			r.fault(field+"."+clip(name), "is not a member of %s in %s", s.member, r.version)
		}
	}
	for _, c := range s.children {
		if value, given := members[c.member]; given && value != nil && c.in(r.version) {
			e.Add(r.child(c, field+"."+c.member, value)...)
		}
	}
	return e
}

func (r *jsonReader) language(field string, value any) string {
	text, isText := value.(string)
	if !isText && value != nil {
		r.fault(field+"."+languageMember, "must be a string")
	}
	return text
}

// child reads an element, or all elements of a list.
func (r *jsonReader) child(s *spec, field string, value any) []*Element {
	if !s.isList() {
		return []*Element{r.value(s, field, value)}
	}
	list, isList := value.([]any)
	if !isList {
		r.fault(field, "must be an array")
		return nil
	}
	all := make([]*Element, len(list))
	for i, entry := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		if all[i] = r.value(s, at, entry); entry == nil {
			r.fault(at, "must not be null")
		}
	}
	return all
}
