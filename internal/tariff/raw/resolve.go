package raw

import (
	"cmp"
	"fmt"
	"math/big"
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

// resolver makes measures of the newest versions.
type resolver struct {
	*Set
	sids       map[number]int64 // of measures, by version
	components map[int64][]component
	conditions map[int64][]condition
	ofIf       map[int64][]component // of conditions, by sid
	excluded   map[int64][]pair
	notes      map[int64][]pair
}

// Measures adds each measure to a table, and returns the rows that are faulty. A measure ends with its regulation if that ends
// earlier.
func (s *Set) Measures(to *table.Builder, enough int) (faults []Fault) {
	r := newResolver(s)
	for _, m := range newestOf(s.measures, func(m *rawMeasure) (int64, number) { return m.sid, m.version }) {
		cells, err := r.cells(m)
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

func newResolver(s *Set) *resolver {
	r := &resolver{
		Set: s, sids: make(map[number]int64, len(s.measures)), components: map[int64][]component{}, conditions: map[int64][]condition{},
		ofIf: map[int64][]component{}, excluded: map[int64][]pair{}, notes: map[int64][]pair{},
	}
	for i := range s.measures {
		r.sids[s.measures[i].version] = s.measures[i].sid
	}
	ifs := make(map[number]int64, len(s.conditions))
	for i := range s.conditions {
		ifs[s.conditions[i].version] = s.conditions[i].sid
	}
	for _, c := range s.components {
		r.components[r.sids[c.of]] = append(r.components[r.sids[c.of]], c)
	}
	for _, c := range newestOf(s.conditions, func(c *condition) (int64, number) { return c.sid, c.version }) {
		r.conditions[r.sids[c.of]] = append(r.conditions[r.sids[c.of]], *c)
	}
	for _, c := range s.ofIf {
		r.ofIf[ifs[c.of]] = append(r.ofIf[ifs[c.of]], c)
	}
	for _, p := range s.excluded {
		r.excluded[r.sids[p.of]] = append(r.excluded[r.sids[p.of]], p)
	}
	for _, p := range s.notes {
		r.notes[r.sids[p.of]] = append(r.notes[r.sids[p.of]], p)
	}
	return r
}

// newestOf returns the newest version of each thing, in the order of their numbers.
func newestOf[T any](all []T, of func(*T) (sid int64, v number)) (newest []*T) {
	at := map[int64]*T{}
	for i := range all {
		sid, v := of(&all[i])
		if was, ok := at[sid]; ok {
			if _, before := of(was); before > v {
				continue
			}
		}
		at[sid] = &all[i]
	}
	for _, one := range at {
		newest = append(newest, one)
	}
	slices.SortFunc(newest, func(a, b *T) int {
		x, _ := of(a)
		y, _ := of(b)
		return cmp.Compare(x, y)
	})
	return newest
}

// cell returns a cell of the thing that a number names.
func (r *resolver) cell(name string, n number, cell int) (string, error) {
	row, ok := r.tables[name].rows[n]
	if !ok {
		return "", fmt.Errorf("%d is not in %s", n, name)
	}
	return row[cell], nil
}

// maybe is cell, but for no number it is empty.
func (r *resolver) maybe(name string, n number, cell int) (string, error) {
	if n == 0 {
		return "", nil
	}
	return r.cell(name, n, cell)
}

// cells are the cells of a measure as the publisher's report has them.
func (r *resolver) cells(m *rawMeasure) ([]string, error) {
	w := &writer{resolver: r, cells: map[string]string{}}
	w.set("measure__sid", fmt.Sprint(m.sid), nil)
	w.refer("commodity__code", commodities, m.goods, 0)
	w.refer("measure__type__id", types, m.typ, 0)
	w.refer("measure__type__description", types, m.typ, 1)
	w.refer("measure__geographical_area__id", areas, m.area, 0)
	w.set("measure__reduction_indicator", m.reduction, nil)
	w.set("measure__effective_start_date", m.from.String(), nil)
	w.additional(m)
	w.order(m)
	w.act(m)
	duty, err := r.duty(r.components[m.sid])
	w.set("measure__duty_expression", measure.Text(duty), err)
	asked, err := r.asked(r.conditions[m.sid])
	w.set("measure__conditions", asked, err)
	excluded, err := r.list(r.excluded[m.sid], func(n number) (string, error) { return r.cell(areas, n, 0) })
	w.set("measure__excluded_geographical_areas__ids", excluded, err)
	footnoted, err := r.list(r.notes[m.sid], r.footnote)
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
	*resolver
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

func (w *writer) additional(m *rawMeasure) {
	code, err := m.deadAdditional, error(nil)
	if m.additional != 0 {
		code, err = w.typed(additional, m.additional, additionalTypes)
	}
	w.set("measure__additional_code__code", code, err)
}

// typed returns a code behind the code of its type, such as C990.
func (r *resolver) typed(name string, n number, typesName string) (string, error) {
	code, err := r.cell(name, n, 0)
	if err != nil {
		return "", err
	}
	text, err := r.cell(name, n, 1)
	if err != nil {
		return "", err
	}
	of, err := parseNumber(text)
	if err != nil {
		return "", err
	}
	typ, err := r.cell(typesName, of, 0)
	return typ + code, err
}

func (r *resolver) footnote(n number) (string, error) { return r.typed(footnotes, n, footnoteTypes) }

func (w *writer) order(m *rawMeasure) {
	order, err := m.deadOrder, error(nil)
	if m.order != 0 {
		order, err = w.cell(orders, m.order, 0)
	}
	w.set("measure__quota__order_number", order, err)
}

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

// duty returns components in the order of their expressions, of each the newest version.
func (r *resolver) duty(all []component) (made []measure.Component, err error) {
	seen := map[string]number{}
	for _, c := range all {
		one, err := r.component(&c)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(made, func(m measure.Component) bool { return m.Expression == one.Expression })
		switch was := seen[one.Expression]; {
		case at < 0:
			made = append(made, one)
		case was < c.version:
			made[at] = one
		}
		seen[one.Expression] = max(seen[one.Expression], c.version)
	}
	slices.SortFunc(made, func(a, b measure.Component) int { return strings.Compare(a.Expression, b.Expression) })
	return made, nil
}

func (r *resolver) component(c *component) (one measure.Component, err error) {
	id, err := r.cell(expressions, c.expression, 0)
	if err != nil {
		return one, err
	}
	if one.Expression = id; len(id) == 1 {
		one.Expression = "0" + id
	}
	if c.amount != "" {
		var ok bool
		if one.Amount, ok = new(big.Rat).SetString(c.amount); !ok {
			return one, fmt.Errorf("the amount %q is not a number", c.amount)
		}
	}
	if one.Currency, err = r.maybe(currencies, c.currency, 0); err != nil {
		return one, err
	}
	one.Unit, one.Qualifier, err = r.unit(c.measurement)
	return one, err
}

// unit returns the unit and the qualifier of a measurement.
func (r *resolver) unit(n number) (unit, qualifier string, err error) {
	if n == 0 {
		return "", "", nil
	}
	row, ok := r.tables[measurements].rows[n]
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
	if unit, err = r.cell(units, of, 0); err != nil {
		return "", "", err
	}
	qualifier, err = r.maybe(qualifiers, with, 0)
	return unit, qualifier, err
}

// asked writes conditions in the order of their codes and places.
func (r *resolver) asked(all []condition) (string, error) {
	type placed struct {
		measure.Condition
		place int32
	}
	var made []placed
	for i := range all {
		one, err := r.condition(&all[i])
		if err != nil {
			return "", err
		}
		made = append(made, placed{one, all[i].sequence})
	}
	slices.SortStableFunc(made, func(a, b placed) int { return cmp.Or(strings.Compare(a.Code, b.Code), cmp.Compare(a.place, b.place)) })
	sorted := make([]measure.Condition, len(made))
	for i := range made {
		sorted[i] = made[i].Condition
	}
	return table.WriteConditions(sorted), nil
}

func (r *resolver) condition(c *condition) (one measure.Condition, err error) {
	if one.Code, err = r.cell(conditionCodes, c.code, 0); err != nil {
		return one, err
	}
	if one.Action, err = r.maybe(actions, c.action, 0); err != nil {
		return one, err
	}
	if len(one.Action) == 1 {
		one.Action = "0" + one.Action
	}
	if c.paper != 0 {
		if one.Document, err = r.typed(certificates, c.paper, certificateTypes); err != nil {
			return one, err
		}
	}
	if c.amount != "" {
		t := &measure.Threshold{}
		var ok bool
		if t.Amount, ok = new(big.Rat).SetString(c.amount); !ok {
			return one, fmt.Errorf("the threshold %q is not a number", c.amount)
		}
		if t.Currency, err = r.maybe(currencies, c.currency, 0); err != nil {
			return one, err
		}
		if t.Unit, t.Qualifier, err = r.unit(c.measurement); err != nil {
			return one, err
		}
		one.Threshold = t
	}
	one.Components, err = r.duty(r.ofIf[c.sid])
	return one, err
}

// list joins what pairs lead to, each once, sorted.
func (r *resolver) list(all []pair, name func(number) (string, error)) (string, error) {
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
