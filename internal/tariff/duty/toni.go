package duty

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// toNorthernIreland decides which options hold for goods that arrive in Northern Ireland.
func (w *work) toNorthernIreland(s *scene, n *NorthernIreland, uk, xi *calculation) {
	if w.out.Route == RouteGBToNI {
		w.fromBritain(s, n, uk, xi)
	} else {
		fromWorld(s, n, uk, xi)
	}
}

// remedied reports whether the tariff has trade remedies for the goods.
func (x *calculation) remedied() bool { return len(x.of(measure.Remedy)) > 0 }

// fromBritain decides for goods of Great Britain: duty is due only if they are at risk, and the EU charges any.
func (w *work) fromBritain(s *scene, n *NorthernIreland, uk, xi *calculation) {
	all := xi.options()
	remedied := xi.remedied()
	if !remedied && all.zeroDuty() {
		s.nothing = &nothing{"The European Union charges no duty on the goods.", northern(RouteGBToNI, NoDuty, measure.XI)}
		return
	}
	if free := fromBritain(n); free != nil && !remedied {
		s.nothing = free
		return
	}
	s.atRisk = remedied && n.notAtRisk()
	s.open, s.closed = slices.Clone(all.open), slices.Clone(all.closed)
	if waiver := xi.waiver(); waiver != nil {
		s.open = append(s.open, waiver)
	}
}

// fromBritain returns why the answers show that goods of Great Britain bear no duty; nil if they do not.
func fromBritain(n *NorthernIreland) *nothing {
	from := northern(RouteGBToNI, NoDuty, measure.XI)
	switch {
	case n.notAtRisk():
		return &nothing{"The goods are not at risk of moving on to the European Union.", append(from, notAtRiskStatements...)}
	case yes(n.ProofOfUKOrigin):
		preference := statement{elementPreference, preferenceOfUnion, "the European Union's preference for goods of the United Kingdom"}
		return &nothing{"The goods originate in the United Kingdom.", append(from, preference)}
	}
	return nil
}

// zeroDuty reports whether the third-country duty is certain, and nothing.
func (all *options) zeroDuty() bool {
	return slices.ContainsFunc(all.open, func(o *option) bool {
		return o.kind == ThirdCountry && o.base.certain() && o.base.amount() != nil && o.base.amount().Sign() == 0
	})
}

// waiver is the option to claim the duty as de minimis aid; nil if the importer cannot.
func (x *calculation) waiver() *option {
	aid := x.goods.line.Facts.DeMinimisAid
	if no(aid) || x.waived != nil {
		return x.waived
	}
	o := &option{kind: Waiver}
	if aid == nil {
		o.proof = x.goods.lack("facts.deMinimisAid", func(m *missing) {
			m.question, m.values = "Can the importer claim the duty as de minimis aid?", []string{"true", "false"}
			m.set = func(l *RequestLine, _ *NorthernIreland, value string) { l.Facts.DeMinimisAid = truth(value) }
		})
	}
	x.waived = x.option(o)
	return x.waived
}

func truth(value string) *bool {
	t := value == "true"
	return &t
}

// fromWorld decides for goods of a third country: those that are not at risk bear the UK's duty, unless the EU's differs much.
func fromWorld(s *scene, n *NorthernIreland, uk, xi *calculation) {
	mine, theirs := uk.options(), xi.options()
	switch {
	case xi.remedied() || !n.notAtRisk():
		s.atRisk = n.notAtRisk()
		s.open, s.closed = slices.Clone(theirs.open), slices.Clone(theirs.closed)
	case theirs.zeroDuty():
		s.open, s.closed = slices.Clone(mine.open), slices.Clone(mine.closed)
	default:
		s.open, s.compared = compareDuties(mine.open, theirs.open, uk.goods.value)
		s.closed = append(slices.Clone(mine.closed), theirs.closed...)
	}
}
