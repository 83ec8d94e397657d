package page

import (
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Charges are the estimated charges of an item whose measures are held, as the template "charges" shows them.
type Charges struct {
	Number  int    // of the item
	Option  string // the duty that is declared
	Lines   []ChargeLine
	Total   string
	Cheaper []string // lawful ways that cost less
	Missing []string
}

// ChargeLine is one charge.
type ChargeLine struct{ Name, Type, Rate, Law, Amount, Settlement, Reason string }

// ChargesOf returns the charges of an item; nil if only third-country duty and VAT of its code are held.
func ChargesOf(c *customs.ItemCharges, number int) *Charges {
	if !c.ByMeasures() {
		return nil
	}
	shown := &Charges{Number: number}
	if c.Option != nil {
		shown.Option = c.Option.Label
	}
	var total quantity.Money
	for i := range c.Charges {
		one := &c.Charges[i]
		l := ChargeLine{Name: one.Name(), Type: one.Type, Rate: one.Rate, Law: one.Law(), Settlement: one.Settlement(), Amount: "not known"}
		if one.Amount != nil {
			l.Amount = "£" + one.Amount.Fixed()
		}
		if one.Suspension != nil {
			l.Reason = one.Suspension.Reason
		}
		if !one.Besides {
			total = total.Add(one.Sum())
		}
		shown.Lines = append(shown.Lines, l)
	}
	shown.Total = "£" + total.Fixed()
	for _, a := range c.Alternatives() {
		shown.Cheaper = append(shown.Cheaper, a.InWords())
	}
	for _, m := range c.Missing {
		shown.Missing = append(shown.Missing, m.Message)
	}
	return shown
}
