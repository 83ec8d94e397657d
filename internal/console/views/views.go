// Package views is the area of saved views: filter, order and columns of a list under a name, of one member or of the whole
// organisation.
package views

import (
	"embed"
	"fmt"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

//go:embed pages
var pages embed.FS

//go:embed assets
var assets embed.FS

// Area returns the area's routes, pages and texts.
func Area() page.Area {
	const one = "/views/{id}"
	return page.Area{
		Name: "views", Pages: pages, Assets: assets,
		Routes: []page.Route{
			page.Get("/views", page.ForViewer, list),
			page.Post("/views", page.ForViewer, save),
			page.Post("/columns", page.ForViewer, keepColumns),
			page.Post(one+"/rename", page.ForViewer, rename),
			page.Post(one+"/share", page.ForMember, share),
			page.Post(one+"/up", page.ForViewer, moveUp),
			page.Get(one+"/delete", page.ForViewer, confirmDelete),
			page.Post(one+"/delete", page.ForViewer, drop),
		},
		Notices: map[string]string{"view-saved": "The view is saved.", "view-renamed": "The view is renamed.", "view-moved": "The order is changed.", "view-shared": "The view is changed.", "view-deleted": "The view is deleted."},
		Labels:  map[string]string{"view-name": "The name"},
	}
}

// parameters are those of lists that a view keeps.
var parameters = []string{
	"q", "status", "type", "client", "assignee", "waiting", "from", "to", "clearedFrom", "clearedTo", "took", "rejectedFor", "rejectedFrom", "quarter", "sort", "columns",
}

// viewsPage is the data of the page of views.
type viewsPage struct {
	Kind, List string // path of the list
	Views      []viewLine
}

// viewLine is a view on the page.
type viewLine struct {
	search.View
	Path           string
	Changes, First bool // whether the user may change it; whether it is the first
}

// changes reports whether the user may change a view: the own ones and, as OWNER, the shared ones.
func changes(c *page.Context, v search.View) bool {
	return v.UserID == c.Session.UserID || v.Shared && c.Session.Role.Covers(tenant.Owner)
}

func list(c *page.Context) error {
	kind := c.R.URL.Query().Get("kind")
	if kind == "" {
		kind = c.Value("kind")
	}
	return show(c, kind)
}

func show(c *page.Context, kind string) error {
	v := viewsPage{Kind: kind, List: c.ListPath(kind)}
	if v.List == "" {
		return apierr.Missing()
	}
	err := c.View(func(tx page.Tx) error {
		all, err := tx.ListViews(kind, c.Session.UserID)
		for i, one := range all {
			v.Views = append(v.Views, viewLine{one, c.ViewPath(one), changes(c, one), i == 0})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("views", "Saved views", v)
}

// save stores the filter of a list as a view, the last in the order.
func save(c *page.Context) error {
	kind, shared := c.Value("kind"), c.Value("shared") != ""
	given, err := url.ParseQuery(c.Value("query"))
	if c.ListPath(kind) == "" || err != nil || shared && !c.Session.Role.Covers(tenant.Member) {
		return apierr.Missing()
	}
	kept := url.Values{}
	for _, name := range parameters {
		if values, there := given[name]; there {
			kept[name] = values
		}
	}
	v := search.View{ID: c.IDs.UUID(), UserID: c.Session.UserID, Kind: kind, Name: c.Value("view-name"), Query: kept.Encode(), Shared: shared}
	err = checkName(v.Name)
	if err == nil && len(v.Query) > search.MaxViewQuery {
		err = apierr.Invalid(apierr.Detail{Field: "view-name", Message: "cannot be saved because the filter is too long"})
	}
	if err == nil {
		err = c.Update(func(tx page.Tx) error { return store(tx, v) })
	}
	if err != nil {
		return c.Redisplay(err, func() error { return show(c, kind) })
	}
	return c.Redirect(c.ListPath(kind) + "?" + v.Query + "&done=view-saved")
}

// keepColumns keeps the columns of a list that the user has chosen in this browser.
func keepColumns(c *page.Context) error {
	kind := c.Value("kind")
	if c.ListPath(kind) == "" {
		return apierr.Missing()
	}
	c.KeepColumns(kind, c.R.PostForm["column"], c.Value("up"))
	return c.Redirect(page.Local(c.Value("next")))
}

func store(tx page.Tx, v search.View) error {
	there, err := tx.ListViews(v.Kind, v.UserID)
	if err != nil {
		return err
	}
	if len(there) >= search.MaxViews {
		return apierr.Invalid(apierr.Detail{Field: "view-name", Message: fmt.Sprintf("cannot be saved because you have %d views, which is the limit. Delete one first", search.MaxViews)})
	}
	for _, one := range there {
		v.Place = max(v.Place, one.Place+1)
	}
	return tx.SaveListView(v)
}

func checkName(name string) error {
	if n := utf8.RuneCountInString(name); n < 1 || n > search.MaxViewName {
		return apierr.Invalid(apierr.Detail{Field: "view-name", Message: fmt.Sprintf("must have 1 to %d characters", search.MaxViewName)})
	}
	return nil
}

// change changes the view in the path.
func change(c *page.Context, notice string, fn func(page.Tx, *search.View) error) error {
	var v search.View
	err := c.Update(func(tx page.Tx) (err error) {
		if v, err = changeable(c, tx); err != nil {
			return err
		}
		return fn(tx, &v)
	})
	if err != nil {
		return c.Redisplay(err, func() error { return show(c, v.Kind) })
	}
	return c.Redirect("/views?kind=" + url.QueryEscape(v.Kind) + "&done=" + notice)
}

// changeable returns the view in the path, if the user may change it.
func changeable(c *page.Context, tx page.Tx) (search.View, error) {
	v, err := tx.ListView(c.Session.UserID, c.ID())
	if err == nil && !changes(c, v) {
		err = apierr.Missing()
	}
	return v, err
}

func rename(c *page.Context) error {
	name := c.Value("view-name")
	return change(c, "view-renamed", func(tx page.Tx, v *search.View) error {
		if err := checkName(name); err != nil {
			return err
		}
		there, err := tx.ListViews(v.Kind, v.UserID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(there, func(o search.View) bool { return o.Name == name && o.UserID == v.UserID && o.ID != v.ID }) {
			return apierr.Invalid(apierr.Detail{Field: "view-name", Message: "is used by another view"})
		}
		v.Name = name
		return tx.ChangeListView(*v)
	})
}

// share shows an own view to the organisation, or hides it again.
func share(c *page.Context) error {
	return change(c, "view-shared", func(tx page.Tx, v *search.View) error {
		v.Shared = !v.Shared
		return tx.ChangeListView(*v)
	})
}

// moveUp moves a view a place to the front. Views that the user may not change keep their places.
func moveUp(c *page.Context) error {
	return change(c, "view-moved", func(tx page.Tx, v *search.View) error {
		all, err := tx.ListViews(v.Kind, c.Session.UserID)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all, func(o search.View) bool { return o.ID == v.ID })
		if at > 0 {
			all[at-1], all[at] = all[at], all[at-1]
		}
		for i, one := range all {
			if one.Place == int64(i) || !changes(c, one) {
				continue
			}
			one.Place = int64(i)
			if err := tx.ChangeListView(one); err != nil {
				return err
			}
		}
		return nil
	})
}

func confirmDelete(c *page.Context) error {
	var v search.View
	if err := c.View(func(tx page.Tx) (err error) { v, err = changeable(c, tx); return err }); err != nil {
		return err
	}
	text := "This deletes the filter only. The records are not changed."
	if v.Shared {
		text += " The other members of the organisation lose it too."
	}
	return c.Confirm(page.Confirmation{
		Title: "Delete the view “" + v.Name + "”?", Text: []string{text}, Action: "/views/" + v.ID + "/delete", Button: "Delete view", Back: "/views?kind=" + url.QueryEscape(v.Kind),
	})
}

func drop(c *page.Context) error {
	return change(c, "view-deleted", func(tx page.Tx, v *search.View) error { return tx.DropListView(v.ID) })
}
