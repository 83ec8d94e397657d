package datamodel

import "strconv"

// WithoutCurrency returns the paths of the amounts that name no currency.
func WithoutCurrency(h *Header, items []Item) []string {
	w := &amountSearch{}
	w.see("invoiceTotal", h.InvoiceTotal)
	w.see("freightCharge", h.FreightCharge)
	w.charges("valuationAdjustments", h.ValuationAdjustments)
	for n := range h.Guarantees {
		w.see("guarantees["+strconv.Itoa(n)+"].amount", h.Guarantees[n].Amount)
	}
	for n := range items {
		w.item(n, &items[n])
	}
	return w.found
}

// amountSearch collects the paths of amounts without a currency.
type amountSearch struct{ found []string }

func (w *amountSearch) see(field string, a *Amount) {
	if a != nil && a.Currency == "" {
		w.found = append(w.found, field)
	}
}

func (w *amountSearch) charges(field string, all []Charge) {
	for n := range all {
		if a := all[n].Amount; a != nil && a.Currency == "" {
			w.found = append(w.found, field+"["+strconv.Itoa(n)+"].amount")
		}
	}
}

func (w *amountSearch) item(n int, i *Item) {
	w.member(n, "customsValue", i.CustomsValue)
	w.member(n, "statisticalValue", i.StatisticalValue)
	w.member(n, "itemPrice", i.ItemPrice)
	if len(i.ValuationAdjustments) > 0 {
		w.charges("items["+strconv.Itoa(n)+"].valuationAdjustments", i.ValuationAdjustments)
	}
	for k := range i.Documents {
		if o := i.Documents[k].WriteOff; o != nil {
			w.member(n, "documents["+strconv.Itoa(k)+"].writeOff.amount", o.Amount)
		}
	}
	for k := range i.TaxLines {
		t, at := &i.TaxLines[k], "taxLines["+strconv.Itoa(k)+"]."
		w.member(n, at+"baseAmount", t.BaseAmount)
		w.member(n, at+"deduction", t.Deduction)
		w.member(n, at+"assessed", t.Assessed)
		w.member(n, at+"payable", t.Payable)
	}
}

// member looks at an amount of an item.
func (w *amountSearch) member(n int, name string, a *Amount) {
	if a != nil && a.Currency == "" {
		w.see("items["+strconv.Itoa(n)+"]."+name, a)
	}
}
