package tables

import (
	"net/url"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// notesSize is how many notes a page shows.
const notesSize = 50

// rowsPage is what is shown of the rows of an import: before, while and after they
// are stored.
type rowsPage struct {
	bulk.Upload
	Notes       []bulk.Note
	Which       string // errors, skipped, or empty for both
	Errors      int    // notes of each sort
	Skips       int
	First, Next string // addresses of pages
}

// rowsOf shows a page of the notes: those behind so many of their sort.
func rowsOf(c *page.Context, up bulk.Upload, notes []bulk.Note) rowsPage {
	shown := rowsPage{Upload: up, Which: c.R.URL.Query().Get("rows")}
	var wanted []bulk.Note
	for _, n := range notes {
		if n.Skipped {
			shown.Skips++
		} else {
			shown.Errors++
		}
		if shown.Which == "" || n.Skipped == (shown.Which == "skipped") {
			wanted = append(wanted, n)
		}
	}
	behind, err := strconv.Atoi(c.R.URL.Query().Get("behind"))
	if err != nil || behind < 0 || behind > len(wanted) {
		behind = 0
	}
	address := func(behind int) string {
		q := url.Values{}
		if shown.Which != "" {
			q.Set("rows", shown.Which)
		}
		if behind > 0 {
			q.Set("behind", strconv.Itoa(behind))
		}
		return "/import/" + up.ID + "?" + q.Encode()
	}
	if behind > 0 {
		shown.First = address(0)
	}
	end := min(behind+notesSize, len(wanted))
	if end < len(wanted) {
		shown.Next = address(end)
	}
	shown.Notes = wanted[behind:end]
	return shown
}
