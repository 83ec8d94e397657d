package documents

import "fmt"

// Result has the scores of a set of documents.
type Result struct {
	Documents, Flawless int
	Fields              map[string]*Score    // by name
	Types               map[string]*Score    // by type of document
	Sure                [len(Buckets)]Bucket // by confidence
	Misses              []Miss
}

// Buckets are the lowest confidence of each bucket, the highest first.
var Buckets = [...]float64{0.95, 0.9, 0.8, 0.6, 0}

// Bucket counts labelled fields of similar confidence, and the correct ones among them.
type Bucket struct{ Found, Right int }

// All is the score of all fields together.
func (r *Result) All() (sum Score) {
	for _, s := range r.Fields {
		sum.Labelled += s.Labelled
		sum.Right += s.Right
		sum.Wrong += s.Wrong
	}
	return sum
}

// Measure reads the samples and compares the results with their labels.
func Measure(samples []Sample, read func(Sample) ([]byte, error)) (*Result, error) {
	r := &Result{Fields: map[string]*Score{}, Types: map[string]*Score{}}
	for _, s := range samples {
		document, err := read(s)
		if err != nil {
			return nil, fmt.Errorf("documents: %s: %w", s.Name, err)
		}
		own := map[string]*Score{}
		if _, err := Compare(s, document, own); err != nil {
			return nil, err
		}
		if r.Types[s.Type] == nil {
			r.Types[s.Type] = &Score{}
		}
		for _, score := range own {
			r.Types[s.Type].add(*score)
		}
		misses, err := Compare(s, document, r.Fields)
		if err != nil {
			return nil, err
		}
		if r.Documents++; len(misses) == 0 {
			r.Flawless++
		}
		r.Misses = append(r.Misses, misses...)
		if err := r.countConfidences(s, document); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (s *Score) add(t Score) {
	s.Labelled += t.Labelled
	s.Right += t.Right
	s.Wrong += t.Wrong
}

// countConfidences counts how often the values of each confidence are correct.
func (r *Result) countConfidences(s Sample, document []byte) error {
	found, err := Values(document)
	if err != nil {
		return err
	}
	for field, want := range s.Want {
		got, ok := found[field]
		if !ok {
			continue
		}
		for i, least := range Buckets {
			if got.Confidence < least {
				continue
			}
			r.Sure[i].Found++
			if same(got.Text, want) {
				r.Sure[i].Right++
			}
			break
		}
	}
	return nil
}

// Split divides samples into those used during development, and those held back.
func Split(all []Sample) (made, held []Sample) {
	for _, s := range all {
		if s.Held {
			held = append(held, s)
		} else {
			made = append(made, s)
		}
	}
	return made, held
}
