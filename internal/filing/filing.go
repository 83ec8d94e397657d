// Package filing is the engine: one way to create, correct, step and judge
// everything that is filed with an authority. A kind of filing is a Definition,
// which is data; the engine knows no kind by name.
package filing

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// Filing is one record of any kind.
type Filing struct {
	ID          string
	Kind        string
	Status      lifecycle.State
	Version     int64           // rises with every change; the optimistic lock
	BodyVersion int             // version of the body's shape
	Body        json.RawMessage // the input exactly as it was sent, one JSON object
	Brief       json.RawMessage // the input as lists show it; nil where that is all of it
	Added       json.RawMessage // what the service added, one JSON object with sorted members
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// AppendJSON appends the record as the API shows it: id, status, createdAt,
// updatedAt, the input fields, then what the service added.
func (f *Filing) AppendJSON(dst []byte) []byte { return f.appendJSON(dst, f.Body) }

// AppendBrief appends the record as lists show it.
func (f *Filing) AppendBrief(dst []byte) []byte {
	if f.Brief != nil {
		return f.appendJSON(dst, f.Brief)
	}
	return f.appendJSON(dst, f.Body)
}

// MarshalJSON is the record as the API shows it.
func (f *Filing) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

func (f *Filing) appendJSON(dst []byte, body json.RawMessage) []byte {
	dst = append(dst, `{"id":"`...)
	dst = append(dst, f.ID...)
	dst = append(dst, `","status":"`...)
	dst = append(dst, f.Status...)
	dst = append(dst, `","createdAt":"`...)
	dst = audit.AppendInstant(dst, f.CreatedAt)
	dst = append(dst, `","updatedAt":"`...)
	dst = audit.AppendInstant(dst, f.UpdatedAt)
	dst = append(dst, '"')
	dst = appendMembers(dst, body)
	dst = appendMembers(dst, f.Added)
	return append(dst, '}')
}

// appendMembers appends the members of a compact JSON object after a comma.
func appendMembers(dst []byte, object json.RawMessage) []byte {
	if len(object) <= len("{}") {
		return dst
	}
	dst = append(dst, ',')
	return append(dst, object[1:len(object)-1]...)
}

// Key makes a record findable, and its value unique, within the organisation.
type Key struct{ Name, Value string }

// Namesake is a record that goes by a name, without its input.
type Namesake struct {
	Key       Key
	ID        string
	Status    lifecycle.State
	Added     json.RawMessage
	CreatedAt time.Time
}

// Change is all that one step writes, together or not at all.
type Change struct {
	Filing       Filing
	Event        audit.Event
	Keys         []Key
	Names        []Key // what the record goes by from now on
	RemovedNames []Key // what it went by before
	Jobs         []jobs.Job

	Notification Notification // without deliveries if no endpoint subscribes to the event

	HasDeadlines bool       // the kind knows deadlines: those of the record are now these and no others
	Deadlines    []Deadline // none for a kind that is not timed

	HasTimer bool  // time moves the kind: the timer of the record is now this and no other
	Timer    Timer // none where it has no step

	HasPostings bool      // the kind adds to ledgers: the record now adds these and no others
	Postings    []Posting // none for a kind that adds nothing

	Deleted bool // the record is taken away, with all but its events
}

// Query asks for a page of one kind, newest first.
type Query struct {
	Kind   string
	Status lifecycle.State // empty for every state
	From   time.Time       // created at or after; zero for always
	Until  time.Time       // created before; zero for always
	After  Position        // the last record of the page before; zero for the first page
	Limit  int
}

// Position is a place in a list that is ordered by creation.
type Position struct {
	CreatedAt time.Time
	ID        string
}

// View reads the filings of one organisation.
type View interface {
	Filing(kind, id string) (Filing, error) // fault.NotFound when there is none here
	FilingByKey(name, value string) (Filing, error)
	HasFiling(kind, id string) (bool, error)
	Filings(Query) ([]Filing, error) // each with its Brief, and without its Body
}

// Tx reads and writes the filings of one organisation in one transaction.
type Tx interface {
	View
	NotifyTx
	audit.Recorder
	Now() time.Time               // the one instant of everything that this transaction writes
	Held(id string) (bool, error) // whether a legal hold keeps the record, or all of the organisation
	Write(Change) error
}
