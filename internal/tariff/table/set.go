package table

import "hash/maphash"

// set finds rows among those of a table by their content. It holds only their places, which a map would hold beside the rows: a
// table may have over a million.
type set struct {
	seed  maphash.Seed
	slots []uint32 // places counted from 1; 0 is free
	size  int
}

func newSet() *set { return &set{seed: maphash.MakeSeed(), slots: make([]uint32, 1024)} }

// find returns the place of a row, and the slot in which it stands or belongs.
func (s *set) find(rows []row, r row) (at uint32, slot int, found bool) {
	mask := len(s.slots) - 1
	slot = int(maphash.Comparable(s.seed, r)) & mask // #nosec G115 -- any bits will do
	for ; s.slots[slot] != 0; slot = (slot + 1) & mask {
		if at = s.slots[slot] - 1; rows[at] == r {
			return at, slot, true
		}
	}
	return 0, slot, false
}

// put puts the place of a row into its slot, and keeps half of the slots free.
func (s *set) put(rows []row, at uint32, slot int) {
	s.slots[slot] = at + 1
	if s.size++; 2*s.size < len(s.slots) {
		return
	}
	was := s.slots
	s.slots = make([]uint32, 2*len(was))
	for _, place := range was {
		if place != 0 {
			_, slot, _ := s.find(rows, rows[place-1])
			s.slots[slot] = place
		}
	}
}
