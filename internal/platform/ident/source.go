// Package ident makes, parses and checks identifiers: EORI, VRN, LRN, MRN, DUCR, ARC, GMR, UKIMS, company number,
// commodity code, country and UN/LOCODE.
//
// A Parse function accepts lower case and spaces, returns the normal form, and says in its error what the text must be.
// The methods of the result need that form: do not convert other text to the types.
package ident

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"sync"
	"time"
)

// Source makes new identifiers. With the same reader and clock it makes the same identifiers.
type Source struct {
	mu     sync.Mutex
	random io.Reader
	now    func() time.Time
	last   uint64 // milliseconds and counter of the last UUID, so that they increase
}

// NewSource returns a Source with a reader of random bytes and a clock.
func NewSource(random io.Reader, now func() time.Time) *Source {
	return &Source{random: random, now: now}
}

// UUID returns a new version 7 UUID (RFC 9562) that is greater than all before.
func (s *Source) UUID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b [16]byte
	s.fill(b[6:])
	stamp := uint64(s.now().UnixMilli())<<12 | uint64(b[6]&0x07)<<8 | uint64(b[7])
	if stamp <= s.last {
		stamp = s.last + 1
	}
	s.last = stamp
	binary.BigEndian.PutUint64(b[:8], stamp>>12<<16|0x7000|stamp&0x0fff)
	b[8] = b[8]&0x3f | 0x80
	return format(b)
}

// Text returns n characters of an alphabet of at most 256, each equally likely.
func (s *Source) Text(alphabet string, n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]byte, 0, n)
	limit := 256 - 256%len(alphabet)
	var b [32]byte
	for len(out) < n {
		s.fill(b[:])
		for _, v := range b {
			if int(v) < limit && len(out) < n {
				out = append(out, alphabet[int(v)%len(alphabet)])
			}
		}
	}
	return string(out)
}

// Bytes returns n random bytes, for keys.
func (s *Source) Bytes(n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := make([]byte, n)
	s.fill(b)
	return b
}

func (s *Source) fill(b []byte) {
	if _, err := io.ReadFull(s.random, b); err != nil {
		panic("ident: no randomness: " + err.Error())
	}
}

func format(b [16]byte) string {
	var out [36]byte
	hex.Encode(out[0:8], b[0:4])
	hex.Encode(out[9:13], b[4:6])
	hex.Encode(out[14:18], b[6:8])
	hex.Encode(out[19:23], b[8:10])
	hex.Encode(out[24:36], b[10:16])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}

// IsUUID reports whether text is a UUID in its canonical lower-case form.
func IsUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
