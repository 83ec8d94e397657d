package statements

import (
	"github.com/tidewaiter/tidewaiter/internal/console/decided"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// acceptView is the data of the page that marks a report as accepted.
type acceptView struct {
	Report report
	Fields decided.Fields
}

// acceptable returns the report in the path, with its kind.
func (s *Statements) acceptable(c *page.Context) (r report, k *statement.Kind, err error) {
	if k, err = s.kind(cbam.ReportKind); err == nil {
		r, err = s.report(c)
	}
	return r, k, err
}

func (s *Statements) confirmAcceptReport(c *page.Context) error {
	r, k, err := s.acceptable(c)
	if err != nil {
		return err
	}
	return c.Show("statements-cbam-accept", "Mark the CBAM report of "+r.Quarter+" as accepted?", acceptView{r, decided.FieldsOf(k.Type, &r.Filing, lifecycle.MarkAccepted)})
}

func (s *Statements) acceptReport(c *page.Context) error {
	r, k, err := s.acceptable(c)
	if err != nil {
		return err
	}
	entry, err := decided.FieldsOf(k.Type, &r.Filing, lifecycle.MarkAccepted).Read(c)
	if err == nil {
		err = s.Decisions.Check(c.R.Context(), &entry, c.Now())
	}
	if err == nil {
		err = c.Update(func(tx page.Tx) error {
			_, err := s.Decisions.Mark(tx, c.Call(), k.Type, c.ID(), lifecycle.MarkAccepted, nil, entry)
			return err
		})
	}
	if apierr.Is(err, apierr.InvalidState) {
		q, _ := calendar.ParseQuarter(r.Quarter)
		return c.Redisplay(err, func() error { return s.showQuarter(c, q) })
	}
	if err != nil {
		c.Label = decided.Label
		return c.Redisplay(err, func() error { return s.confirmAcceptReport(c) })
	}
	return c.RedirectWithNotice("/cbam/quarters/"+r.Quarter, "report-accepted")
}

// reportFile sends the authority's document.
func (s *Statements) reportFile(c *page.Context) error {
	return decided.SendDocument(c, cbam.ReportKind)
}
