package filing

import (
	"encoding/json"
	"maps"
)

// Correction returns the corrected input of a record, completed and checked as a correction is, without storing it. It can be
// stored later, by an edge with ReplaceBody, whatever has happened to other records since.
func (t *Type) Correction(tx Tx, f *Filing, raw json.RawMessage) (Input, Added, error) {
	in, err := t.Parse(raw, tx.Now())
	if err != nil {
		return Input{}, nil, err
	}
	in, filled, err := t.completed(tx, in, f)
	if err != nil {
		return Input{}, nil, err
	}
	_, err = t.check(tx, &in, f.ID, f.Body)
	return in, filled, err
}

// Settled returns an input that was checked when it was requested. The records that it refers to are those of the body before.
func (in Input) Settled() Input {
	in.settled = true
	return in
}

// Estimate returns a member that was derived from the input; nil for none.
func (in Input) Estimate(name string) json.RawMessage { return in.derived[name] }

// complete completes and checks the corrected input, unless that was done when the correction was requested.
func (t *Type) complete(tx Tx, f *Filing, step *TransitionData, added Added) error {
	if step.Input.settled {
		return nil
	}
	in, filled, err := t.completed(tx, *step.Input, f)
	if err != nil {
		return err
	}
	step.Input = &in
	maps.Copy(added, filled)
	links, err := t.check(tx, step.Input, f.ID, f.Body)
	step.links = &links
	return err
}
