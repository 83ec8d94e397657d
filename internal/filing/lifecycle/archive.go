package lifecycle

import "slices"

// States and actions of records that are not filed with an authority, but used by filings.
const (
	Active   State = "ACTIVE"
	Archived State = "ARCHIVED" // left out of lists; new records cannot refer to it

	Archive   Action = "archive"
	Unarchive Action = "unarchive"
)

// Archivable is the lifecycle of records that are not submitted, such as clients. They can be corrected at any time.
var Archivable = Table{
	Initial: Active,
	States:  []State{Active, Archived},
	Created: "created",
	Edges: []Edge{
		{From: []State{Active, Archived}, Action: Amend, Guard: Member, Event: "updated", Effects: []Effect{ReplaceBody}},
		{From: []State{Active}, Action: Archive, To: Archived, Guard: Member, Event: "archived", Effects: []Effect{StampArchived}},
		{From: []State{Archived}, Action: Unarchive, To: Active, Guard: Member, Event: "unarchived", Effects: []Effect{StampArchived}},
	},
}

// Archives reports whether records can be archived.
func (t Table) Archives() bool { return slices.Contains(t.States, Archived) }

// Listed returns the state of the records that lists show if no state is given; empty for every state.
func (t Table) Listed() State {
	if t.Archives() {
		return t.Initial
	}
	return ""
}
