package ident

import (
	"crypto/sha256"
	"strings"
)

// Lengths of a local reference number (DE 2/5): the maximum of CDS, without the prefix.
const (
	lrnPrefix = "TWS"
	lrnLength = 22
	lrnStamp  = 9 // characters of five bits: enough until the year 3084
)

// LRN returns a new, unique local reference number: the milliseconds since 1970, so that new ones are adjacent in an
// index, and 50 random bits.
//
// The prefix matters outside of this service: HMRC's own test service reads the beginning of an LRN as an instruction. B, C, D, G, K, L, N, P, Q,
// R, U and X, or a word such as TAX_LIABILITY, select an outcome; a digit in the second place selects a delay; an S in
// the third place means "cancellation granted". T and W select nothing, and S allows a cancellation.
func (s *Source) LRN() string {
	var stamp [lrnStamp]byte
	ms := s.now().UnixMilli()
	for i := range stamp {
		stamp[lrnStamp-1-i] = crockford[ms&31]
		ms >>= 5
	}
	return lrnPrefix + string(stamp[:]) + s.Text(crockford, lrnLength-len(lrnPrefix)-lrnStamp)
}

// NextLRN returns the local reference number that follows another one of a record: the same time, and 50 bits of the SHA-256 of
// both. It is the same each time, so that a document can be approved before it is sent.
func NextLRN(lrn, recordID string) string {
	sum := sha256.Sum256([]byte(recordID + "\n" + lrn))
	next := []byte((lrn + lrnPrefix + strings.Repeat("0", lrnStamp))[:len(lrnPrefix)+lrnStamp])
	for _, b := range sum[:lrnLength-len(next)] {
		next = append(next, crockford[b&31])
	}
	return string(next)
}
