package pointer

import (
	"strconv"
	"strings"
	"unicode"
)

// Field names the input field behind the pointer, indices counted from 0, such as
// items[1].description; client, organisation and shipment stand for the records
// that the declaration was made with. What has no input field is named in plain
// words. It is never empty. A missing occurrence is the first one, but a pointer
// at a list as a whole names the list.
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

// rule finds the line for the first n steps and a tag.
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

// words names the steps and the tag in our own manner of writing.
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

// withoutRoot drops the frame that every pointer has in common.
func (p Pointer) withoutRoot() Pointer {
	for len(p) > 0 && (p[0].Section == "42A" || p[0].Section == "67A") {
		p = p[1:]
	}
	return p
}

// camel writes CityName as cityName and LPCOExemptionCode as lpcoExemptionCode.
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

// key is the codes of a path without occurrences.
func key(p Pointer, tag string) string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(s.Section + ".")
	}
	return b.String() + tag
}

// To is the way back: the pointer with which customs would speak of an input
// field, such as items[1].commodityCode.
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

// takeIndices empties the brackets of items[1].commodityCode and gives what was in them.
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
