package access

// Matches checks a password, for tests.
func (h *Hasher) Matches(stored, password string) bool { return h.matches(stored, password) }

// Run runs fn within the limit of the hasher, for tests.
var Run = (*Hasher).run
