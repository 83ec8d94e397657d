package origin

import "strings"

// Range is an interval of the Harmonised System between two codes of the same length, both included.
type Range struct{ From, To string }

// holds reports whether a commodity code is in the range. open means that the code has too few digits to tell.
func (r Range) holds(code string) (in, open bool) {
	n := len(r.From)
	if len(code) < n {
		return false, r.From[:len(code)] <= code && code <= r.To[:len(code)]
	}
	return r.From <= code[:n] && code[:n] <= r.To, false
}

// Set is a set of materials that a text names by codes, by words, or both.
type Set struct {
	Codes  []Range // one of them must hold the code; none for any code
	Loose  bool    // the codes belong to some of the words only
	Same   int     // must share so many digits with the product; 0 for any
	Words  string  // description that the material must have; empty for none
	Except []Set   // not these
	Or     []Set   // or these
}

// everything is all materials.
var everything = Set{}

// all reports whether the set has every material.
func (s *Set) all() bool {
	return len(s.Codes) == 0 && s.Same == 0 && s.Words == "" && len(s.Except) == 0
}

// goods is what membership depends on.
type goods struct{ code, words string }

// has reports whether goods are in the set, for a product with this code.
func (s *Set) has(m goods, product string) answer {
	is := s.alone(m, product)
	for i := range s.Or {
		is = max(is, s.Or[i].has(m, product))
	}
	for i := range s.Except {
		is = min(is, s.Except[i].has(m, product).not())
	}
	return is
}

// alone is has without exceptions and alternatives.
func (s *Set) alone(m goods, product string) answer {
	is := yes
	if s.Same > 0 {
		is = min(is, sameDigits(m.code, product, s.Same))
	}
	if len(s.Codes) > 0 {
		in := inRanges(s.Codes, m.code)
		if s.Loose && in == no {
			in = open
		}
		is = min(is, in)
	}
	if s.Words != "" && is != no {
		is = min(is, described(s.Words, m))
	}
	return is
}

// sameDigits compares the beginnings of two codes.
func sameDigits(a, b string, n int) answer {
	if short := min(len(a), len(b)); short < n {
		if a[:short] != b[:short] {
			return no
		}
		return open
	}
	return answerOf(a[:n] == b[:n])
}

func inRanges(all []Range, code string) answer {
	is := no
	for _, r := range all {
		in, unsure := r.holds(code)
		switch {
		case in:
			return yes
		case unsure:
			is = open
		}
	}
	return is
}

// described reports whether goods are what words say: certain if their description is the same, or if the law names the
// codes of the word.
func described(words string, m goods) answer {
	if m.words == words {
		return yes
	}
	is := no
	for _, part := range alternatives(words) {
		known, ok := lexicon[part]
		if !ok {
			return open
		}
		is = max(is, known.has(m.code))
	}
	return is
}

// alternatives splits words at "or" and commas. It is used only if the lexicon knows every part.
func alternatives(words string) []string {
	parts := strings.Split(words, " or ")
	for i, p := range parts {
		parts[i] = strings.TrimPrefix(p, "other ")
	}
	return parts
}

// meaning is what the law says about the codes of a word. Outside of may the word never fits; inside of is it always does.
type meaning struct{ is, may []Range }

func (w meaning) has(code string) answer {
	if inRanges(w.is, code) == yes {
		return yes
	}
	if len(w.may) > 0 && inRanges(w.may, code) == no {
		return no
	}
	return open
}
