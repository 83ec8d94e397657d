package official

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/raw"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// rawTitle names the source of the raw tables.
const rawTitle = "raw tables (Department for Business and Trade)"

// rawTable reads one of the raw tables, which become measures together.
type rawTable struct {
	set  *raw.Set
	name string
	skip bool
}

// rawLayout returns the layout of a raw table; false for another table. A table that no measure needs is passed over.
func rawLayout(about reading, header []string, set *raw.Set) (layout, error) {
	if set == nil || !raw.Is(header) {
		return layout{}, errHeader
	}
	name, columns, ok := raw.Columns(about.file, header)
	if !ok {
		return layout{}, fmt.Errorf("is a raw table, but neither its name, such as measure-conditions.csv, nor its columns say which")
	}
	r := &rawTable{set: set, name: name, skip: columns == nil}
	l := layout{title: rawTitle, must: columns, taker: func(reading) tableReader { return r }}
	if r.skip {
		return l, nil
	}
	return l, set.Open(name, about.file)
}

func (r *rawTable) take(cells []string, row int) error {
	if r.skip {
		return nil
	}
	return r.set.Take(r.name, cells, row)
}

func (r *rawTable) tables(*rowErrors) []read { return nil }

// mostFaults is the number of faulty rows of the raw tables after which reading stops.
const mostFaults = 50

// rawParts makes the measures, the areas and the quotas of the raw tables of an import.
func rawParts(set *raw.Set, how ImportOptions, today string, wrong *importerr.Error) []part {
	if set.Empty() || wrong.OrNil() != nil {
		return nil
	}
	if missing := set.Missing(); len(missing) > 0 {
		wrong.Add("raw tables", 0, "are measures together only: also needed are "+strings.Join(missing, ", "))
		return nil
	}
	b := table.NewBuilder()
	areas, faults := set.Areas(firstDay(how.AsOf, today))
	periods, more := set.Quotas()
	for _, f := range slices.Concat(faults, more, set.Measures(b, mostFaults)) {
		wrong.Add(f.File, f.Line, f.Err.Error())
	}
	if wrong.OrNil() != nil {
		return nil
	}
	t, _ := b.Table()
	asOf := firstDay(how.AsOf, newestOf(t, today), today)
	about := Table{Kind: RawMeasures.of(how.Service), AsOf: asOf, Source: rawTitle, File: "raw tables", Rows: t.Len()}
	pieces, err := measurePieces(about.Kind, t)
	if err != nil {
		wrong.Add(about.File, 0, err.Error())
	}
	parts := []part{{Table: about, pieces: pieces, table: t}}
	list := part{Table: Table{Kind: Areas.of(how.Service), AsOf: about.AsOf, Source: rawTitle, File: about.File, Rows: len(areas)}}
	for _, a := range areas {
		list.rows = append(list.rows, []string{a.ID, a.Name, strings.Join(a.Members, " ")})
	}
	parts = append(parts, list)
	if periods == nil {
		return parts
	}
	return append(parts, definitionsOf(periods, Table{Kind: Quotas.of(how.Service), AsOf: about.AsOf, Source: rawTitle, File: about.File}))
}

// definitionsOf is the list of quotas of the raw tables, which has no balances.
func definitionsOf(periods []raw.Quota, about Table) part {
	p := part{Table: about}
	for i := range periods {
		q := &periods[i]
		row := make([]string, quotaCells)
		row[quotaOrder], row[quotaFrom], row[quotaStatus], row[quotaInitial], row[quotaUnit] = q.Order, q.From.String(), measure.QuotaOpen, q.Initial, q.Unit
		if q.To != 0 {
			row[quotaTo] = q.To.String()
		}
		if q.Critical {
			row[quotaStatus] = measure.QuotaCritical
		}
		row[quotaSuspended], row[quotaBlocked] = writePeriods(q.Suspended), writePeriods(q.Blocked)
		p.rows = append(p.rows, row)
	}
	p.Rows = len(p.rows)
	return p
}

func writePeriods(all []measure.Period) string {
	var texts []string
	for _, p := range all {
		texts = append(texts, p.From.String()+";"+p.To.String())
	}
	return strings.Join(texts, "|")
}

// withBalances leaves out the quotas of the raw tables if the import, or the edition before it, has a list of them with balances.
func withBalances(parts []part, before Edition) []part {
	listed := func(k Kind) bool {
		t, has := before.Table(k)
		return has && t.Source != rawTitle || slices.ContainsFunc(parts, func(p part) bool { return p.Kind == k && p.Source != rawTitle })
	}
	return slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
		return p.Source == rawTitle && (p.Kind == Quotas.of(measure.UK) || p.Kind == Quotas.of(measure.XI)) && listed(p.Kind)
	})
}

// newestOf is the first day of the newest measure that is in force; empty if there is none.
func newestOf(t *table.Table, today string) string {
	on, err := measure.ParseDay(today)
	if err != nil {
		return ""
	}
	if newest, ok := t.Newest(on); ok {
		return newest.String()
	}
	return ""
}
