package tables

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// maxProductRows is the number of rows of a table of products in the console, which stores them while the user waits. 5,000
// rows take about two seconds; the API has no such limit.
const maxProductRows = 5000

// maxRowErrors is the number of rows with errors that the page shows.
const maxRowErrors = 200

// productRoutes are for importing a table of products in one step.
func (t *Tables) productRoutes() []page.Route {
	return []page.Route{
		page.Get("/products/import", page.ForMember, t.productsForm),
		page.Post("/products/import", page.ForMember, t.importProducts).WithMaxUpload(bulk.MaxFile + maxFormOverhead),
		page.Get("/products/import/template.csv", page.ForViewer, t.productsTemplate),
	}
}

// productsPage is the data of the page that imports products.
type productsPage struct {
	Fields  []string
	MaxRows int
	Outcome *bulk.Outcome // nil before an import
}

func (t *Tables) productsForm(c *page.Context) error { return t.showProducts(c, nil) }

func (t *Tables) showProducts(c *page.Context, done *bulk.Outcome) error {
	return c.Show("tables-products", "Import products", productsPage{Fields: t.Products.Type.Fields(), MaxRows: maxProductRows, Outcome: done})
}

// importProducts stores the rows of a table, whose columns are named like the members of a product.
func (t *Tables) importProducts(c *page.Context) error {
	c.Label = fileLabel
	done, err := t.readProducts(c)
	if err != nil {
		return c.Redisplay(err, func() error { return t.showProducts(c, nil) })
	}
	done.Errors = done.Errors[:min(len(done.Errors), maxRowErrors)]
	return t.showProducts(c, &done)
}

func (t *Tables) readProducts(c *page.Context) (done bulk.Outcome, err error) {
	if c.File == nil {
		return done, apierr.Invalid(apierr.Detail{Field: "file", Message: "is missing. Select a file"})
	}
	end, err := t.Uploads.Semaphore.Acquire(c.R.Context(), c.Session.Org)
	if err != nil {
		return done, err
	}
	defer end()
	sheet, err := bulk.ReadTable(c.R.Context(), c.File.Content)
	if err != nil {
		return done, err
	}
	rows := 0
	for range sheet.Rows() {
		rows++
	}
	if rows > maxProductRows {
		return done, apierr.Invalid(apierr.Detail{Field: "file", Message: fmt.Sprintf("has more than %d rows. Split it, or import it with the API", maxProductRows)})
	}
	fields := t.Products.Type.Fields()
	columns := make([]batch.Column, len(fields))
	for i, field := range fields {
		columns[i].Path = field
	}
	commit, err := sheet.Commit(batch.Guess(columns, sheet.Headers), fields)
	if err != nil {
		return done, err
	}
	return t.Products.Import(c.R.Context(), c.Call(), commit)
}

// productsTemplate sends an empty CSV file with a column for every field.
func (t *Tables) productsTemplate(c *page.Context) error {
	download(c, "products.csv", csvio.ContentType)
	_, err := c.W.Write(csvio.AppendRow(nil, t.Products.Type.Fields()...))
	return err
}
