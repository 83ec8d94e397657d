package customs

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// noteSupplement stores in a simplified declaration which supplementary one completes it: the one that customs has accepted. Its
// deadline closes then, and opens again if that one is cancelled.
func (s *Service) noteSupplement(tx Tx, f *filing.Filing) error {
	completes, err := supplementsOf(f)
	if err != nil || completes == "" {
		return err
	}
	simplified, err := tx.Filing(DeclarationKind, completes)
	if apierr.Is(err, apierr.NotFound) {
		return nil // retention has removed it
	}
	if err != nil {
		return err
	}
	a, err := addedOf(&simplified)
	if err != nil {
		return err
	}
	accepted := f.Status == lifecycle.Accepted || f.Status == Cleared
	if accepted == (a.SupplementedBy == f.ID) || !accepted && a.SupplementedBy != f.ID {
		return nil
	}
	step := filing.TransitionData{Added: filing.Added{supplementedBy: nil}, Data: filing.Added{supplementedBy: nil, "declarationId": f.ID}}
	if accepted {
		step.Added[supplementedBy], step.Data[supplementedBy] = f.ID, f.ID
	}
	_, err = s.Filings.Transition(tx, systemCall(tx), s.Type, simplified.ID, note, step)
	return err
}

// supplementsOf returns the ID of the simplified declaration that a declaration completes; empty for none.
func supplementsOf(f *filing.Filing) (string, error) {
	if !strings.Contains(string(f.Body), `"supplements"`) {
		return "", nil
	}
	var d struct{ Supplements string }
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return "", fmt.Errorf("customs: declaration: %w", err)
	}
	return strings.ToLower(d.Supplements), nil
}
