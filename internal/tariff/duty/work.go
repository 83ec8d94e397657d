package duty

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// work computes one line.
type work struct {
	request *Request
	on      measure.Day
	tariffs Editions
	money   *Money
	prices  *prices
	index   int

	out    ResponseLine
	goods  *goods
	value  appraisal
	uk, xi *calculation // nil for a tariff that does not matter
	scene  *scene       // of the facts that are known
	scenes map[string]*scene
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
	if l.Ref == "" {
		w.out.Ref = strconv.Itoa(w.index)
	}
	w.out.Route = Route(l.dispatch(), w.request.Destination)
	w.calculate()
	sortNotices(w.out.Problems)
	sortNotices(w.out.Warnings)
	return w.out
}

func sortNotices(all []Notice) {
	slices.SortStableFunc(all, func(a, b Notice) int {
		return compare(strings.Compare(a.Code, b.Code), slices.Compare(a.Codes, b.Codes))
	})
}

func (w *work) problem(code, message string, codes ...string) {
	w.out.Problems = append(w.out.Problems, Notice{Code: code, Message: message, Codes: append([]string{}, codes...)})
}

// warning adds a warning once; of a second one with the same text only the codes count.
func (w *work) warning(code, message string, codes ...string) {
	at := slices.IndexFunc(w.out.Warnings, func(n Notice) bool { return n.Code == code && n.Message == message })
	if at < 0 {
		at = len(w.out.Warnings)
		w.out.Warnings = append(w.out.Warnings, Notice{Code: code, Message: message, Codes: []string{}})
	}
	for _, c := range codes {
		w.out.Warnings[at].Codes = appendOnce(w.out.Warnings[at].Codes, c)
	}
	slices.Sort(w.out.Warnings[at].Codes)
}

func (w *work) calculate() {
	for _, currency := range w.value.missing {
		w.rateMissing(currency)
	}
	n := w.northernIreland()
	if reason := w.answered(n); reason != nil {
		w.noDuty(reason)
		return
	}
	if !w.open() {
		return
	}
	w.scene = w.decide(n, w.uk, w.xi)
	w.finish()
}

func (w *work) rateMissing(currency string) {
	w.problem("RATE_MISSING", "There is no exchange rate of "+currency+" for this month.", currency)
}

func (w *work) northernIreland() *NorthernIreland {
	if w.request.NorthernIreland != nil {
		return w.request.NorthernIreland
	}
	return &NorthernIreland{}
}

// noDuty is the answer for a movement that itself bears no import duty.
func (w *work) noDuty(reason *nothing) {
	w.out.Outcome = NoDuty
	total := Totals{Complete: true}
	total.Total = &total.Known
	o := Option{
		Kind: NoDuty, Label: reason.why, Tariff: measure.UK, Status: Available, Charges: []ChargeLine{}, Declare: []Entry{}, FactsNeeded: []Fact{}, Totals: total,
	}
	for _, s := range reason.declare {
		o.Declare = append(o.Declare, Entry{Element: s.element, Code: s.code, Why: s.why})
		if s.element == elementPreference {
			o.PreferenceCode = &s.code
		}
	}
	sortEntries(o.Declare)
	w.out.Options = []Option{o}
	w.contradictUKIMS()
}

// open starts the calculations by the tariffs of the route; false if the line has a problem in one of them.
func (w *work) open() bool {
	if w.tariffs.UK == nil {
		w.problem("UK_NOT_HELD", "No tariff of the United Kingdom has been imported.")
		return false
	}
	toNI := w.request.Destination == ToNI
	if toNI && w.tariffs.XI == nil {
		w.problem("XI_NOT_HELD", "No tariff of Northern Ireland has been imported.")
		return false
	}
	if w.uk = w.start(w.tariffs.UK, measure.UK); w.uk == nil {
		return false
	}
	if toNI {
		if w.xi = w.start(w.tariffs.XI, measure.XI); w.xi == nil {
			return false
		}
		w.xi.fiscal = w.uk
		if w.goods.unit.Code == "" {
			w.goods.unit = w.xi.supplementary()
		}
	}
	for _, x := range w.calculations() {
		w.out.Controls = append(w.out.Controls, x.controls()...)
	}
	sortControls(w.out.Controls)
	return true
}

// calculations are those of the tariffs of the route.
func (w *work) calculations() []*calculation {
	if w.xi == nil {
		return []*calculation{w.uk}
	}
	return []*calculation{w.uk, w.xi}
}

// codeDigits is the length of commodity codes in the tariff. A shorter one stands for that with zeros behind it.
const codeDigits = 10

// start starts a calculation by one tariff; nil if the goods have a problem in it.
func (w *work) start(t Tariff, name string) *calculation {
	code := w.goods.line.CommodityCode
	for len(code) < codeDigits {
		code += "0"
	}
	x := &calculation{
		request: w.request, goods: w.goods, tariff: t, name: name, route: w.out.Route, convert: w.prices.pounds, costs: w.value.costs,
		found: t.Goods(code, w.goods.origin, w.on),
	}
	if !w.declarable(&x.found, name) {
		return nil
	}
	x.sort()
	if w.goods.unit.Code == "" {
		w.goods.unit = x.supplementary()
	}
	x.gap = w.gaps(x)
	return x
}

// tariffNames are the tariffs as problems call them.
var tariffNames = map[string]string{measure.UK: "tariff", measure.XI: "tariff of Northern Ireland"}

// declarable says why goods cannot be declared under their code by a tariff.
func (w *work) declarable(g *Goods, name string) bool {
	code, held := w.goods.line.CommodityCode, tariffNames[name]
	switch g.State {
	case Declarable:
		return true
	case CodeUnknown:
		if g.Nearest != "" {
			w.problem("CODE_UNKNOWN", fmt.Sprintf("The code %s is not in the %s; the nearest one above it is %s.", code, held, g.Nearest), g.Nearest)
		} else {
			w.problem("CODE_UNKNOWN", fmt.Sprintf("The code %s is not in the %s.", code, held))
		}
	case CodeNotDeclarable:
		message := fmt.Sprintf("Goods cannot be declared under %s in the %s, but under codes below it.", code, held)
		if len(g.Below) == 0 {
			message = fmt.Sprintf("Goods cannot be declared under %s in the %s on %s, and there are no codes below it.", code, held, w.on)
		}
		w.problem("CODE_NOT_DECLARABLE", message, g.Below...)
	case BeforeData:
		w.problem("DATE_BEFORE_DATA", fmt.Sprintf("The %s holds no measures for the code %s on %s.", held, code, w.on))
	case CountryNotHeld:
		w.problem("COUNTRY_NOT_HELD", fmt.Sprintf("The %s holds measures of the code %s for other countries only.", held, code))
	}
	return false
}
