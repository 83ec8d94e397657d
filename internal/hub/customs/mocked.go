package customs

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// mocked returns where a body quotes references that this service made. A simulator may get them.
func (s *Service) mocked(tx Tx, simulated bool, body json.RawMessage) ([]filing.SimulatedUse, error) {
	if simulated {
		return nil, nil
	}
	return s.Filings.SimulatedUses(tx, s.Type, body)
}

// addSource adds who gave an MRN: CDS, or its simulator.
func (s *Service) addSource(tx Tx, step *filing.TransitionData) error {
	simulated, err := s.isSimulated(tx)
	if err != nil {
		return err
	}
	source := any(json.RawMessage("null"))
	if simulated {
		source = filing.OfSimulator
	}
	step.Added[filing.SourceMember], step.Data[filing.SourceMember] = source, source
	return nil
}

// refuseMocked returns an error if HMRC would get references that this service made.
func (s *Service) refuseMocked(tx Tx, f *filing.Filing) error {
	simulated, err := s.isSimulated(tx)
	if err != nil {
		return err
	}
	uses, err := s.mocked(tx, simulated, f.Body)
	if err != nil || len(uses) == 0 {
		return err
	}
	var details []apierr.Detail
	for _, u := range uses {
		details = append(details, u.Detail())
	}
	refused := apierr.New(apierr.DeclarationIncomplete, "The declaration cannot be submitted yet: %s", inWords(details))
	refused.Details = details
	return refused
}
