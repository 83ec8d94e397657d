package customs

import (
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
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

// isConsented reports whether what a held transmission waits for is there.
func (s *Service) isConsented(tx Tx, _ *Transmission) (bool, error) {
	if s.Consents == nil {
		return false, nil
	}
	err := s.Consents.Check(tx)
	if apierr.Is(err, apierr.CustomsConsentRequired) {
		return false, nil
	}
	return err == nil, err
}

// Customs rejects a declaration with this code at this section if the declarant is not the trader of the token.
const (
	invalidParty     = "CDS12005"
	declarantSection = "57B"
)

// failConsent ends the consent of an organisation whose declarant customs does not accept. HMRC does not say whose EORI a token
// is for, so each further declaration would be rejected too.
func (s *Service) failConsent(tx Tx, m Message) error {
	if m.Purpose != toSubmit || m.Notification.FunctionCode != notification.DMSREJ || !slices.ContainsFunc(m.Notification.Errors, rejectsDeclarant) {
		return nil
	}
	if simulated, err := s.isSimulated(tx); err != nil || simulated || s.Consents == nil {
		return err
	}
	return s.Consents.Fail(tx, fmt.Sprintf("Customs rejected the declarant of the declaration %s (%s): the consent was not given with the Government Gateway account of that EORI.", m.LRN, invalidParty))
}

func rejectsDeclarant(e notification.Error) bool {
	at := e.Pointer()
	return e.Code == invalidParty && slices.ContainsFunc(at, func(s pointer.Step) bool { return s.Section == declarantSection })
}

// Consents returns the definition of consents at customs.
func Consents() filing.Definition[consent.Record] {
	return consent.Definition(HubID, ConsentKind, "Declarations")
}
