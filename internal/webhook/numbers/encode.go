package numbers

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

var errMalformed = errors.New("numbers: stored counts are malformed")

// appendTo appends the stored form: numbers of variable length, with keys as differences to the one before.
func (c *Counts) appendTo(out []byte) []byte {
	out = binary.AppendVarint(out, c.Events)
	return appendMap(appendMap(out, c.ByStatus), c.took)
}

func appendMap(out []byte, all map[int]int64) []byte {
	out = binary.AppendUvarint(out, uint64(len(all)))
	last := 0
	for _, k := range slices.Sorted(maps.Keys(all)) {
		out = binary.AppendVarint(binary.AppendVarint(out, int64(k-last)), all[k])
		last = k
	}
	return out
}

// reader reads what the functions above have appended. After an error it returns zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) number() int64 {
	n, size := binary.Varint(r.rest)
	r.take(size)
	return n
}

// length reads the number of elements that follow, each of a byte or more.
func (r *reader) length() int {
	n, size := binary.Uvarint(r.rest)
	r.take(size)
	if n > uint64(len(r.rest)) {
		r.take(0)
		return 0
	}
	return int(n) // #nosec G115 -- at most the length of what is left
}

func (r *reader) text() string {
	n := r.length()
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}

// take removes bytes that were read; none or fewer for a failure.
func (r *reader) take(size int) {
	if size <= 0 {
		r.rest, r.err = nil, errMalformed
		return
	}
	r.rest = r.rest[size:]
}

func (r *reader) counts() (c Counts) {
	c.Events = r.number()
	c.ByStatus = r.numbers()
	c.took = r.numbers()
	return c
}

func (r *reader) numbers() map[int]int64 {
	n := r.length()
	if n == 0 {
		return nil
	}
	all, k := make(map[int]int64, n), 0
	for range n {
		k += int(r.number())
		all[k] = r.number()
	}
	return all
}
