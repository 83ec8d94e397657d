package statements

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// record is a statement as it is stored, with what the service added to it.
type record struct {
	filing.Filing
	Reference   string
	SubmittedAt time.Time
}

// recordOf reads a statement whose reference stands in a field.
func recordOf(f filing.Filing, field string) (r record, err error) {
	r.Filing = f
	added := map[string]json.RawMessage{}
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return r, fmt.Errorf("console: what was added to %s: %w", f.ID, err)
	}
	for name, target := range map[string]any{field: &r.Reference, "submittedAt": &r.SubmittedAt} {
		if raw, ok := added[name]; ok {
			if err := json.Unmarshal(raw, target); err != nil {
				return r, fmt.Errorf("console: %s of %s: %w", name, f.ID, err)
			}
		}
	}
	return r, nil
}

// Draft reports whether the statement can still be changed.
func (r record) Draft() bool { return r.Status == lifecycle.Draft }

// Submitted reports whether it waits to be accepted.
func (r record) Submitted() bool { return r.Status == lifecycle.Submitted }

// judged is what the rules find in a statement, without a trace in the trail. What
// was submitted is judged as of then.
func (s *Statements) judged(c *page.Context, r record) (rules.Review, error) {
	k, err := s.kind(r.Kind)
	if err != nil {
		return rules.Review{}, err
	}
	facts := rules.Facts{}
	if s.Filings.Facts != nil {
		facts = s.Filings.Facts()
	}
	if facts.Now = r.SubmittedAt; facts.Now.IsZero() {
		facts.Now = c.Now()
	}
	return k.Review(r.Body, facts)
}

// act takes a step with the statement of the path.
func (s *Statements) act(c *page.Context, name string, by lifecycle.Action, may func(page.Tx) error) error {
	k, err := s.kind(name)
	if err != nil {
		return err
	}
	return c.Update(func(tx page.Tx) error {
		if err := may(tx); err != nil {
			return err
		}
		_, err := s.Filings.Transition(tx, c.Call(), k.Type, c.ID(), by, filing.TransitionData{})
		return err
	})
}

// export answers with the document of a statement, to be saved.
func (s *Statements) export(c *page.Context, f *filing.Filing, file string) error {
	k, err := s.kind(f.Kind)
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/xml; charset=utf-8")
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+file+`.xml"`)
	return s.Statements.Export(c.R.Context(), c.Session.Org, k, f, c.W)
}

// eventsShown is the longest history of a statement that its page shows.
const eventsShown = 50

// history is the trail of a statement, newest event first. It opens transactions of
// its own.
func (s *Statements) history(c *page.Context, id string) ([]wording.TimelineEntry, error) {
	var told *wording.EventBatch
	err := c.View(func(tx page.Tx) error {
		events, err := tx.Events(audit.Query{ResourceID: id, Limit: eventsShown})
		if err != nil {
			return err
		}
		told, err = s.Clerk.Load(tx, events, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	lines, err := s.Clerk.Lines(c.R.Context(), c.Session.Org, told)
	return s.Clerk.Timeline(lines), err
}

func anybody(page.Tx) error { return nil }
