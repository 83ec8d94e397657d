package whatif

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tidewaiter/tidewaiter/internal/tariff/calculator"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// computer computes lines in both cases.
type computer struct {
	settings      *Settings
	base, changed calculator.Fixed
	later         Later
}

// all computes lines at the same time, in order, the first of which has an index in the source.
func (c *computer) all(lines []Goods, first int) []result {
	results := make([]result, len(lines))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(lines)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(lines); i = int(next.Add(1)) - 1 {
				results[i] = c.line(&lines[i], first+i)
			}
		})
	}
	workers.Wait()
	return results
}

// line computes one line.
func (c *computer) line(l *Goods, index int) result {
	after := Goods{Line: c.settings.Change.changed(l.Line), Units: l.Units}
	x, y := c.answer(c.base, l), c.answer(c.changed, &after)
	r := result{Index: index, Key: groupKey(c.settings.GroupBy, &l.Line), Row: Row{
		Ref: l.Ref, CommodityCode: l.CommodityCode, Reasons: []Reason{}, Later: []duty.ChargeLine{}, FactsNeeded: []duty.Fact{},
		OptionBefore: x.label(), OptionAfter: y.label(),
	}}
	r.Base, r.Changed = x.totals(), y.totals()
	if r.Base != nil {
		r.Row.Base = &r.Base.Total
	}
	if r.Changed != nil {
		r.Row.Changed = &r.Changed.Total
	}
	if r.Base != nil && r.Changed != nil {
		difference := r.Changed.Total.Sub(r.Base.Total)
		r.Row.Difference = &difference
		r.Row.Reasons = differences(&x, &y)
	} else {
		r.Base, r.Changed = nil, nil
		r.Row.Reasons = missing(x.lacks(), y.lacks())
	}
	if l.SuspendedBy != "" {
		r.Row.Reasons = append(r.Row.Reasons, Reason{reasonSuspended, l.SuspendedBy + " suspends charges, which are compared as if they were due."})
	}
	c.addLater(&r, &after.Line, &y)
	return r
}

// answer is what a line costs in one case.
type answer struct {
	duty.ResponseLine
	fault string // why it makes no sense
}

func (c *computer) answer(by calculator.Fixed, l *Goods) answer {
	r := c.settings.request(&l.Line)
	r.Complete()
	if faults := r.Check(); faults != nil {
		return answer{fault: faults[0].Field[len("lines[0]."):] + " " + faults[0].Message}
	}
	day, err := measure.ParseDay(l.Date)
	if err != nil {
		return answer{fault: "date must be a day such as 2026-11-21"}
	}
	if l.Units != nil {
		if unit := by.Supplementary(&r.Lines[0], day); unit.Code != "" {
			r.Lines[0].Quantities = append(r.Lines[0].Quantities, duty.Quantity{Unit: unit.Code, Qualifier: unit.Qualifier, Value: *l.Units})
		}
	}
	return answer{ResponseLine: by.Calculate(r, day).Lines[0]}
}

// option is the cheapest option; nil if there is none.
func (a *answer) option() *duty.Option {
	if len(a.Options) == 0 {
		return nil
	}
	return &a.Options[0]
}

func (a *answer) label() *string {
	if o := a.option(); o != nil {
		return &o.Label
	}
	return nil
}

// totals are those of the cheapest option; nil if it is not complete.
func (a *answer) totals() *Totals {
	o := a.option()
	if o == nil || !o.Totals.Complete || o.Totals.Total == nil || largest.Cmp(*o.Totals.Total) < 0 {
		return nil
	}
	t := totalsOf(&o.Totals)
	return &t
}

// groupKey are the values of a line by which lines are grouped.
func groupKey(by []string, l *Line) []string {
	key := make([]string, len(by))
	for i, name := range by {
		key[i] = groupValue(name, l)
	}
	return key
}

func groupValue(name string, l *Line) string {
	const chapter, heading, month = 2, 4, 7 // digits, and characters of a day
	switch name {
	case "chapter":
		return beginning(l.CommodityCode, chapter)
	case "heading":
		return beginning(l.CommodityCode, heading)
	case "commodityCode":
		return l.CommodityCode
	case "origin":
		return l.Origin
	case "dispatchCountry":
		if l.DispatchCountry == "" {
			return l.Origin
		}
		return l.DispatchCountry
	case "destination":
		return l.Destination
	}
	return beginning(l.Date, month)
}

func beginning(text string, length int) string { return text[:min(length, len(text))] }
