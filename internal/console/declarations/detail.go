package declarations

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Limits of the page of a declaration.
const (
	itemsPerPage = 100
	maxErrors    = 50
)

// declarationView is the data of the page of a declaration.
type declarationView struct {
	customs.ReviewInput
	Added      customs.DeclarationAdds
	Summary    statusSummary
	Sequence   int64 // of the latest event on the page
	Items      []item
	Page       int // page of items, from 1
	NextItems  int // next page of items; 0 if there is none
	Cost       cost
	Charges    []*page.Charges // of the shown items whose measures are held
	Review     rules.Review
	Errors     []customsError
	MoreErrors int // number of errors that are not shown
	Deadlines  []filing.Deadline
	Timeline   []wording.TimelineEntry
	Allowed    allowedSteps
	Demands    []customs.Demand  // oldest first
	FileTypes  map[string]string // entered types of documents, by field

	Sections    []memberSection // members of the declaration that are set
	Derived     []derivedRow    // values that the service adds to the declaration
	MoreDerived int             // number of those that are not shown

	Amendments amendments
	Movements  []movementView // latest first

	charges []customs.ItemCharges // by item; nil for an export
}

// DemandTitles are the titles of demands by kind.
func (*declarationView) DemandTitles() map[string]string { return customs.DemandTitles }

// DemandWords are the words for the status of a demand.
func (*declarationView) DemandWords() map[string]string {
	return map[string]string{customs.DemandOpen: "Open", customs.DemandAnswered: "Answered", customs.DemandClosed: "Closed"}
}

// DemandColours are the colours for the status of a demand.
func (*declarationView) DemandColours() map[string]string {
	return map[string]string{customs.DemandOpen: "wait", customs.DemandAnswered: "note", customs.DemandClosed: "good"}
}

// allowedSteps is what can be done with a declaration in its status.
type allowedSteps struct {
	Edit, Submit, Cancel, Present, AddFiles, Amend, Move bool
	Vehicle                                              bool // it can be put into a goods movement record
	Supplement                                           bool // a supplementary declaration can be started from it
}

// item is an item with its estimated charges.
type item struct {
	customs.Item
	Number    int
	Duty, VAT string
	Rate      string   // duty rate as the tariff has it
	Taken     []string // labels of the members that were taken from the product
	Working   string   // how its customs value was computed
}

// Code returns the commodity code, in short or in full form; empty if there is none.
func (i item) Code() string {
	if i.CommodityCode == "" && len(i.Classifications) > 0 {
		return i.Classifications[0].ID
	}
	return i.CommodityCode
}

// Procedure returns the procedure, in short or in full form; empty if there is none.
func (i item) Procedure() string {
	if i.ProcedureCode == "" && len(i.Procedures) > 0 {
		return i.Procedures[0].Current + i.Procedures[0].Previous
	}
	return i.ProcedureCode
}

// cost compares the estimated charges with those that customs assessed.
type cost struct {
	Rows     []costRow
	Assessed bool
	Basis    string
	Unknown  int    // number of items without an estimate
	AsOf     string // date of the oldest rate
	Taxes    []customs.AssessedTax

	Postponed, Suspended, Secured string // of the estimate; empty for nothing
	Due                           string // what of the estimate is payable at import
	Payable                       bool   // whether customs has said what is payable
}

type costRow struct{ Name, Estimated, Assessed, Difference, Payable string }

// customsError is an error that customs found, with the page on which it can be corrected.
type customsError struct {
	explain.Explanation
	Where, Fix string
}

func (d *Declarations) detail(c *page.Context) error {
	s, err := d.read(c)
	if err != nil {
		return err
	}
	s.FileTypes = enteredTypes(c)
	if c.R.Method == http.MethodGet && s.Asked() {
		s.FileTypes["type-1"] = customs.QueryResponse
	}
	return c.Show("declaration", s.title(), s)
}

// rewordFindings replaces field names in findings by the labels of the form.
func rewordFindings(findings []rules.Finding) []rules.Finding {
	reworded := slices.Clone(findings)
	for i := range reworded {
		reworded[i].Message, reworded[i].Suggestion = worksheet.FormText(reworded[i].Message), worksheet.FormText(reworded[i].Suggestion)
	}
	return reworded
}

func (s *declarationView) title() string { return "Declaration " + s.Name() }

// read reads everything that the page shows, in one snapshot.
func (d *Declarations) read(c *page.Context) (*declarationView, error) {
	s := &declarationView{}
	var past history
	var rejection customs.Rejection
	var state sendState
	var details customs.Details
	err := c.View(func(tx page.Tx) (err error) {
		if s.ReviewInput, err = d.Customs.ReviewInput(tx, c.ID()); err != nil {
			return err
		}
		if s.Filing, err = d.Customs.Answered(tx, s.Filing, false); err != nil {
			return err
		}
		if rejection, err = d.Customs.RejectionOf(tx, s.Filing.ID); err != nil {
			return err
		}
		if details, err = d.Customs.Details(tx, &s.Filing); err != nil {
			return err
		}
		s.Cost.Taxes, s.Demands = details.Taxes, details.Demands
		if s.Deadlines, err = tx.DeadlinesOf(s.Filing.ID); err != nil {
			return err
		}
		if s.Sequence, err = lastOf(tx, s.Filing.ID); err != nil {
			return err
		}
		if state, err = sendStateOf(tx, s.Filing.ID); err != nil {
			return err
		}
		past, err = d.readHistory(tx, s.Filing.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(s.Filing.Added, &s.Added); err != nil {
		return nil, fmt.Errorf("console: declaration: %w", err)
	}
	if s.Added.Demands != nil {
		s.Demands = s.Added.Demands
	}
	s.addAmendments(details)
	s.Movements = movementViews(details.Movements)
	s.Review = d.Analysis.Review(s.ReviewInput)
	s.Review.Findings = rewordFindings(s.Review.Findings)
	if s.Timeline, err = d.timeline(c, past); err != nil {
		return nil, err
	}
	if err := d.explain(c, s, &rejection); err != nil {
		return nil, err
	}
	s.addCosts(d.Customs.ChargeSource())
	s.paginateItems(c.R.URL.Query().Get("items"))
	s.Allowed = d.allowed(s.Filing.Status, state)
	header, _ := memberForms()
	s.Sections = sectionsOf(header, "", s.Filing.Body, listLink(s.Filing.ID, 0))
	s.Derived, s.MoreDerived = derivedOf(s.Added.Derived, -1)
	s.Allowed.Supplement = s.Declaration.NeedsSupplement(s.Filing.Status, s.Added.SupplementedBy)
	s.Allowed.Present = s.Allowed.Present && s.Added.Prelodged && s.Added.MRN != nil
	s.Allowed.AddFiles = customs.TakesFiles(&s.Filing) == nil
	s.Allowed.Move = customs.MayMove(&s.Filing) == nil
	s.Allowed.Vehicle = s.Added.MRN != nil && c.Session.Hubs.Has("gvms") && (s.Filing.Status == lifecycle.Accepted || s.Filing.Status == customs.Cleared)
	s.Allowed.Amend = customs.MayAmend(&s.Filing) == nil && !s.Amendments.Open && !state.Pending
	s.Summary = summaryOf(s, state)
	return s, nil
}

// allowed returns what can be done with a declaration in this status.
func (d *Declarations) allowed(status lifecycle.State, state sendState) allowedSteps {
	t := d.Customs.Type.Lifecycle
	_, amend := t.Find(status, lifecycle.Amend)
	_, submit := t.Find(status, lifecycle.Submit)
	withCustoms := status == lifecycle.Submitted || status == lifecycle.Accepted
	return allowedSteps{
		Edit: amend && state.Finished, Submit: submit && !state.Pending, Present: status == lifecycle.Submitted,
		Cancel: status == customs.Cleared && !state.Cancelling || withCustoms && !state.Cancelling || status == lifecycle.Draft && state.Finished,
	}
}

// lastOf returns the sequence of the latest event of a record; 0 if there is none.
func lastOf(tx audit.View, id string) (int64, error) {
	last, err := tx.Events(audit.Query{ResourceID: id, Limit: 1})
	if err != nil || len(last) == 0 {
		return 0, err
	}
	return last[0].Sequence, nil
}

func (d *Declarations) explain(c *page.Context, s *declarationView, r *customs.Rejection) error {
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
		if i == maxErrors {
			s.MoreErrors = len(explained.Errors) - i
			break
		}
		s.Errors = append(s.Errors, customsError{Explanation: e, Where: fieldLabel(e.Field), Fix: correctionPath(s.Filing.ID, e.Field)})
	}
	return nil
}

// addCosts adds the items and compares their estimated charges with the assessed ones.
func (s *declarationView) addCosts(source *charge.Source) {
	s.Declaration = *s.Declaration.WithValues(s.Added.Valuation)
	s.charges = s.ReviewInput.ItemCharges(source)
	var sums charge.Sums
	for i := range s.Declaration.Items {
		shown := item{Item: s.Declaration.Items[i], Number: i + 1}
		if s.Imports() {
			sums.Add(&s.charges[i].Assessment)
			s.addCharge(&shown, &s.charges[i].Assessment)
		}
		s.Items = append(s.Items, shown)
	}
	s.Cost.Basis = s.Added.DutyBasis
	s.Cost.Assessed = s.Added.DutyBasis != "" && s.Added.DutyBasis != "estimated"
	s.Cost.addRows(&sums, &s.Added, len(s.Items))
	s.Cost.Due = pounds(sums.Due)
	if sums.Postponed.Sign() > 0 {
		s.Cost.Postponed = pounds(sums.Postponed)
	}
	if sums.Suspended.Sign() > 0 {
		s.Cost.Suspended = pounds(sums.Suspended)
	}
	if sums.Secured.Sign() > 0 {
		s.Cost.Secured = pounds(sums.Secured)
	}
}

// addCharge adds the charges of an item to its row, and to what is not known.
func (s *declarationView) addCharge(shown *item, a *charge.Assessment) {
	known := a.Complete()
	valued := shown.CustomsValueGBP != nil || !shown.Priced()
	if t := a.Table; t != nil {
		known = t.Known && valued
		if t.AsOf != "" && (s.Cost.AsOf == "" || t.AsOf < s.Cost.AsOf) {
			s.Cost.AsOf = t.AsOf
		}
	}
	if !known {
		s.Cost.Unknown++
	}
	if len(a.Charges) > 0 {
		shown.Rate = a.Charges[0].Rate
	}
	if valued && (known || a.Table == nil) {
		var own charge.Sums
		own.Add(a)
		shown.Duty, shown.VAT = pounds(own.Duty), pounds(own.VAT)
	}
}

// addRows compares the estimate with what customs assessed. Other taxes are left out where there are none.
func (c *cost) addRows(sums *charge.Sums, added *customs.DeclarationAdds, items int) {
	toPay, known := customs.PayableOf(c.Taxes)
	c.Payable = known
	add := func(name string, estimated, assessed, asked quantity.Money) {
		r := costRow{Name: name, Estimated: pounds(estimated)}
		if c.Unknown == items && items > 0 {
			r.Estimated = "–"
		}
		if c.Assessed {
			r.Assessed, r.Difference = pounds(assessed), difference(assessed.Sub(estimated))
		}
		if c.Payable {
			r.Payable = pounds(asked)
		}
		c.Rows = append(c.Rows, r)
	}
	add("Customs duty", sums.Duty, added.TotalDutyGBP, toPay.Duty)
	add("Import VAT", sums.VAT, added.TotalVATGBP, toPay.VAT)
	if sums.Other.Sign() > 0 || c.Assessed && added.TotalOtherGBP.Sign() > 0 {
		add("Other taxes", sums.Other, added.TotalOtherGBP, toPay.Other)
	}
	add("Total", sums.Duty.Add(sums.VAT).Add(sums.Other), added.TotalDutyGBP.Add(added.TotalVATGBP).Add(added.TotalOtherGBP), toPay.Duty.Add(toPay.VAT).Add(toPay.Other))
}

func (s *declarationView) Imports() bool { return s.Declaration.DeclarationType == customs.Import }

// takenBy returns the labels of the members that the item with an index has taken from its product.
func takenBy(derived []filing.Derived, index int) (labels []string) {
	for _, v := range derived {
		if member, of := strings.CutPrefix(v.Field, fmt.Sprintf("items[%d].", index)); of && v.From == "product" {
			labels = append(labels, strings.ToLower(form.Label(member)))
		}
	}
	return labels
}

// paginateItems keeps one page of the items; requested is its number.
func (s *declarationView) paginateItems(requested string) {
	s.Page = 1
	if n, err := strconv.Atoi(requested); err == nil && n > 1 && (n-1)*itemsPerPage < len(s.Items) {
		s.Page = n
	}
	from := (s.Page - 1) * itemsPerPage
	if from+itemsPerPage < len(s.Items) {
		s.NextItems = s.Page + 1
	}
	s.Items = s.Items[from:min(len(s.Items), from+itemsPerPage)]
	for i := range s.Items {
		s.Items[i].Taken = takenBy(s.Added.Derived, s.Items[i].Number-1)
		if s.Imports() {
			if shown := page.ChargesOf(&s.charges[s.Items[i].Number-1], s.Items[i].Number); shown != nil {
				s.Charges = append(s.Charges, shown)
			}
		}
		s.Items[i].Working = workingOf(&s.Items[i].Item, s.Added.Valuation, s.Items[i].Number-1)
	}
}

// Total returns the customs value of all items.
func (s *declarationView) Total() string { return s.Declaration.Worth(pounds(s.Declaration.Value())) }
