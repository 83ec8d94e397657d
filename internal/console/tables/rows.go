package tables

import (
	"net/url"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// notesShown is the number of notes on a page.
const notesShown = 50

// rowsPage is the data of the page about the rows of an import, before, during and after
// they are stored.
type rowsPage struct {
	bulk.Upload
	Notes       []bulk.Note
	Which       string // errors, skipped, or empty for both
	Errors      int    // number of notes about errors
	Skips       int
	First, Next string // URLs of pages; empty if there is none
}

// rowsOf returns a page of notes; the query has the number of notes to skip.
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
	skip, err := strconv.Atoi(c.R.URL.Query().Get("behind"))
	if err != nil || skip < 0 || skip > len(wanted) {
		skip = 0
	}
	address := func(skip int) string {
		q := url.Values{}
		if shown.Which != "" {
			q.Set("rows", shown.Which)
		}
		if skip > 0 {
			q.Set("behind", strconv.Itoa(skip))
		}
		return "/import/" + up.ID + "?" + q.Encode()
	}
	if skip > 0 {
		shown.First = address(0)
	}
	end := min(skip+notesShown, len(wanted))
	if end < len(wanted) {
		shown.Next = address(end)
	}
	shown.Notes = wanted[skip:end]
	return shown
}
