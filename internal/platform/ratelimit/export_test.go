package ratelimit

// Windows returns the number of stored windows.
func Windows(m *Memory) int { return len(m.windows) }
