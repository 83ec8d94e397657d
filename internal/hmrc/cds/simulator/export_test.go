package simulator

// Shrink makes a simulator full sooner.
func (s *Simulator) Shrink(conversations, backlog int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.book.limits = limits{conversations, backlog}
}
