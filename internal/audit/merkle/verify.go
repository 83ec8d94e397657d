package merkle

// Included reports whether a proof shows that a leaf stands at an index of the tree with a
// size and a root (RFC 9162, section 2.1.3.2).
func Included(leaf Hash, index, size int64, proof []Hash, root Hash) bool {
	if index < 0 || index >= size {
		return false
	}
	at, last, hash := index, size-1, leaf
	for _, p := range proof {
		if last == 0 {
			return false
		}
		if at&1 == 1 || at == last {
			hash = Node(p, hash)
			for at&1 == 0 && at != 0 {
				at, last = at>>1, last>>1
			}
		} else {
			hash = Node(hash, p)
		}
		at, last = at>>1, last>>1
	}
	return last == 0 && hash == root
}

// Consistent reports whether a proof shows that the tree with a size and a root is the
// beginning of a larger one (RFC 9162, section 2.1.4.2).
func Consistent(size, larger int64, root, largerRoot Hash, proof []Hash) bool {
	if size == larger {
		return size > 0 && len(proof) == 0 && root == largerRoot
	}
	if size <= 0 || size > larger {
		return false
	}
	if size&(size-1) == 0 {
		proof = append([]Hash{root}, proof...)
	}
	if len(proof) == 0 {
		return false
	}
	at, last := size-1, larger-1
	for at&1 == 1 {
		at, last = at>>1, last>>1
	}
	first, second := proof[0], proof[0]
	for _, p := range proof[1:] {
		if last == 0 {
			return false
		}
		if at&1 == 1 || at == last {
			first, second = Node(p, first), Node(p, second)
			for at&1 == 0 && at != 0 {
				at, last = at>>1, last>>1
			}
		} else {
			second = Node(second, p)
		}
		at, last = at>>1, last>>1
	}
	return last == 0 && first == root && second == largerRoot
}
