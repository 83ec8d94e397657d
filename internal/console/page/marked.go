package page

import (
	"cmp"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// DeclarationKind is the kind of customs declarations, which are submitted to CDS by an operation of their own.
const DeclarationKind = customs.DeclarationKind

// Actions on marked records that do not change these.
const (
	ReviewMarked   lifecycle.Action = "review"
	CopyMarked     lifecycle.Action = "copy"
	AssignMarked   lifecycle.Action = "assign"
	ExportCSV      lifecycle.Action = "export-csv"
	ExportWorkbook lifecycle.Action = "export-xlsx"
)

// RecordLabel is what a record is called, and what it is about.
type RecordLabel struct{ Name, About string }

// MarkedAction is a button below a list, for the marked records.
type MarkedAction struct {
	ID   lifecycle.Action
	Name string
}

var markedActions = []MarkedAction{
	{ReviewMarked, "Review"}, {lifecycle.Submit, "Submit"}, {lifecycle.AskApproval, "Ask for approval"}, {lifecycle.Cancel, "Cancel"}, {lifecycle.Archive, "Archive"}, {lifecycle.Unarchive, "Take out of the archive"}, {CopyMarked, "New like this"},
	{ExportCSV, "Export CSV"}, {ExportWorkbook, "Export XLSX"},
}

// MarkedBar is the data of the template "marked-actions", which ends the form around a list with marks.
type MarkedBar struct {
	Kind, Plural string
	Query        string // of the list's URL
	Total        int64  // of records that match; -1 if they were not counted
	More         bool   // there are records on other pages
	Actions      []MarkedAction
	Members      []Assignee // who can get the marked records
}

// Assignee is a member as lists of choices show it.
type Assignee struct{ ID, Name string }

// AddMembers adds the members who can get the marked records.
func (b *MarkedBar) AddMembers(members []access.Member, userID string) {
	for _, m := range members {
		name := cmp.Or(m.Name, m.Email)
		if m.ID == userID {
			name += " (you)"
		}
		b.Members = append(b.Members, Assignee{m.ID, name})
	}
}

// NewMarkedBar returns the bar of a list that shows records with some statuses; none for all.
func (c *Context) NewMarkedBar(t *filing.Type, statuses ...lifecycle.State) MarkedBar {
	b := MarkedBar{Kind: t.Kind, Plural: t.Plural}
	for _, a := range markedActions {
		if CanMark(t, a.ID) && possible(t, a.ID, statuses) && (a.ID != lifecycle.AskApproval || c.AsksApproval(t)) {
			b.Actions = append(b.Actions, a)
		}
	}
	return b
}

// CanMark reports whether an action can be taken on marked records of a kind, without further input.
func CanMark(t *filing.Type, a lifecycle.Action) bool {
	switch a {
	case ReviewMarked:
		return len(t.Rules) > 0 || t.Kind == customs.DeclarationKind
	case CopyMarked:
		return t.Kind == DeclarationKind
	case AssignMarked:
		return t.Assignable()
	case ExportCSV, ExportWorkbook:
		return true
	}
	return len(t.Lifecycle.From(a)) > 0 && t.Lifecycle.Guard(a) == lifecycle.Member && !t.Lifecycle.HasEffect(a, lifecycle.KeepReason)
}

// possible reports whether an action can be taken in one of some statuses; in every status if there are none.
func possible(t *filing.Type, a lifecycle.Action, statuses []lifecycle.State) bool {
	from := t.Lifecycle.From(a)
	return len(statuses) == 0 || from == nil || slices.ContainsFunc(statuses, func(s lifecycle.State) bool { return slices.Contains(from, s) })
}
