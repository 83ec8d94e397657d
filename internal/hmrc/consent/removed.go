package consent

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// keptAfterRemoval is how long the token of a consent that an OWNER has removed may be used to end the authority's notifications.
const keptAfterRemoval = 24 * time.Hour

// Removed returns the service for the token of a consent that an OWNER has removed. It is used to end the authority's notifications,
// and for nothing else. [Service.Forget] deletes it.
func (s *Service) Removed() *Service {
	one := *s
	one.removed = true
	return &one
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
	if s.removed {
		return f.Status == None && tx.Now().Before(f.UpdatedAt.Add(keptAfterRemoval)) && tx.Now().Before(r.expires())
	}
	return isUsable(s.statusAt(tx, f, r))
}
