package customs

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Additional types (DE 1/2) of supplementary declarations.
const (
	supplementsOccasional = "X" // B or E
	supplementsSimplified = "Y" // C or F
	supplementsEntry      = "Z" // an entry in the declarant's records
)

// NeedsSupplement reports whether a supplementary declaration can be made for a declaration: customs has accepted it as a
// simplified one, and has not accepted a supplementary one yet.
func (d *Declaration) NeedsSupplement(status lifecycle.State, supplementedBy string) bool {
	return d.IsSimplified() && supplementedBy == "" && (status == lifecycle.Accepted || status == Cleared)
}

// CreateSupplementary stores the draft that completes a simplified declaration: with its body, the data set of its procedure, and
// the reference to it. The values that the simplified declaration did not state are missing and have to be added.
func (s *Service) CreateSupplementary(tx Tx, call tenant.Call, id string) (filing.Filing, error) {
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return filing.Filing{}, err
	}
	a, err := addedOf(&f)
	if err != nil {
		return filing.Filing{}, err
	}
	var d Declaration
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return filing.Filing{}, fmt.Errorf("customs: declaration: %w", err)
	}
	switch {
	case a.SupplementedBy != "":
		return filing.Filing{}, apierr.New(apierr.InvalidState, "Customs has already accepted a supplementary declaration for this one.")
	case !d.NeedsSupplement(f.Status, a.SupplementedBy):
		return filing.Filing{}, apierr.New(apierr.InvalidState, "A supplementary declaration completes a simplified declaration (I1, C1 or C21 for an entry in the records) that customs has accepted.")
	}
	patch, err := json.Marshal(d.supplement(f.ID))
	if err != nil {
		return filing.Filing{}, err
	}
	body, err := filing.Patch(f.Body, patch)
	if err != nil {
		return filing.Filing{}, err
	}
	in, err := s.Type.Parse(body, tx.Now())
	if err != nil {
		return filing.Filing{}, err
	}
	return s.Filings.Create(tx, call, s.Type, in.KeepSecretsFrom(f.ID))
}

// supplement returns the members in which a supplementary declaration differs from the simplified one; nil removes one.
func (d *Declaration) supplement(id string) map[string]any {
	kind := supplementsSimplified
	switch {
	case strings.HasSuffix(d.DataSet, "_EIDR"):
		kind = supplementsEntry
	case d.AdditionalType == "B" || d.AdditionalType == "E":
		kind = supplementsOccasional
	}
	return map[string]any{
		"supplements": id, "additionalType": kind, "dataSet": dataset.OfProcedure(requestedProcedure(&d.Items[0]), d.DeclarationType == Export),
		"taxPointAt": nil, "uniqueReference": nil,
	}
}

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
