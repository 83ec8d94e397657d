package filing

import (
	"slices"
	"strings"
)

// nameKnownBy returns the name of records that the authority, or a simulator of it, knows by a text of the caller's own.
func (t *Type) nameKnownBy(text string, source ReferenceSource) Key {
	name := t.KeyOf(t.KnownBy, strings.ToUpper(text))
	if !source.IsOfAuthority() {
		name.Name += ".simulated"
	}
	return name
}

// knownBy returns the name by which the authority of a record, or a simulator of it, knows the record; none before it is accepted.
func (t *Type) knownBy(f *Filing) []Key {
	if t.KnownBy == "" || f == nil {
		return nil
	}
	var text string
	if f.metadata().Read(t.KnownBy, &text); text == "" {
		return nil
	}
	r, err := t.ReferenceOf(f.Added)
	if err != nil || r.Value == "" {
		return nil
	}
	return []Key{t.nameKnownBy(text, r.Source)}
}

// newlyKnownBy returns the name by which the authority knows a record after a change and did not know it before.
func (t *Type) newlyKnownBy(former, f *Filing) []Key {
	after := t.knownBy(f)
	if slices.Equal(t.knownBy(former), after) {
		return nil
	}
	return after
}

// namesRecordAt reports whether a text of the input, given by its path, names a record of another kind.
func (t *Type) namesRecordAt(path string) bool {
	return t.NamesRecords != "" && strings.HasPrefix(path, t.NamesRecords+"[")
}

// simulatedNames returns those texts that name a record which simulators accepted and no authority did.
func (s *Service) simulatedNames(tx View, named []SimulatedUse) (uses []SimulatedUse, err error) {
	for _, t := range s.Types {
		if t.KnownBy == "" || len(named) == 0 {
			continue
		}
		var names []Key
		for _, n := range named {
			names = append(names, t.nameKnownBy(n.Reference, OfAuthority), t.nameKnownBy(n.Reference, OfSimulator))
		}
		found, err := tx.ExistingNames(names)
		if err != nil {
			return nil, err
		}
		for _, n := range named {
			if found[t.nameKnownBy(n.Reference, OfSimulator)] && !found[t.nameKnownBy(n.Reference, OfAuthority)] {
				n.Noun, n.Own = t.Singular, true
				uses = append(uses, n)
			}
		}
	}
	return uses, nil
}
