package raw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// Fault is a row that names something that is not there, or that has another form.
type Fault struct {
	File string
	Line int
	Err  error
}

// Measures adds each measure to a table, and returns the rows that are faulty. A measure ends with its regulation if that ends
// earlier. The set is empty then.
func (s *Set) Measures(to *table.Builder, enough int) (faults []Fault) {
	defer func() { *s = *New() }()
	if faults = s.settle(); faults != nil {
		return faults
	}
	for place := range s.measures {
		m := &s.measures[place]
		cells, err := s.cells(m, uint32(place)) // #nosec G115 -- rows of a file that is limited
		if err == nil {
			err = to.Add(cells, int(m.line))
		}
		if err != nil {
			if faults = append(faults, Fault{s.files[measures], int(m.line), fmt.Errorf("measure %d: %w", m.sid, err)}); len(faults) == enough {
				break
			}
		}
	}
	return faults
}

// settle keeps the newest versions of measures and conditions, and gives each part to its measure or condition.
func (s *Set) settle() (faults []Fault) {
	var ofMeasures, ofIfs owners
	s.measures, ofMeasures = newestOf(s.measures, func(m *rawMeasure) (int64, number) { return m.sid, m.version })
	s.conditions, ofIfs = newestOf(s.conditions, func(c *condition) (int64, number) { return c.sid, c.version })
	for i := range s.conditions {
		s.conditions[i].place = uint32(i) // #nosec G115 -- rows of a file that is limited
	}
	faults = settle(s.ofIf, ofIfs, s.files[conditionComponents], conditions)
	faults = append(faults, settle(s.components, ofMeasures, s.files[components], measures)...)
	faults = append(faults, settle(s.conditions, ofMeasures, s.files[conditions], measures)...)
	faults = append(faults, settle(s.excluded, ofMeasures, s.files[exclusions], measures)...)
	return append(faults, settle(s.notes, ofMeasures, s.files[notes], measures)...)
}

// cell returns a cell of the thing that a number names.
func (s *Set) cell(name string, n number, cell int) (string, error) {
	row, ok := s.tables[name].rows[n]
	if !ok {
		return "", fmt.Errorf("%d is not in %s", n, name)
	}
	return row[cell], nil
}

// maybe is cell, but for no number it is empty.
func (s *Set) maybe(name string, n number, cell int) (string, error) {
	if n == 0 {
		return "", nil
	}
	return s.cell(name, n, cell)
}

// cells are the cells of a measure as the publisher's report has them.
func (s *Set) cells(m *rawMeasure, place uint32) ([]string, error) {
	w := &writer{Set: s, cells: map[string]string{}}
	w.set("measure__sid", fmt.Sprint(m.sid), nil)
	w.refer("commodity__code", commodities, m.goods, 0)
	w.refer("measure__type__id", types, m.typ, 0)
	w.refer("measure__type__description", types, m.typ, 1)
	w.refer("measure__geographical_area__id", areas, m.area, 0)
	w.set("measure__effective_start_date", m.from.String(), nil)
	w.rare(m)
	w.act(m)
	duty, err := s.duty(of(s.components, place))
	w.set("measure__duty_expression", measure.Text(duty), err)
	asked, err := s.asked(of(s.conditions, place))
	w.set("measure__conditions", asked, err)
	excluded, err := s.list(of(s.excluded, place), func(n number) (string, error) { return s.cell(areas, n, 0) })
	w.set("measure__excluded_geographical_areas__ids", excluded, err)
	footnoted, err := s.list(of(s.notes, place), s.footnote)
	w.set("measure__footnotes", footnoted, err)
	if w.err != nil {
		return nil, w.err
	}
	var cells []string
	for _, column := range slices.Concat(table.Must, table.May) {
		cells = append(cells, w.cells[column])
	}
	return cells, nil
}

// writer fills in the cells of a measure. The first fault stays.
type writer struct {
	*Set
	cells map[string]string
	err   error
}

func (w *writer) set(column, text string, err error) {
	if err != nil && w.err == nil {
		w.err = err
	}
	w.cells[column] = text
}

func (w *writer) refer(column, name string, n number, cell int) {
	text, err := w.cell(name, n, cell)
	w.set(column, text, err)
}

// rare sets the additional code, the order number and the reduction indicator.
func (w *writer) rare(m *rawMeasure) {
	of := m.rare
	if of == nil {
		of = &rare{}
	}
	code, order, err := of.additional, of.order, error(nil)
	if m.additional != 0 {
		code, err = w.typed(additional, m.additional, additionalTypes)
	}
	w.set("measure__additional_code__code", code, err)
	if err = nil; m.order != 0 {
		order, err = w.cell(orders, m.order, 0)
	}
	w.set("measure__quota__order_number", order, err)
	w.set("measure__reduction_indicator", of.reduction, nil)
}

// typed returns a code behind the code of its type, such as C990.
func (s *Set) typed(name string, n number, typesName string) (string, error) {
	code, err := s.cell(name, n, 0)
	if err != nil {
		return "", err
	}
	text, err := s.cell(name, n, 1)
	if err != nil {
		return "", err
	}
	of, err := parseNumber(text)
	if err != nil {
		return "", err
	}
	typ, err := s.cell(typesName, of, 0)
	return typ + code, err
}

func (s *Set) footnote(n number) (string, error) { return s.typed(footnotes, n, footnoteTypes) }

// act sets the regulation, and the last day: the earlier of the measure's and the regulation's.
func (w *writer) act(m *rawMeasure) {
	to := m.to
	if m.act != 0 {
		id, err := w.cell(regulations, m.act, 0)
		w.set("measure__regulation__id", id, err)
		if err == nil {
			newest := w.tables[regulations].rows[w.tables[regulations].newest[id]]
			w.set("measure__regulation__url", newest[1], nil)
			for _, text := range newest[2:] {
				if end, err := measure.ParseDay(text[:min(len(text), len("2021-01-01"))]); err == nil && (to == 0 || end < to) {
					to = end
				}
			}
		}
	}
	if to != 0 {
		w.set("measure__effective_end_date", max(to, m.from).String(), nil)
	}
}

// duty returns components in the order of their expressions. They are by version: of each expression the newest counts.
func (s *Set) duty(all []component) (made []measure.Component, err error) {
	for i := range all {
		one, err := s.component(&all[i])
		if err != nil {
			return nil, err
		}
		same := func(m measure.Component) bool { return m.Expression == one.Expression }
		made = append(slices.DeleteFunc(made, same), one)
	}
	slices.SortFunc(made, func(a, b measure.Component) int { return strings.Compare(a.Expression, b.Expression) })
	return made, nil
}

func (s *Set) component(c *component) (one measure.Component, err error) {
	id, err := s.cell(expressions, c.expression, 0)
	if err != nil {
		return one, err
	}
	if one.Expression = id; len(id) == 1 {
		one.Expression = "0" + id
	}
	if c.amount != "" {
		var ok bool
		if one.Amount, ok = measure.ParseAmount(c.amount); !ok {
			return one, fmt.Errorf("the amount %q is not a number", c.amount)
		}
	}
	if one.Currency, err = s.maybe(currencies, c.currency, 0); err != nil {
		return one, err
	}
	one.Unit, one.Qualifier, err = s.unit(c.measurement)
	return one, err
}

// unit returns the unit and the qualifier of a measurement.
func (s *Set) unit(n number) (unit, qualifier string, err error) {
	if n == 0 {
		return "", "", nil
	}
	row, ok := s.tables[measurements].rows[n]
	if !ok {
		return "", "", fmt.Errorf("%d is not in %s", n, measurements)
	}
	of, err := parseNumber(row[0])
	if err != nil {
		return "", "", err
	}
	with, err := parseNumber(row[1])
	if err != nil {
		return "", "", err
	}
	if unit, err = s.cell(units, of, 0); err != nil {
		return "", "", err
	}
	qualifier, err = s.maybe(qualifiers, with, 0)
	return unit, qualifier, err
}

// asked writes conditions in the order of their codes and places. Of two in one place the newer one counts.
func (s *Set) asked(all []condition) (string, error) {
	type placed struct {
		measure.Condition
		place int32
	}
	var made []placed
	for i := range all {
		one, err := s.condition(&all[i])
		if err != nil {
			return "", err
		}
		same := func(p placed) bool { return p.Code == one.Code && p.place == all[i].sequence }
		made = append(slices.DeleteFunc(made, same), placed{one, all[i].sequence})
	}
	slices.SortStableFunc(made, func(a, b placed) int { return cmp.Or(strings.Compare(a.Code, b.Code), cmp.Compare(a.place, b.place)) })
	sorted := make([]measure.Condition, len(made))
	for i := range made {
		sorted[i] = made[i].Condition
	}
	return table.WriteConditions(sorted), nil
}

func (s *Set) condition(c *condition) (one measure.Condition, err error) {
	if one.Code, err = s.cell(conditionCodes, c.code, 0); err != nil {
		return one, err
	}
	if one.Action, err = s.maybe(actions, c.action, 0); err != nil {
		return one, err
	}
	if len(one.Action) == 1 {
		one.Action = "0" + one.Action
	}
	if c.paper != 0 {
		if one.Document, err = s.typed(certificates, c.paper, certificateTypes); err != nil {
			return one, err
		}
	}
	if c.amount != "" {
		t := &measure.Threshold{}
		var ok bool
		if t.Amount, ok = measure.ParseAmount(c.amount); !ok {
			return one, fmt.Errorf("the threshold %q is not a number", c.amount)
		}
		if t.Currency, err = s.maybe(currencies, c.currency, 0); err != nil {
			return one, err
		}
		if t.Unit, t.Qualifier, err = s.unit(c.measurement); err != nil {
			return one, err
		}
		one.Threshold = t
	}
	one.Components, err = s.duty(of(s.ofIf, c.place))
	return one, err
}

// list joins what pairs lead to, each once, sorted.
func (s *Set) list(all []pair, name func(number) (string, error)) (string, error) {
	var names []string
	for _, p := range all {
		text, err := name(p.to)
		if err != nil {
			return "", err
		}
		names = append(names, text)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "|"), nil
}
