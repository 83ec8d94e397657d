package exchange

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// MaxUnclaimed is the number of messages about no known record that are read at once.
const MaxUnclaimed = 100

// ClaimedEvent ends the type of the event of a message that a person has claimed for a record.
const ClaimedEvent = "message-claimed"

// claimNamed gives a record the messages that came before its names were known.
func (s *Service) claimNamed(tx Tx, reg Registration) error {
	all, err := tx.UnclaimedAuthorityMessages(MaxUnclaimed)
	if err != nil || len(all) == 0 {
		return err
	}
	a, err := s.byID(reg.Authority)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.Authority != reg.Authority || m.Mode != reg.Mode || m.Identifier != reg.Identifier {
			continue
		}
		id, used, err := s.find(tx, reg, a.About(m.Received()))
		if err != nil {
			return err
		}
		if id == "" {
			continue
		}
		if err := s.give(tx, m.ID, id); err != nil {
			return err
		}
		if err := s.settle(tx, reg, id, used, a.About(m.Received())); err != nil {
			return err
		}
	}
	return nil
}

// give gives a message to a record, which is then computed again.
func (s *Service) give(tx Tx, messageID, filingID string) error {
	claimed, err := tx.ClaimAuthorityMessage(messageID, filingID)
	if err != nil || !claimed {
		return err
	}
	return s.touch(tx, filingID)
}

// adopt lets a new record belong to the authority of a message; found is false if it is no new record of the authority's kind.
func (s *Service) adopt(tx Tx, a *Authority, m Message, filingID string) (reg Registration, found bool, err error) {
	status, found, err := tx.FilingStatus(a.Type.Kind, filingID)
	if err != nil || !found || status != a.Type.Lifecycle.Initial {
		return reg, false, err
	}
	reg = Registration{FilingID: filingID, Authority: m.Authority, Mode: m.Mode, Identifier: m.Identifier, Next: tx.Now()}
	if err := tx.PutAuthorityRecord(reg); err != nil {
		return reg, false, err
	}
	return reg, true, s.schedule(tx, reg)
}

// Claim gives a message about no known record to a record of a person's choice.
func (s *Service) Claim(tx Tx, call tenant.Call, messageID, filingID string) (m Message, err error) {
	if err := filing.Allowed("member", call.Principal); err != nil {
		return m, err
	}
	if m, err = tx.AuthorityMessage(messageID); err != nil {
		return m, err
	}
	if m.FilingID != "" {
		return m, apierr.New(apierr.InvalidState, "This message belongs to a record already.")
	}
	a, err := s.byID(m.Authority)
	if err != nil {
		return m, err
	}
	reg, found, err := tx.AuthorityRecord(filingID)
	if err != nil {
		return m, err
	}
	if !found && a.Adopts {
		if reg, found, err = s.adopt(tx, a, m, filingID); err != nil {
			return m, err
		}
	}
	if !found || reg.Authority != m.Authority || reg.Mode != m.Mode || reg.Identifier != m.Identifier {
		return m, apierr.Invalid(apierr.Detail{Field: "recordId", Message: "must be a " + a.Type.Singular + " that was sent to " + a.nameOf(m.Mode) + " for " + m.Identifier})
	}
	if err := s.settle(tx, reg, filingID, "", a.About(m.Received())); err != nil {
		return m, err
	}
	if err := s.give(tx, m.ID, filingID); err != nil {
		return m, err
	}
	m.FilingID = filingID
	data, err := json.Marshal(map[string]any{"messageId": m.ID, "authority": m.Authority, "messageKind": m.Kind})
	if err != nil {
		return m, err
	}
	return m, tx.Record(audit.By(call, audit.Event{
		ID: s.IDs.UUID(), Hub: a.Type.Hub, Type: a.Type.Kind + "." + ClaimedEvent, ResourceType: a.Type.Kind, ResourceID: filingID, Data: data,
	}))
}
