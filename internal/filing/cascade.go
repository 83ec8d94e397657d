package filing

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Cascade is a transition of another record in the same transaction: an accepted return fulfils its period.
type Cascade struct {
	Kind, ID string
	Action   lifecycle.Action // an action with the guard System
}

func (d Definition[B]) cascadesOf(raw json.RawMessage, by lifecycle.Action) ([]Cascade, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Cascades(b, by), nil
}

// cascade makes the transitions that a transition causes.
func (s *Service) cascade(tx Tx, call tenant.Call, t *Type, f *Filing, by lifecycle.Action) error {
	if t.cascades == nil {
		return nil
	}
	moves, err := t.cascades(f.Body, by)
	if err != nil {
		return err
	}
	call.Principal = tenant.System(call.Org)
	for _, m := range moves {
		other, ok := s.Types[m.Kind]
		if !ok {
			return fmt.Errorf("filing: %s of a %s changes a %s, which is no kind", by, t.Kind, m.Kind)
		}
		done, err := other.hasTargetState(tx, m)
		if err == nil && !done {
			_, err = s.Transition(tx, call, other, m.ID, m.Action, TransitionData{})
		}
		if err != nil {
			return fmt.Errorf("filing: %s of a %s: %w", by, t.Kind, err)
		}
	}
	return nil
}

// hasTargetState reports whether a record is already in the target state: HMRC may report a period as fulfilled before its
// return is accepted here.
func (t *Type) hasTargetState(tx Tx, m Cascade) (bool, error) {
	f, err := tx.Filing(t.Kind, m.ID)
	if err != nil {
		return false, err
	}
	_, can := t.Lifecycle.Find(f.Status, m.Action)
	return !can && slices.ContainsFunc(t.Lifecycle.Edges, func(e lifecycle.Edge) bool { return e.Action == m.Action && e.To == f.Status }), nil
}
