package filing

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Period is a range of time: from an instant, inclusive, until another, exclusive; zero for no limit.
type Period struct{ From, Until time.Time }

// IsZero reports whether the period has no limit.
func (p Period) IsZero() bool { return p.From.IsZero() && p.Until.IsZero() }

// Has reports whether an instant is in the period.
func (p Period) Has(at time.Time) bool {
	return !at.Before(p.From) && (p.Until.IsZero() || at.Before(p.Until))
}

// Entries selects records by an entry in a ledger. The list is then in the order of the entries, the latest first, and
// CreatedAt of its records is the instant of the entry.
type Entries struct {
	Ledger string // empty for no such filter
	Period
	Least, Below int64 // the amount; Below is zero for no limit
}

// Order is the order of a list.
type Order struct {
	ByUpdate  bool // by the last change; otherwise by creation
	Ascending bool // oldest first; otherwise newest first
	// ByReference orders by the caller's own reference, from the last to the first unless Ascending. Records without one follow,
	// the newest first. The value of a position is the reference.
	ByReference bool
	// ByClient orders by the name of the client that a record belongs to, from the last to the first unless Ascending; the records
	// of a client, and then those without one, have the newest first. The value of a position is what Tx.ClientPlace returns.
	ByClient bool
}

// Selection selects a page of one kind by any of its filters. Zero fields do not filter.
type Selection struct {
	Kind             string
	Statuses         []lifecycle.State // any of them
	Created, Updated Period
	Keys             []Key  // unique keys of the record, all of them
	Reference        string // the caller's own or, if ReferenceKey is set, the value of that key
	ReferenceKey     string // name of the key
	ShipmentID       string
	ClientID         string
	Metadata         []Key // entries of the record, all of them
	Entries          Entries
	Order            Order    // not with Entries
	After            Position // the last record of the previous page; zero for the first page
	Limit            int
}

// Position returns the place of a record in the order. CreatedAt of the result is the instant by which the list is ordered.
func (o Order) Position(f *Filing) Position {
	if o.ByUpdate {
		return Position{CreatedAt: f.UpdatedAt, ID: f.ID}
	}
	return Position{CreatedAt: f.CreatedAt, ID: f.ID}
}

// Compare compares two places in the order.
func (o Order) Compare(a, b Position) int {
	c := a.CreatedAt.Compare(b.CreatedAt)
	if c == 0 {
		switch {
		case a.ID < b.ID:
			c = -1
		case a.ID > b.ID:
			c = 1
		}
	}
	if !o.Ascending {
		return -c
	}
	return c
}

// KeyOf returns the unique key of a member, such as mrn.
func (t *Type) KeyOf(member, value string) Key { return Key{Name: t.Kind + "." + member, Value: value} }

// HasAdded reports whether the service adds a member to the records.
func (t *Type) HasAdded(member string) bool { return t.added[member] }

// RefersTo reports whether lists can be filtered by the ID of a record that the input refers to: shipmentId, or clientId of
// the client that the record belongs to.
func (t *Type) RefersTo(field string) bool {
	for _, link := range t.Links {
		if link.Field == field || link.SameClient && field == "clientId" {
			return true
		}
	}
	return false
}
