package pointer

import (
	"strconv"
	"strings"
	"unicode"
)

// Field returns the input field of a pointer, with indices from 0, such as items[1].description. A prefix client,
// organisation or shipment means another record of the declaration. Without an input field, it returns plain words; it
// is never empty. A missing occurrence is the first one, but a pointer at a whole list returns the list.
func (p Pointer) Field() string {
	if len(p) == 0 {
		return "declaration"
	}
	if r := p.rule(len(p), p.tag()); r != nil {
		return orDeclaration(r.render(p, true))
	}
	for n := min(len(p), maxSteps); n > 0; n-- {
		if r := p.rule(n, ""); r != nil {
			rest := p[n:].words(p.tag(), p[n-1].Section)
			return orDeclaration(join(r.render(p, rest == ""), rest))
		}
	}
	return orDeclaration(p.withoutRoot().words(p.tag(), p[len(p)-1].Section))
}

// rule returns the rule for the first n steps and a tag.
func (p Pointer) rule(n int, tag string) *rule {
	for _, r := range byPath[key(p[:n], tag)] {
		if r.meets(p) {
			return r
		}
	}
	return nil
}

func (p Pointer) sequence(code string) int {
	for _, s := range p {
		if s.Section == code {
			return s.Sequence
		}
	}
	return 0
}

// words returns the names of the steps and the tag in lower camel case.
func (p Pointer) words(tag, holder string) string {
	var names []string
	for _, s := range p {
		name := camel(sectionName(s.Section))
		if n := s.occurrence(); n > 0 {
			name += "[" + strconv.Itoa(n-1) + "]"
		}
		names = append(names, name)
	}
	if len(p) > 0 {
		holder = p[len(p)-1].Section
	}
	if tag != "" {
		names = append(names, camel(tagName(holder, tag)))
	}
	return strings.Join(names, ".")
}

// withoutRoot removes the steps that every pointer has in common.
func (p Pointer) withoutRoot() Pointer {
	for len(p) > 0 && (p[0].Section == "42A" || p[0].Section == "67A") {
		p = p[1:]
	}
	return p
}

// camel converts CityName to cityName and LPCOExemptionCode to lpcoExemptionCode.
func camel(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		nextIsSmall := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if !unicode.IsUpper(r) || i > 0 && nextIsSmall {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

func join(a, b string) string { return strings.Trim(a+"."+b, ".") }

func orDeclaration(field string) string {
	if field == "" {
		return "declaration"
	}
	return field
}

// key returns the codes of a path without occurrences.
func key(p Pointer, tag string) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(s.Section + ".")
	}
	return b.String() + tag
}

// To is the reverse of Field: it returns the pointer for an input field, such as items[1].commodityCode.
func To(field string) (Pointer, bool) {
	skeleton, numbers, ok := takeIndices(field)
	r := byField[skeleton]
	if !ok || r == nil || len(numbers) != len(r.indices) {
		return nil, false
	}
	p := make(Pointer, len(r.path))
	copy(p, r.path)
	for i := range p {
		if s := sections[p[i].Section]; s.repeats && p[i].Sequence == 0 {
			p[i].Sequence = 1
		}
	}
	for i, x := range r.indices {
		p.setSequence(x.section, numbers[i]+1+x.skipped)
	}
	return p, true
}

func (p Pointer) setSequence(code string, n int) {
	for i := range p {
		if p[i].Section == code {
			p[i].Sequence = n
		}
	}
}

// takeIndices replaces the indices of items[1].commodityCode by empty brackets and returns them.
func takeIndices(field string) (skeleton string, numbers []int, ok bool) {
	before, rest, found := strings.Cut(field, "[")
	for found {
		digits, after, closed := strings.Cut(rest, "]")
		n, err := strconv.ParseUint(digits, 10, 16)
		if !closed || err != nil {
			return "", nil, false
		}
		numbers = append(numbers, int(n))
		skeleton += before + "[]"
		before, rest, found = strings.Cut(after, "[")
	}
	return skeleton + before, numbers, true
}
