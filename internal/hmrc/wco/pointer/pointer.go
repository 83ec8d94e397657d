// Package pointer reads the pointers with which customs says what part of a
// declaration it means: a path of WCO section codes, each with the number of the
// occurrence, and at its end the tag of an element. It names the element as WCO
// does, as the tariff's data element, and as the input field that a trader knows.
package pointer

import (
	"fmt"
	"strconv"
	"strings"
)

// maxSteps is three times the depth of the deepest element of a declaration.
const maxSteps = 24

// Step is one section on the way from the root.
type Step struct {
	Section  string // WCO class, such as 68A
	Sequence int    // occurrence counted from 1; 0 when the message gives none
	Tag      string // WCO element, such as 145; only the last step's counts
}

// Pointer is a path from the root of a message, Declaration (42A) or Response (07B).
type Pointer []Step

// Parse reads the form that String writes, such as 42A.67A.68A[2].23A.137.
// It takes codes that it does not know: customs adds some now and then.
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

// cutIndex takes 68A[2] apart; without brackets the number is 0.
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

// isSection tells 68A from a tag such as 145 or R123: two digits and a letter.
func isSection(code string) bool {
	return len(code) == 3 && code[0] <= '9' && code[1] <= '9' && code[2] >= 'A'
}

// String is the codes in a row, such as 42A.67A.68A[2].23A.137.
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

// Path names the element as the schema does, with occurrences counted from 1:
// Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description.
// A code that is not in the WCO table stands for itself. Occurrences of what can
// occur only once are left out; customs numbers them at random.
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

// Known tells whether the WCO table has every section of the path and its tag.
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

// Element is the data element of the UK tariff, such as 6/8 for the description
// of the goods, or "" where the element has none. An element without a number of
// its own belongs to that of the section around it.
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

// occurrence is the sequence where the section can occur more than once, else 0.
func (s Step) occurrence() int {
	if sec := sections[s.Section]; sec != nil && !sec.repeats {
		return 0
	}
	return s.Sequence
}
