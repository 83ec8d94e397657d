package declarations

import (
	"fmt"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// view is a tab above the list.
type view struct {
	Name, Path string
	Selected   bool
	Count      int64 // of its declarations; -1 if they are not counted
}

// defaultViews are the views that every user has.
var defaultViews = []search.View{
	{Name: "All"},
	{Name: "To fix", Query: "status=REJECTED"},
	{Name: "Drafts", Query: "status=DRAFT"},
	{Name: "With customs", Query: "status=SUBMITTED&status=ACCEPTED"},
	{Name: "Cleared", Query: "status=CLEARED"},
}

// viewsOf returns the default and the saved views, with their counts.
func viewsOf(saved []search.View, shown filter, counts statusCounts) (all []view) {
	query := shown.Query()
	for _, s := range slices.Concat(defaultViews, saved) {
		values, _ := url.ParseQuery(s.Query) // was valid when the view was saved
		v := view{Name: s.Name, Path: "/declarations", Selected: s.Query == query, Count: readFilter(values).total(counts)}
		if s.Query != "" {
			v.Path += "?" + s.Query
		}
		all = append(all, v)
	}
	return all
}

func (d *Declarations) views(c *page.Context) error {
	var saved []search.View
	if err := c.View(func(tx page.Tx) (err error) { saved, err = tx.SavedViews(c.Session.UserID); return err }); err != nil {
		return err
	}
	return c.Show("declarations-views", "Saved views", saved)
}

func (d *Declarations) saveView(c *page.Context) error {
	query, err := url.ParseQuery(c.Value("query"))
	if err != nil {
		return apierr.Invalid(apierr.Detail{Field: "view-name", Message: "cannot be saved because the filter is invalid"})
	}
	saved := search.View{ID: c.IDs.UUID(), Name: c.Value("view-name"), Query: readFilter(query).Query()}
	if err := checkViewName(saved.Name); err != nil {
		return c.Redisplay(err, func() error { return d.views(c) })
	}
	err = c.Update(func(tx page.Tx) error {
		there, err := tx.SavedViews(c.Session.UserID)
		if err != nil {
			return err
		}
		if len(there) >= search.MaxViews {
			return apierr.Invalid(apierr.Detail{Field: "view-name", Message: fmt.Sprintf("cannot be saved because you have %d views, which is the limit. Delete one first", search.MaxViews)})
		}
		return tx.SaveView(c.Session.UserID, saved)
	})
	if err != nil {
		return c.Redisplay(err, func() error { return d.views(c) })
	}
	return c.Redirect("/declarations?" + saved.Query + "&done=view-saved")
}

func checkViewName(name string) error {
	if n := utf8.RuneCountInString(name); n < 1 || n > search.MaxViewName {
		return apierr.Invalid(apierr.Detail{Field: "view-name", Message: fmt.Sprintf("must have 1 to %d characters", search.MaxViewName)})
	}
	return nil
}

func (d *Declarations) renameView(c *page.Context) error {
	saved, err := d.savedView(c)
	if err != nil {
		return err
	}
	name := c.Value("view-name")
	if err = checkViewName(name); err == nil {
		err = c.Update(func(tx page.Tx) error {
			there, err := tx.SavedViews(c.Session.UserID)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(there, func(s search.View) bool { return s.Name == name && s.ID != saved.ID }) {
				return apierr.Invalid(apierr.Detail{Field: "view-name", Message: "is used by another view"})
			}
			return tx.RenameView(c.Session.UserID, saved.ID, name)
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return d.views(c) })
	}
	return c.RedirectWithNotice("/declarations/views", "view-renamed")
}

// savedView returns the user's saved view in the path.
func (d *Declarations) savedView(c *page.Context) (saved search.View, err error) {
	err = c.View(func(tx page.Tx) error {
		all, err := tx.SavedViews(c.Session.UserID)
		at := slices.IndexFunc(all, func(s search.View) bool { return s.ID == c.ID() })
		if err == nil && at < 0 {
			return apierr.Missing()
		}
		if err == nil {
			saved = all[at]
		}
		return err
	})
	return saved, err
}

func (d *Declarations) confirmDeleteView(c *page.Context) error {
	saved, err := d.savedView(c)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title: "Delete the view “" + saved.Name + "”?", Text: []string{"This deletes the filter only. The declarations are not changed."},
		Action: "/declarations/views/" + saved.ID + "/delete", Button: "Delete view", Back: "/declarations/views",
	})
}

func (d *Declarations) deleteView(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return tx.DropView(c.Session.UserID, c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/views", "view-deleted")
}
