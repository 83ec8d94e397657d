package page

import (
	"html/template"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
)

// SidebarCookie stores whether the user wants the navigation beside the page narrow or wide; without it, it is narrow in
// small windows.
const (
	SidebarCookie = "tidewaiter_sidebar"
	NarrowSidebar = "narrow"
	WideSidebar   = "wide"
)

func (c *Context) sidebar() string {
	cookie, err := c.R.Cookie(SidebarCookie)
	if err != nil || cookie.Value != NarrowSidebar && cookie.Value != WideSidebar {
		return ""
	}
	return cookie.Value
}

// navigationLink is an entry of the navigation as the page shows it.
type navigationLink struct {
	NavigationEntry
	Icon template.HTML
	Work int64 // records that are to be finished or mended; of the inbox, unread items
}

// inboxPath is the path of the inbox, whose entry counts unread items.
const inboxPath = "/inbox"

// WorkText is the number of what waits; unread items are counted up to a limit.
func (l navigationLink) WorkText() string {
	if l.Path == inboxPath && l.Work >= inbox.MaxUnread {
		return groupDigits(inbox.MaxUnread-1) + "+"
	}
	return groupDigits(l.Work)
}

// WorkNoun says what waits.
func (l navigationLink) WorkNoun() string {
	if l.Path == inboxPath {
		return "unread"
	}
	return "to finish or mend"
}

// toDo are the statuses of records that wait for the user.
var toDo = []lifecycle.State{lifecycle.Draft, lifecycle.Rejected}

// countWork adds the number of records that wait for the user to the entries below which they are listed, and the unread items to
// the inbox.
func (c *Context) countWork(groups []navigationGroup) error {
	if groups == nil {
		return nil
	}
	return c.View(func(tx Tx) error {
		if err := c.countUnread(tx, groups); err != nil {
			return err
		}
		all, err := tx.StatusCounts()
		for _, t := range all {
			path := c.ListPath(t.Kind)
			if path == "" || !slices.Contains(toDo, lifecycle.State(t.Status)) {
				continue
			}
			for _, g := range groups {
				for i := range g.Entries {
					if e := &g.Entries[i]; e.Path == path || e.Path != "/" && strings.HasPrefix(path, e.Path+"/") {
						e.Work += t.Records
					}
				}
			}
		}
		return err
	})
}

func (c *Context) countUnread(tx Tx, groups []navigationGroup) error {
	unread, err := inbox.Unread(tx, c.Session.UserID)
	for _, g := range groups {
		if at := slices.IndexFunc(g.Entries, func(l navigationLink) bool { return l.Path == inboxPath }); at >= 0 {
			g.Entries[at].Work = int64(unread)
		}
	}
	return err
}

// icons are the drawings of the navigation, by the first part of the path or by the Hub: lines in a square of 20 by 20.
var icons = map[string]string{
	"":             "M3 9l7-6 7 6v8h-5v-5H8v5H3z",
	"declarations": "M5 2h7l4 4v12H5zM12 2v4h4M8 10h5M8 13h5",
	"deadlines":    "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2",
	"what-if":      "M4 16V9M8 16V4M12 16v-5M16 16V7",
	"clients":      "M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM1 17c0-4 3-5 6-5s6 1 6 5M13 3a3 3 0 0 1 0 6M15 12c3 0 4 2 4 5",
	"shipments":    "M2 13h16l-2 4H4zM5 13V8h10v5M8 8V4h4v4",
	"products":     "M10 2l7 4v8l-7 4-7-4V6zM3 6l7 4 7-4M10 10v8",
	"templates":    "M6 6h11v11H6zM3 14V3h11",
	"import":       "M10 3v9M6 8l4 4 4-4M3 13v4h14v-4",
	"exports":      "M10 12V3M6 7l4-4 4 4M3 13v4h14v-4",
	"webhooks":     "M7 7a3 3 0 1 1 5 2l3 5M5 10a3 3 0 1 0 3 4h5M15 13a2 2 0 1 1 0 4",
	"audit":        "M10 2l6 2v5c0 4-2 7-6 9-4-2-6-5-6-9V4zM7 10l2 2 4-4",
	"settings":     "M3 5h8M15 5h2M11 3v4M3 10h2M9 10h8M7 8v4M3 15h8M15 15h2M13 13v4",
	"vat":          "M5 2h10v16l-3-2-2 2-2-2-3 2zM8 6h4M8 9h4",
	"cbam":         "M10 18c-5 0-7-4-4-9 1-2 3-4 4-7 1 3 3 5 4 7 3 5 1 9-4 9z",
	"hubs":         "M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM11 11h5v5h-5z",
	"gvms":         "M1 13V5h10v8M11 8h4l4 3v2M5 15a2 2 0 1 0 0-1zM14 15a2 2 0 1 0 0-1z",
	"emcs":         "M6 3h8l1 7-1 7H6l-1-7zM5 8h10M5 12h10",
	"tss":          "M10 3v14M6 6l4-3 4 3M4 12c0 3 3 5 6 5s6-2 6-5",
	"trade":        "M4 3h12v14H4zM7 7h6M7 10h3M12 15a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
	"corporate":    "M3 17V7l7-4 7 4v10M3 17h14M7 9v5M10 9v5M13 9v5",
	"ics2":         "M10 2l7 3v5c0 4-3 6-7 8-4-2-7-4-7-8V5zM10 7v4M10 14v0",
	"inbox":        "M3 11l2-7h10l2 7v6H3zM3 11h4l1 2h4l1-2h4",
	"help":         "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM8 8c0-3 4-3 4 0 0 2-2 1-2 3M10 14v0",
	"recurring":    "M4 10a6 6 0 0 1 11-3M15 3v4h-4M16 10a6 6 0 0 1-11 3M5 17v-4h4",
}

// plainIcon is the drawing of a page that has none.
const plainIcon = "M5 3h10v14H5zM8 7h4M8 10h4"

// iconOf returns the drawing for the page with a path.
func iconOf(path string) template.HTML {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, "/hubs"), "/"), "/")
	drawing, known := icons[first]
	if !known {
		drawing = plainIcon
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="` + drawing + `"/></svg>`) // #nosec G203 -- of the constants above
}
