package search

import "github.com/tidewaiter/tidewaiter/internal/filing"

// View is a saved search of a user: the query string of the list.
type View struct{ ID, Name, Query string }

// SavedViews reads and writes what list pages show.
type SavedViews interface {
	// FilingsByID returns the existing records of a kind with these IDs, in no order. A body longer
	// than size bytes is cut.
	FilingsByID(kind string, ids []string, size int) ([]filing.Filing, error)
	SavedViews(userID string) ([]View, error) // by name
	SaveView(userID string, v View) error     // replaces a view of the same name
	RenameView(userID, id, name string) error
	DropView(userID, id string) error
}

// Limits of saved views.
const (
	MaxViews    = 50 // per user and organisation
	MaxViewName = 60 // characters
)
