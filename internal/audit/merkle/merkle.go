// Package merkle implements the tree of RFC 6962, section 2.1, over a list that only grows. One
// hash stands for the whole list. Proofs show that an entry is in the list, or that an earlier
// list is its beginning, without the other entries. The package stores nothing: the caller
// supplies the nodes.
package merkle

import (
	"crypto/sha256"
	"errors"
	"math/bits"
)

// Size is the length of a hash in bytes.
const Size = sha256.Size

// Hash is the hash of a leaf or of an inner node.
type Hash [Size]byte

// Leaf returns the hash of an entry. The prefix prevents an inner node from being accepted as an
// entry.
func Leaf(entry []byte) Hash {
	return sha256.Sum256(append([]byte{0}, entry...))
}

// Node returns the hash over two nodes.
func Node(left, right Hash) Hash {
	text := [1 + 2*Size]byte{1}
	copy(text[1:], left[:])
	copy(text[1+Size:], right[:])
	return sha256.Sum256(text[:])
}

// Nodes returns the hash of a complete subtree: the one over the 2^level leaves from
// index·2^level on. It is called for no other.
type Nodes func(level int, index int64) (Hash, error)

// Over returns the nodes over hashes; the first hash is at level 0, index 0.
func Over(hashes []Hash) Nodes {
	var nodes Nodes
	nodes = func(level int, index int64) (Hash, error) {
		if level == 0 {
			return hashes[index], nil
		}
		left, _ := nodes(level-1, 2*index)
		right, _ := nodes(level-1, 2*index+1)
		return Node(left, right), nil
	}
	return nodes
}

// errRange is the error for an index or size outside the tree.
var errRange = errors.New("merkle: there is no such entry in a tree of this size")

// Root returns the hash of the tree over the first size leaves.
func Root(size int64, nodes Nodes) (Hash, error) {
	if size < 0 {
		return Hash{}, errRange
	}
	if size == 0 {
		return sha256.Sum256(nil), nil
	}
	return span(0, size, nodes)
}

// span returns the hash over a range of leaves.
func span(from, to int64, nodes Nodes) (Hash, error) {
	if n := to - from; n&(n-1) == 0 {
		level := bits.TrailingZeros64(uint64(n)) // #nosec G115 -- more than nothing
		return nodes(level, from>>level)
	}
	middle := from + split(to-from)
	left, err := span(from, middle, nodes)
	if err != nil {
		return Hash{}, err
	}
	right, err := span(middle, to, nodes)
	return Node(left, right), err
}

// split returns how many of n leaves, at least two, are left of the root: the largest power of
// two below n.
func split(n int64) int64 { return 1 << (bits.Len64(uint64(n-1)) - 1) } // #nosec G115 -- two at least

// Inclusion returns the proof that the leaf at an index, from 0, is in the tree of a size: the
// hashes beside its path to the root, from the bottom.
func Inclusion(index, size int64, nodes Nodes) (proof []Hash, err error) {
	if index < 0 || index >= size {
		return nil, errRange
	}
	from, to := int64(0), size
	var aside [][2]int64
	for to-from > 1 {
		middle := from + split(to-from)
		if index < middle {
			aside, to = append(aside, [2]int64{middle, to}), middle
		} else {
			aside, from = append(aside, [2]int64{from, middle}), middle
		}
	}
	return spans(aside, nodes)
}

// Consistency returns the proof that the tree of a size is the beginning of a larger one.
func Consistency(size, larger int64, nodes Nodes) (proof []Hash, err error) {
	if size <= 0 || size > larger {
		return nil, errRange
	}
	from, to, known := int64(0), larger, true
	var aside [][2]int64
	for size != to {
		middle := from + split(to-from)
		if size <= middle {
			aside, to = append(aside, [2]int64{middle, to}), middle
		} else {
			aside, from, known = append(aside, [2]int64{from, middle}), middle, false
		}
	}
	if !known {
		aside = append(aside, [2]int64{from, to})
	}
	return spans(aside, nodes)
}

// spans returns the hashes over ranges of leaves, the last first.
func spans(stretches [][2]int64, nodes Nodes) ([]Hash, error) {
	all := make([]Hash, len(stretches))
	for i, s := range stretches {
		h, err := span(s[0], s[1], nodes)
		if err != nil {
			return nil, err
		}
		all[len(all)-1-i] = h
	}
	return all, nil
}
