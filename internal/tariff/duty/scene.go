package duty

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// scene is what a set of facts leads to.
type scene struct {
	open, closed []*option // cheapest first
	nothing      *nothing  // the movement bears no import duty
	refused      []Notice
	compared     []Comparison
	atRisk       bool // trade remedies put goods at risk that otherwise were not
}

// nothing is a movement that bears no import duty.
type nothing struct {
	why     string
	declare []statement
}

// answered returns why the answers alone show that the movement bears no import duty; nil if they do not.
func (w *work) answered(n *NorthernIreland) *nothing {
	switch route := w.out.Route; {
	case route == RouteNIToGB:
		return &nothing{why: "Goods in free circulation in Northern Ireland bear no import duty in Great Britain."}
	case w.request.Destination == ToNI && (yes(n.UnionGoods) || route == RouteEUToNI && n.UnionGoods == nil):
		return &nothing{why: "Union goods bear no import duty in Northern Ireland."}
	case route == RouteGBToNI && w.tariffs.XI == nil:
		return fromBritain(n)
	}
	return nil
}

// decide returns what the answers about Northern Ireland lead to with the options of both tariffs.
func (w *work) decide(n *NorthernIreland, uk, xi *calculation) *scene {
	s := &scene{}
	if s.refused = uk.refusals(); s.refused != nil {
		return s
	}
	if xi == nil {
		all := uk.options()
		s.open, s.closed = slices.Clone(all.open), slices.Clone(all.closed)
	} else {
		if s.refused = xi.refusals(); s.refused != nil {
			return s
		}
		w.toNorthernIreland(s, n, uk, xi)
	}
	slices.SortStableFunc(s.open, cheaper)
	slices.SortStableFunc(s.closed, cheaper)
	return s
}

// vary returns what another value of a fact would lead to.
func (w *work) vary(f *missing, value string) *scene {
	key := f.field + "=" + value
	if s := w.scenes[key]; s != nil {
		return s
	}
	n, g := *w.northernIreland(), w.goods
	if f.document != "" {
		g = g.assume(f.document, value == AnswerHeld)
	} else {
		line := *g.line
		f.set(&line, &n, value)
		if !f.northern {
			g = g.vary(&line)
		}
	}
	uk, xi := w.uk, w.xi
	if !f.northern {
		uk, xi = uk.vary(g, f.document), xi.vary(g, f.document)
		if xi != nil {
			xi.fiscal = uk
		}
	}
	s := w.decide(&n, uk, xi)
	if w.scenes == nil {
		w.scenes = map[string]*scene{}
	}
	w.scenes[key] = s
	return s
}

// find returns the option that an option becomes with the facts of the scene: the same duty, if it is still possible,
// otherwise the cheapest one; nil if there is none.
func (s *scene) find(o *option) *option {
	list := s.open
	if o.reason != "" {
		list = append(slices.Clip(s.closed), s.open...)
	}
	for _, same := range []func(p *option) bool{o.equals, o.chosenAs} {
		if at := slices.IndexFunc(list, same); at >= 0 {
			return list[at]
		}
	}
	if len(s.open) > 0 {
		return s.open[0]
	}
	return nil
}

// equals reports whether an option of another scene has the same duty.
func (o *option) equals(p *option) bool {
	if o == p {
		return true
	}
	if o.kind != p.kind || o.x.name != p.x.name || (o.base == nil) != (p.base == nil) {
		return false
	}
	return o.base == nil || o.base.measure == p.base.measure && sameDuty(o.base.components, p.base.components)
}

// chosenAs reports whether an option of another scene has one of the duties among which an additional code chooses.
func (o *option) chosenAs(p *option) bool {
	return o.base != nil && o.base.choice && p.kind == o.kind && p.x.name == o.x.name && p.base.measure.Type == o.base.measure.Type &&
		p.base.measure.Additional != ""
}

// cheaper orders options: complete ones first, then by their sum, then those that need no further fact.
func cheaper(a, b *option) int {
	if a.totals.Complete != b.totals.Complete {
		return boolInt(!a.totals.Complete) - boolInt(!b.totals.Complete)
	}
	if order := a.totals.Known.Cmp(b.totals.Known); order != 0 {
		return order
	}
	return compare(
		boolInt(a.conditional())-boolInt(b.conditional()), strings.Compare(a.preference(), b.preference()),
		strings.Compare(a.order(), b.order()), compareSIDs(a.sid(), b.sid()), strings.Compare(a.kind, b.kind),
	)
}

func (o *option) order() string {
	if o.quota == nil {
		return ""
	}
	return o.quota.Order
}

func (o *option) sid() int64 {
	if o.base == nil {
		return 0
	}
	return o.base.measure.SID
}

// duty reports whether a tariff has a third-country duty for the goods.
func (x *calculation) duty() bool { return len(x.of(measure.ThirdCountry)) > 0 }
