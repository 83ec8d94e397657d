package pdf

import (
	"unicode/utf16"
)

// codes maps a font's codes to text (ToUnicode, ISO 32000-1, 9.10.3).
type codes struct {
	single map[int]string
	ranges []codeRange
}

type codeRange struct {
	low, high int
	first     string
}

// Limits of such a map.
const (
	maxCodes  = 1 << 16
	maxRanges = 4096
	// maxCodeObjects is the number of strings and words that are read of it.
	maxCodeObjects = 4 * maxCodes
)

func readCodes(data []byte) *codes {
	c := &codes{single: map[int]string{}}
	room := maxCodeObjects
	l := &lexer{data: data, room: &room}
	var operands array
	for {
		v := l.next()
		op, isWord := v.(word)
		if !isWord {
			if len(operands) < maxCodes {
				operands = append(operands, v)
			}
			continue
		}
		switch op {
		case end:
			return c
		case "endbfchar":
			c.readSingles(operands)
		case "endbfrange":
			c.readRanges(operands)
		}
		operands = operands[:0]
	}
}

func (c *codes) readSingles(operands array) {
	for i := 0; i+1 < len(operands) && len(c.single) < maxCodes; i += 2 {
		code, isText := operands[i].(text)
		to, _ := operands[i+1].(text)
		if isText {
			c.single[codeOf(code)] = unicodeOf(to)
		}
	}
}

func (c *codes) readRanges(operands array) {
	for i := 0; i+2 < len(operands); i += 3 {
		low, _ := operands[i].(text)
		high, _ := operands[i+1].(text)
		switch to := operands[i+2].(type) {
		case text:
			if len(c.ranges) < maxRanges {
				c.ranges = append(c.ranges, codeRange{codeOf(low), codeOf(high), unicodeOf(to)})
			}
		case array:
			for n, v := range to {
				if each, ok := v.(text); ok && len(c.single) < maxCodes {
					c.single[codeOf(low)+n] = unicodeOf(each)
				}
			}
		}
	}
}

func (c *codes) text(code int) (string, bool) {
	if s, ok := c.single[code]; ok {
		return s, true
	}
	for _, r := range c.ranges {
		if code < r.low || code > r.high || r.first == "" {
			continue
		}
		runes := []rune(r.first)
		runes[len(runes)-1] += rune(code - r.low) // #nosec G115 -- string makes U+FFFD of what is no character
		c.single[code] = string(runes)            // cached
		return c.single[code], true
	}
	return "", false
}

func codeOf(s text) (n int) {
	for _, b := range []byte(s[:min(len(s), 4)]) {
		n = n<<8 | int(b)
	}
	return n
}

func unicodeOf(s text) string {
	units := make([]uint16, 0, len(s)/2)
	for ; len(s) >= 2; s = s[2:] {
		units = append(units, uint16(s[0])<<8|uint16(s[1]))
	}
	return string(utf16.Decode(units))
}
