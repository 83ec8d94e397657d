package declarations

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Limits of the page of a declaration.
const (
	itemsShown  = 100
	errorsShown = 50
)

// shown is everything that is known of a declaration.
type shown struct {
	customs.ReviewInput
	Added     customs.DeclarationAdds
	Standing  standing
	Sequence  int64 // of the last event that the page tells of
	Items     []item
	Page      int // of the items, from 1
	NextItems int // page; 0 for none
	Cost      cost
	Review    rules.Review
	Errors    []mistake
	More      int // errors that are not shown
	Deadlines []filing.Deadline
	Timeline  []wording.Moment
	May       may
}

// may says which steps the declaration can take.
type may struct{ Edit, Submit, Cancel bool }

// item is one of the goods with what it would cost.
type item struct {
	customs.Item
	Number    int
	Duty, VAT string
	Rate      string // the duty as the tariff writes it
}

// cost is the estimate beside what customs assessed.
type cost struct {
	Rows     []costRow
	Assessed bool
	Basis    string
	Unknown  int    // items for which there is no estimate
	AsOf     string // day of the oldest rates
	Taxes    []customs.AssessedTax
}

type costRow struct{ Name, Estimated, Assessed, Difference string }

// mistake is what customs found wrong, with the page where it is mended.
type mistake struct {
	explain.Explanation
	Where, Fix string
}

func (d *Declarations) one(c *page.Context) error {
	s, err := d.read(c)
	if err != nil {
		return err
	}
	return c.Show("declaration", s.title(), s)
}

// inWords are findings in the words of the form that mends them.
func inWords(findings []rules.Finding) []rules.Finding {
	said := slices.Clone(findings)
	for i := range said {
		said[i].Message, said[i].Suggestion = worksheet.FormText(said[i].Message), worksheet.FormText(said[i].Suggestion)
	}
	return said
}

func (s *shown) title() string { return "Declaration " + s.Added.LRN }

// read gathers all that the page shows, as it stands at one moment.
func (d *Declarations) read(c *page.Context) (*shown, error) {
	s := &shown{}
	var happened life
	var rejection customs.Rejection
	var state sending
	err := c.View(func(tx page.Tx) (err error) {
		if s.ReviewInput, err = d.Customs.ReviewInput(tx, c.ID()); err != nil {
			return err
		}
		if rejection, err = d.Customs.RejectionOf(tx, s.Filing.ID); err != nil {
			return err
		}
		details, err := d.Customs.Details(tx, &s.Filing)
		if err != nil {
			return err
		}
		s.Cost.Taxes = details.Taxes
		if s.Deadlines, err = tx.DeadlinesOf(s.Filing.ID); err != nil {
			return err
		}
		if s.Sequence, err = lastOf(tx, s.Filing.ID); err != nil {
			return err
		}
		if state, err = sendingOf(tx, s.Filing.ID); err != nil {
			return err
		}
		happened, err = d.lifeOf(tx, s.Filing.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(s.Filing.Added, &s.Added); err != nil {
		return nil, fmt.Errorf("console: declaration: %w", err)
	}
	s.Review = d.Analysis.Review(s.ReviewInput)
	s.Review.Findings = inWords(s.Review.Findings)
	if s.Timeline, err = d.tell(c, happened); err != nil {
		return nil, err
	}
	if err := d.explain(c, s, &rejection); err != nil {
		return nil, err
	}
	s.price(d.Tariff)
	s.list(c.R.URL.Query().Get("items"))
	s.May = d.steps(s.Filing.Status, state)
	s.Standing = standingOf(s, state)
	return s, nil
}

// steps says what can be done with a declaration as it stands.
func (d *Declarations) steps(status lifecycle.State, state sending) may {
	t := d.Customs.Type.Lifecycle
	_, amend := t.Find(status, lifecycle.Amend)
	_, submit := t.Find(status, lifecycle.Submit)
	underWay := status == lifecycle.Submitted || status == lifecycle.Accepted
	return may{
		Edit: amend && state.Settled, Submit: submit && !state.Pending,
		Cancel: underWay && !state.Cancelling || status == lifecycle.Draft && state.Settled,
	}
}

// lastOf is the sequence of the last event of a record.
func lastOf(tx audit.View, id string) (int64, error) {
	last, err := tx.Events(audit.Query{ResourceID: id, Limit: 1})
	if err != nil || len(last) == 0 {
		return 0, err
	}
	return last[0].Sequence, nil
}

func (d *Declarations) explain(c *page.Context, s *shown, r *customs.Rejection) error {
	if len(r.Errors) == 0 {
		return nil
	}
	q, err := explain.About(r)
	if err != nil {
		return err
	}
	explained, err := d.Explain(c.R.Context(), c.Session.Org, q)
	if err != nil {
		return err
	}
	for i, e := range explained.Errors {
		if i == errorsShown {
			s.More = len(explained.Errors) - i
			break
		}
		s.Errors = append(s.Errors, mistake{Explanation: e, Where: where(e.Field), Fix: fixAt(s.Filing.ID, e.Field)})
	}
	return nil
}

// price works out what the goods would cost, beside what customs says that they do.
func (s *shown) price(t customs.Tariff) {
	charges := s.Declaration.Charges(t, s.At)
	var duty, vat quantity.Money
	for i := range charges {
		duty, vat = duty.Add(charges[i].Duty), vat.Add(charges[i].VAT)
		if s.Imports() && !charges[i].Known {
			s.Cost.Unknown++
		}
		if day := charges[i].AsOf; day != "" && (s.Cost.AsOf == "" || day < s.Cost.AsOf) {
			s.Cost.AsOf = day
		}
		s.Items = append(s.Items, itemOf(&s.Declaration.Items[i], i+1, charges[i], s.Imports()))
	}
	s.Cost.Basis = s.Added.DutyBasis
	s.Cost.Assessed = s.Added.DutyBasis != "" && s.Added.DutyBasis != "estimated"
	for _, row := range []struct {
		name                string
		estimated, assessed quantity.Money
	}{
		{"Customs duty", duty, s.Added.TotalDutyGBP}, {"Import VAT", vat, s.Added.TotalVATGBP},
		{"Together", duty.Add(vat), s.Added.TotalDutyGBP.Add(s.Added.TotalVATGBP)},
	} {
		r := costRow{Name: row.name, Estimated: pounds(row.estimated)}
		if s.Cost.Assessed {
			r.Assessed, r.Difference = pounds(row.assessed), difference(row.assessed.Sub(row.estimated))
		}
		s.Cost.Rows = append(s.Cost.Rows, r)
	}
}

func (s *shown) Imports() bool { return s.Declaration.DeclarationType == customs.Import }

func itemOf(i *customs.Item, number int, c tariff.Charge, imported bool) item {
	shown := item{Item: *i, Number: number, Rate: c.Expression}
	if imported && c.Known {
		shown.Duty, shown.VAT = pounds(c.Duty), pounds(c.VAT)
	}
	return shown
}

// list keeps one page of the items.
func (s *shown) list(asked string) {
	s.Page = 1
	if n, err := strconv.Atoi(asked); err == nil && n > 1 && (n-1)*itemsShown < len(s.Items) {
		s.Page = n
	}
	from := (s.Page - 1) * itemsShown
	if from+itemsShown < len(s.Items) {
		s.NextItems = s.Page + 1
	}
	s.Items = s.Items[from:min(len(s.Items), from+itemsShown)]
}

// Total is the customs value of all items.
func (s *shown) Total() string { return pounds(s.Declaration.Value()) }
