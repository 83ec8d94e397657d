package statement

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Standing is a kind of record that the calendar makes, such as the periods of VAT:
// that of the day is there when somebody looks.
type Standing struct {
	*filing.Type
	current func(time.Time) (json.RawMessage, error)
}

// Stands closes over a definition; current is the record of an instant, whose period
// the definition knows.
func Stands[B any](d filing.Definition[B], current func(time.Time) *B) *Standing {
	return &Standing{Type: d.Type(), current: func(now time.Time) (json.RawMessage, error) { return json.Marshal(current(now)) }}
}

// Missing is the record of an instant where it is not there yet.
func (s *Service) Missing(tx filing.View, st *Standing, now time.Time) (in filing.Input, missing bool, err error) {
	raw, err := st.current(now)
	if err != nil {
		return in, false, fmt.Errorf("statement: %s: %w", st.Kind, err)
	}
	if in, err = st.Parse(raw, now); err != nil {
		return in, false, err
	}
	_, found, err := s.Filings.OfPeriod(tx, st.Type, in.Period())
	return in, !found, err
}

// Stand makes the record of now, in the name of the service, where it is missing.
func (s *Service) Stand(tx filing.Tx, call tenant.Call, st *Standing) error {
	in, missing, err := s.Missing(tx, st, tx.Now())
	if err != nil || !missing {
		return err
	}
	call.Principal = tenant.System(call.Org)
	_, err = s.Filings.Create(tx, call, st.Type, in)
	return err
}
