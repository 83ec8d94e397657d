package origin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Fact is a fact that is missing.
type Fact struct {
	Field    string // path in the request
	Question string
	Unit     string
	Values   []string
}

// finding is the answer to a part of a question.
type finding struct {
	is     answer
	person bool   // open, and no fact of the request can decide it
	facts  []Fact // open, and these facts would help
	why    []string
}

func found(is answer, why ...string) finding { return finding{is: is, why: why} }

func asked(f Fact) finding { return finding{is: open, facts: []Fact{f}, why: []string{f.Question}} }

func forPerson(why string) finding { return finding{is: open, person: true, why: []string{why}} }

// and is the conjunction. It explains what fails, then what is open; if all holds, everything.
func and(all ...finding) finding {
	f := finding{is: yes}
	for i := range all {
		f.is = min(f.is, all[i].is)
	}
	for i := range all {
		a := &all[i]
		if a.is == f.is {
			f.why = append(f.why, a.why...)
		}
		if a.is == open && f.is == open {
			f.person = f.person || a.person
			f.facts = append(f.facts, a.facts...)
		}
	}
	return f
}

// or is the disjunction. Facts can decide it if they can decide one of the alternatives.
func or(all ...finding) finding {
	if len(all) == 0 {
		return forPerson("There is no rule.")
	}
	f := finding{is: no}
	for i := range all {
		f.is = max(f.is, all[i].is)
	}
	f.person = f.is == open
	for i := range all {
		a := &all[i]
		if a.is != f.is {
			continue
		}
		if f.is == yes {
			f.why = a.why
			break
		}
		f.why = append(f.why, a.why...)
		f.facts = append(f.facts, a.facts...)
		f.person = f.person && a.person
	}
	return f
}

// same is yes or no if all are.
func same(all ...finding) finding {
	f := all[0]
	for _, a := range all[1:] {
		if a.is != f.is {
			return finding{is: open, person: true, why: []string{"The text can be read in two ways, and they differ here."}, facts: append(f.facts, a.facts...)}
		}
	}
	return f
}

// tidy removes repetitions and orders the facts.
func (f *finding) tidy() {
	seen := map[string]bool{}
	f.why = slices.DeleteFunc(f.why, func(w string) bool {
		known := seen[w]
		seen[w] = true
		return known || w == ""
	})
	sorting.Stable(f.facts, func(a, b Fact) int { return cmp.Or(natural(a.Field, b.Field), strings.Compare(a.Question, b.Question)) })
	f.facts = slices.CompactFunc(f.facts, func(a, b Fact) bool { return a.Field == b.Field && a.Question == b.Question })
}

// natural compares paths so that materials[2] is before materials[10].
func natural(a, b string) int {
	if x, y := strings.IndexByte(a, ']'), strings.IndexByte(b, ']'); x != y && x > 0 && y > 0 {
		return x - y
	}
	return strings.Compare(a, b)
}
