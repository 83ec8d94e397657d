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
	Shown      bool
}

// usual are the views that everybody has.
var usual = []search.View{
	{Name: "All"},
	{Name: "To fix", Query: "status=REJECTED"},
	{Name: "Drafts", Query: "status=DRAFT"},
	{Name: "With customs", Query: "status=SUBMITTED&status=ACCEPTED"},
	{Name: "Cleared", Query: "status=CLEARED"},
}

// viewsOf are the usual views and the saved ones, and which of the saved ones is shown.
func viewsOf(saved []search.View, shown filter) (all []view, named *search.View) {
	query := shown.Query()
	for _, s := range slices.Concat(usual, saved) {
		v := view{Name: s.Name, Path: "/declarations", Shown: s.Query == query}
		if s.Query != "" {
			v.Path += "?" + s.Query
		}
		all = append(all, v)
	}
	if at := slices.IndexFunc(saved, func(s search.View) bool { return s.Query == query }); at >= 0 {
		named = &saved[at]
	}
	return all, named
}

func (d *Declarations) views(c *page.Context) error {
	var saved []search.View
	if err := c.View(func(tx page.Tx) (err error) { saved, err = tx.SavedViews(c.Session.UserID); return err }); err != nil {
		return err
	}
	return c.Show("declarations-views", "Saved views", saved)
}

func (d *Declarations) saveView(c *page.Context) error {
	asked, err := url.ParseQuery(c.Value("query"))
	if err != nil {
		return apierr.Invalid(apierr.Detail{Field: "view-name", Message: "belongs to a filter that cannot be read"})
	}
	saved := search.View{ID: c.IDs.UUID(), Name: c.Value("view-name"), Query: readFilter(asked).Query()}
	if err := nameable(saved.Name); err != nil {
		return c.Redisplay(err, func() error { return d.views(c) })
	}
	err = c.Update(func(tx page.Tx) error {
		there, err := tx.SavedViews(c.Session.UserID)
		if err != nil {
			return err
		}
		if len(there) >= search.MaxViews {
			return apierr.Invalid(apierr.Detail{Field: "view-name", Message: fmt.Sprintf("cannot be saved: you have %d views; delete one first", search.MaxViews)})
		}
		return tx.SaveView(c.Session.UserID, saved)
	})
	if err != nil {
		return c.Redisplay(err, func() error { return d.views(c) })
	}
	return c.Redirect("/declarations?" + saved.Query + "&done=view-saved")
}

func nameable(name string) error {
	if n := utf8.RuneCountInString(name); n < 1 || n > search.MaxViewName {
		return apierr.Invalid(apierr.Detail{Field: "view-name", Message: fmt.Sprintf("must have 1 to %d letters", search.MaxViewName)})
	}
	return nil
}

func (d *Declarations) renameView(c *page.Context) error {
	saved, err := d.saved(c)
	if err != nil {
		return err
	}
	name := c.Value("view-name")
	if err = nameable(name); err == nil {
		err = c.Update(func(tx page.Tx) error {
			there, err := tx.SavedViews(c.Session.UserID)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(there, func(s search.View) bool { return s.Name == name && s.ID != saved.ID }) {
				return apierr.Invalid(apierr.Detail{Field: "view-name", Message: "is that of another view"})
			}
			return tx.RenameView(c.Session.UserID, saved.ID, name)
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error { return d.views(c) })
	}
	return c.RedirectWithNotice("/declarations/views", "view-renamed")
}

// saved is the view that the path names, where it is the visitor's own.
func (d *Declarations) saved(c *page.Context) (saved search.View, err error) {
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

func (d *Declarations) askToDropView(c *page.Context) error {
	saved, err := d.saved(c)
	if err != nil {
		return err
	}
	return c.Confirm(page.Confirmation{
		Title: "Delete the view “" + saved.Name + "”?", Text: []string{"The declarations stay as they are; only this filter is gone from your views."},
		Action: "/declarations/views/" + saved.ID + "/delete", Button: "Delete view", Back: "/declarations/views",
	})
}

func (d *Declarations) dropView(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return tx.DropView(c.Session.UserID, c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/views", "view-deleted")
}
