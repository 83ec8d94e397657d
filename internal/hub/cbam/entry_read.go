package cbam

import (
	"bytes"
	"encoding/json"
)

// eachMember visits the members of a compact JSON object without nested values, as imports are stored. This is many times
// faster than encoding/json. If it finds anything else, such as an escaped name or a list, plain is false and the caller
// must decode the object.
func eachMember(object []byte, visit func(name, value []byte) error) (plain bool, err error) {
	if len(object) < 2 || object[0] != '{' || object[len(object)-1] != '}' {
		return false, nil
	}
	for rest := object[1 : len(object)-1]; len(rest) > 0; {
		end := bytes.IndexByte(rest[1:], '"') + 1
		if rest[0] != '"' || end < 1 || end+1 >= len(rest) || rest[end+1] != ':' {
			return false, nil
		}
		name := rest[1:end]
		rest = rest[end+2:]
		length := lengthOf(rest)
		if length < 1 || bytes.IndexByte(name, '\\') >= 0 {
			return false, nil
		}
		if err := visit(name, rest[:length]); err != nil {
			return true, err
		}
		if rest = rest[length:]; len(rest) == 0 {
			return true, nil
		}
		if rest[0] != ',' || len(rest) == 1 {
			return false, nil
		}
		rest = rest[1:]
	}
	return true, nil
}

// lengthOf returns the length of the text, number or literal at the start of rest, or 0 if there is none.
func lengthOf(rest []byte) int {
	if len(rest) == 0 || rest[0] == '{' || rest[0] == '[' {
		return 0
	}
	if rest[0] != '"' {
		if comma := bytes.IndexByte(rest, ','); comma >= 0 {
			return comma
		}
		return len(rest)
	}
	for at := 1; at < len(rest); at++ {
		switch rest[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return 0
}

// text decodes a JSON string.
func text(value []byte) (string, error) {
	if len(value) >= 2 && value[0] == '"' && bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1]), nil
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err
}
