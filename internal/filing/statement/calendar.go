package statement

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// CalendarRecord is a kind of record that the service creates by the calendar, such as a VAT period: the record of the
// current day is created when it is first needed.
type CalendarRecord struct {
	*filing.Type
	current func(time.Time) (json.RawMessage, error)
}

// NewCalendarRecord makes one from a definition; current returns the record of an instant.
func NewCalendarRecord[B any](d filing.Definition[B], current func(time.Time) *B) *CalendarRecord {
	return &CalendarRecord{Type: d.Type(), current: func(now time.Time) (json.RawMessage, error) { return json.Marshal(current(now)) }}
}

// Missing returns the record of an instant if it does not exist yet.
func (s *Service) Missing(tx filing.View, st *CalendarRecord, now time.Time) (in filing.Input, missing bool, err error) {
	raw, err := st.current(now)
	if err != nil {
		return in, false, fmt.Errorf("statement: %s: %w", st.Kind, err)
	}
	if in, err = st.Parse(raw, now); err != nil {
		return in, false, err
	}
	_, found, err := s.Filings.FindByPeriod(tx, st.Type, in.Period())
	return in, !found, err
}

// CreateMissing creates the record of the current time, as the system user, if it is missing.
func (s *Service) CreateMissing(tx filing.Tx, call tenant.Call, st *CalendarRecord) error {
	in, missing, err := s.Missing(tx, st, tx.Now())
	if err != nil || !missing {
		return err
	}
	call.Principal = tenant.System(call.Org)
	_, err = s.Filings.Create(tx, call, st.Type, in)
	return err
}
