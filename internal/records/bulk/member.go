package bulk

import (
	"encoding/json"
	"iter"
	"strings"
)

// The functions in this file split valid JSON without decoding it. The input comes from
// the store or has been checked with json.Valid.

// members yields the names and values of an object, in order. Escapes in names are not decoded.
func members[T ~string | ~[]byte](object T) iter.Seq2[T, T] {
	return func(yield func(name, value T) bool) {
		for at := skipSpace(object, 1); at < len(object) && object[at] == '"'; {
			end := textEnd(object, at)
			name := object[at+1 : end-1]
			from := skipSpace(object, skipSpace(object, end)+1)
			to := valueEnd(object, from)
			if !yield(name, object[from:to]) {
				return
			}
			at = skipSpace(object, skipSpace(object, to)+1)
		}
	}
}

// elements yields the values of a list, in order.
func elements[T ~string | ~[]byte](list T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for at := skipSpace(list, 1); at < len(list) && list[at] != ']'; {
			to := valueEnd(list, at)
			if !yield(list[at:to]) {
				return
			}
			at = skipSpace(list, skipSpace(list, to)+1)
		}
	}
}

// cellText returns a text, number or boolean as a cell shows it; "" for null.
func cellText(value string) string {
	if value == "null" {
		return ""
	}
	if value == "" || value[0] != '"' {
		return value
	}
	if strings.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1]
	}
	var text string
	_ = json.Unmarshal([]byte(value), &text)
	return text
}

// skipSpace returns the offset of the first byte from at that is not white space.
func skipSpace[T ~string | ~[]byte](s T, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\r' || s[at] == '\t') {
		at++
	}
	return at
}

// textEnd returns the offset after the text that starts at at.
func textEnd[T ~string | ~[]byte](s T, at int) int {
	for at++; at < len(s); at++ {
		switch s[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return len(s)
}

// valueEnd returns the offset after the value that starts at at.
func valueEnd[T ~string | ~[]byte](s T, at int) int {
	depth := 0
	for at < len(s) {
		switch s[at] {
		case '"':
			at = textEnd(s, at)
			if depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return at
}

const hex = "0123456789abcdef"

// appendText appends a text as a JSON string.
func appendText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			dst = append(append(dst, text[from:i]...), '\\', c)
		case c < ' ':
			dst = append(append(dst, text[from:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			continue
		}
		from = i + 1
	}
	return append(append(dst, text[from:]...), '"')
}
