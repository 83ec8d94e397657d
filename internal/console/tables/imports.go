package tables

import (
	"net/http"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// maxFormOverhead is the maximum size of a form without its file, in bytes.
const maxFormOverhead = 64 << 10

// importRoutes are for uploading files and viewing imports.
func (t *Tables) importRoutes() []page.Route {
	return []page.Route{
		page.Get("/import", page.ForViewer, t.imports),
		page.Post("/import", page.ForMember, t.upload).WithMaxUpload(bulk.MaxFile + maxFormOverhead),
		page.Get("/import/template.csv", page.ForViewer, t.template),
		page.Get("/import/{id}", page.ForViewer, t.step),
		page.Get("/import/{id}/notes.csv", page.ForViewer, t.notes),
	}
}

// importsPage is the data of the page of imports.
type importsPage struct {
	Uploads []bulk.Upload
	Fields  []string
	MaxRows int
	MaxMB   int
}

func (t *Tables) imports(c *page.Context) error {
	shown := importsPage{Fields: t.Uploads.Type.Fields(), MaxRows: bulk.MaxRows, MaxMB: bulk.MaxFile >> 20}
	err := c.View(func(tx page.Tx) (err error) { shown.Uploads, err = tx.Uploads(bulk.MaxUploads); return err })
	if err != nil {
		return err
	}
	return c.Show("tables-imports", "Import clients", shown)
}

func (t *Tables) upload(c *page.Context) error {
	c.Label = fileLabel
	up, err := t.addUpload(c)
	if err != nil {
		return c.Redisplay(err, func() error { return t.imports(c) })
	}
	return c.Redirect("/import/" + up.ID)
}

// fileLabel returns the label of a field in error messages; fields other than the file are parts of it.
func fileLabel(field string) string {
	if field == "file" {
		return "The file"
	}
	return "The file: " + field
}

func (t *Tables) addUpload(c *page.Context) (bulk.Upload, error) {
	if c.File == nil {
		return bulk.Upload{}, apierr.Invalid(apierr.Detail{Field: "file", Message: "is missing. Select a file"})
	}
	if len(c.File.Content) > bulk.MaxFile {
		return bulk.Upload{}, apierr.Invalid(apierr.Detail{Field: "file", Message: "is larger than " + strconv.Itoa(bulk.MaxFile>>20) + " MB. Split it into smaller files"})
	}
	return t.Uploads.Add(c.R.Context(), c.Call(), c.File.Name, c.File.Content)
}

// template sends an empty CSV file with a column for every field.
func (t *Tables) template(c *page.Context) error {
	download(c, "clients.csv", csvio.ContentType)
	_, err := c.W.Write(csvio.AppendRow(nil, t.Uploads.Type.Fields()...))
	return err
}

// notes sends the notes about rows as a CSV file.
func (t *Tables) notes(c *page.Context) error {
	var all []bulk.Note
	err := c.View(func(tx page.Tx) error {
		_, err := tx.Upload(c.ID())
		if err == nil {
			all, err = tx.UploadNotes(c.ID())
		}
		return err
	})
	if err != nil {
		return err
	}
	out := csvio.AppendRow(nil, "row", "outcome", "field", "value", "message")
	for _, n := range all {
		outcome := "not imported"
		if n.Skipped {
			outcome = "skipped"
		}
		out = csvio.AppendRow(out, strconv.Itoa(n.Row), outcome, n.Field, n.Value, n.Message)
	}
	download(c, "import-rows.csv", csvio.ContentType)
	_, err = c.W.Write(out)
	return err
}

// download sets the headers of a file download.
func download(c *page.Context, name, contentType string) {
	c.W.Header().Set("Content-Type", contentType)
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	c.W.WriteHeader(http.StatusOK)
}
