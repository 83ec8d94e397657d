package search

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Query is a search query; zero fields do not filter.
type Query struct {
	Text     string // a prefix of an LRN or MRN, or words of the client's name, the goods or a document
	Statuses []string
	// Directions are those of declarations or, for records of all kinds, the kinds, any of them. A search for several kinds has one
	// page, with at most Limit records of each.
	Directions []string
	ClientID   string
	From       time.Time // created at or after
	Until      time.Time // created before
	After      filing.Position
	Limit      int
}

// Plain reports whether the query needs no index: it has at most one status and a period.
func (q *Query) Plain() bool {
	return strings.TrimSpace(q.Text) == "" && len(q.Directions) == 0 && q.ClientID == "" && len(q.Statuses) <= 1
}

// fits reports whether an entry matches everything but the words.
func (q *Query) fits(e *Entry) bool {
	return (len(q.Statuses) == 0 || slices.Contains(q.Statuses, e.Status)) &&
		(len(q.Directions) == 0 || slices.Contains(q.Directions, e.Direction)) && (q.ClientID == "" || q.ClientID == e.ClientID) && q.inPeriod(e.CreatedAt) &&
		(q.After.ID == "" || e.isBefore(q.After))
}

func (q *Query) inPeriod(at time.Time) bool {
	return (q.From.IsZero() || !at.Before(q.From)) && (q.Until.IsZero() || at.Before(q.Until))
}

// term is a word that must be a prefix of a word of the entry or be in the name of its client.
type term struct {
	word    []byte
	clients map[string]bool
}

// result is the position of an entry in the result.
type result struct {
	id, direction string
	createdAt     time.Time
}

// quota counts the results of each direction that a query names, or all.
type quota struct {
	q      *Query
	counts map[string]int
	full   []string // directions that need no further block
}

func newQuota(q *Query) *quota { return &quota{q: q, counts: map[string]int{}} }

// goesOn counts the results of a block and reports whether another one must be read. One is read after that with which a direction is
// full: entries that two instances made at the same time can be in either. Directions that are complete are taken from the query.
func (u *quota) goesOn(results []result) bool {
	q := u.q
	if len(q.Directions) == 0 {
		wasFull := u.counts[""] > q.Limit
		u.counts[""] += len(results)
		return !wasFull
	}
	q.Directions = slices.DeleteFunc(slices.Clone(q.Directions), func(d string) bool { return slices.Contains(u.full, d) })
	for _, r := range results {
		u.counts[r.direction]++
	}
	for _, d := range q.Directions {
		if u.counts[d] > q.Limit {
			u.full = append(u.full, d)
		}
	}
	return len(q.Directions) > 0
}

// matchesAny returns the entries of a block that match one of some lists of words, in any order.
func (q *Query) matchesAny(packed []byte, lists [][]term) (found []result, err error) {
	for _, terms := range lists {
		more, err := q.matches(packed, terms)
		if err != nil {
			return nil, err
		}
		for _, r := range more {
			if !slices.ContainsFunc(found, func(has result) bool { return has.id == r.id }) {
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// matches returns the entries of a block that match, in any order.
func (q *Query) matches(packed []byte, terms []term) (found []result, err error) {
	o, err := parseBlock(packed)
	if err != nil {
		return nil, err
	}
	want, err := o.matcher(q, terms)
	if want == nil || err != nil {
		return nil, err
	}
	directions := o.directions.strings()
	err = o.each(func(r *row) {
		if !want.matches(r) || !q.inPeriod(r.createdAt) {
			return
		}
		p := result{o.id(r), directions[r.direction], r.createdAt}
		if q.After.ID == "" || compareAge(p.createdAt, p.id, q.After.CreatedAt, q.After.ID) < 0 {
			found = append(found, p)
		}
	})
	return found, err
}

// matcher is a query in terms of a block: which of its texts match.
type matcher struct {
	states, directions, clients []bool
	words                       [][]bool // for each term
	clientsByName               [][]bool // clients that match each term
}

// matcher evaluates a query on the texts of a block; nil if no entry can match.
func (o *parsedBlock) matcher(q *Query, terms []term) (*matcher, error) {
	var w matcher
	var state, direction, client bool
	w.states, state = o.states.match(func(s []byte) bool { return len(q.Statuses) == 0 || slices.Contains(q.Statuses, string(s)) })
	w.directions, direction = o.directions.match(func(s []byte) bool { return len(q.Directions) == 0 || slices.Contains(q.Directions, string(s)) })
	w.clients, client = o.clients.match(func(s []byte) bool { return q.ClientID == "" || string(s) == q.ClientID })
	if !state || !direction || !client {
		return nil, nil
	}
	possible := make([]bool, len(terms)) // matches by the name of a client
	for i, t := range terms {
		var named []bool
		named, possible[i] = o.clients.match(func(s []byte) bool { return t.clients[string(s)] })
		if w.clientsByName = append(w.clientsByName, named); !possible[i] && !bytes.Contains(o.rest, t.word) {
			return nil, nil
		}
	}
	if err := o.parseColumns(); err != nil {
		return nil, err
	}
	for i, t := range terms {
		words, some := o.words.match(func(s []byte) bool { return bytes.HasPrefix(s, t.word) })
		if w.words = append(w.words, words); !possible[i] && !some {
			return nil, nil
		}
	}
	return &w, nil
}

func (w *matcher) matches(r *row) bool {
	if !w.states[r.state] || !w.directions[r.direction] || !w.clients[r.client] {
		return false
	}
	for i := range w.words {
		if !w.clientsByName[i][r.client] && !slices.ContainsFunc(r.words, func(word int) bool { return w.words[i][word] }) {
			return false
		}
	}
	return true
}
