package duty

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// EngineVersion names the rules of this package. It changes with every change of an answer.
const EngineVersion = "3"

// Calculate returns what the goods of a request cost at the border.
func Calculate(r *Request, on measure.Day, tariffs Editions, money *Money) Response {
	response := Response{
		Date: on.String(), Destination: r.Destination, RateTable: money.Table, EngineVersion: EngineVersion,
		Edition: Edition{ID: tariffs.ID}, Lines: make([]ResponseLine, len(r.Lines)), Warnings: []Notice{},
	}
	response.Edition.UK, response.Edition.XI = holdingOf(tariffs.UK), holdingOf(tariffs.XI)
	p := newPrices(r, money)
	response.Totals.Complete = true
	for i := range r.Lines {
		w := &work{request: r, on: on, tariffs: tariffs, money: money, prices: p, index: i}
		response.Lines[i] = w.line()
		response.Totals.add(&response.Lines[i])
	}
	if !response.Totals.Complete {
		response.Totals.Total = nil
	}
	response.warn(r, p)
	sortNotices(response.Warnings)
	return response
}

func holdingOf(t Tariff) *Holding {
	if t == nil {
		return nil
	}
	h := t.Holding()
	return &h
}

// add adds the first option of a line.
func (t *Totals) add(l *ResponseLine) {
	if len(l.Options) == 0 {
		t.Complete = false
		return
	}
	o := &l.Options[0].Totals
	t.Duty, t.Remedies, t.Excise, t.VAT = t.Duty.Add(o.Duty), t.Remedies.Add(o.Remedies), t.Excise.Add(o.Excise), t.VAT.Add(o.VAT)
	t.Known, t.Complete = t.Known.Add(o.Known), t.Complete && o.Complete
	total := t.Known
	t.Total = &total
}

// lowValue is the value of a consignment in pence up to which other rules may apply.
const lowValue = 135_00

// warn adds what concerns the whole request.
func (r *Response) warn(q *Request, p *prices) {
	add := func(code, message string) {
		r.Warnings = append(r.Warnings, Notice{Code: code, Message: message, Codes: []string{}})
	}
	if _, known := IncludesFreight(q.Incoterm); !known {
		add("INCOTERM_MISSING", "Without a known Incoterm the price is used as it stands.")
	}
	if q.Incoterm == "DDP" {
		add("DDP_DUTY_IN_PRICE", "A price under DDP may include duty and VAT. Nothing was deducted.")
	}
	if r.vatUnknown(q) {
		add("VAT_COSTS_UNKNOWN", "No costs up to the first destination are stated. If there are any, VAT is due on them too.")
	}
	if p.unused {
		add("COSTS_NOT_APPORTIONED", "Costs of the whole were left out, as every line states its own.")
	}
	var pence int64
	known := true
	for i := range r.Lines {
		if amount := r.Lines[i].CustomsValue.Amount; amount != nil {
			pence += amount.Pence()
		} else {
			known = false
		}
	}
	if known && pence <= lowValue {
		add("LOW_VALUE_RULES", "Other rules may apply to a consignment of at most £135.")
	}
}

// vatUnknown reports whether the request states no incidental costs at all.
func (r *Response) vatUnknown(q *Request) bool {
	return q.VATCosts == nil && slices.ContainsFunc(q.Lines, func(l RequestLine) bool { return l.VATCosts == nil })
}
