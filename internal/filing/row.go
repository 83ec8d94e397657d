package filing

import (
	"encoding/json"
	"time"
)

// Row is a record as a table shows it: the text that is stored, in the form of the API.
type Row struct {
	ID, CreatedAt, Status, UpdatedAt string
	Input                            string // compact JSON object, as lists show it
	Added                            string // compact JSON object
}

// AppendJSON appends the record as the API shows it.
func (r *Row) AppendJSON(dst []byte) []byte {
	dst = append(append(append(dst, `{"id":"`...), r.ID...), `","status":"`...)
	dst = append(append(append(dst, r.Status...), `","createdAt":"`...), r.CreatedAt...)
	dst = append(append(append(dst, `","updatedAt":"`...), r.UpdatedAt...), '"')
	dst = appendMembers(dst, json.RawMessage(r.Input))
	dst = appendMembers(dst, json.RawMessage(r.Added))
	return append(dst, '}')
}

// Extent is how many records of a kind there are, and which is the newest.
type Extent struct {
	Records int64
	Newest  Row // only its ID and CreatedAt
}

// CreatedQuery asks for the records of a kind that were created from one instant to
// another, both included, oldest first.
type CreatedQuery struct {
	Kind     string
	From, To time.Time
	After    Row // the last of the page before, only its ID and CreatedAt; zero for the first page
	Limit    int
}

// RangeQuery asks for the records of a kind that come after one and not after another,
// oldest first. Records are never removed, and a new one comes behind all others.
type RangeQuery struct {
	Kind        string
	Status      string    // only those that are so; empty for all
	From, To    time.Time // only those created not before, and not after; zero for any
	After, Last Row       // only their ID and CreatedAt; After is zero for the beginning
	Limit       int
}
