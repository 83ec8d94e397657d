package statements

import (
	"cmp"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

func sortNewest(rows []periodRow) {
	sorting.Stable(rows, func(a, b periodRow) int { return cmp.Compare(b.PeriodKey, a.PeriodKey) })
}

// periodView is the data of the form for a return.
type periodView struct {
	Period  period
	Return  *vatReturn
	Imports filing.Sum        // VAT of the imports cleared in the period
	Boxes   map[string]string // of the draft, as entered
}

func (s *Statements) periodPage(c *page.Context) error {
	var shown periodView
	err := c.View(func(tx page.Tx) (err error) {
		if shown.Period, shown.Return, err = s.loadPeriod(tx, c.ID()); err != nil {
			return err
		}
		shown.Imports, err = imports(tx, shown.Period.PeriodKey)
		return err
	})
	if err != nil {
		return err
	}
	shown.Boxes = shown.Return.boxValues()
	if shown.Return != nil && !shown.Return.Draft() {
		return c.Redirect("/vat/returns/" + shown.Return.ID)
	}
	return c.Show("statements-vat-period", "VAT return "+shown.Period.PeriodKey, shown)
}

// imports returns the VAT of the imports cleared in a period until now.
func imports(tx page.Tx, key string) (filing.Sum, error) {
	p, err := tax.ParsePeriod(key)
	if err != nil {
		return filing.Sum{}, err
	}
	return tx.Sum(customs.ImportVAT, p.Start, p.End)
}

func (s *Statements) prepareReturn(c *page.Context) error {
	if err := c.View(func(tx page.Tx) error { _, err := tx.Filing(tax.PeriodKind, c.ID()); return err }); err != nil {
		return err
	}
	ask, err := readBoxes(c)
	var f filing.Filing
	if err == nil {
		f, err = s.prepare(c, tax.Kind, ask, s.checkNotSent)
	}
	if err != nil {
		return c.Redisplay(err, func() error { return s.periodPage(c) })
	}
	return c.RedirectWithNotice("/vat/returns/"+f.ID, "return-drawn")
}

// checkNotSent returns an error if HMRC may have the return already.
func (s *Statements) checkNotSent(tx page.Tx, computed filing.Input) error {
	f, found, err := s.Filings.FindByPeriod(tx, s.VAT.Returns, computed.Period())
	if err != nil || !found {
		return err
	}
	return s.VAT.CheckTransition(tx, f.ID, lifecycle.Refresh)
}

// readBoxes reads the boxes of the form; the error has all invalid amounts.
func readBoxes(c *page.Context) (ask tax.ReturnRequest, err error) {
	ask.PeriodID = c.ID()
	var wrong []apierr.Detail
	for name, box := range map[string]**quantity.Money{
		"box1VatDueSales": &ask.Box1VATDueSales, "box2VatDueAcquisitions": &ask.Box2VATDueAcquisitions, "box4AdditionalReclaim": &ask.Box4AdditionalReclaim,
		"box6TotalSales": &ask.Box6TotalSales, "box7TotalPurchases": &ask.Box7TotalPurchases,
		"box8TotalSuppliesEu": &ask.Box8TotalSuppliesEU, "box9TotalAcquisitionsEu": &ask.Box9TotalAcquisitionsEU,
	} {
		text := plainAmount(c.Value(name))
		if text == "" {
			continue
		}
		amount, err := quantity.ParseMoney(text)
		if err != nil {
			wrong = append(wrong, apierr.Detail{Field: name, Message: "must be an amount in pounds, such as 1234.56"})
			continue
		}
		*box = &amount
	}
	if wrong == nil {
		return ask, nil
	}
	sorting.Stable(wrong, func(a, b apierr.Detail) int { return cmp.Compare(a.Field, b.Field) })
	return ask, apierr.Invalid(wrong...)
}

// plainAmount removes currency signs, commas and spaces from an amount.
func plainAmount(text string) string {
	return strings.NewReplacer("£", "", ",", "", " ", "", minus, "-").Replace(text)
}

// boxValues returns the boxes of a draft as form values; zero amounts are left out.
func (r *vatReturn) boxValues() map[string]string {
	boxes := map[string]string{}
	if r == nil {
		return boxes
	}
	for name, amount := range map[string]quantity.Money{
		"box1VatDueSales": r.Box1VATDueSales, "box2VatDueAcquisitions": r.Box2VATDueAcquisitions, "box4AdditionalReclaim": r.Box4AdditionalReclaim,
		"box6TotalSales": r.Box6TotalSales, "box7TotalPurchases": r.Box7TotalPurchases, "box8TotalSuppliesEu": r.Box8TotalSuppliesEU, "box9TotalAcquisitionsEu": r.Box9TotalAcquisitionsEU,
	} {
		switch {
		case amount.IsZero():
		case strings.HasPrefix(name, "box4") || strings.HasPrefix(name, "box1") || strings.HasPrefix(name, "box2"):
			boxes[name] = amount.Fixed()
		default: // in whole pounds
			boxes[name] = amount.String()
		}
	}
	return boxes
}
