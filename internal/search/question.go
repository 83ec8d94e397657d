package search

import (
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
	word    string
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
	want := o.wanted(q, terms)
	if want == nil {
		return nil, nil
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

// wanted is nil where nothing in the block can answer.
func (o *opened) wanted(q *Question, terms []term) *wanted {
	w := &wanted{
		states:     which(o.states, func(s string) bool { return len(q.Statuses) == 0 || slices.Contains(q.Statuses, s) }),
		directions: which(o.directions, func(s string) bool { return q.Direction == "" || s == q.Direction }),
		clients:    which(o.clients, func(s string) bool { return q.ClientID == "" || s == q.ClientID }),
	}
	possible := slices.Contains(w.states, true) && slices.Contains(w.directions, true) && slices.Contains(w.clients, true)
	for _, t := range terms {
		words := which(o.words, func(s string) bool { return strings.HasPrefix(s, t.word) })
		named := which(o.clients, func(s string) bool { return t.clients[s] })
		possible = possible && (slices.Contains(words, true) || slices.Contains(named, true))
		w.words, w.named = append(w.words, words), append(w.named, named)
	}
	if !possible {
		return nil
	}
	return w
}

func which(texts []string, will func(string) bool) []bool {
	all := make([]bool, len(texts))
	for i, text := range texts {
		all[i] = will(text)
	}
	return all
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
