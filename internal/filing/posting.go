package filing

import (
	"encoding/json"
	"time"
)

// Posting is an entry of a record in a ledger: an amount at an instant. A ledger can be summed without reading the
// records. A record has at most one entry in each ledger.
type Posting struct {
	Ledger string    // such as import_vat; its unit depends on the ledger
	At     time.Time // to the millisecond
	Amount int64     // in the smallest unit: pence, grams
}

// Sum is the sum of a ledger between two instants.
type Sum struct {
	Records int64
	Amount  int64
}

// currentPostings returns the postings of a record: from the new input or, if that is nil, from the stored one.
func (t *Type) currentPostings(f *Filing, in *Input) ([]Posting, error) {
	switch {
	case t.postings == nil:
		return nil, nil
	case in != nil:
		return in.postings(f.metadata()), nil
	}
	return t.postings(f.Body, f.metadata())
}

func (d Definition[B]) postingsOf(raw json.RawMessage, m Metadata) ([]Posting, error) {
	b, err := decode[B](raw)
	if err != nil {
		return nil, err
	}
	return d.Postings(b, m), nil
}

// LedgerEntry is an entry of a ledger with its record.
type LedgerEntry struct {
	RecordID string
	At       time.Time
	Amount   int64
	Input    json.RawMessage // of the record, as lists show it
	Added    json.RawMessage
}

// LedgerQuery selects a page of a ledger's entries between two instants, both inclusive, oldest first.
type LedgerQuery struct {
	Name     string
	From, To time.Time
	After    LedgerEntry // the last entry of the previous page, only At and RecordID; zero for the first page
	Limit    int
}

// LedgerView reads ledgers.
type LedgerView interface {
	Sum(ledger string, from, to time.Time) (Sum, error)
	Posted(LedgerQuery) ([]LedgerEntry, error)
}
