package filing

import (
	"encoding/json"
	"time"
)

// Row is a record as stored text, in the format of the API.
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

// AppendOf appends the record of a kind as the API shows it, with null for what the service will add.
func (r *Row) AppendOf(kind string, dst []byte) []byte {
	dst = r.AppendJSON(dst)
	return append(appendNulls(dst[:len(dst)-1], kind, json.RawMessage(r.Added)), '}')
}

// Extent is the number of records of a kind, and the newest of them.
type Extent struct {
	Records int64
	Newest  Row // only its ID and CreatedAt
}

// CreatedQuery selects the records of a kind that were created between two instants, both inclusive, oldest first.
type CreatedQuery struct {
	Kind     string
	From, To time.Time
	After    Row // the last record of the previous page, only ID and CreatedAt; zero for the first page
	Limit    int
}

// RangeQuery selects the records of a kind that come after one record and up to another, oldest first. A new record comes
// after all others.
type RangeQuery struct {
	Kind        string
	Status      string    // empty for every state
	From, To    time.Time // of creation, both inclusive; zero for any
	After, Last Row       // only ID and CreatedAt; After is zero for the first page
	Limit       int
	Whole       bool // with the large fields of the input, which lists leave out
}
