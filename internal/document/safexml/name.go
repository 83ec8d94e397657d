package safexml

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters beyond ASCII that may begin a name (XML 1.0 production 4), and those that may
// only follow (4a).
var (
	nameStart = &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0xC0, Hi: 0xD6, Stride: 1}, {Lo: 0xD8, Hi: 0xF6, Stride: 1}, {Lo: 0xF8, Hi: 0x2FF, Stride: 1},
			{Lo: 0x370, Hi: 0x37D, Stride: 1}, {Lo: 0x37F, Hi: 0x1FFF, Stride: 1}, {Lo: 0x200C, Hi: 0x200D, Stride: 1},
			{Lo: 0x2070, Hi: 0x218F, Stride: 1}, {Lo: 0x2C00, Hi: 0x2FEF, Stride: 1}, {Lo: 0x3001, Hi: 0xD7FF, Stride: 1},
			{Lo: 0xF900, Hi: 0xFDCF, Stride: 1}, {Lo: 0xFDF0, Hi: 0xFFFD, Stride: 1},
		},
		R32: []unicode.Range32{{Lo: 0x10000, Hi: 0xEFFFF, Stride: 1}},
	}
	nameRest = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0xB7, Hi: 0xB7, Stride: 1}, {Lo: 0x300, Hi: 0x36F, Stride: 1}, {Lo: 0x203F, Hi: 0x2040, Stride: 1},
	}}
)

// name reads a name with its prefix; "" if there is none.
func (r *Reader) name() string {
	name := r.doc[r.pos:]
	name = name[:nameLength(name)]
	r.pos += len(name)
	return name
}

// space skips white space and reports whether there was any.
func (r *Reader) space() bool {
	from := r.pos
	for r.pos < len(r.doc) && strings.IndexByte(" \t\r\n", r.doc[r.pos]) >= 0 {
		r.pos++
	}
	return r.pos > from
}

// nameLength is the number of bytes of the name at the beginning of a text.
func nameLength(s string) int {
	for i := 0; i < len(s); {
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[i:])
		}
		if !isStart(c) && (i == 0 || !isRest(c)) {
			return i
		}
		i += size
	}
	return len(s)
}

func isStart(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == ':':
		return true
	default:
		return c >= utf8.RuneSelf && unicode.Is(nameStart, c)
	}
}

func isRest(c rune) bool {
	switch {
	case '0' <= c && c <= '9', c == '-', c == '.':
		return true
	default:
		return c >= utf8.RuneSelf && unicode.Is(nameRest, c)
	}
}

// isLocal reports whether a name has no colon (Namespaces in XML, NCName).
func isLocal(s string) bool {
	return s != "" && strings.IndexByte(s, ':') < 0 && nameLength(s) == len(s)
}
