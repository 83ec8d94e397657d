package official

import (
	"context"
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/tariff/difference"
)

// Summary counts changes.
type Summary struct {
	Added   int `json:"added" doc:"Measures that only the later edition has" example:"12"`
	Ended   int `json:"ended" doc:"Measures that only the former edition has" example:"3"`
	Changed int `json:"changed" doc:"Measures that both have, with other terms" example:"40"`
	Codes   int `json:"codes" doc:"Commodity codes with changes" example:"38"`
}

// Place is the end of a page of changes. It holds the summary, so that only the first page reads all changes.
type Place struct {
	Summary
	Code string // of the last change; empty before the first page
	Done int    // how many changes of the code were shown
}

// Page is a page of changes; Next is nil on the last one.
type Page struct {
	Summary
	Changes []difference.Change
	Next    *Place
}

var errFull = errors.New("official: the page is full")

// Page returns the changes after a place. The first page counts all changes.
func (c *Comparison) Page(ctx context.Context, after Place, limit int) (Page, error) {
	p := Page{Summary: after.Summary}
	last, skip := after, after.Done
	counted, first := "", after.Code == ""
	err := c.Walk(ctx, after.Code, func(d difference.Change) error {
		code := d.Of().Code
		if first {
			p.Summary.count(d, code != counted)
			counted = code
		}
		switch {
		case code == after.Code && skip > 0:
			skip--
		case len(p.Changes) < limit:
			p.Changes = append(p.Changes, d)
			last.next(code)
		default:
			p.Next = &last
			if !first {
				return errFull
			}
		}
		return nil
	})
	if errors.Is(err, errFull) {
		err = nil
	}
	last.Summary = p.Summary
	return p, err
}

// Summarise calls visit for each change, as Walk does, and counts them.
func (c *Comparison) Summarise(ctx context.Context, visit func(difference.Change) error) (s Summary, err error) {
	last := ""
	err = c.Walk(ctx, "", func(d difference.Change) error {
		s.count(d, d.Of().Code != last)
		last = d.Of().Code
		return visit(d)
	})
	return s, err
}

func (p *Place) next(code string) {
	if code != p.Code {
		p.Code, p.Done = code, 0
	}
	p.Done++
}

func (s *Summary) count(c difference.Change, newCode bool) {
	switch c.Kind {
	case difference.Added:
		s.Added++
	case difference.Ended:
		s.Ended++
	default:
		s.Changed++
	}
	if newCode {
		s.Codes++
	}
}

// EmbeddedHolds returns what the embedded table holds.
func EmbeddedHolds() Holds {
	rows := 0
	for _, k := range rowKinds {
		rows += len(embeddedRows(k))
	}
	return holdsOf(embeddedEditions(), rows)
}
