package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// builder makes a recording of the members that were read.
type builder struct {
	*Recording
	seen map[string]bool // quotas
}

func (c *commodity) recording(name Name) (*Recording, error) {
	b := builder{&Recording{Name: name, Code: c.Code, Details: measure.NewDetails(), Groups: map[string][]string{}, Meursing: c.Meursing}, map[string]bool{}}
	b.Lines = c.lines()
	for _, way := range []struct {
		from []jsonMeasure
		to   *[]measure.Measure
	}{{c.Import, &b.Import}, {c.Export, &b.Export}} {
		for i := range way.from {
			m, err := b.measure(&way.from[i])
			if err != nil {
				return nil, fmt.Errorf("measure %s: %w", way.from[i].ID, err)
			}
			*way.to = append(*way.to, m)
		}
	}
	return b.Recording, nil
}

// lines returns the line of the goods with those above it.
func (c *commodity) lines() []Line {
	lines := []Line{}
	for i, l := range append([]line{c.Chapter, c.Heading}, c.Ancestors...) {
		if l.Code == "" {
			continue
		}
		if l.Suffix == "" {
			l.Suffix = "80"
		}
		if i < 2 {
			l.Indent = 0
		}
		lines = append(lines, Line{Code: l.Code, Suffix: l.Suffix, Description: l.Text, Indent: l.Indent})
	}
	declarable := c.Declarable == nil || *c.Declarable
	return append(lines, Line{Code: c.Code, Suffix: c.Suffix, Description: c.Text, Indent: c.Indent, Declarable: declarable})
}

func (b *builder) measure(j *jsonMeasure) (m measure.Measure, err error) {
	m = measure.Measure{Code: b.Code, Type: j.Type.ID, Area: j.Area.ID}
	if j.Goods != nil && j.Goods.Code != "" {
		m.Code = j.Goods.Code
	}
	if m.SID, err = number(j.ID); err != nil {
		return m, err
	}
	if m.From, err = day(j.From); err != nil {
		return m, err
	}
	if j.To != nil {
		if m.To, err = day(*j.To); err != nil {
			return m, err
		}
	}
	if j.Reduction != nil {
		m.Reduction = *j.Reduction
	}
	if m.Components, err = components(j.Components); err != nil {
		return m, err
	}
	if m.Conditions, err = b.conditions(j.Conditions); err != nil {
		return m, err
	}
	b.Details.Types[j.Type.ID], b.Details.Series[j.Type.ID] = j.Type.Text, j.Type.Series
	b.relate(&m, j)
	return m, b.order(&m, j.Order)
}

// relate adds what the measure names.
func (b *builder) relate(m *measure.Measure, j *jsonMeasure) {
	b.area(&j.Area)
	for i := range j.Excluded {
		m.Excluded = append(m.Excluded, j.Excluded[i].ID)
		b.area(&j.Excluded[i])
	}
	if j.Additional != nil {
		m.Additional = j.Additional.Code
		b.Details.Additional[m.Additional] = j.Additional.Text
	}
	for _, f := range j.Footnotes {
		m.Footnotes = append(m.Footnotes, f.Code)
		b.Details.Footnotes[f.Code] = f.Text
	}
	for _, a := range j.Acts {
		if a.ID == "" {
			a.ID = a.Code
		}
		m.Acts = append(m.Acts, a.ID)
		b.Details.Acts[a.ID] = measure.LegalAct{ID: a.ID, Code: a.Code, Description: text(a.Text), URL: a.URL}
	}
}

// area adds the name of an area and, of a group, its members.
func (b *builder) area(a *area) {
	if a.Text != "" {
		b.Details.Areas[a.ID] = a.Text
	}
	if len(a.Children) == 0 || b.Groups[a.ID] != nil {
		return
	}
	for i := range a.Children {
		b.Groups[a.ID] = append(b.Groups[a.ID], a.Children[i].ID)
		b.area(&a.Children[i])
	}
}

func (b *builder) conditions(all []jsonCondition) (conditions []measure.Condition, err error) {
	for i := range all {
		j := &all[i]
		c := measure.Condition{Code: j.Code, Document: text(j.Document), Action: text(j.Action)}
		if j.Amount != nil {
			amount, ok := new(big.Rat).SetString(j.Amount.String())
			if !ok {
				return nil, fmt.Errorf("the threshold %q is not a number", *j.Amount)
			}
			c.Threshold = &measure.Threshold{Amount: amount, Currency: text(j.Currency), Unit: text(j.Unit), Qualifier: text(j.Qualifier)}
		}
		if c.Components, err = components(j.Components); err != nil {
			return nil, err
		}
		if c.Action == "" {
			c.Action = measure.UnstatedAction(&c)
		}
		if c.Document != "" && j.Text != nil {
			b.Details.Documents[c.Document] = *j.Text
		}
		conditions = append(conditions, c)
	}
	return conditions, nil
}

func components(all []jsonComponent) (list []measure.Component, err error) {
	for i := range all {
		j := &all[i]
		c := measure.Component{Expression: j.Expression, Currency: text(j.Currency), Unit: text(j.Unit), Qualifier: text(j.Qualifier)}
		if j.Amount != nil {
			var ok bool
			if c.Amount, ok = new(big.Rat).SetString(j.Amount.String()); !ok {
				return nil, fmt.Errorf("the amount %q is not a number", *j.Amount)
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// order adds the order number, and the period of the quota if the answer has it.
func (b *builder) order(m *measure.Measure, o *jsonOrder) error {
	if o == nil {
		return nil
	}
	m.Order = o.Number
	d := o.Definition
	if d == nil || b.seen[o.Number] {
		return nil
	}
	b.seen[o.Number] = true
	q := measure.Quota{Order: o.Number, Unit: measure.QuotaUnit(text(d.Unit)), AsOf: b.Name.Day, Initial: amount(d.Initial), Balance: amount(d.Balance), Status: d.status(b.Name.Day)}
	var err error
	if q.From, err = day(d.From); err != nil {
		return err
	}
	if d.To != nil {
		if q.To, err = day(*d.To); err != nil {
			return err
		}
	}
	b.Quotas = append(b.Quotas, q)
	return nil
}

// status returns the status of the quota: exhausted comes before suspended, blocked, critical and open.
func (d *Definition) status(on measure.Day) string {
	said := strings.ToUpper(text(d.Status))
	switch {
	case said == measure.QuotaExhausted:
		return said
	case said == measure.QuotaSuspended || within(d.SuspendedFrom, d.SuspendedTo, on):
		return measure.QuotaSuspended
	case said == measure.QuotaBlocked || within(d.BlockedFrom, d.BlockedTo, on):
		return measure.QuotaBlocked
	case said == measure.QuotaCritical:
		return said
	}
	return measure.QuotaOpen
}

func within(from, to *string, on measure.Day) bool {
	if from == nil || to == nil {
		return false
	}
	first, err := day(*from)
	last, also := day(*to)
	return err == nil && also == nil && first <= on && on <= last
}

func number(raw json.RawMessage) (int64, error) {
	digits := string(bytes.Trim(raw, `"`))
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the number %q of a measure is not one", digits)
	}
	return n, nil
}

// day reads the day of an instant such as 2021-01-01T00:00:00.000Z.
func day(instant string) (measure.Day, error) {
	date, _, _ := strings.Cut(instant, "T")
	return measure.ParseDay(date)
}

func amount(s *string) *big.Rat {
	if s == nil {
		return nil
	}
	r, ok := new(big.Rat).SetString(*s)
	if !ok {
		return nil
	}
	return r
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
