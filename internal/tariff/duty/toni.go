package duty

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// toNorthernIreland computes goods that arrive in Northern Ireland from Great Britain or from a third country.
func (w *work) toNorthernIreland() {
	n := w.northernIreland()
	fromBritain := w.out.Route == RouteGBToNI
	if w.tariffs.XI == nil {
		if fromBritain && n.notAtRisk() {
			w.noDuty("The goods are not at risk of moving on to the European Union.")
			return
		}
		w.problem("XI_NOT_HELD", "No tariff of Northern Ireland has been imported.")
		return
	}
	uk := w.united()
	if uk == nil {
		return
	}
	xi := w.open(w.tariffs.XI, measure.XI)
	if xi == nil {
		return
	}
	if refusals := xi.refusals(); refusals != nil {
		w.out.Outcome, w.out.Problems = Refused, append(w.out.Problems, refusals...)
		w.out.Controls = xi.controls()
		return
	}
	gap := w.gaps(xi)
	xi.rest = &rest{remedies: xi.remedies(), excise: uk.rest.excise, vat: uk.rest.vat, gap: gap || uk.rest.gap}
	w.out.Controls = xi.controls()
	if fromBritain {
		w.fromBritain(n, uk, xi)
	} else {
		w.fromWorld(n, uk, xi)
	}
}

// fromBritain decides for goods of Great Britain: duty is due only if they are at risk, and the EU charges any.
func (w *work) fromBritain(n *NorthernIreland, uk, xi *calculation) {
	open, closed := xi.options()
	remedies := len(xi.rest.remedies) > 0
	switch {
	case !remedies && zeroDuty(open):
		w.noDuty("The European Union charges no duty on the goods.")
		return
	case !remedies && n.notAtRisk():
		w.noDuty("The goods are not at risk of moving on to the European Union.")
		return
	case !remedies && yes(n.ProofOfUKOrigin):
		w.noDuty("The goods originate in the United Kingdom.")
		return
	}
	if remedies && n.notAtRisk() {
		w.warning("REMEDIES_AT_RISK", "Goods with trade remedies of the European Union are always at risk.")
	}
	if waiver := w.waiver(uk, xi); waiver != nil {
		open = append(open, waiver)
	}
	w.finish(uk, open, closed)
	if !remedies && (n.couldBeNotAtRisk() || n.ProofOfUKOrigin == nil) {
		w.askNI(n, nil)
	}
}

// zeroDuty reports whether the third-country duty of the options is zero.
func zeroDuty(open []*option) bool {
	third := cheapestDuty(open, ThirdCountry)
	return third != nil && third.base.amount() != nil && third.base.amount().Sign() == 0
}

// waiver is the option to claim the duty as de minimis aid; nil if the importer cannot.
func (w *work) waiver(uk, xi *calculation) *option {
	aid := w.goods.line.Facts.DeMinimisAid
	if no(aid) {
		return nil
	}
	bearing := *xi
	bearing.rest = &rest{excise: uk.rest.excise, vat: uk.rest.vat, gap: uk.rest.gap}
	o := &option{x: &bearing, kind: Waiver}
	if aid == nil {
		o.proof = w.goods.lacks("facts.deMinimisAid", "Can the importer claim the duty as de minimis aid?", "")
		o.proof.values = []string{"true", "false"}
	}
	return o
}

// fromWorld decides for goods of a third country: those that are not at risk bear the UK's duty, unless the EU's differs much.
func (w *work) fromWorld(n *NorthernIreland, uk, xi *calculation) {
	mine, mineClosed := uk.options()
	theirs, theirsClosed := xi.options()
	remedies := len(xi.rest.remedies) > 0
	switch {
	case remedies || !n.notAtRisk():
		w.finish(uk, theirs, theirsClosed)
		if !remedies && n.couldBeNotAtRisk() {
			w.askNI(n, mine)
		}
	case zeroDuty(theirs):
		w.finish(uk, mine, mineClosed)
	default:
		chosen, compared := compareDuties(mine, theirs, w.goods.value)
		w.out.NIComparison = append(w.out.NIComparison, compared...)
		w.lowerDuties(compared)
		w.finish(uk, chosen, append(mineClosed, theirsClosed...))
	}
}

// lowerDuties warns where the EU's duty applies although it is lower, which the law does not ask.
func (w *work) lowerDuties(compared []Comparison) {
	for _, c := range compared {
		if c.Applied == measure.XI && c.XI.Cmp(c.UK) < 0 {
			w.warning("NI_EU_DUTY_LOWER", "The duty of the European Union, £"+c.XI.Fixed()+", is lower than that of the United Kingdom, £"+c.UK.Fixed()+
				". Such goods are not at risk, so the importer may also claim the tariff of the United Kingdom.")
		}
	}
}

// askNI asks for the answers that could show that the goods are not at risk, with the saving.
func (w *work) askNI(n *NorthernIreland, uk []*option) {
	best := new(big.Rat)
	label := "No import duty"
	if len(uk) > 0 {
		for _, o := range uk {
			o.totals, _ = o.bill().sums(o.x)
		}
		slices.SortStableFunc(uk, cheaper)
		if uk[0].totals.Total == nil {
			best = nil
		} else {
			best, label = uk[0].totals.Total.Rat(), uk[0].title()
		}
	}
	if len(w.out.Options) == 0 {
		return
	}
	now := w.out.Options[0].Totals.Total
	for _, lack := range n.unknownAnswers(w.out.Route) {
		f := blank(lack)
		for _, value := range f.Values {
			e := effectOf(value, now, now, w.out.Options[0].Label)
			if value == "true" || value == NoProcessing || value == AllowedProcessing {
				e = effectOf(value, cut(best), now, label)
			}
			f.Effects = append(f.Effects, e)
		}
		w.out.FactsNeeded = append(w.out.FactsNeeded, f)
	}
}
