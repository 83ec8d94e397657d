package filing

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// SourceMember is the added member that says who made the reference of a record. Kinds with a ReferenceMember have it.
const SourceMember = "referenceSource"

// ReferenceSource says who made the reference of a record. The values are stored and shown; the authority's own is shown
// as null.
type ReferenceSource string

// The sources of references.
const (
	OfAuthority ReferenceSource = ""          // the authority itself
	Simulated   ReferenceSource = "simulated" // this service, because it is not connected to the authority
	OfSimulator ReferenceSource = "simulator" // a simulator of the authority
)

// Sourced is embedded in Adds after the reference by kinds with a ReferenceMember.
type Sourced struct {
	ReferenceSource *string `json:"referenceSource" nullable:"true" enum:"simulated,simulator" doc:"Who made the reference: simulated is this service, and the authority does not know it; simulator is a simulator of the authority. Null for the authority’s own, and while there is no reference" example:"simulated"`
}

// IsOfAuthority reports whether the authority itself made a reference.
func (s ReferenceSource) IsOfAuthority() bool { return s == OfAuthority }

// stored returns the value of SourceMember. The authority's own is stored as null, because records of versions without the
// member do not have it, although this service made their references.
func (s ReferenceSource) stored() any {
	if s.IsOfAuthority() {
		return json.RawMessage("null")
	}
	return s
}

// ReferenceOf returns the reference of a record and who made it, by what the service has added to the record; without a value
// if the record has none.
func (t *Type) ReferenceOf(added json.RawMessage) (Reference, error) {
	r := Reference{Field: t.ReferenceMember}
	if t.ReferenceMember == "" || !bytes.Contains(added, []byte(encodedName(t.ReferenceMember))) {
		return r, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(added, &all); err != nil {
		return r, fmt.Errorf("filing: reference of a %s: %w", t.Kind, err)
	}
	r.Source = SourceOf(t.Kind, added)
	return r, json.Unmarshal(all[t.ReferenceMember], &r.Value)
}

// SourceOf returns who made the reference of a record of a kind, by what the service has added to the record.
func SourceOf(kind string, added json.RawMessage) ReferenceSource {
	var stored struct{ ReferenceSource ReferenceSource }
	if bytes.Contains(added, []byte(encodedName(SourceMember))) {
		_ = json.Unmarshal(added, &stored) // null leaves it empty
		return stored.ReferenceSource
	}
	for _, m := range nullsOf(kind) {
		if m.appliesTo(added) {
			return Simulated
		}
	}
	return OfAuthority
}

// SimulatedReference returns the reference of a record if this service or a simulator made it; otherwise an empty text.
func (t *Type) SimulatedReference(f *Filing) string {
	r, err := t.ReferenceOf(f.Added)
	if err != nil || r.Source.IsOfAuthority() {
		return ""
	}
	return r.Value
}

// earlierSource is how SourceMember is shown for records that were stored by a version without it: that version made all
// references itself, unless the definition says that some are the authority's own.
func (d Definition[B]) earlierSource() nullMember {
	m := nullMember{name: encodedName(SourceMember)}
	if d.ReferenceMember != "" && !d.MixedReferences {
		m.unless, m.valueThere = encodedName(d.ReferenceMember), `"`+string(Simulated)+`"`
	}
	return m
}

// assignReference adds the record's reference: the authority's, whose value may have been lost on the way, or a generated
// one.
func (s *Service) assignReference(tx Tx, t *Type, body json.RawMessage, added Added, step *TransitionData) error {
	if step.Reference == nil {
		ref, key, err := s.drawReference(tx, t, body)
		added[ref.Field], step.Keys = ref.Value, append(step.Keys, key)
		t.addSource(added, step, Simulated)
		return err
	}
	if ref := *step.Reference; ref.Value != "" {
		added[ref.Field] = ref.Value
		t.addSource(added, step, ref.Source)
		key, used, err := t.referenceKey(tx, ref)
		if err != nil || used {
			return err
		}
		step.Keys = append(step.Keys, key)
	}
	return nil
}

// addSource adds who made the reference of a record to the record and to the event.
func (t *Type) addSource(added Added, step *TransitionData, source ReferenceSource) {
	if t.ReferenceMember == "" {
		return
	}
	added[SourceMember] = source.stored()
	step.addData(Added{SourceMember: source.stored()})
}

// referenceKey returns the key of a reference, and whether a record already has it.
func (t *Type) referenceKey(tx Tx, ref Reference) (key Key, used bool, err error) {
	key = Key{Name: t.Kind + "." + ref.Field, Value: ref.Value}
	_, err = tx.FilingByKey(key.Name, key.Value)
	if apierr.Is(err, apierr.NotFound) {
		return key, false, nil
	}
	return key, true, err
}

// maxDraws is the number of attempts to generate an unused reference. Even if a tenth of all references are used, only
// one submission in a hundred million fails.
const maxDraws = 8

// drawReference generates a reference that no record of the organisation has. Short references, such as those of
// licences, do collide.
func (s *Service) drawReference(tx Tx, t *Type, body json.RawMessage) (Reference, Key, error) {
	for range maxDraws {
		ref, err := t.reference(s.IDs, tx.Now(), body)
		if err != nil {
			return Reference{}, Key{}, err
		}
		key, used, err := t.referenceKey(tx, ref)
		if err != nil {
			return Reference{}, Key{}, err
		}
		if !used {
			return ref, key, nil
		}
	}
	return Reference{}, Key{}, fmt.Errorf("filing: %d generated references of a %s in a row are already used", maxDraws, t.Kind)
}
