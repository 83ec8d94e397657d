package exchange

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// inDoubt reports whether the authority may have a message, or will get it.
func inDoubt(messages []Message) bool {
	return slices.ContainsFunc(messages, func(m Message) bool { return m.Direction == Out && m.InDoubt() })
}

// withdraw withdraws the messages about a record that were not sent yet, because the record is cancelled. It returns an error if the
// authority may have one. A caller who waits gets an error.
func (s *Service) withdraw(tx Tx, p plan) error {
	for i := range p.earlier {
		m := &p.earlier[i]
		if m.Direction != Out || !m.InDoubt() {
			continue
		}
		withdrawn, err := s.queue(p.authority).Withdraw(tx, m, "The "+p.authority.Type.Singular+" was cancelled before anything was sent.")
		if err != nil {
			return err
		}
		if !withdrawn {
			return apierr.New(apierr.InvalidState, "%s may have this %s already, so that it cannot be cancelled yet. Try again when %s has answered.", p.authority.Name, p.authority.Noun, p.authority.Name)
		}
		if err := tx.CompleteAuthorityMessage(*m); err != nil {
			return err
		}
	}
	return nil
}
