package filing

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Members of Decided.
const (
	DecidedAtMember          = "decidedAt"
	SimulatedReferenceMember = "simulatedReference"
	DecisionDocumentMember   = "decisionDocument"
)

// Decided is embedded in Adds by kinds with ReadReference: what users enter with the mark of the authority's decision.
type Decided struct {
	DecidedAt          string               `json:"decidedAt,omitempty" format:"date-time" doc:"When the authority decided"`
	SimulatedReference string               `json:"simulatedReference,omitempty" doc:"Former reference. The authority’s own has replaced it"`
	DecisionDocument   *attachment.KeptFile `json:"decisionDocument,omitempty" doc:"The authority’s document"`
}

// TakesDecision reports whether users can enter the authority's own reference, its document and so on with an action: a mark
// of a submitted record or, for a kind whose new records are sent at once, of a new one.
func (t *Type) TakesDecision(by lifecycle.Action) bool {
	awaits := lifecycle.Submitted
	if t.Lifecycle.Sent != "" {
		awaits = t.Lifecycle.Initial
	}
	return t.readReference != nil && t.Lifecycle.Guard(by) == lifecycle.Owner && slices.Contains(t.Lifecycle.From(by), awaits)
}

// KeepsDocuments reports whether records of the kind have a document of the authority.
func (t *Type) KeepsDocuments() bool { return t.readReference != nil }

// enterReference replaces the reference of a record by the authority's own, as a user has entered it. The former one stays with
// the record and in the event.
func (s *Service) enterReference(tx Tx, t *Type, f *Filing, added Added, step *TransitionData) error {
	own, err := t.readReference(f.Body, step.OwnReference)
	if err != nil {
		return apierr.Invalid(apierr.Detail{Field: referenceMember, Message: err.Error()})
	}
	former, err := t.ReferenceOf(f.Added)
	if err != nil {
		return err
	}
	if own == former.Value {
		if former.Source.IsOfAuthority() {
			return nil
		}
		return apierr.Invalid(apierr.Detail{Field: referenceMember, Message: "is the reference that this service made; enter the one that the authority gave"})
	}
	key, used, err := t.referenceKey(tx, Reference{Field: t.ReferenceMember, Value: own})
	if err != nil {
		return err
	}
	if used {
		return apierr.New(apierr.ReferenceTaken, "Another %s has the reference %s. Check the number that the authority gave.", t.Singular, own)
	}
	step.Keys = append(step.Keys, key)
	added[t.ReferenceMember] = own
	t.addSource(added, step, OfAuthority)
	step.addData(Added{"reference": own})
	if former.Value != "" {
		step.addData(Added{"formerReference": former.Value, "formerReferenceSource": former.Source.stored()})
	}
	if !former.Source.IsOfAuthority() && former.Value != "" {
		added[SimulatedReferenceMember] = former.Value
	}
	return nil
}

// hasMade reports whether a reference is one that this service or a simulator made for a record, also if the authority's own has replaced it.
func (t *Type) hasMade(f *Filing, reference string) bool {
	if t.SimulatedReference(f) == reference {
		return true
	}
	if !bytes.Contains(f.Added, []byte(encodedName(SimulatedReferenceMember))) {
		return false
	}
	var added Decided
	return json.Unmarshal(f.Added, &added) == nil && added.SimulatedReference == reference
}
