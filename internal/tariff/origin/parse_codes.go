package origin

import "strings"

var (
	referenceWord = words("headings|heading|chapters|chapter|subheadings|subheading")
	numberWord    = words("nos|no|number|numbers|ex .?")
	through       = words("to|through|-")
	comma         = words(",")
	andOr         = words("and|or|&")
	linking       = words("those|that|of|from of?")
)

// codes reads references such as "heading 7206, heading 7207 or headings 7218 to 7224".
func (p *parser) codes() (all []Range, ok bool) {
	digits := 0
	for {
		at := p.pos
		if len(all) > 0 && !p.connective() {
			break
		}
		r, ok := p.reference(&digits)
		if !ok {
			p.pos = at
			break
		}
		all = append(all, r)
	}
	return all, len(all) > 0
}

// connective reads what separates two references.
func (p *parser) connective() bool {
	separated := p.take(comma)
	if p.take(andOr) {
		p.take(linking)
		separated = true
	}
	return separated
}

// reference reads one code or an interval. digits is how long the codes of the last reference were: "chapter 4 or 5".
func (p *parser) reference(digits *int) (Range, bool) {
	switch {
	case p.at("headings", "heading"):
		*digits = 4
	case p.at("chapters", "chapter"):
		*digits = 2
	case p.at("subheadings", "subheading"):
		*digits = 6
	case *digits == 0:
		return Range{}, false
	}
	p.take(referenceWord)
	p.take(numberWord)
	if bare := p.bareDigits(); bare > 0 {
		*digits = bare
	}
	from, ok := p.code(*digits)
	if !ok {
		return Range{}, false
	}
	to, closed := try(p, func() (string, bool) {
		if !p.take(through) {
			return "", false
		}
		p.take(referenceWord)
		return p.code(*digits)
	})
	switch {
	case !closed:
		return Range{from, from}, !p.at("to", "through")
	case len(to) != len(from) || to < from:
		return Range{}, false
	}
	return Range{from, to}, true
}

// bareDigits returns 4 or 6 if a heading or subheading of that length follows.
func (p *parser) bareDigits() int {
	if p.end() || strings.Trim(p.words[p.pos], "0123456789") != "" || len(p.words[p.pos]) != 4 && len(p.words[p.pos]) != 6 {
		return 0
	}
	return len(p.words[p.pos])
}

// code reads a code of 2 to 10 digits. A chapter may have one digit; longer codes, such as a subheading that is called a
// heading, stay as they are.
func (p *parser) code(digits int) (string, bool) {
	if p.end() {
		return "", false
	}
	w := strings.ReplaceAll(p.words[p.pos], ".", "")
	if strings.Trim(w, "0123456789") != "" || w == "" {
		return "", false
	}
	if digits == 2 && len(w) == 1 {
		w = "0" + w
	}
	if len(w) < digits || len(w) > 10 || len(w)%2 != 0 {
		return "", false
	}
	p.pos++
	return w, true
}
