package print

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// chargesOfItem returns the estimated duty and VAT of an item.
func chargesOfItem(c *customs.ItemCharges) []string {
	if c.Table != nil && !c.Table.Known {
		return []string{"–", "–"}
	}
	var sums charge.Sums
	sums.Add(&c.Assessment)
	return []string{pounds(sums.Duty), pounds(sums.VAT)}
}

// writeMoney writes what was estimated, assessed and is payable.
func (d *Document) writeMoney(w *pdfwriter.Writer) {
	w.Heading("Money")
	w.Paragraph("Customs value declared: " + d.worth())
	if !d.imports() {
		w.Paragraph("There is no customs duty or import VAT on exports.")
		return
	}
	sums, unknown := d.estimate()
	assessed := d.added.DutyBasis != "" && d.added.DutyBasis != "estimated"
	payable, known := customs.PayableOf(d.taxes)
	columns := []pdfwriter.Column{{Title: "Charge", Share: 3}, {Title: "Estimate", Share: 2, Right: true}, {Title: "Assessed by customs", Share: 2, Right: true}, {Title: "Payable", Share: 2, Right: true}}
	row := func(name string, estimate, byCustoms, toPay quantity.Money) []string {
		r := []string{name, pounds(estimate), "–", "–"}
		if assessed {
			r[2] = pounds(byCustoms)
		}
		if known {
			r[3] = pounds(toPay)
		}
		return r
	}
	w.Table(columns, each([][]string{
		row("Customs duty", sums.Duty, d.added.TotalDutyGBP, payable.Duty), row("Import VAT", sums.VAT, d.added.TotalVATGBP, payable.VAT),
		row("Other taxes", sums.Other, d.added.TotalOtherGBP, payable.Other),
	}))
	w.Total(columns, row("Total", sums.Duty.Add(sums.VAT).Add(sums.Other), d.added.TotalDutyGBP.Add(d.added.TotalVATGBP).Add(d.added.TotalOtherGBP),
		payable.Duty.Add(payable.VAT).Add(payable.Other)))
	if assessed {
		w.Note("The figures of customs are " + d.added.DutyBasis + ".")
	} else {
		w.Note("Customs has not assessed it yet.")
	}
	if sums.Postponed.Sign() > 0 {
		w.Note(pounds(sums.Postponed) + " of the estimated VAT is postponed: it is accounted for on the VAT return.")
	}
	if sums.Suspended.Sign() > 0 {
		w.Note(pounds(sums.Suspended) + " is suspended by a special procedure.")
	}
	if sums.Secured.Sign() > 0 {
		w.Note("A guarantee or a deposit has to cover " + pounds(sums.Secured) + ".")
	}
	if sums.Postponed.Sign() > 0 || sums.Suspended.Sign() > 0 || sums.Secured.Sign() > 0 {
		w.Note(pounds(sums.Due) + " of the estimate is payable at import.")
	}
	if unknown > 0 {
		w.Note(fmt.Sprintf("The estimate does not include %d items whose rate of duty or exchange rate is not known.", unknown))
	}
}

// writeClearance writes what customs decided.
func (d *Document) writeClearance(w *pdfwriter.Writer) {
	d.simulatedNote(w)
	w.Paragraph("Customs has released the goods of this declaration.")
	w.Heading("Parties and shipment")
	w.Columns(d.parties(), d.shipment())
	d.writeMoney(w)
	if d.taxes != nil {
		w.Heading("Taxes by item")
		w.Table([]pdfwriter.Column{{Title: "Item", Share: 1}, {Title: "Tax", Share: 1}, {Title: "Assessed", Share: 2, Right: true}, {Title: "Payable", Share: 2, Right: true}}, func(yield func([]string) bool) {
			for i := range d.taxes {
				t := &d.taxes[i]
				if !yield([]string{fmt.Sprint(t.Item), t.Type, amount(t.Assessed), amount(t.Payable)}) {
					return
				}
			}
		})
	}
	d.writeGoods(w)
}

func amount(m *quantity.Money) string {
	if m == nil {
		return "–"
	}
	return pounds(*m)
}
