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
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
)

// record is a stored report or return, with the values that the service added.
type record struct {
	filing.Filing
	Reference   string
	SubmittedAt time.Time

	filing.Decided
}

// SimulatedReference returns the reference if this service or a simulator made it; otherwise an empty text.
func (r record) SimulatedReference() string {
	if filing.SourceOf(r.Kind, r.Added).IsOfAuthority() {
		return ""
	}
	return r.Reference
}

// recordOf reads a report or return; field is the member with its reference.
func recordOf(f filing.Filing, field string) (r record, err error) {
	r.Filing = f
	added := map[string]json.RawMessage{}
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return r, fmt.Errorf("console: added values of %s: %w", f.ID, err)
	}
	for name, target := range map[string]any{field: &r.Reference, "submittedAt": &r.SubmittedAt} {
		if raw, ok := added[name]; ok {
			if err := json.Unmarshal(raw, target); err != nil {
				return r, fmt.Errorf("console: %s of %s: %w", name, f.ID, err)
			}
		}
	}
	return r, json.Unmarshal(f.Added, &r.Decided)
}

// Draft reports whether the record can still be changed.
func (r record) Draft() bool { return r.Status == lifecycle.Draft }

// Submitted reports whether the record is submitted and not accepted yet.
func (r record) Submitted() bool { return r.Status == lifecycle.Submitted }

// review reviews a record without recording an event. Submitted records are reviewed as of
// their submission.
func (s *Statements) review(c *page.Context, r record) (rules.Review, error) {
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

// transition takes a step of the record in the path; may checks it in the same transaction.
func (s *Statements) transition(c *page.Context, name string, by lifecycle.Action, may func(page.Tx) error) error {
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

// export sends the XML document of a record as a file.
func (s *Statements) export(c *page.Context, f *filing.Filing, file string) error {
	k, err := s.kind(f.Kind)
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/xml; charset=utf-8")
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+file+`.xml"`)
	return s.Statements.Export(c.R.Context(), c.Session.Org, k, f, c.W)
}

func (s *Statements) printReport(c *page.Context) error { return s.print(c, cbam.ReportKind) }

func (s *Statements) printReturn(c *page.Context) error { return s.print(c, tax.Kind) }

// print sends the record in the path as PDF.
func (s *Statements) print(c *page.Context, kind string) error {
	var document *print.Statement
	err := c.View(func(tx page.Tx) (err error) { document, err = s.Printer.Statement(tx, kind, c.ID()); return err })
	if err != nil {
		return err
	}
	return c.SendDocument(document.FileName(), document.Write)
}

// eventsShown is the maximum number of events in the history.
const eventsShown = 50

// history returns the events of a record, newest first. It opens transactions.
func (s *Statements) history(c *page.Context, id string) ([]wording.TimelineEntry, error) {
	var batch *wording.EventBatch
	err := c.View(func(tx page.Tx) error {
		events, err := tx.Events(audit.Query{ResourceID: id, Limit: eventsShown})
		if err != nil {
			return err
		}
		batch, err = s.Describer.Load(tx, events, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	lines, err := s.Describer.Lines(c.R.Context(), c.Session.Org, batch)
	return s.Describer.Timeline(lines), err
}

func noCheck(page.Tx) error { return nil }
