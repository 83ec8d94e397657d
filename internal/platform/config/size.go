package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes. It is written as a whole number with B, kB, MB or GB, of 1,024
// each: 256MB is 268,435,456 bytes.
type Size int64

var units = []struct {
	name  string
	bytes int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"B", 1}}

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(text []byte) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(string(text), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err == nil && n >= 0 && n <= math.MaxInt64/u.bytes {
			*s = Size(n * u.bytes)
			return nil
		}
		break
	}
	return fmt.Errorf("%q is not a size; write it like 256MB", text)
}

// String writes a size in the largest unit that gives a whole number.
func (s Size) String() string {
	for _, u := range units {
		if int64(s)%u.bytes == 0 && (s != 0 || u.bytes == 1) {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return ""
}
