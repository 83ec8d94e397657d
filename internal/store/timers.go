package store

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// replaceTimer replaces the timer of a changed record.
func (t *Tx) replaceTimer(c *filing.Change) error {
	f := &c.Filing
	if f.Version > 1 {
		if _, err := t.exec("DELETE FROM timers WHERE org_id = $1 AND filing_id = $2", f.ID); err != nil {
			return fmt.Errorf("store: former timer: %w", err)
		}
	}
	if !c.Timer.IsSet() {
		return nil
	}
	_, err := t.exec("INSERT INTO timers (org_id, filing_id, kind, action, run_after) VALUES ($1, $2, $3, $4, $5)",
		f.ID, f.Kind, string(c.Timer.Action), instant(c.Timer.After))
	if err != nil {
		return fmt.Errorf("store: timer: %w", err)
	}
	return nil
}

// Timer returns the timer of a record; one without an action if there is none.
func (t *Tx) Timer(filingID string) (timer filing.Timer, err error) {
	_, err = t.row("SELECT action, run_after FROM timers WHERE org_id = $1 AND filing_id = $2", []any{filingID}, &timer.Action, (*instant)(&timer.After))
	if err != nil {
		return timer, fmt.Errorf("store: timer: %w", err)
	}
	return timer, nil
}
