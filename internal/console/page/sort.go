package page

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Sort is the order of a list, as URLs name it: a member, with a hyphen before it for the last value first. Empty is the newest first.
type Sort string

// The members by which lists are sorted.
const (
	ByCreation  Sort = "createdAt"
	ByChange    Sort = "updatedAt"
	ByReference Sort = "reference"
	ByStatus    Sort = "status"
	ByClient    Sort = "client" // the name of the client that a record belongs to
)

// newestFirst is the usual order.
const newestFirst = "-" + ByCreation

// ReadSort returns the order that a URL names; the usual one for an unknown name.
func ReadSort(name string) Sort {
	s := Sort(name)
	if s == newestFirst || !slices.Contains([]Sort{ByCreation, ByChange, ByReference, ByStatus, ByClient}, s.member()) {
		return ""
	}
	return s
}

func (s Sort) named() Sort {
	if s == "" {
		return newestFirst
	}
	return s
}

func (s Sort) member() Sort { return Sort(strings.TrimPrefix(string(s.named()), "-")) }

func (s Sort) descends() bool { return strings.HasPrefix(string(s.named()), "-") }

// Aria returns how a list in the order is sorted by a member, for aria-sort.
func (s Sort) Aria(member Sort) string {
	switch {
	case s.member() != member:
		return "none"
	case s.descends():
		return "descending"
	}
	return "ascending"
}

// By returns the order by a member: the other way round if the list has it already, else times from the newest and texts from the
// first.
func (s Sort) By(member Sort) Sort {
	times := member == ByCreation || member == ByChange
	if s.member() == member && s.descends() || s.member() != member && !times {
		return member
	}
	return ReadSort("-" + string(member))
}

// Order returns the order in which the store reads; an order by status is that of creation within each status.
func (s Sort) Order() filing.Order {
	switch s.member() {
	case ByStatus:
		return filing.Order{}
	default:
		return filing.Order{ByUpdate: s.member() == ByChange, ByReference: s.member() == ByReference, ByClient: s.member() == ByClient, Ascending: !s.descends()}
	}
}

// Select reads a page of a list in the order. By status, the states follow one another as the lifecycle has them, with a query
// for each that is reached.
func (s Sort) Select(tx Tx, q filing.Selection, states []lifecycle.State) ([]filing.Filing, error) {
	q.Order = s.Order()
	if s.member() != ByStatus {
		return tx.Select(q)
	}
	states = slices.DeleteFunc(slices.Clone(states), func(state lifecycle.State) bool { return len(q.Statuses) > 0 && !slices.Contains(q.Statuses, state) })
	if s.descends() {
		slices.Reverse(states)
	}
	if q.After.ID != "" {
		states = states[max(0, slices.Index(states, lifecycle.State(q.After.Value))):]
	}
	var page []filing.Filing
	for _, state := range states {
		one := q
		one.Statuses, one.Limit, one.After.Value = []lifecycle.State{state}, q.Limit-len(page), ""
		some, err := tx.Select(one)
		if page = append(page, some...); err != nil || len(page) == q.Limit {
			return page, err
		}
		q.After = filing.Position{}
	}
	return page, nil
}

// Position returns the place of a record in the order; reference is the caller's own.
func (s Sort) Position(tx Tx, f *filing.Filing, reference string) (p filing.Position, err error) {
	p = s.Order().Position(f)
	switch s.member() {
	case ByReference:
		p.Value = reference
	case ByStatus:
		p.Value = string(f.Status)
	case ByClient:
		p.Value, err = tx.ClientPlace(f.ID)
	}
	return p, err
}
