package search

// View is a question that a user keeps under a name: the query of the list's address.
type View struct{ ID, Name, Query string }

// Limits of saved views.
const (
	MaxViews    = 50 // of a user in an organisation
	MaxViewName = 60 // letters
)
