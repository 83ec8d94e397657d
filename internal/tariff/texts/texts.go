// Package texts keeps one copy of each of many texts, one behind the other in large pieces of memory.
//
// What is read of a tariff has some hundred thousand short texts, most of them many times. If each has memory of its own between
// that of texts which only reading needed, most of the memory cannot be given back after reading.
package texts

import "strings"

// piece is the size of a piece of memory in bytes. Half-empty ones cost little beside a tariff.
const piece = 64 << 10

// Pool keeps texts. The zero value is empty. It is needed while texts are added only; they outlive it.
type Pool struct {
	kept map[string]string
	last strings.Builder // the piece that is being filled
}

// Keep returns the text that the pool keeps in place of one with the same bytes.
func (p *Pool) Keep(text string) string {
	if text == "" {
		return ""
	}
	if kept, ok := p.kept[text]; ok {
		return kept
	}
	kept := p.add(text)
	if p.kept == nil {
		p.kept = map[string]string{}
	}
	p.kept[kept] = kept
	return kept
}

// add copies a text behind the others. A long one has memory of its own.
func (p *Pool) add(text string) string {
	if len(text) > piece/8 {
		return strings.Clone(text)
	}
	if p.last.Cap()-p.last.Len() < len(text) {
		p.last = strings.Builder{}
		p.last.Grow(piece)
	}
	from := p.last.Len()
	p.last.WriteString(text)
	return p.last.String()[from:]
}
