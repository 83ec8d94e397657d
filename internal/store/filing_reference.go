package store

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// selectByReference reads a page in the order of the caller's own references. If at most maxSorted records match a filter, these are
// sorted in memory; otherwise the index of the order is read to the end of the page.
func (t *Tx) selectByReference(s filing.Selection, filtered bool) ([]filing.Filing, error) {
	if filtered {
		places, err := t.referencePlaces(s)
		if err != nil || len(places) <= maxSorted {
			return t.pageOf(places, s, err)
		}
	}
	var page []filing.Filing
	if s.After.ID == "" || s.After.Value != "" {
		l := listing{Selection: s}
		var err error
		if page, err = t.page(l.referenced(), l.args, s); err != nil || len(page) == s.Limit {
			return page, err
		}
		s.After, s.Limit = filing.Position{}, s.Limit-len(page)
	}
	s.Order = filing.Order{}
	l := listing{Selection: s}
	rest, err := t.page(l.query([]source{{terms: " AND f.own_reference IS NULL"}}), l.args, s)
	return append(page, rest...), err
}

// referenced returns the query that reads the records with a reference in the order of these.
func (l *listing) referenced() string {
	const order = "f.own_reference, f.created_at, f.id"
	after, direction := "", " DESC"
	than := "<"
	if l.Order.Ascending {
		than, direction = ">", ""
	}
	if p := l.After; p.ID != "" {
		after = " AND (" + order + ") " + than + " (" + l.arg(p.Value) + ", " + l.arg(instant(p.CreatedAt)) + ", " + l.arg(p.ID) + ")"
	}
	l.After = filing.Position{}
	return l.branch(source{terms: " AND f.own_reference IS NOT NULL"}, selected) + after +
		" ORDER BY " + strings.ReplaceAll(order, ",", direction+",") + direction + " LIMIT " + l.arg(l.Limit) + computed
}

// referencePlaces reads the places of the records that match, at most one more than are sorted.
func (t *Tx) referencePlaces(s filing.Selection) (places []filing.Position, err error) {
	l := listing{Selection: s, merges: t.dialect.Merges}
	l.Order, l.After, l.Limit = filing.Order{}, filing.Position{}, maxSorted+1
	query := strings.ReplaceAll(l.query(l.sources()), "f.status, COALESCE(f.brief, f.body) AS input, f.added", "COALESCE(f.own_reference, '') AS status, '' AS input, '' AS added")
	err = t.rows(query, l.args, func(r engine.Row) error {
		var p filing.Position
		var none string
		var changed instant
		err := r.Scan(&p.ID, &p.Value, &none, &none, (*instant)(&p.CreatedAt), &changed)
		places = append(places, p)
		return err
	})
	return places, wrapError("select by reference", err)
}

// pageOf reads the page of some places after the position of a selection.
func (t *Tx) pageOf(places []filing.Position, s filing.Selection, err error) ([]filing.Filing, error) {
	if err != nil {
		return nil, err
	}
	compare := func(a, b filing.Position) int { return compareReferences(a, b, s.Order) }
	if s.After.ID != "" {
		places = slices.DeleteFunc(places, func(p filing.Position) bool { return compare(p, s.After) <= 0 })
	}
	slices.SortFunc(places, compare)
	return t.inPlaces(places[:min(len(places), s.Limit)])
}

// compareReferences compares two places in the order of references.
func compareReferences(a, b filing.Position, o filing.Order) int {
	switch {
	case a.Value == "" && b.Value == "":
		return filing.Order{}.Compare(a, b)
	case a.Value == "":
		return 1
	case b.Value == "":
		return -1
	}
	c := cmp.Compare(a.Value, b.Value)
	if !o.Ascending {
		c = -c
	}
	return cmp.Or(c, o.Compare(a, b))
}
