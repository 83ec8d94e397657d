package ratelimit

import "time"

// Windows returns the number of stored windows.
func Windows(m *Memory) int { return len(m.windows) }

// Swept returns the time of the last search for ended windows.
func Swept(m *Memory) time.Time { return m.swept }
