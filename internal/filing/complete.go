package filing

import (
	"bytes"
	"encoding/json"
	"time"
)

// Completion is an input before and after it was completed from other records.
type Completion struct {
	Body    json.RawMessage // one compact JSON object
	Before  *Filing         // the record that the input corrects; nil for a new one
	Derived []Derived       // the values that were filled in, in the order of the body
}

// completed fills in what the input takes over from other records, and returns the members that say so.
func (t *Type) completed(tx View, in Input, before *Filing) (Input, Added, error) {
	if in.complete == nil {
		return in, nil, nil
	}
	c, err := in.complete(tx, Completion{Body: in.Raw, Before: before})
	if err != nil {
		return in, nil, err
	}
	if !bytes.Equal(c.Body, in.Raw) {
		whole, err := t.Parse(c.Body, in.at)
		if err != nil {
			return in, nil, err
		}
		whole.advise, whole.advice, whole.extra = in.advise, in.advice, in.extra
		whole.secrets, whole.secretsFrom = in.secrets, in.secretsFrom
		in = whole
	}
	if !t.HasAdded(DerivedMember) {
		return in, nil, nil
	}
	added := Added{DerivedMember: nil}
	if len(c.Derived) > 0 {
		added[DerivedMember] = c.Derived
	}
	return in, added, nil
}

// Completed returns a corrected input with what it takes over from other records.
func (t *Type) Completed(tx View, raw json.RawMessage, f *Filing, at time.Time) (json.RawMessage, error) {
	in, err := t.Parse(raw, at)
	if err == nil {
		in, _, err = t.completed(tx, in, f)
	}
	return in.Raw, err
}
