package exchange

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
)

// SentAs returns the bytes of the latest message of a kind that the authority has accepted about a record; nil for none.
func SentAs(tx Tx, filingID, kind string) ([]byte, error) {
	all, err := tx.AuthorityMessages(filingID, MaxMessages)
	for _, m := range slices.Backward(all) {
		if m.Direction == Out && m.Kind == kind && m.State == outbox.Sent {
			return m.Raw, err
		}
	}
	return nil, err
}
