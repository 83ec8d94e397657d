package declare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// checks are what stands beside the form: what is to mend, the findings of the rules, the estimate and the working of the values.
type checks struct {
	Parts    []tick
	Mistakes []pointer
	More     int // mistakes that are not listed
	Findings []finding
	Hidden   int // findings that are not listed
	Usual    int // values that the service adds
	Blockers int
	Warnings int
	Reviewed bool

	Duty, VAT, Other, Value quantity.Money
	Suspended               quantity.Money // of duty, VAT and other taxes
	Unknown                 int            // lines without an estimate
	Lines                   []lineCheck
}

// tick says whether a part of the form is complete.
type tick struct {
	ID, Name       string
	Wrong, Missing int
	Blockers       int  // findings for which customs would reject what is typed
	Optional       bool // it may stay empty, and is
}

// Tag returns the state of the part.
func (t tick) Tag() page.Tag {
	switch {
	case t.Wrong+t.Blockers > 0:
		return page.Tag{Text: fmt.Sprintf("%d to mend", t.Wrong+t.Missing+t.Blockers), Kind: "bad"}
	case t.Missing > 0:
		return page.Tag{Text: fmt.Sprintf("%d to fill in", t.Missing), Kind: "wait"}
	case t.Optional:
		return page.Tag{Text: "Empty"}
	}
	return page.Tag{Text: "Complete", Kind: "good"}
}

// pointer is a text that leads to a field.
type pointer struct{ Text, URL string }

// finding is a finding of the rules.
type finding struct {
	note
	Place, PointerText, URL string // the field, its label, and where it is
}

// lineCheck is the estimate of a line and the working of its customs value.
type lineCheck struct {
	estimate
	Number  int
	Working []string
}

// Limits of what stands beside the form.
const (
	mostListed = 10 // mistakes and findings
	mostLines  = 5  // lines with their charges
)

// Parts of the form.
const (
	partClient    = "client"
	partTransport = "transport"
	partParties   = "parties"
	partGoods     = "goods"
	partCosts     = "costs"
	partDocuments = "documents"
	partOther     = "other"
)

// partOf returns the part of the form that has a field.
func partOf(field string) string {
	record, rest, _ := strings.Cut(field, ".")
	at := placeOf(field)
	switch {
	case record == "shipment" && slices.ContainsFunc(partyFields, func(f worksheet.Field) bool { return f.Name == rest }):
		return partParties
	case at.Step == worksheet.StepJourney:
		return partTransport
	case record == "spread", record == "freight", record == "insurance":
		return partCosts
	case at.Step == worksheet.StepBasics:
		return partClient
	case at.Step == worksheet.StepGoods, at.Step == worksheet.StepItem:
		return partGoods
	case at.Step == worksheet.StepDocuments:
		return partDocuments
	case strings.HasPrefix(record, "valuationAdjustments"):
		return partCosts
	case strings.HasPrefix(record, "exchangeRates"):
		return partGoods
	}
	return partOther
}

// setParts counts the errors of each part.
func (f *entryView) setParts() {
	s := f.Worksheet
	all := []tick{
		{ID: partClient, Name: "Declaration and client"}, {ID: partTransport, Name: "Transport"}, {ID: partParties, Name: "Parties"}, {ID: partGoods, Name: "Goods"},
		{ID: partCosts, Name: "Freight and insurance", Optional: f.Costs == worksheet.Costs{ByMass: f.Costs.ByMass}},
		{ID: partDocuments, Name: "Documents", Optional: len(s.Documents) == 0}, {ID: partOther, Name: "Other details", Optional: s.OtherMembers() == 0},
	}
	for _, e := range f.Errors {
		if e.Field == nameField { // of a template, above all parts
			continue
		}
		at := slices.IndexFunc(all, func(t tick) bool { return t.ID == partOf(e.Field) })
		if e.Message == "is required" {
			all[at].Missing++
		} else {
			all[at].Wrong++
		}
	}
	f.Checks.Parts = slices.DeleteFunc(all, func(t tick) bool {
		return f.GoodsOnly() && (t.ID == partClient || t.ID == partTransport || t.ID == partParties) || t.ID == partCosts && !s.Imports()
	})
}

// Part returns the state of a part.
func (f *entryView) Part(id string) (tick, error) {
	for _, t := range f.Checks.Parts {
		if t.ID == id {
			return t, nil
		}
	}
	return tick{}, fmt.Errorf("declare: no part %s", id)
}

// buildChecks works out what stands beside the form.
func (d *Declare) buildChecks(c *page.Context, f *entryView) {
	f.setParts()
	for _, e := range f.Errors[:min(len(f.Errors), mostListed)] {
		f.Checks.Mistakes = append(f.Checks.Mistakes, pointer{f.ErrorText(e), f.EntryURL(e.Field)})
	}
	f.Checks.More = len(f.Errors) - len(f.Checks.Mistakes)
	if f.started() && !f.OfTemplate() { // the rules are about a whole declaration
		d.addFindings(c, f)
	}
	d.addEstimates(c, f)
}

// noRate is the rule about currencies without an exchange rate.
const noRate = "DEC-123"

// started reports whether any goods are typed.
func (f *entryView) started() bool {
	return slices.ContainsFunc(f.Worksheet.Items, func(p worksheet.Part) bool { return !p.Empty() || p.Kept != nil })
}

// addFindings adds the findings of the rules about what is typed. A field with an error has no findings besides it.
func (d *Declare) addFindings(c *page.Context, f *entryView) {
	if err := c.TakeFromBudget(d.CheckBudget); err != nil {
		f.OverBudget = true
		return
	}
	wrong := map[string]bool{}
	for _, e := range f.Errors {
		wrong[e.Field] = true
	}
	r := d.Review(*f.reviewInput)
	f.Checks.Reviewed = true
	for _, one := range rules.Merge(r.Findings) {
		switch {
		case wrong[one.Field]:
			continue
		case one.Value != "":
			f.Checks.Usual++
			continue
		case one.Code == noRate && f.Rates != nil: // the fields for rates say it
			continue
		case one.Severity == rules.Blocker:
			f.Checks.addBlocker(one.Field)
		case one.Severity == rules.Warning:
			f.Checks.Warnings++
		}
		if len(f.Checks.Findings) == mostListed {
			f.Checks.Hidden++
			continue
		}
		n := noteOf(one.Finding)
		if also := one.Also(); also != "" {
			n.Text += " " + also + "."
		}
		f.Checks.Findings = append(f.Checks.Findings, finding{n, one.Field, f.Label(one.Field), f.EntryURL(one.Field)})
	}
}

// addBlocker counts a finding for which customs would reject the declaration, in the part of the form that has its field.
func (k *checks) addBlocker(field string) {
	k.Blockers++
	if at := slices.IndexFunc(k.Parts, func(t tick) bool { return t.ID == partOf(field) }); field != "" && at >= 0 {
		k.Parts[at].Blockers++
	}
}

// EntryURL returns the URL of a field in the form on one page, or on the step that has it.
func (f *entryView) EntryURL(field string) string {
	at := placeOf(field)
	switch rate := rateOf(f.Worksheet, field); {
	case rate != "":
		return "#" + rate
	case at.Section != "" && !inGrid(field) && f.Worksheet.ID != "":
		return at.url(f.Worksheet.ID)
	case (at.Step == worksheet.StepGoods || inGrid(field)) && (at.Item < f.From || at.Item >= f.From+linesShown) && !f.unsaved:
		return f.pagePath() + "?faults=shown&from=" + strconv.Itoa(at.Item) + "#" + field
	}
	if name, listed := strings.CutPrefix(field, "items["); listed && !strings.Contains(name, ".") {
		return "#" + lineID(at.Item)
	}
	return "#" + field
}

// inGrid reports whether a field is a cell of the grid.
func inGrid(field string) bool {
	_, member, _ := strings.Cut(field, ".")
	return strings.HasPrefix(field, "items[") && slices.Contains(worksheet.Columns, member)
}

// addEstimates adds the estimate of what is typed, and the working of the customs values.
func (d *Declare) addEstimates(c *page.Context, f *entryView) {
	k := &f.Checks
	for n := range f.declared.Items {
		k.Value = k.Value.Add(f.declared.Items[n].Value())
	}
	if !f.Worksheet.Imports() {
		return
	}
	charges := f.declared.ItemCharges(d.Customs.ChargeSource(), c.Now())
	for n := range charges {
		one := &charges[n]
		var sums charge.Sums
		sums.Add(&one.Assessment)
		e := estimate{Known: one.ByMeasures() || one.Table != nil && one.Table.Known, Duty: sums.Duty, VAT: sums.VAT, Other: sums.Other, Suspended: sums.Suspended, item: one}
		k.Duty, k.VAT, k.Other, k.Suspended = k.Duty.Add(e.Duty), k.VAT.Add(e.VAT), k.Other.Add(e.Other), k.Suspended.Add(e.Suspended)
		if n < len(f.values) && f.values[n].Missing != nil {
			e.Known = false
		}
		if !e.Known {
			k.Unknown++
		}
		if first := max(f.From, min(f.line, f.Last()-mostLines)); n >= first && n < first+mostLines {
			k.Lines = append(k.Lines, lineCheck{e, n + 1, f.working(n)})
		}
	}
}

// working returns how the customs value of a line is computed; nil for a line without a price.
func (f *entryView) working(n int) (steps []string) {
	amount, currency := f.Worksheet.Items[n].Price()
	if amount == "" || n >= len(f.values) {
		return nil
	}
	v := f.values[n]
	switch {
	case v.Given:
		return []string{fmt.Sprintf("Price %s %s. Customs value £%s as entered.", currency, amount, v.Customs.Fixed())}
	case len(v.Missing) > 0:
		return []string{fmt.Sprintf("No estimate: there is no exchange rate of %s for %s. Customs converts the price with its own rate.", strings.Join(v.Missing, " and "), f.Month)}
	case v.Price == nil:
		return nil
	case v.Rate == nil:
		steps = append(steps, "Price £"+v.Price.Fixed())
	default:
		steps = append(steps, fmt.Sprintf("Price %s %s ÷ %s = £%s", currency, amount, v.Rate.Units, v.Price.Fixed()), rateSource(v.Rate))
	}
	if v.Adjustments != nil && v.Adjustments.Sign() != 0 {
		by := "value"
		if f.Costs.ByMass {
			by = "net mass"
		}
		if f.Costs.Other {
			by = "the other details"
		}
		steps = append(steps, fmt.Sprintf("Freight, insurance and other additions by %s (DE 4/9): £%s", by, v.Adjustments.Fixed()))
	}
	if v.Customs != nil {
		steps = append(steps, "Customs value £"+v.Customs.Fixed()+", rounded once to the penny")
	}
	return steps
}

// rateSource names the source and the period of a rate.
func rateSource(r *duty.Rate) string {
	source := map[string]string{"HMRC_MONTHLY": "HMRC monthly rate", "HMRC_WEEKLY": "HMRC weekly rate", "CONTRACT": "Rate of the contract"}[r.Source]
	if source == "" {
		source = "Rate as entered"
	}
	first, last, _ := strings.Cut(r.Period, "/")
	from, err := time.Parse(time.DateOnly, first)
	to, err2 := time.Parse(time.DateOnly, last)
	if err != nil || err2 != nil {
		return source
	}
	return fmt.Sprintf("%s, %s to %s", source, from.Format("2 January"), to.Format("2 January 2006"))
}

// Summary returns the state of the form in one line.
func (k checks) Summary() string {
	var words []string
	wrong, missing := 0, 0
	for _, t := range k.Parts {
		wrong, missing = wrong+t.Wrong, missing+t.Missing
	}
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			words = append(words, "1 "+one)
		case n > 1:
			words = append(words, strconv.Itoa(n)+" "+many)
		}
	}
	add(wrong, "to mend", "to mend")
	add(missing, "to fill in", "to fill in")
	add(k.Blockers, "problem", "problems")
	add(k.Warnings, "warning", "warnings")
	if words == nil && k.Reviewed {
		words = append(words, "Ready to submit")
	}
	if k.Duty.Sign() > 0 || k.VAT.Sign() > 0 {
		words = append(words, "Duty "+pounds(k.Duty), "VAT "+pounds(k.VAT))
	}
	return strings.Join(words, " · ")
}

// HasOther reports whether a line owes other taxes than duty and VAT.
func (k checks) HasOther() bool { return k.Other.Sign() > 0 }
