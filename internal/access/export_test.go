package access

// Matches checks a password, for tests.
func (h *Hasher) Matches(stored, password string) bool { return h.matches(stored, password) }

// Turn runs fn in a turn of the hasher, for tests.
var Turn = (*Hasher).turn
