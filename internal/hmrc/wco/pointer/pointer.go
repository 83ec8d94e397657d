// Package pointer parses the pointers in which CDS identifies a part of a declaration: a path of WCO section codes,
// each with the number of its occurrence, and at the end the tag of an element. It returns the element as WCO's name,
// as the tariff's data element, and as the input field of this service.
package pointer

import (
	"fmt"
	"strconv"
	"strings"
)

// maxSteps is three times the depth of the deepest element of a declaration.
const maxSteps = 24

// Step is one section of a path.
type Step struct {
	Section  string // WCO class, such as 68A
	Sequence int    // occurrence counted from 1; 0 when the message gives none
	Tag      string // WCO element, such as 145; only the last step's counts
}

// Pointer is a path from the root of a message, Declaration (42A) or Response (07B).
type Pointer []Step

// Parse parses the format of String, such as 42A.67A.68A[2].23A.137. It accepts unknown codes, because customs adds
// some now and then.
func Parse(text string) (Pointer, error) {
	parts := strings.Split(strings.TrimSpace(text), ".")
	if len(parts) > maxSteps {
		return nil, fmt.Errorf("pointer: parse: more than %d steps", maxSteps)
	}
	var p Pointer
	for i, part := range parts {
		code, sequence, err := cutIndex(part)
		if err != nil {
			return nil, fmt.Errorf("pointer: parse %q: %w", text, err)
		}
		if last := i == len(parts)-1; last && i > 0 && !isSection(code) {
			p[i-1].Tag = code
			break
		}
		p = append(p, Step{Section: code, Sequence: sequence})
	}
	return p, nil
}

// cutIndex splits 68A[2]; without brackets the number is 0.
func cutIndex(part string) (code string, sequence int, err error) {
	code, rest, indexed := strings.Cut(part, "[")
	if indexed {
		digits, closed := strings.CutSuffix(rest, "]")
		sequence, err = strconv.Atoi(digits)
		if !closed || err != nil || sequence < 0 {
			return "", 0, fmt.Errorf("%q is no number of an occurrence", "["+rest)
		}
	}
	if code == "" || strings.ContainsFunc(code, notCode) {
		return "", 0, fmt.Errorf("%q is no code", code)
	}
	return code, sequence, nil
}

func notCode(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z')
}

// isSection reports whether a code is a section such as 68A (two digits and a letter) and not a tag such as 145 or
// R123.
func isSection(code string) bool {
	return len(code) == 3 && code[0] <= '9' && code[1] <= '9' && code[2] >= 'A'
}

// String returns the codes with dots, such as 42A.67A.68A[2].23A.137.
func (p Pointer) String() string {
	var b strings.Builder
	for i, s := range p {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.Section)
		writeIndex(&b, s.Sequence)
	}
	if tag := p.tag(); tag != "" {
		b.WriteString("." + tag)
	}
	return b.String()
}

// Path returns the path in names of the schema, with occurrences from 1:
// Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description. An unknown code is used as its own
// name. The occurrence is left out for what can occur only once, because customs numbers it arbitrarily.
func (p Pointer) Path() string {
	var b strings.Builder
	for i, s := range p {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteString(sectionName(s.Section))
		writeIndex(&b, s.occurrence())
	}
	if tag := p.tag(); tag != "" {
		b.WriteString("/" + tagName(p[len(p)-1].Section, tag))
	}
	return b.String()
}

func writeIndex(b *strings.Builder, n int) {
	if n > 0 {
		b.WriteString("[" + strconv.Itoa(n) + "]")
	}
}

// Known reports whether the WCO table contains every section of the path and the tag.
func (p Pointer) Known() bool {
	for _, s := range p {
		if sections[s.Section] == nil {
			return false
		}
	}
	if len(p) == 0 {
		return false
	}
	tag := p.tag()
	_, found := sections[p[len(p)-1].Section].tags[tag]
	return tag == "" || found
}

// Element returns the data element of the UK tariff, such as 6/8 for the description of the goods, or "" if there is
// none. An element without its own number has that of its section.
func (p Pointer) Element() string {
	if !p.Known() {
		return ""
	}
	last := p[len(p)-1]
	if own := sections[last.Section].tags[p.tag()].element; own != "" {
		return own
	}
	for i := len(p) - 1; i >= 0; i-- {
		parent := ""
		if i > 0 {
			parent = p[i-1].Section
		}
		if e := sections[p[i].Section].elementIn(parent, p[i].Sequence); e != "" {
			return e
		}
	}
	return ""
}

func (p Pointer) tag() string {
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1].Tag
}

// occurrence returns the sequence if the section can occur more than once, and otherwise 0.
func (s Step) occurrence() int {
	if sec := sections[s.Section]; sec != nil && !sec.repeats {
		return 0
	}
	return s.Sequence
}
