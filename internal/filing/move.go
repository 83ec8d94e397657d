package filing

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// Move is a step of another record, in the same transaction: an accepted return
// fulfils its period.
type Move struct {
	Kind, ID string
	By       lifecycle.Action // a step that the lifecycle guards as the system's
}

func (d Definition[B]) moving(raw json.RawMessage, by lifecycle.Action) ([]Move, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Moves(b, by), nil
}

// move takes the steps that a step brings with it.
func (s *Service) move(tx Tx, call tenant.Call, t *Type, f *Filing, by lifecycle.Action) error {
	if t.moves == nil {
		return nil
	}
	moves, err := t.moves(f.Body, by)
	if err != nil {
		return err
	}
	call.Principal = tenant.System(call.Org)
	for _, m := range moves {
		other, ok := s.Types[m.Kind]
		if !ok {
			return fmt.Errorf("filing: %s of a %s moves a %s, which is no kind", by, t.Kind, m.Kind)
		}
		if _, err := s.Act(tx, call, other, m.ID, m.By, Step{}); err != nil {
			return fmt.Errorf("filing: %s of a %s: %w", by, t.Kind, err)
		}
	}
	return nil
}
