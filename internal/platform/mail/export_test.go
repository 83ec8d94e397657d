package mail

import "time"

// SetPatience changes how long a conversation with the server may take.
func (s *Server) SetPatience(d time.Duration) { s.patience = d }
