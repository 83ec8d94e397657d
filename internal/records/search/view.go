package search

import "github.com/tidewaiter/tidewaiter/internal/filing"

// View is a question that a user keeps under a name: the query of the list's address.
type View struct{ ID, Name, Query string }

// Lists is what pages of lists read and keep.
type Lists interface {
	// Few are records of a kind by their ids, whole but for bodies beyond a size, which
	// are cut; in no order, and without those that are not there.
	Few(kind string, ids []string, size int) ([]filing.Filing, error)
	SavedViews(userID string) ([]View, error) // by name
	SaveView(userID string, v View) error     // in place of one of the same name
	RenameView(userID, id, name string) error
	DropView(userID, id string) error
}

// Limits of saved views.
const (
	MaxViews    = 50 // of a user in an organisation
	MaxViewName = 60 // letters
)
