package search

import "github.com/tidewaiter/tidewaiter/internal/filing"

// View is a filter of a list with its order and columns, under a name.
type View struct {
	ID, UserID string
	Kind       string // of the records
	Name       string
	Query      string // of the list's URL
	Shared     bool   // whether every member of the organisation sees it
	Place      int64  // in the order of views
}

// Views reads and writes what list pages show.
type Views interface {
	// FilingsByID returns the existing records of a kind with these IDs, in no order. A body longer
	// than size bytes is cut.
	FilingsByID(kind string, ids []string, size int) ([]filing.Filing, error)
	ListViews(kind, userID string) ([]View, error) // own and shared, in their order
	ListView(userID, id string) (View, error)      // own or shared
	SaveListView(v View) error                     // replaces the user's view of the same kind and name
	ChangeListView(v View) error                   // name, sharing and place
	DropListView(id string) error
	// CountSome counts the records of a selection among the first of its order, at most `among` of them, and reports
	// whether there are more of these.
	CountSome(s filing.Selection, among int) (n int, more bool, err error)
}

// Limits of views.
const (
	MaxViews     = 50    // that a user sees of one kind
	MaxViewName  = 60    // characters
	MaxViewQuery = 2_000 // bytes
)
