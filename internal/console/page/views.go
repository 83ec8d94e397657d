package page

import (
	"net/url"

	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// maxViewTabs is the number of saved views above a list; a link leads to the others.
const maxViewTabs = 6

// ViewTab is a tab above a list.
type ViewTab struct {
	Name, Path string
	Count      string // of its records; empty if they are not counted
	Selected   bool
}

// SavedTabs returns the first saved views of a list as tabs, and the one that is open. count returns how many records match a
// query of the list's URL.
func (c *Context) SavedTabs(tx Tx, kind, open string, count func(url.Values) (string, error)) (tabs []ViewTab, err error) {
	all, err := tx.ListViews(kind, c.Session.UserID)
	if err != nil {
		return nil, err
	}
	for i, v := range all {
		if i >= maxViewTabs && v.Query != open {
			continue
		}
		values, _ := url.ParseQuery(v.Query) // was valid when the view was saved
		tab := ViewTab{Name: v.Name, Path: c.ViewPath(v), Selected: v.Query == open}
		if tab.Count, err = count(values); err != nil {
			return nil, err
		}
		tabs = append(tabs, tab)
	}
	return tabs, nil
}

// ViewPath returns the path of the list with a view.
func (c *Context) ViewPath(v search.View) string {
	if v.Query == "" {
		return c.ListPath(v.Kind)
	}
	return c.ListPath(v.Kind) + "?" + v.Query
}

// CountText returns a number of records, with a plus sign if there may be more.
func CountText(n int64, more bool) string {
	if more {
		return groupDigits(n) + "+"
	}
	return groupDigits(n)
}

// CountedAmong is the number of records among which those of a view are counted that has more filters than the status.
const CountedAmong = 1000

// Chip is a filter that is set, with the list without it. The template "chips" takes some.
type Chip struct{ Name, Value, Without string }
