package password

// Observe calls observe before each computation of a hash.
func (h *Hasher) Observe(observe func(time, memory uint32, threads uint8)) {
	derive := h.derive
	h.derive = func(password, salt []byte, time, memory uint32, threads uint8, length uint32) []byte {
		observe(time, memory, threads)
		return derive(password, salt, time, memory, threads, length)
	}
}
