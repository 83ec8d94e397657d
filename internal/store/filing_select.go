package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// If no index has both the filter and the order of a list, the first maxProbed records of the order are looked at; if too
// few of them match, and at most maxSorted records match in all, these are sorted in memory.
const (
	maxProbed = 500
	maxSorted = 1000
)

// Select reads a page of one kind, in the form that lists show.
//
// Every filter by equality has an index that is ordered by creation. For another order, and for a period
// of changes in the order of creation, the index of the order is read first for a while, and to the end of the page
// if too many records match to sort them.
func (t *Tx) Select(s filing.Selection) ([]filing.Filing, error) {
	page, complete, err := t.SelectSingle(s)
	if err != nil || complete {
		return page, err
	}
	return t.SelectMatching(s)
}

// SelectSingle is the first statement of Select, which needs no transaction. It reports whether the page is complete;
// otherwise SelectMatching reads it.
func (t *Tx) SelectSingle(s filing.Selection) (page []filing.Filing, complete bool, err error) {
	if s.Entries.Ledger != "" || s.Order.ByReference || s.Order.ByClient {
		return nil, false, nil
	}
	l := listing{Selection: s, byUpdate: s.Order.ByUpdate, merges: t.dialect.Merges}
	narrow := narrows(&s)
	if l.hasIndex(narrow) {
		page, err = t.page(l.query(l.sources()), l.args, s)
		return page, true, err
	}
	if narrow {
		return nil, false, nil
	}
	return t.probe(s)
}

// SelectMatching reads a page whose filter and order no index has: it sorts the records that match, or reads in order.
func (t *Tx) SelectMatching(s filing.Selection) ([]filing.Filing, error) {
	switch {
	case s.Entries.Ledger != "":
		return t.selectByEntry(listing{Selection: s, byUpdate: s.Order.ByUpdate, merges: t.dialect.Merges})
	case s.Order.ByReference:
		return t.selectByReference(s, filters(&s))
	case s.Order.ByClient:
		return t.selectByClient(s, filters(&s))
	}
	l := listing{Selection: s, byUpdate: !s.Order.ByUpdate, merges: t.dialect.Merges}
	l.After, l.Limit = filing.Position{}, maxSorted+1
	places, err := t.places(l.query(l.sources()), l.args, s)
	if err != nil {
		return nil, err
	}
	if len(places) <= maxSorted {
		return t.sorted(places, s)
	}
	l = listing{Selection: s, byUpdate: s.Order.ByUpdate}
	return t.page(l.query([]source{l.inOrder()}), l.args, s)
}

// narrows reports whether a selection has a filter by equality besides the status, which few records meet.
func narrows(s *filing.Selection) bool {
	return len(s.Keys) > 0 || s.Reference != "" || s.ShipmentID != "" || s.ClientID != "" || len(s.Metadata) > 0
}

// filters reports whether a selection has a filter besides the kind.
func filters(s *filing.Selection) bool {
	return narrows(s) || len(s.Statuses) > 0 || !s.Created.IsZero() || !s.Updated.IsZero()
}

// hasIndex reports whether an index has both the filter and the order of the list.
func (l *listing) hasIndex(narrow bool) bool {
	if l.Order.ByUpdate {
		return !narrow && len(l.Statuses) == 0 && l.Created.IsZero()
	}
	return narrow || l.Updated.IsZero()
}

// errFull ends the reading of rows.
var errFull = errors.New("the page is full")

// probe looks for a page among the first records of the order. It reports whether the page is full.
func (t *Tx) probe(s filing.Selection) (page []filing.Filing, full bool, err error) {
	l := listing{Selection: s, byUpdate: s.Order.ByUpdate}
	l.Statuses, l.Limit = nil, maxProbed
	if l.byUpdate {
		l.Created = filing.Period{}
	} else {
		l.Updated = filing.Period{Until: s.Updated.Until}
	}
	err = t.eachListed(l.query([]source{l.inOrder()}), l.args, s.Kind, func(f *filing.Filing) error {
		if (len(s.Statuses) == 0 || slices.Contains(s.Statuses, f.Status)) && s.Created.Has(f.CreatedAt) && s.Updated.Has(f.UpdatedAt) {
			page = append(page, *f)
		}
		if len(page) == s.Limit {
			return errFull
		}
		return nil
	})
	if errors.Is(err, errFull) {
		return page, true, nil
	}
	return page, false, err
}

// page reads records as lists show them.
func (t *Tx) page(query string, args []any, s filing.Selection) ([]filing.Filing, error) {
	page := make([]filing.Filing, 0, s.Limit)
	err := t.eachListed(query, args, s.Kind, func(f *filing.Filing) error {
		page = append(page, *f)
		return nil
	})
	return page, err
}

// eachListed calls fn for records as lists show them.
func (t *Tx) eachListed(query string, args []any, kind string, fn func(*filing.Filing) error) error {
	err := t.rows(query, args, func(r engine.Row) error {
		f := filing.Filing{Kind: kind}
		if err := r.Scan(&f.ID, &f.Status, (*[]byte)(&f.Brief), (*[]byte)(&f.Added), (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt)); err != nil {
			return err
		}
		return fn(&f)
	})
	if err != nil {
		return fmt.Errorf("store: select: %w", err)
	}
	return nil
}

// places reads the positions of records in the order of a list.
func (t *Tx) places(query string, args []any, s filing.Selection) (all []filing.Position, err error) {
	query = strings.ReplaceAll(query, "f.status, COALESCE(f.brief, f.body) AS input, f.added", "'' AS status, '' AS input, '' AS added")
	err = t.rows(query, args, func(r engine.Row) error {
		var f filing.Filing
		var none string
		err := r.Scan(&f.ID, &none, &none, &none, (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
		all = append(all, s.Order.Position(&f))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: select: %w", err)
	}
	return all, nil
}

// sorted reads the page of some records.
func (t *Tx) sorted(places []filing.Position, s filing.Selection) ([]filing.Filing, error) {
	if s.After.ID != "" {
		places = slices.DeleteFunc(places, func(p filing.Position) bool { return s.Order.Compare(p, s.After) <= 0 })
	}
	slices.SortFunc(places, s.Order.Compare)
	return t.inPlaces(places[:min(len(places), s.Limit)])
}

// inPlaces reads records in the order of their places.
func (t *Tx) inPlaces(places []filing.Position) ([]filing.Filing, error) {
	ids := make([]string, len(places))
	for i, p := range places {
		ids[i] = p.ID
	}
	found, err := t.Briefs(ids)
	if err != nil {
		return nil, err
	}
	page := make([]filing.Filing, 0, len(ids))
	for _, id := range ids {
		page = append(page, found[id])
	}
	return page, nil
}
