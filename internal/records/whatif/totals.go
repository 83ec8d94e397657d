package whatif

import (
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Totals are sums of charges in pounds. A difference may be negative.
type Totals struct {
	Duty     quantity.Money  `json:"dutyGbp" doc:"Duty"`
	Remedies quantity.Money  `json:"remediesGbp" doc:"Trade remedies"`
	Excise   quantity.Money  `json:"exciseGbp" doc:"Excise duty"`
	VAT      quantity.Money  `json:"vatGbp" doc:"VAT"`
	Total    quantity.Money  `json:"totalGbp" doc:"Sum of what is due at the border"`
	Later    *quantity.Money `json:"laterGbp" nullable:"true" doc:"UK CBAM, which is due by return and not part of the sum; null if the amount of a line is not known"`
}

// largest is the largest total of a line that is added, so that no sum of lines is too large.
var largest = quantity.MustMoney("99999999999.99")

// totalsOf are the totals of an option that is complete.
func totalsOf(t *duty.Totals) Totals {
	return Totals{Duty: t.Duty, Remedies: t.Remedies, Excise: t.Excise, VAT: t.VAT, Total: *t.Total, Later: &quantity.Money{}}
}

func (t Totals) combine(u Totals, money func(a, b quantity.Money) quantity.Money) Totals {
	out := Totals{
		Duty: money(t.Duty, u.Duty), Remedies: money(t.Remedies, u.Remedies), Excise: money(t.Excise, u.Excise), VAT: money(t.VAT, u.VAT), Total: money(t.Total, u.Total),
	}
	if t.Later != nil && u.Later != nil {
		sum := money(*t.Later, *u.Later)
		out.Later = &sum
	}
	return out
}

func (t Totals) add(u Totals) Totals { return t.combine(u, quantity.Money.Add) }

func (t Totals) minus(u Totals) Totals { return t.combine(u, quantity.Money.Sub) }

// Sums are the totals of lines that are complete in both cases.
type Sums struct {
	Base       Totals `json:"base" doc:"Totals of the base case"`
	Changed    Totals `json:"changed" doc:"Totals of the changed case"`
	Difference Totals `json:"difference" doc:"Changed less base"`
	Lines      int64  `json:"lines" doc:"Lines that are complete in both cases"`
	Incomplete int64  `json:"incomplete" doc:"Lines that are not, which no total includes"`
}

func newSums() Sums {
	none := Totals{Later: &quantity.Money{}}
	return Sums{Base: none, Changed: none, Difference: none}
}

// add adds a line.
func (s *Sums) add(r *result) {
	if r.Base == nil || r.Changed == nil {
		s.Incomplete++
		return
	}
	s.Lines++
	s.Base, s.Changed = s.Base.add(*r.Base), s.Changed.add(*r.Changed)
	s.Difference = s.Changed.minus(s.Base)
}

// Group are the lines that have some values in common.
type Group struct {
	Key map[string]string `json:"key" doc:"Values by which the lines are grouped"`
	Sums
}

// Summary is the result of a what-if without its rows.
type Summary struct {
	Sums
	Groups  []Group `json:"groups"`
	LeftOut int     `json:"groupsLeftOut"` // groups beyond the limit
}
