package filing

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Cascade is a step of another record, in the same transaction: an accepted return
// fulfils its period.
type Cascade struct {
	Kind, ID string
	By       lifecycle.Action // a step that the lifecycle guards as the system's
}

func (d Definition[B]) cascadesOf(raw json.RawMessage, by lifecycle.Action) ([]Cascade, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Cascades(b, by), nil
}

// cascade takes the steps that a step brings with it.
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
			return fmt.Errorf("filing: %s of a %s moves a %s, which is no kind", by, t.Kind, m.Kind)
		}
		there, err := other.isAlreadyIn(tx, m)
		if err == nil && !there {
			_, err = s.Transition(tx, call, other, m.ID, m.By, TransitionData{})
		}
		if err != nil {
			return fmt.Errorf("filing: %s of a %s: %w", by, t.Kind, err)
		}
	}
	return nil
}

// isAlreadyIn tells whether a record is where a step leads already: HMRC may have said
// that a period is fulfilled before its return is accepted here.
func (t *Type) isAlreadyIn(tx Tx, m Cascade) (bool, error) {
	f, err := tx.Filing(t.Kind, m.ID)
	if err != nil {
		return false, err
	}
	_, can := t.Lifecycle.Find(f.Status, m.By)
	return !can && slices.ContainsFunc(t.Lifecycle.Edges, func(e lifecycle.Edge) bool { return e.By == m.By && e.To == f.Status }), nil
}
