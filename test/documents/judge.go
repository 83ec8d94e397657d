package documents

import (
	"maps"
	"slices"
)

// Judgement is a value that was found: its confidence, and whether it is right.
type Judgement struct {
	Confidence float64
	Right      bool
}

// Judge returns all values that were found in samples, in the order of the samples and of the names of fields. A value
// of a field that other samples have and this one has not is wrong in documents of generators (whole), and not judged in
// others, whose labels may be incomplete.
func Judge(samples []Sample, whole bool, read func(Sample) ([]byte, error)) (all []Judgement, err error) {
	known := map[string]bool{}
	for _, s := range samples {
		for field := range s.Want {
			known[unnumbered(field)] = true
		}
	}
	for _, s := range samples {
		document, err := read(s)
		if err != nil {
			return nil, err
		}
		found, err := Values(document)
		if err != nil {
			return nil, err
		}
		for _, field := range slices.Sorted(maps.Keys(found)) {
			want, labelled := s.Want[field]
			if labelled || whole && known[unnumbered(field)] {
				all = append(all, Judgement{found[field].Confidence, labelled && same(found[field].Text, want)})
			}
		}
	}
	return all, nil
}
