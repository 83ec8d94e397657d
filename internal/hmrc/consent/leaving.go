package consent

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// leavingFor is how long the token of a consent that an OWNER has removed may be used to ask the authority for no notifications.
const leavingFor = 24 * time.Hour

// Leaving returns the service for the token of a consent that an OWNER has removed, with which the authority is asked for no
// notifications and nothing else. [Service.Forget] deletes it.
func (s *Service) Leaving() *Service {
	left := *s
	left.leaving = true
	return &left
}

// HasToken reports whether there is a token that may be used.
func (s *Service) HasToken(tx Tx) (found bool, err error) {
	subject, err := s.subject(tx)
	if err != nil {
		return false, err
	}
	_, _, found, err = row{service: s, subject: subject}.usable(tx)
	return found, err
}

// Forget deletes the token of a consent that an OWNER has removed. It does nothing if consent was given again.
func (s *Service) Forget(tx Tx) error {
	f, r, found, err := s.record(tx)
	if err != nil || !found || f.Status != None {
		return err
	}
	return s.endToken(tx, r.Subject(), "")
}

// hasUsable reports whether the token of a consent may be used.
func (s *Service) hasUsable(tx Tx, f *filing.Filing, r *Record) bool {
	if s.leaving {
		return f.Status == None && tx.Now().Before(f.UpdatedAt.Add(leavingFor)) && tx.Now().Before(r.expires())
	}
	return isUsable(s.statusAt(tx, f, r))
}
