package mail

import "time"

// SetPatience changes the timeout of a conversation with the server.
func (s *Server) SetPatience(d time.Duration) { s.patience = d }
