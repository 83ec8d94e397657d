package filing

import (
	"encoding/json"
	"time"
)

// Posting is what a record, as it stands, adds to a ledger: an amount at an instant.
// A ledger is summed without reading the records. A record adds to each ledger once.
type Posting struct {
	Ledger string    // such as import_vat; its kind says in which unit it counts
	At     time.Time // to the millisecond
	Amount int64     // in the least unit: pence, grams
}

// Sum is what a ledger comes to between two instants.
type Sum struct {
	Records int64
	Amount  int64
}

// currentPostings is what a record as it now stands adds: by the input at hand, or else by the
// stored one.
func (t *Type) currentPostings(f *Filing, in *Input) ([]Posting, error) {
	switch {
	case t.postings == nil:
		return nil, nil
	case in != nil:
		return in.postings(f.moment()), nil
	}
	return t.postings(f.Body, f.moment())
}

func (d Definition[B]) postingsOf(raw json.RawMessage, m Moment) ([]Posting, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Postings(b, m), nil
}

// LedgerEntry is an entry of a ledger, and the record that it comes from.
type LedgerEntry struct {
	RecordID string
	At       time.Time
	Amount   int64
	Input    json.RawMessage // of the record, as lists show it
	Added    json.RawMessage
}

// LedgerQuery asks for a page of what was posted to a ledger from one instant to another,
// both included, oldest first.
type LedgerQuery struct {
	Name     string
	From, To time.Time
	After    LedgerEntry // the last of the page before, only its At and RecordID; zero for the first page
	Limit    int
}

// LedgerView reads ledgers.
type LedgerView interface {
	Sum(ledger string, from, to time.Time) (Sum, error)
	Posted(LedgerQuery) ([]LedgerEntry, error)
}
