package page

import (
	"slices"
	"strings"
	"time"
)

// Column is a column of a list that users can choose.
type Column struct {
	ID, Name string
	Number   bool   // right-aligned
	Yields   string // class of the width below which the column is not shown; empty for a column that always is
	Sort     Sort   // the member by which the list is sorted; empty if it cannot be sorted by the column
}

// ColumnSet are the columns of the list of a kind. The name of the record comes before them and always shows.
type ColumnSet struct {
	Kind  string
	All   []Column
	Usual []string // the IDs of those that a user sees who has chosen none
}

// A user's columns are kept in a cookie of the browser for each kind: IDs with full stops between them.
const (
	columnsLife  = 365 * 24 * time.Hour
	columnBreak  = "."
	maxColumnIDs = 1000 // bytes of the cookie
)

func columnsCookie(kind string) string { return "tidewaiter_" + kind + "_columns" }

// Named returns the columns that IDs name, in their order. Unknown and repeated IDs are left out, and without any the usual ones are
// returned.
func (s ColumnSet) Named(ids []string) (chosen []Column) {
	for _, id := range ids {
		at := slices.IndexFunc(s.All, func(c Column) bool { return c.ID == id })
		if at >= 0 && !slices.ContainsFunc(chosen, func(c Column) bool { return c.ID == id }) {
			chosen = append(chosen, s.All[at])
		}
	}
	if chosen == nil && len(s.Usual) > 0 {
		return ColumnSet{s.Kind, s.All, nil}.Named(s.Usual)
	}
	return chosen
}

// Listed returns the columns that a view of the list names, as URLs have them; without a view those that the user has chosen in this
// browser.
func (s ColumnSet) Listed(c *Context, ofView string) []Column {
	if ofView != "" {
		return s.Named(strings.Split(ofView, columnBreak))
	}
	cookie, err := c.R.Cookie(columnsCookie(s.Kind))
	if err != nil {
		return s.Named(nil)
	}
	return s.Named(strings.Split(cookie.Value, columnBreak))
}

// Query returns the columns of a view as the cookie and URLs name them; empty if it names none that exists.
func (s ColumnSet) Query(ofView string) string {
	if ofView == "" {
		return ""
	}
	return joinColumns(s.Named(strings.Split(ofView, columnBreak)))
}

// Unusual returns chosen columns as URLs name them; empty if they are the usual ones.
func (s ColumnSet) Unusual(chosen []Column) string {
	if names := joinColumns(chosen); names != joinColumns(s.Named(nil)) {
		return names
	}
	return ""
}

func joinColumns(columns []Column) string {
	ids := make([]string, len(columns))
	for i, c := range columns {
		ids[i] = c.ID
	}
	return strings.Join(ids, columnBreak)
}

// ColumnChoices is the data of the template "columns", the form in which columns are chosen.
type ColumnChoices struct {
	Kind, Next string // Next is the path of the list
	Lines      []ColumnChoice
}

// ColumnChoice is a line of the form.
type ColumnChoice struct {
	Column
	Shown, First bool
}

// Choices returns the columns that are shown, in their order, and then the others.
func (s ColumnSet) Choices(chosen []Column, next string) ColumnChoices {
	all := ColumnChoices{Kind: s.Kind, Next: next}
	for i, c := range chosen {
		all.Lines = append(all.Lines, ColumnChoice{c, true, i == 0})
	}
	for _, c := range s.All {
		if !slices.Contains(chosen, c) {
			all.Lines = append(all.Lines, ColumnChoice{Column: c})
		}
	}
	return all
}

// KeepColumns keeps the columns of a kind in this browser; up is the ID of one that moves a place to the front.
func (c *Context) KeepColumns(kind string, ids []string, up string) {
	if at := slices.Index(ids, up); at > 0 {
		ids[at-1], ids[at] = ids[at], ids[at-1]
	}
	kept := strings.Join(slices.DeleteFunc(ids, func(id string) bool { return strings.Trim(id, columnLetters) != "" }), columnBreak)
	if len(kept) <= maxColumnIDs {
		c.SetCookie(columnsCookie(kind), kept, columnsLife)
	}
}

// columnLetters are those of the IDs of columns, which are names of members.
const columnLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
