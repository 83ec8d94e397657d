package cdssim

import "time"

// Shrink makes a simulator full sooner.
func (s *Simulator) Shrink(conversations, backlog int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.registry.limits = limits{conversations, backlog, maxDeclared}
}

// SkipWaits makes a simulator wait no time between messages. It calls skipped with each wait, one at a time.
func (s *Simulator) SkipWaits(skipped func(time.Duration)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.after = func(wait time.Duration, next func()) *time.Timer {
		skipped(wait)
		return time.AfterFunc(0, next)
	}
}

// Forget makes a simulator forget each declaration that does not wait for its goods.
func (s *Simulator) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.registry.limits.declared = 0
}
