package exchange

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of what is shown of a connection.
const (
	maxWaiting = 1000
	maxPolls   = 100
)

// Connection is how an organisation is connected with an authority, and what waits.
type Connection struct {
	Authority *Authority
	Mode      Mode
	Waiting   int // messages whose outcome is not known, at most 1,000
	Polls     []ShownPoll
	Consent   *consent.View        // for the organisation's EORI; nil if none is needed
	Consents  []consent.Identified // at an authority with consents by another identifier
}

// ByIdentifier returns what the authority has consents by; nil for the organisation's EORI, or if none is needed.
func (c *Connection) ByIdentifier() *consent.Identifier {
	if c.Mode != Sandbox && c.Mode != Live {
		return nil
	}
	return c.Authority.Consents.Identified()
}

// ShownPoll says how far the messages of an identifier are fetched, and when they are fetched next; zero if nothing is outstanding.
type ShownPoll struct {
	Poll
	Next time.Time
}

// Connections returns the connections of an organisation with all authorities.
func (s *Service) Connections(tx Tx) (all []Connection, err error) {
	polls, err := tx.AuthorityPolls(maxPolls)
	if err != nil {
		return nil, err
	}
	for _, a := range s.Authorities {
		c, err := s.connection(tx, a, polls)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// connection returns the connection with one authority.
func (s *Service) connection(tx Tx, a *Authority, polls []Poll) (c Connection, err error) {
	c = Connection{Authority: a, Mode: Off}
	ch := a.channel(tx.Mode())
	if ch != nil {
		c.Mode = ch.Mode
	}
	if c.Waiting, err = tx.WaitingAuthorityMessages(a.ID, maxWaiting); err != nil {
		return c, err
	}
	var asked []string
	for _, p := range polls {
		if p.Authority != a.ID || p.Mode != c.Mode {
			continue
		}
		next, err := s.due(tx, p)
		if err != nil {
			return c, err
		}
		c.Polls, asked = append(c.Polls, ShownPoll{p, next}), append(asked, p.Identifier)
	}
	switch {
	case ch == nil || ch.Consents == nil:
	case ch.Consents.Identified() != nil:
		c.Consents, err = ch.Consents.All(tx, asked...)
	default:
		v := consent.View{}
		v, err = ch.Consents.Current(tx)
		c.Consent = &v
	}
	return c, err
}

// ConsentsOf returns the consents of organisations at an authority; an error if there is no such authority.
func (s *Service) ConsentsOf(id string) (*consent.Service, error) {
	a, err := s.byID(id)
	if err != nil {
		return nil, apierr.Missing()
	}
	return a.Consents, nil
}

// Position is where a message stands in the list of its record.
func (m *Message) Position() filing.Position {
	return filing.Position{CreatedAt: m.CreatedAt, ID: m.ID}
}
