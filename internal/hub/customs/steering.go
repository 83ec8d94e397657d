package customs

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// simulatedNote begins the answer to a steered submission.
const simulatedNote = "Simulated: the caller chose the outcome with %s. Customs decided nothing."

// checkSimulate returns an error if the caller asks for an outcome that the simulator does not have, or if there is no
// simulator.
func (s *Service) checkSimulate(tx Tx, r Request, known func(string) bool, forms string) error {
	if r.Simulate == "" {
		return nil
	}
	simulated, err := s.isSimulated(tx)
	switch {
	case err != nil:
		return err
	case !simulated:
		return invalidSteering("is for the simulator, and this organisation is connected to HMRC. Send the request without it.")
	case !known(r.Simulate):
		return invalidSteering("must be one of: " + forms)
	}
	return nil
}

func invalidSteering(message string) error {
	return apierr.Invalid(apierr.Detail{Field: simulator.SteeringHeader, Message: message})
}

func isOutcome(value string) bool {
	_, ok := simulator.FromHeader(value)
	return ok
}

func isDecision(value string) bool { return value == simulator.Grant || value == simulator.Deny }

func (s *Service) isSimulated(tx Tx) (bool, error) {
	if tx.Mode() == tenant.Test {
		return true, nil
	}
	o, err := tx.Organisation()
	return err == nil && s.Simulated(&o), err
}

// simulatedBy returns the header or reference by which a transmission selects its outcome; empty if it selects none.
func (s *Service) simulatedBy(tx Tx, t *Transmission) (string, error) {
	if t.Request.Simulate != "" {
		return simulator.SteeringHeader + ": " + t.Request.Simulate, nil
	}
	if !strings.Contains(strings.ToUpper(t.Body), simulator.ReferencePrefix) {
		return "", nil
	}
	d, err := wco.Decode([]byte(t.Body))
	if err != nil {
		return "", nil // the reference of an unreadable document steers nothing
	}
	asked, ok := simulator.FromReferences(d.FirstReference(), d.GoodsShipment.UCR.TraderAssignedReferenceID)
	if !ok {
		return "", nil
	}
	simulated, err := s.isSimulated(tx)
	if err != nil || !simulated {
		return "", err
	}
	return "the reference " + asked.Source, nil
}

// Steers reports whether a document reference is one for the simulator.
func (d Document) Steers() bool {
	return strings.HasPrefix(strings.ToUpper(strings.TrimSpace(d.Reference)), simulator.ReferencePrefix)
}
