package customs

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
)

// ConsentAuthority is the name of customs among the authorities of consents.
const ConsentAuthority = "customs"

// ConsentKind is the kind of consents at customs, and the prefix of their event types.
const ConsentKind = consent.CustomsKind

// checkConsent returns an error if the organisation is connected to HMRC and has no consent there. A token of the
// configuration may serve instead.
func (s *Service) checkConsent(tx Tx, single bool) error {
	if simulated, err := s.isSimulated(tx); err != nil || simulated || single {
		return err
	}
	return s.Consents.Check(tx)
}

// Consents returns the definition of consents at customs.
func Consents() filing.Definition[consent.Record] {
	return consent.Definition(HubID, ConsentKind, "Declarations")
}
