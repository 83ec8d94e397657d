package ratelimit

// Windows tells how many windows are kept.
func Windows(m *Memory) int { return len(m.windows) }
