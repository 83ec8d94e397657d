package pdf

import (
	"bytes"
	"strconv"
)

// Limits of an object: nesting of arrays and dictionaries, and bytes of a string or a word.
const (
	maxNesting = 40
	maxToken   = 64 << 10
)

// lexer reads objects from bytes. It never fails: it skips bytes that are not an object, and
// returns end after the last object.
type lexer struct {
	data []byte
	at   int
	room *int // how many objects may still be created; nil for any number
}

// end is what next returns after the last object. Closing brackets are words.
const end = word("")

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

func isRegular(c byte) bool { return !isSpace(c) && !isDelimiter(c) }

func (l *lexer) skipSpace() {
	for l.at < len(l.data) {
		switch c := l.data[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.data) && l.data[l.at] != '\n' && l.data[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// next reads an object or a word.
func (l *lexer) next() any { return l.object(0) }

func (l *lexer) object(depth int) any {
	l.skipSpace()
	if l.at >= len(l.data) || depth > maxNesting || !l.admit() {
		l.at = len(l.data)
		return end
	}
	switch c := l.data[l.at]; {
	case c == '/':
		l.at++
		return l.name()
	case c == '(':
		l.at++
		return l.literal()
	case c == '<' && l.peek(1) == '<':
		l.at += 2
		return l.dict(depth)
	case c == '<':
		l.at++
		return l.hex()
	case c == '>' && l.peek(1) == '>':
		l.at += 2
		return word(">>")
	case c == '[':
		l.at++
		return l.array(depth)
	case isDelimiter(c):
		l.at++
		return word(string(rune(c)))
	}
	return l.regular()
}

// admit counts an object.
func (l *lexer) admit() bool {
	if l.room == nil {
		return true
	}
	*l.room--
	return *l.room >= 0
}

func (l *lexer) peek(ahead int) byte {
	if l.at+ahead < len(l.data) {
		return l.data[l.at+ahead]
	}
	return 0
}

// regular reads a number or a word.
func (l *lexer) regular() any {
	from := l.at
	for l.at < len(l.data) && isRegular(l.data[l.at]) && l.at-from < maxToken {
		l.at++
	}
	token := string(l.data[from:l.at])
	switch token {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if c := token[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		if n, err := strconv.ParseFloat(token, 64); err == nil && n > -1e15 && n < 1e15 {
			return n
		}
	}
	return word(token)
}

func (l *lexer) name() name {
	var out []byte
	for l.at < len(l.data) && isRegular(l.data[l.at]) && len(out) < maxToken {
		c := l.data[l.at]
		if high, low := unhex(l.peek(1)), unhex(l.peek(2)); c == '#' && high >= 0 && low >= 0 {
			c = byte(high<<4 | low) // #nosec G115 -- two hexadecimal digits
			l.at += 2
		}
		out = append(out, c)
		l.at++
	}
	return name(out)
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// longest is the limit of a hexadecimal string: the whole stream if it consists of the string.
func (l *lexer) longest() int {
	if l.room == nil {
		return maxStream
	}
	return maxToken
}

func (l *lexer) hex() text {
	var out []byte
	high := -1
	for l.at < len(l.data) && l.data[l.at] != '>' && len(out) < l.longest() {
		digit := unhex(l.data[l.at])
		l.at++
		switch {
		case digit < 0:
		case high < 0:
			high = digit
		default:
			out = append(out, byte(high<<4|digit)) // #nosec G115 -- two hexadecimal digits
			high = -1
		}
	}
	l.at++
	if high >= 0 {
		out = append(out, byte(high<<4)) // #nosec G115 -- a hexadecimal digit
	}
	return text(out)
}

// literal reads a string in round brackets, which may contain balanced brackets.
func (l *lexer) literal() text {
	var out []byte
	for open := 1; l.at < len(l.data) && len(out) < maxToken; {
		c := l.data[l.at]
		l.at++
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return text(out)
			}
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, c)
	}
	return text(out)
}

var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// escape reads the characters after a backslash.
func (l *lexer) escape(out []byte) []byte {
	c := l.peek(0)
	l.at++
	switch {
	case c == '\r' && l.peek(0) == '\n':
		l.at++
		return out
	case c == '\n' || c == '\r':
		return out
	case c >= '0' && c <= '7':
		code := int(c - '0')
		for i := 0; i < 2 && l.peek(0) >= '0' && l.peek(0) <= '7'; i++ {
			code = code<<3 | int(l.peek(0)-'0')
			l.at++
		}
		return append(out, byte(code))
	}
	if control, ok := escapes[c]; ok {
		c = control
	}
	return append(out, c)
}

func (l *lexer) array(depth int) array {
	out := array{}
	for {
		switch v := l.object(depth + 1); v {
		case word("]"), end:
			return out
		case word("R"):
			out = refer(out)
		default:
			out = append(out, v)
		}
	}
}

// refer replaces the last two numbers by a reference.
func refer(out array) array {
	if n := len(out); n >= 2 {
		return append(out[:n-2], ref{toInt(out[n-2]), toInt(out[n-1])})
	}
	return out
}

func (l *lexer) dict(depth int) dict {
	out := dict{}
	var values array
	var key name
	keep := func() {
		if key != "" && len(values) > 0 {
			out[key] = values[0]
		}
		values = values[:0]
	}
	for {
		switch v := l.object(depth + 1).(type) {
		case name:
			if key == "" || len(values) > 0 {
				keep()
				key = v
			} else {
				values = append(values, v)
			}
		case word:
			switch v {
			case ">>", end:
				keep()
				return out
			case "R":
				values = refer(values)
			}
		default:
			values = append(values, v)
		}
	}
}
