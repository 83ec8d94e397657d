package tables

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// stepRoutes are the steps of an import: columns are confirmed, rows are checked, and rows are stored.
func (t *Tables) stepRoutes() []page.Route {
	return []page.Route{
		page.Get("/import/{id}/columns", page.ForMember, t.columnsForm),
		page.Post("/import/{id}/columns", page.ForMember, t.check),
		page.Post("/import/{id}/start", page.ForMember, t.start),
		page.Get("/import/{id}/discard", page.ForMember, t.confirmDiscard),
		page.Post("/import/{id}/discard", page.ForMember, t.discard),
	}
}

// step shows the current step of an import.
func (t *Tables) step(c *page.Context) error {
	var up bulk.Upload
	var notes []bulk.Note
	err := c.View(func(tx page.Tx) (err error) {
		if up, err = tx.Upload(c.ID()); err == nil && up.State != bulk.Read {
			notes, err = tx.UploadNotes(up.ID)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case up.State == bulk.Read:
		return t.showColumns(c, up)
	}
	return c.Show("tables-rows", "Import of "+up.Name, rowsOf(c, up, notes))
}

// columnView is a column with the field that is selected for it.
type columnView struct {
	bulk.Column
	Name     string // of its question
	Selected string // field, as it stands now
	Error    string
}

// ConfidenceWord returns the confidence of the suggestion as a word.
func (c columnView) ConfidenceWord() string {
	switch {
	case c.Column.Field == "":
		return ""
	case c.Confidence >= 0.8:
		return "High"
	case c.Confidence >= 0.5:
		return "Medium"
	}
	return "Low"
}

// Percent returns the confidence in per cent.
func (c columnView) Percent() int { return int(c.Confidence*100 + 0.5) }

// columnsPage is the data of the form of columns.
type columnsPage struct {
	bulk.Upload
	Columns []columnView
	Fields  []string
}

func (t *Tables) columnsForm(c *page.Context) error {
	var up bulk.Upload
	if err := c.View(func(tx page.Tx) (err error) { up, err = tx.Upload(c.ID()); return err }); err != nil {
		return err
	}
	if up.State != bulk.Read && up.State != bulk.Checked {
		return c.Redirect("/import/" + up.ID)
	}
	return t.showColumns(c, up)
}

func (t *Tables) showColumns(c *page.Context, up bulk.Upload) error {
	shown := columnsPage{Upload: up, Fields: t.Uploads.Type.Fields()}
	taken := map[string]string{}
	for field, header := range up.Mapping {
		if header != nil {
			taken[*header] = field
		}
	}
	for i, column := range up.Columns {
		one := columnView{Column: column, Name: columnName(i), Selected: taken[column.Header], Error: c.Problem.Of(columnName(i))}
		if c.Problem != nil && c.R.PostForm.Has(one.Name) {
			one.Selected = c.Value(one.Name)
		}
		shown.Columns = append(shown.Columns, one)
	}
	return c.Show("tables-columns", "Columns of "+up.Name, shown)
}

func columnName(i int) string { return "column-" + strconv.Itoa(i) }

func (t *Tables) check(c *page.Context) error {
	c.Label = func(field string) string {
		if field == "columns" {
			return "The table"
		}
		return "The column"
	}
	var up bulk.Upload
	if err := c.View(func(tx page.Tx) (err error) { up, err = tx.Upload(c.ID()); return err }); err != nil {
		return err
	}
	m, err := t.mapping(c, up)
	if err == nil {
		_, err = t.Uploads.Check(c.R.Context(), c.Call(), up.ID, m)
	}
	if err != nil {
		return c.Redisplay(err, func() error { return t.columnsForm(c) })
	}
	return c.Redirect("/import/" + up.ID)
}

// mapping returns the fields that are selected for the columns.
func (t *Tables) mapping(c *page.Context, up bulk.Upload) (bulk.Mapping, error) {
	fields := t.Uploads.Type.Fields()
	m := bulk.Mapping{}
	var details []apierr.Detail
	for i, column := range up.Columns {
		field := c.Value(columnName(i))
		switch {
		case field == "":
			continue
		case !slices.Contains(fields, field):
			details = append(details, apierr.Detail{Field: columnName(i), Message: "must be one of the choices"})
		case m[field] != nil:
			message := fmt.Sprintf("“%s” cannot be “%s”, because “%s” is already", column.Header, called(field), *m[field])
			details = append(details, apierr.Detail{Field: columnName(i), Message: message})
		default:
			m[field] = &column.Header
		}
	}
	if details == nil && m[fields[0]] == nil {
		details = append(details, apierr.Detail{Field: "columns", Message: "needs a column with the " + called(fields[0]) + ". Without it no row can be imported"})
	}
	if details != nil {
		return nil, apierr.Invalid(details...)
	}
	return m, nil
}

func (t *Tables) start(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return t.Uploads.Start(tx, c.Call(), c.ID()) }); err != nil {
		return err
	}
	return c.Redirect("/import/" + c.ID())
}

func (t *Tables) confirmDiscard(c *page.Context) error {
	var up bulk.Upload
	if err := c.View(func(tx page.Tx) (err error) { up, err = tx.Upload(c.ID()); return err }); err != nil {
		return err
	}
	text := "No rows have been stored. To import the table later, upload it again."
	if up.State == bulk.Finished || up.GivenUp {
		text = "The imported clients stay. Only the record of the import and its notes about rows are deleted."
	}
	return c.Confirm(page.Confirmation{
		Title: "Discard the import of “" + up.Name + "”?", Text: []string{text},
		Action: "/import/" + up.ID + "/discard", Button: "Discard", Back: "/import/" + up.ID,
	})
}

func (t *Tables) discard(c *page.Context) error {
	if err := c.Update(func(tx page.Tx) error { return t.Uploads.Discard(tx, c.ID()) }); err != nil {
		return err
	}
	return c.RedirectWithNotice("/import", "import-discarded")
}
