package marked

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// action is what is done with the marked records.
type action struct {
	ID   lifecycle.Action
	Verb string // of buttons and headings
	Done string // what a record is afterwards
}

var actions = []action{
	{page.ReviewMarked, "Review", ""},
	{lifecycle.Submit, "Submit", "submitted"},
	{lifecycle.AskApproval, "Ask for approval of", "sent for approval"},
	{lifecycle.Cancel, "Cancel", "cancelled"},
	{lifecycle.Archive, "Archive", "archived"},
	{lifecycle.Unarchive, "Take out of the archive", "taken out of the archive"},
	{page.CopyMarked, "Copy", "copied to new drafts"},
	{page.AssignMarked, "Assign", "assigned"},
	{page.ExportCSV, "Export", ""},
	{page.ExportWorkbook, "Export", ""},
}

// chosenAction returns the action with an ID, if records of the kind have it.
func chosenAction(t *filing.Type, id string) (action, error) {
	at := slices.IndexFunc(actions, func(a action) bool { return string(a.ID) == id })
	if at < 0 || !page.CanMark(t, actions[at].ID) {
		return action{}, apierr.Missing()
	}
	return actions[at], nil
}

// Exports reports whether the action makes a file.
func (a action) Exports() bool { return a.ID == page.ExportCSV || a.ID == page.ExportWorkbook }

// Reviews reports whether the reviews of the records are shown.
func (a action) Reviews() bool { return a.ID == page.ReviewMarked || a.Judges() }

// Judges reports whether the action can leave out what the authority would reject.
func (a action) Judges() bool { return a.ID == lifecycle.Submit || a.ID == lifecycle.AskApproval }

// refusal returns why the action is not taken on a record; empty if it is.
func (a action) refusal(t *filing.Type, status lifecycle.State) string {
	state := form.Words(string(status))
	if a.ID == page.ReviewMarked || a.ID == page.CopyMarked {
		return ""
	}
	if _, can := t.Lifecycle.Find(status, a.ID); !can {
		return "It is in the status “" + state + "”, in which it cannot be " + a.Done + "."
	}
	switch {
	case t.Kind != page.DeclarationKind:
		return ""
	case a.ID == lifecycle.Submit && status == lifecycle.Cancelled:
		return "It is in the status “" + state + "”. Submit it again on its own page."
	case a.ID == lifecycle.AskApproval && status != lifecycle.Draft:
		return "It is in the status “" + state + "”. Ask for approval on its own page."
	case a.ID == lifecycle.Cancel && status != lifecycle.Draft:
		return "It is in the status “" + state + "”. Cancel it on its own page, where you give customs the reason."
	}
	return ""
}

// row returns the call of the API that takes the action on a version of a record.
func (a action) row(t *filing.Type, index int, id string, version int64) batch.Row {
	o := batch.Operation{Method: http.MethodPost, Path: t.Path + "/" + id + "/" + string(a.ID), Reference: id, IfVersion: version}
	switch {
	case a.ID == page.CopyMarked:
		o.IfVersion = 0 // a copy is made of the record as it is
	case a.ID == lifecycle.Cancel:
		o.Method, o.Path = http.MethodDelete, t.Path+"/"+id
	case a.ID == lifecycle.Submit && t.Kind == page.DeclarationKind:
		o.Path = "/api/cds/submit"
		o.Body, _ = json.Marshal(map[string]string{"declarationId": id})
	}
	return batch.Row{Operation: o, Index: index}
}
