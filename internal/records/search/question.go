package search

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Question is what somebody looks for; its zero fields ask for nothing.
type Question struct {
	Text      string // an LRN or MRN, its beginning, or words: of the client's name, the goods, a document
	Statuses  []string
	Direction string
	ClientID  string
	From      time.Time // created at or after
	Until     time.Time // created before
	After     filing.Position
	Limit     int
}

// Plain tells whether the records themselves can be asked: no more than one state, and
// when they were created.
func (q *Question) Plain() bool {
	return strings.TrimSpace(q.Text) == "" && q.Direction == "" && q.ClientID == "" && len(q.Statuses) <= 1
}

// fits tells whether an entry passes everything but the words.
func (q *Question) fits(e *Entry) bool {
	return (len(q.Statuses) == 0 || slices.Contains(q.Statuses, e.Status)) &&
		(q.Direction == "" || q.Direction == e.Direction) && (q.ClientID == "" || q.ClientID == e.ClientID) && q.timely(e.CreatedAt) &&
		(q.After.ID == "" || e.before(q.After))
}

func (q *Question) timely(at time.Time) bool {
	return (q.From.IsZero() || !at.Before(q.From)) && (q.Until.IsZero() || at.Before(q.Until))
}

// term is a word that an entry must have, as the beginning of one of its own or in the
// name of its client.
type term struct {
	word    []byte
	clients map[string]bool
}

// place is where an entry stands in the list.
type place struct {
	id        string
	createdAt time.Time
}

// matches are the entries of a block that answer a question, whatever their order.
func (q *Question) matches(packed []byte, terms []term) (found []place, err error) {
	o, err := open(packed)
	if err != nil {
		return nil, err
	}
	want, err := o.wanted(q, terms)
	if want == nil || err != nil {
		return nil, err
	}
	err = o.each(func(r *row) {
		if !want.holds(r) || !q.timely(r.createdAt) {
			return
		}
		p := place{o.id(r), r.createdAt}
		if q.After.ID == "" || newer(p.createdAt, p.id, q.After.CreatedAt, q.After.ID) < 0 {
			found = append(found, p)
		}
	})
	return found, err
}

// wanted is a question in the numbers of a block: which of its texts will do.
type wanted struct {
	states, directions, clients []bool
	words                       [][]bool // for each term
	named                       [][]bool // the clients of each term
}

// wanted unfolds a block; it is nil where nothing in the block can answer.
func (o *opened) wanted(q *Question, terms []term) (*wanted, error) {
	var w wanted
	var state, direction, client bool
	w.states, state = o.states.which(func(s []byte) bool { return len(q.Statuses) == 0 || slices.Contains(q.Statuses, string(s)) })
	w.directions, direction = o.directions.which(func(s []byte) bool { return q.Direction == "" || string(s) == q.Direction })
	w.clients, client = o.clients.which(func(s []byte) bool { return q.ClientID == "" || string(s) == q.ClientID })
	if !state || !direction || !client {
		return nil, nil
	}
	possible := make([]bool, len(terms)) // by the name of a client
	for i, t := range terms {
		var named []bool
		named, possible[i] = o.clients.which(func(s []byte) bool { return t.clients[string(s)] })
		if w.named = append(w.named, named); !possible[i] && !bytes.Contains(o.rest, t.word) {
			return nil, nil
		}
	}
	if err := o.unfold(); err != nil {
		return nil, err
	}
	for i, t := range terms {
		words, some := o.words.which(func(s []byte) bool { return bytes.HasPrefix(s, t.word) })
		if w.words = append(w.words, words); !possible[i] && !some {
			return nil, nil
		}
	}
	return &w, nil
}

func (w *wanted) holds(r *row) bool {
	if !w.states[r.state] || !w.directions[r.direction] || !w.clients[r.client] {
		return false
	}
	for i := range w.words {
		if !w.named[i][r.client] && !slices.ContainsFunc(r.words, func(word int) bool { return w.words[i][word] }) {
			return false
		}
	}
	return true
}
