package filing

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Content is an input object with the content of an authority's message under the names of the authority's schema. It is stored
// as sent, and lists leave it out. The Hub reads it with the codec of its authority.
type Content json.RawMessage

// MaxContent is the size of a Content in bytes. HMRC takes entry summary declarations of at most 1,000 kB of XML.
const MaxContent = 2 << 20

// RequiredWithout is the tag of fields of a body that are required unless another member is there, which the tag names.
const RequiredWithout = "requiredWithout"

// MarshalJSON returns the object as it was sent.
func (c Content) MarshalJSON() ([]byte, error) { return json.RawMessage(c).MarshalJSON() }

// UnmarshalJSON stores the object.
func (c *Content) UnmarshalJSON(value []byte) error {
	*c = append((*c)[:0], value...)
	return nil
}

// contentMembers returns the members of a body that are Contents.
func contentMembers(body reflect.Type) (names []string) {
	for _, field := range reflect.VisibleFields(body) {
		if field.Type == reflect.TypeFor[Content]() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

// shorten leaves out of an input what lists leave out.
func (t *Type) shorten(in *Input) (err error) {
	if large := t.largeIn(in.Raw); len(large) > 0 {
		in.brief, err = without(in.Raw, large)
	}
	return err
}

// largeIn returns the members of a body that lists leave out: the large fields, and the content of a message if there is one.
func (t *Type) largeIn(raw json.RawMessage) []string {
	large := t.LargeFields
	for _, name := range t.contents {
		if bytes.Contains(raw, []byte(encodedName(name))) {
			large = append(slices.Clip(large), name)
		}
	}
	return large
}
