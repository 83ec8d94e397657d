package merkle_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit/merkle"
)

// entry returns a different entry for each number.
func entry(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)*7919) }

func leaves(n int) (all []merkle.Hash) {
	for i := range n {
		all = append(all, merkle.Leaf(entry(i)))
	}
	return all
}

// naive computes the root literally as RFC 6962 defines it.
func naive(all []merkle.Hash) merkle.Hash {
	switch len(all) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return all[0]
	}
	k := 1
	for 2*k < len(all) {
		k *= 2
	}
	return merkle.Node(naive(all[:k]), naive(all[k:]))
}

// The hashes of leaves and nodes are those of RFC 6962, computed here without the package.
func TestPrefixes(t *testing.T) {
	if got, want := merkle.Leaf([]byte("ab")), sha256.Sum256([]byte("\x00ab")); got != merkle.Hash(want) {
		t.Errorf("leaf %x", got)
	}
	a, b := merkle.Leaf([]byte("a")), merkle.Leaf([]byte("b"))
	if got, want := merkle.Node(a, b), sha256.Sum256([]byte("\x01"+string(a[:])+string(b[:]))); got != merkle.Hash(want) {
		t.Errorf("node %x", got)
	}
	empty, _ := merkle.Root(0, nil)
	if hex.EncodeToString(empty[:]) != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("empty %x", empty)
	}
	// The root over the entries "", "\x00" and "\x10", computed with sha256sum.
	three, _ := merkle.Root(3, merkle.Over([]merkle.Hash{merkle.Leaf(nil), merkle.Leaf([]byte{0}), merkle.Leaf([]byte{0x10})}))
	if hex.EncodeToString(three[:]) != "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77" {
		t.Errorf("three %x", three)
	}
}

// For trees of every small size, each leaf has a valid inclusion proof, and the proof is
// rejected for any other leaf, index, size or root.
func TestInclusion(t *testing.T) {
	all := leaves(70)
	nodes := merkle.Over(all)
	for size := 1; size <= len(all); size++ {
		root, err := merkle.Root(int64(size), nodes)
		if err != nil || root != naive(all[:size]) {
			t.Fatalf("root of %d: %x, %v", size, root, err)
		}
		for i := range size {
			at, n := int64(i), int64(size)
			proof, err := merkle.Inclusion(at, n, nodes)
			if err != nil || !merkle.Included(all[i], at, n, proof, root) {
				t.Fatalf("%d of %d is not proved: %v", i, size, err)
			}
			for p := range proof {
				if merkle.Included(all[i], at, n, touched(proof, p), root) {
					t.Errorf("%d of %d: hash %d of the proof can be changed", i, size, p)
				}
			}
			other := (i + 1) % size
			for what, passes := range map[string]bool{
				"another leaf":   size > 1 && merkle.Included(all[other], at, n, proof, root),
				"another place":  size > 1 && merkle.Included(all[i], int64(other), n, proof, root),
				"another root":   merkle.Included(all[i], at, n, proof, merkle.Node(root, root)),
				"a longer proof": merkle.Included(all[i], at, n, append(slices.Clone(proof), root), root),
				"a shorter one":  len(proof) > 0 && merkle.Included(all[i], at, n, proof[1:], root),
				"no place":       merkle.Included(all[i], -1, n, proof, root) || merkle.Included(all[i], n, n, proof, root),
			} {
				if passes {
					t.Errorf("%d of %d: %s passes", i, size, what)
				}
			}
		}
	}
}

// For every pair of sizes, the smaller tree is proved to be the beginning of the larger, and the
// proof is rejected for any other root or proof.
func TestConsistency(t *testing.T) {
	all := leaves(50)
	nodes := merkle.Over(all)
	for larger := 1; larger <= len(all); larger++ {
		after := naive(all[:larger])
		for size := 1; size <= larger; size++ {
			before, n, m := naive(all[:size]), int64(size), int64(larger)
			proof, err := merkle.Consistency(n, m, nodes)
			if err != nil || !merkle.Consistent(n, m, before, after, proof) {
				t.Fatalf("%d to %d is not proved: %v", size, larger, err)
			}
			for p := range proof {
				if merkle.Consistent(n, m, before, after, touched(proof, p)) {
					t.Errorf("%d to %d: hash %d of the proof can be changed", size, larger, p)
				}
			}
			wrong := merkle.Node(before, before)
			if merkle.Consistent(n, m, wrong, after, proof) || merkle.Consistent(n, m, before, wrong, proof) ||
				merkle.Consistent(n, m, before, after, append(slices.Clone(proof), before)) || size < larger && merkle.Consistent(n, m, before, after, nil) {
				t.Errorf("%d to %d: a wrong root or proof is accepted", size, larger)
			}
		}
	}
}

func touched(proof []merkle.Hash, at int) []merkle.Hash {
	all := slices.Clone(proof)
	all[at][31] ^= 1
	return all
}

// An index or size outside the tree returns an error and does not panic.
func TestOutOfRange(t *testing.T) {
	nodes := merkle.Over(leaves(4))
	for _, c := range [][2]int64{{-1, 4}, {4, 4}, {0, 0}, {1, -1}} {
		if _, err := merkle.Inclusion(c[0], c[1], nodes); err == nil {
			t.Errorf("inclusion %v", c)
		}
	}
	for _, c := range [][2]int64{{0, 4}, {-1, 4}, {5, 4}} {
		if _, err := merkle.Consistency(c[0], c[1], nodes); err == nil || merkle.Consistent(c[0], c[1], merkle.Hash{}, merkle.Hash{}, nil) {
			t.Errorf("consistency %v", c)
		}
	}
	if _, err := merkle.Root(-1, nodes); err == nil {
		t.Error("a negative size has a root")
	}
}

// Neither the root nor an inner node is accepted as a leaf.
func TestNodesAreNotLeaves(t *testing.T) {
	all := leaves(4)
	root := naive(all)
	if merkle.Included(root, 0, 4, nil, root) || merkle.Included(merkle.Node(all[0], all[1]), 0, 4, []merkle.Hash{merkle.Node(all[2], all[3])}, root) {
		t.Error("an inner node is accepted as a leaf")
	}
}

// FuzzIncluded passes arbitrary proofs to the verification: it terminates, and accepts only the
// proof that the tree itself produces.
func FuzzIncluded(f *testing.F) {
	f.Add(uint16(5), int64(3), []byte("a proof of no length that fits"))
	f.Add(uint16(64), int64(63), make([]byte, 6*merkle.Size))
	f.Fuzz(func(t *testing.T, count uint16, index int64, raw []byte) {
		size := int64(count%300) + 1
		all := leaves(int(size))
		var proof []merkle.Hash
		for chunk := range slices.Chunk(raw, merkle.Size) {
			var h merkle.Hash
			copy(h[:], chunk)
			proof = append(proof, h)
		}
		root := naive(all)
		leaf := all[0]
		if index >= 0 && index < size {
			leaf = all[index]
		}
		passes := merkle.Included(leaf, index, size, proof, root)
		right, err := merkle.Inclusion(index, size, merkle.Over(all))
		if passes != (err == nil && slices.Equal(right, proof)) {
			t.Errorf("%d of %d: %t with %d hashes, %v", index, size, passes, len(proof), err)
		}
		merkle.Consistent(index, size, leaf, root, proof)
		merkle.Consistent(size, index, root, leaf, proof)
	})
}
