package duty

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// EngineVersion names the rules of this package. It changes with every change of an answer.
const EngineVersion = "1"

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
	response.warn(r)
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
func (r *Response) warn(q *Request) {
	add := func(code, message string) {
		r.Warnings = append(r.Warnings, Notice{Code: code, Message: message, Codes: []string{}})
	}
	if q.Incoterm == "" {
		add("INCOTERM_MISSING", "Without an Incoterm the price is used as it stands.")
	}
	if q.Incoterm == "DDP" {
		add("DDP_DUTY_IN_PRICE", "A price under DDP may include duty and VAT. Nothing was deducted.")
	}
	if r.vatUnknown(q) {
		add("VAT_COSTS_UNKNOWN", "No costs up to the first destination are stated. If there are any, VAT is due on them too.")
	}
	var pence int64
	for i := range r.Lines {
		if r.Lines[i].CustomsValue.Amount == nil {
			return
		}
		pence += r.Lines[i].CustomsValue.Amount.Pence()
	}
	if pence <= lowValue {
		add("LOW_VALUE_RULES", "Other rules may apply to a consignment of at most £135.")
	}
}

// vatUnknown reports whether the request states no incidental costs at all.
func (r *Response) vatUnknown(q *Request) bool {
	return q.VATCosts == nil && slices.ContainsFunc(q.Lines, func(l RequestLine) bool { return l.VATCosts == nil })
}

// work computes one line.
type work struct {
	request *Request
	on      measure.Day
	tariffs Editions
	money   *Money
	prices  *prices
	index   int

	out   ResponseLine
	goods *goods
	value appraisal
}

func (w *work) line() ResponseLine {
	l := &w.request.Lines[w.index]
	w.goods = newGoods(l, w.index)
	w.goods.on, w.goods.euro = w.on, w.money.Euro
	w.value = w.prices.appraise(w.index)
	if w.value.amount != nil {
		w.goods.value = w.value.amount.Rat()
	}
	w.out = ResponseLine{
		Ref: l.Ref, CommodityCode: l.CommodityCode, Outcome: NotCalculable, Options: []Option{}, Unavailable: []Option{}, Controls: []Control{},
		NIComparison: []Comparison{}, FactsNeeded: []Fact{}, Problems: []Notice{}, Warnings: []Notice{},
		CustomsValue: CustomsValue{Method: 1, Parts: w.value.parts, Amount: w.value.amount},
	}
	w.out.Route = Route(l.dispatch(), w.request.Destination)
	w.calculate()
	return w.out
}

func (w *work) problem(code, message string, codes ...string) {
	w.out.Problems = append(w.out.Problems, Notice{Code: code, Message: message, Codes: append([]string{}, codes...)})
}

func (w *work) warning(code, message string, codes ...string) {
	if !slices.ContainsFunc(w.out.Warnings, func(n Notice) bool { return n.Code == code }) {
		w.out.Warnings = append(w.out.Warnings, Notice{Code: code, Message: message, Codes: append([]string{}, codes...)})
	}
}

func (w *work) calculate() {
	for _, currency := range w.value.missing {
		w.problem("RATE_MISSING", "There is no exchange rate of "+currency+" for this month.", currency)
	}
	switch w.out.Route {
	case RouteNIToGB:
		w.noDuty("Goods in free circulation in Northern Ireland bear no import duty in Great Britain.")
	case RouteEUToNI:
		if ni := w.northernIreland(); no(ni.UnionGoods) {
			w.toNorthernIreland()
			return
		}
		w.noDuty("Union goods bear no import duty in Northern Ireland.")
	case RouteGBToNI, RouteWorldToNI:
		w.toNorthernIreland()
	default:
		w.toBritain()
	}
}

func (w *work) northernIreland() *NorthernIreland {
	if w.request.NorthernIreland != nil {
		return w.request.NorthernIreland
	}
	return &NorthernIreland{}
}

// noDuty is the answer for a movement that itself bears no import duty.
func (w *work) noDuty(reason string) {
	w.out.Outcome = NoDuty
	total := Totals{Complete: true}
	total.Total = &total.Known
	w.out.Options = []Option{{
		Kind: NoDuty, Label: reason, Tariff: measure.UK, Status: Available, Charges: []ChargeLine{}, Declare: []Entry{}, FactsNeeded: []Fact{}, Totals: total,
	}}
}

// open starts a calculation by one tariff; nil if the goods have a problem in it.
func (w *work) open(t Tariff, name string) *calculation {
	x := &calculation{request: w.request, goods: w.goods, tariff: t, name: name, money: w.money, convert: w.prices.pounds, costs: w.value.costs}
	x.found = t.Goods(w.goods.line.CommodityCode, w.goods.origin, w.on)
	if !w.declarable(&x.found) {
		return nil
	}
	if w.goods.unit.Code == "" {
		w.goods.unit = x.supplementary()
	}
	return x
}

// supplementary is the supplementary unit of the goods; empty if they have none.
func (x *calculation) supplementary() measure.Unit {
	for _, m := range x.inForce(measure.UnitOnly) {
		for _, c := range m.Components {
			if c.Unit != "" {
				return measure.Unit{Code: c.Unit, Qualifier: c.Qualifier}
			}
		}
	}
	return measure.Unit{}
}

// declarable says why goods cannot be declared under their code.
func (w *work) declarable(g *Goods) bool {
	code := w.goods.line.CommodityCode
	switch g.State {
	case Declarable:
		return true
	case CodeUnknown:
		if g.Nearest != "" {
			w.problem("CODE_UNKNOWN", fmt.Sprintf("The code %s is not in the tariff; the nearest one above it is %s.", code, g.Nearest), g.Nearest)
		} else {
			w.problem("CODE_UNKNOWN", fmt.Sprintf("The code %s is not in the tariff.", code))
		}
	case CodeNotDeclarable:
		w.problem("CODE_NOT_DECLARABLE", fmt.Sprintf("Goods cannot be declared under %s, but under codes below it.", code), g.Below...)
	case BeforeData:
		w.problem("DATE_BEFORE_DATA", fmt.Sprintf("The tariff holds no measures for the code %s on %s.", code, w.on))
	case CountryNotHeld:
		w.problem("COUNTRY_NOT_HELD", fmt.Sprintf("The tariff holds measures of the code %s for other countries only.", code))
	}
	return false
}

// toBritain computes by the UK's tariff.
func (w *work) toBritain() {
	uk := w.united()
	if uk == nil {
		return
	}
	open, closed := uk.options()
	if len(open) == 0 && len(closed) == 0 {
		w.problem("NO_DUTY_MEASURE", "The tariff holds no duty for the goods on this day.")
		return
	}
	w.finish(uk, open, closed)
}

// united starts the calculation by the UK's tariff, with what every option bears.
func (w *work) united() *calculation {
	if w.tariffs.UK == nil {
		w.problem("UK_NOT_HELD", "No tariff of the United Kingdom has been imported.")
		return nil
	}
	uk := w.open(w.tariffs.UK, measure.UK)
	if uk == nil {
		return nil
	}
	if refusals := uk.refusals(); refusals != nil {
		w.out.Outcome, w.out.Problems = Refused, append(w.out.Problems, refusals...)
		w.out.Controls = uk.controls()
		return nil
	}
	uk.rest = &rest{remedies: uk.remedies(), excise: uk.excise(), vat: uk.findVAT(), gap: w.gaps(uk)}
	return uk
}

// charging are the kinds of measures without which a total is not complete.
var charging = []string{"REMEDY", "EXCISE", "VAT"}

// gaps warns of the kinds that the edition lacks, and reports whether one can add a charge.
func (w *work) gaps(x *calculation) bool {
	if len(x.found.Lacks) > 0 {
		w.warning("KINDS_NOT_HELD", "The tariff does not hold these kinds of measures: "+strings.Join(x.found.Lacks, ", ")+".", x.found.Lacks...)
	}
	return slices.ContainsFunc(x.found.Lacks, func(k string) bool { return slices.Contains(charging, k) })
}
