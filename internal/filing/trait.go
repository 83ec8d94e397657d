package filing

import "slices"

// Trait is a property that follows from the state of a record, and by which its kind is selected.
type Trait struct {
	Parameter string // of the list, such as demand; empty for none
	About     string // what the parameter selects, for the API document
	Values    []string
	Of        func(Metadata) []string // the values that a record has now
}

// traitTerm is the name under which traits are stored beside the metadata. No metadata has it: their names are not empty.
const traitTerm = ""

// TraitFilter returns the entry that selects records with a trait.
func TraitFilter(value string) Key { return Key{Name: traitTerm, Value: value} }

// traitChange returns the traits that a record gains and loses by a change.
func (t *Type) traitChange(former *Filing, f *Filing) (gained, lost []Key) {
	if t.Trait == nil {
		return nil, nil
	}
	var before []string
	if former != nil {
		before = t.Trait.Of(former.metadata())
	}
	after := t.Trait.Of(f.metadata())
	for _, value := range after {
		if !slices.Contains(before, value) {
			gained = append(gained, TraitFilter(value))
		}
	}
	for _, value := range before {
		if !slices.Contains(after, value) {
			lost = append(lost, TraitFilter(value))
		}
	}
	return gained, lost
}
