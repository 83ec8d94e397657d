// Package filing is the engine: it creates, corrects, reviews and changes the state of everything that is filed with an
// authority. A kind of filing is a [Definition], which is data; the engine has no code for a particular kind.
package filing

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Filing is one record of any kind.
type Filing struct {
	ID          string // empty for a record that is shown and not stored
	Kind        string
	Status      lifecycle.State
	Version     int64           // increases with every change; for optimistic locking
	BodyVersion int             // version of the body's schema
	Body        json.RawMessage // the input exactly as it was sent, one JSON object
	Brief       json.RawMessage // the input as lists show it; nil if that is the whole input
	Added       json.RawMessage // by the service: one JSON object with sorted members
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// AppendJSON appends the record as the API shows it: id, status, createdAt,
// updatedAt, the input fields, then what the service added, and null for what it will add.
func (f *Filing) AppendJSON(dst []byte) []byte { return f.appendJSON(dst, f.Body, f.Added) }

// AppendBrief appends the record as lists show it.
func (f *Filing) AppendBrief(dst []byte) []byte {
	if f.Brief != nil {
		return f.appendJSON(dst, f.Brief, briefly(f.Added))
	}
	return f.appendJSON(dst, f.Body, briefly(f.Added))
}

// MarshalJSON returns the record as the API shows it.
func (f *Filing) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

// recordRoom is about the size in bytes of what appendJSON adds to the input and the added members.
const recordRoom = 512

func (f *Filing) appendJSON(dst []byte, body, added json.RawMessage) []byte {
	dst = append(slices.Grow(dst, len(body)+len(added)+recordRoom), '{')
	if f.ID != "" {
		dst = append(append(append(dst, `"id":"`...), f.ID...), `",`...)
	}
	dst = append(dst, `"status":"`...)
	dst = append(dst, f.Status...)
	dst = append(dst, `","createdAt":"`...)
	dst = audit.AppendInstant(dst, f.CreatedAt)
	dst = append(dst, `","updatedAt":"`...)
	dst = audit.AppendInstant(dst, f.UpdatedAt)
	dst = append(dst, '"')
	dst = appendMembers(dst, body)
	dst = appendMembers(dst, added)
	dst = appendNulls(dst, f.Kind, added)
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

// NamedRecord is a record that has a certain name, without its input.
type NamedRecord struct {
	Key       Key
	ID        string
	Status    lifecycle.State
	Added     json.RawMessage
	CreatedAt time.Time
}

// NamedValue is the value of a name of a record.
type NamedValue struct{ Value, ID string }

// Change is everything that one transition writes, together or not at all.
type Change struct {
	Filing       Filing
	Former       *Filing // the record before the change; nil for a new record
	Event        audit.Event
	Keys         []Key
	Names        []Key  // new names of the record
	RemovedNames []Key  // former names
	OtherNames   []Key  // names that do not follow from the input; the record keeps them, and may have them already
	Links        *Links // nil if they have not changed
	Terms        []Key  // new metadata of the record
	RemovedTerms []Key  // former metadata
	Traits       []Key  // that the record gains
	LostTraits   []Key  // that it no longer has
	Jobs         []jobs.Job
	Items        []Item // of inboxes

	Notification Notification // without deliveries if no endpoint subscribes to the event

	Secrets *string // the sealed secrets of the record, which replace its earlier ones; nil if they do not change

	HasDeadlines bool       // the kind has deadlines; these replace the record's earlier ones
	Deadlines    []Deadline // none if HasDeadlines is false

	HasTimer bool  // the kind has timers; this replaces the record's earlier one
	Timer    Timer // zero for none

	HasPostings bool      // the kind has postings; these replace the record's earlier ones
	Postings    []Posting // none if HasPostings is false

	Deleted   bool // the record is deleted, with everything but its events
	Unchanged bool // the record stays as it is; there are only the event and its notification

	EndsApproval bool // what would be submitted was approved, or is to be, as it was before
}

// AtVersion names a record as it was at a version.
type AtVersion struct {
	ID      string
	Version int64
}

// MaxAtVersions is the number of records at versions that are read at once.
const MaxAtVersions = 64

// Query selects a page of one kind, newest first.
type Query struct {
	Kind   string
	Status lifecycle.State // empty for every state
	From   time.Time       // created at or after; zero for always
	Until  time.Time       // created before; zero for always
	After  Position        // the last record of the previous page; zero for the first page
	Limit  int
}

// Position is a place in a list that is ordered by creation.
type Position struct {
	CreatedAt time.Time
	ID        string
	Value     string // by which the list is ordered before that, such as a reference; empty for none
}

// View reads the filings of one organisation.
type View interface {
	Filing(kind, id string) (Filing, error) // apierr.NotFound if the organisation has none
	FilingByKey(name, value string) (Filing, error)
	HasFiling(kind, id string) (bool, error)
	FilingStatus(kind, id string) (status lifecycle.State, found bool, err error)
	FilingClient(kind, id string) (client string, status lifecycle.State, found bool, err error)
	NameTaken(name Key, but string) (bool, error)             // whether a record other than one has the name
	ReferenceTaken(kind, reference, but string) (bool, error) // whether a record other than one has the caller's own reference
	Filings(Query) ([]Filing, error)                          // each with its Brief, and without its Body
	NamedFilings(names []Key) (map[Key]Filing, error)         // the records that have the names; of several, any one
	ExistingNames(names []Key) (map[Key]bool, error)          // those of the names that any record has
	KeyedFilings(keys []Key) (map[Key]Filing, error)          // the records that have the unique keys
	LastNamed(name string, limit int) ([]NamedValue, error)   // the last values of a name in descending order, each with its record
}

// Tx reads and writes the filings of one organisation in one transaction.
type Tx interface {
	View
	NotifyTx
	ApprovalTx
	audit.Recorder
	Now() time.Time // the instant of everything that this transaction writes
	Mode() tenant.Mode
	Member(userID string) (role tenant.Role, found bool, err error)
	secret.Store
	Held(id string) (bool, error) // whether a legal hold is on the record or the organisation
	Write(Change) error
}
