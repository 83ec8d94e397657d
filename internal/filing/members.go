package filing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Added are members that the service adds to a record; nil removes one.
type Added map[string]any

// members are encoded members of a JSON object; nil removes one.
type members map[string]json.RawMessage

func (a Added) encoded() (members, error) { return a.encodedWith(nil) }

// encodedWith returns the encoded members, and others in their place or besides.
func (a Added) encodedWith(over members) (members, error) {
	all := make(members, len(a)+len(over))
	for name, value := range a {
		if value == nil {
			all[name] = nil
			continue
		}
		raw, err := encode(value)
		if err != nil {
			return nil, fmt.Errorf("filing: member %s: %w", name, err)
		}
		all[name] = raw
	}
	maps.Copy(all, over)
	return all, nil
}

// encode is json.Marshal, without reflection for the types of most members.
func encode(value any) (json.RawMessage, error) {
	switch v := value.(type) {
	case string:
		return audit.AppendText(make([]byte, 0, len(v)+len(`""`)), v), nil
	case quantity.Money:
		return v.MarshalJSON()
	case quantity.Total:
		return v.MarshalJSON()
	}
	return json.Marshal(value)
}

// merge sets or removes members of a JSON object. The result is sorted, so that the same changes give the same bytes.
func merge(object json.RawMessage, over members) (json.RawMessage, error) {
	if len(over) == 0 {
		return object, nil
	}
	var all members
	if len(object) > 0 {
		if err := json.Unmarshal(object, &all); err != nil {
			return nil, fmt.Errorf("filing: stored members: %w", err)
		}
	}
	sorted := make([]member, 0, len(all)+len(over))
	for name, value := range all {
		if _, replaced := over[name]; !replaced {
			sorted = append(sorted, member{name, value})
		}
	}
	for name, value := range over {
		if value != nil {
			sorted = append(sorted, member{name, value})
		}
	}
	slices.SortFunc(sorted, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return objectOf(sorted), nil
}

// member is one name and value of a JSON object, in the order of the object.
type member struct {
	name  string
	value json.RawMessage
}

var errNoObject = errors.New("not a JSON object")

// membersOf returns the members of an object, of which their values are parts.
func membersOf(object json.RawMessage) ([]member, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if kind := d.PeekKind(); kind != '{' {
		return nil, errNoObject
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	var members []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		end := d.InputOffset()
		m.value = object[end-int64(len(value)) : end : end]
		members = append(members, m)
	}
	return members, nil
}

func objectOf(members []member) json.RawMessage {
	size := len("{}")
	for _, m := range members {
		size += len(m.name) + len(m.value) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, m.name)
		out = append(append(out, ':'), m.value...)
	}
	return append(out, '}')
}

// without returns a compact JSON object without some members. The others keep their order.
func without(object json.RawMessage, names []string) (json.RawMessage, error) {
	members, err := membersOf(object)
	if err != nil {
		return nil, fmt.Errorf("filing: body: %w", err)
	}
	return objectOf(slices.DeleteFunc(members, func(m member) bool { return slices.Contains(names, m.name) })), nil
}

// Patch applies a patch to the top level of an object: members of the patch replace those of the object; null removes
// one.
func Patch(object, patch json.RawMessage) (json.RawMessage, error) {
	return applyPatch(object, patch, func(_, after json.RawMessage) (json.RawMessage, error) { return after, nil })
}

// MergePatch applies a JSON merge patch (RFC 7396) to an object: objects merge, lists are replaced as a whole, and null
// removes a member. Both are compact.
func MergePatch(object, patch json.RawMessage) (json.RawMessage, error) {
	return applyPatch(object, patch, func(before, after json.RawMessage) (json.RawMessage, error) {
		if !isObject(after) {
			return after, nil
		}
		if !isObject(before) {
			before = json.RawMessage("{}")
		}
		return MergePatch(before, after)
	})
}

// isObject reports whether a compact JSON value is an object.
func isObject(value json.RawMessage) bool { return len(value) > 0 && value[0] == '{' }

// applyPatch applies a patch to an object; combine returns the new value of a member, whose value before is nil if the
// object does not have it.
func applyPatch(object, patch json.RawMessage, combine func(before, after json.RawMessage) (json.RawMessage, error)) (json.RawMessage, error) {
	members, err := membersOf(object)
	if err != nil {
		return nil, fmt.Errorf("filing: body: %w", err)
	}
	changes, err := membersOf(patch)
	if err != nil {
		return nil, fmt.Errorf("filing: patch: %w", err)
	}
	for _, c := range changes {
		at := slices.IndexFunc(members, func(m member) bool { return m.name == c.name })
		if string(c.value) == "null" {
			if at >= 0 {
				members = slices.Delete(members, at, at+1)
			}
			continue
		}
		if at < 0 {
			at = len(members)
			members = append(members, member{name: c.name})
		}
		if members[at].value, err = combine(members[at].value, c.value); err != nil {
			return nil, err
		}
	}
	return objectOf(members), nil
}

// changes returns the members that a correction changes, before and after, for the audit log. Large values are replaced
// by their length and digest.
func changes(before, after json.RawMessage) Added {
	old, current := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	_ = json.Unmarshal(before, &old)
	_ = json.Unmarshal(after, &current)
	was, is := Added{}, Added{}
	for name, value := range old {
		if !bytes.Equal(value, current[name]) {
			was[name] = auditValue(value)
		}
	}
	for name, value := range current {
		if !bytes.Equal(value, old[name]) {
			is[name] = auditValue(value)
		}
	}
	return Added{"before": was, "after": is}
}

// maxChange is the largest value in bytes that the audit log stores of a correction.
const maxChange = 8 << 10

func auditValue(value json.RawMessage) any {
	if len(value) > maxChange {
		return fmt.Sprintf("%d bytes, SHA-256 %s", len(value), digest(value))
	}
	return value
}
