package exchange

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
)

// Document returns the message of a record in its authority's form: the bytes that were sent or, before that, those that would be.
func Document(tx Tx, t *filing.Type, id string) ([]byte, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return nil, err
	}
	if sent, err := sentAs(tx, f.ID, t.Messages.Name); sent != nil || err != nil {
		return sent, err
	}
	org, err := tx.Organisation()
	if err != nil {
		return nil, err
	}
	return t.Messages.Write(filing.Sending{Organisation: org, Record: &f, Now: tx.Now()})
}

// sentAs returns the bytes of the latest message of a kind that the authority has accepted about a record, or may have; nil for none.
func sentAs(tx Tx, filingID, kind string) ([]byte, error) {
	all, err := tx.AuthorityMessages(filingID, MaxMessages)
	for _, m := range slices.Backward(all) {
		if m.Direction == Out && m.Kind == kind && (m.State == outbox.Sent || m.InDoubt()) {
			return m.Raw, err
		}
	}
	return nil, err
}
