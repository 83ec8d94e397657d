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
	Faults  *bulk.Faults  // nil before a check
}

func (t *Tables) productsForm(c *page.Context) error { return t.showProducts(c, productsPage{}) }

func (t *Tables) showProducts(c *page.Context, shown productsPage) error {
	shown.Fields, shown.MaxRows = t.Products.Type.Fields(), maxProductRows
	return c.Show("tables-products", "Import products", shown)
}

// importProducts stores the rows of a table, whose columns are named like the members of a product, or only checks them.
func (t *Tables) importProducts(c *page.Context) error {
	c.Label = fileLabel
	shown, err := t.readProducts(c)
	if err != nil {
		return c.Redisplay(err, func() error { return t.showProducts(c, productsPage{}) })
	}
	return t.showProducts(c, shown)
}

func (t *Tables) readProducts(c *page.Context) (done productsPage, err error) {
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
	mapping := batch.Guess(columns, sheet.Headers)
	commit, err := sheet.Commit(mapping, fields)
	if err != nil {
		return done, err
	}
	if c.Value("go") == "check" {
		found, err := t.Products.Faults(c.R.Context(), c.Call(), sheet, mapping)
		return productsPage{Faults: &found}, err
	}
	stored, err := t.Products.Import(c.R.Context(), c.Call(), commit)
	stored.Errors = stored.Errors[:min(len(stored.Errors), maxRowErrors)]
	return productsPage{Outcome: &stored}, err
}

// productsTemplate sends an empty CSV file with a column for every field.
func (t *Tables) productsTemplate(c *page.Context) error {
	download(c, "products.csv", csvio.ContentType)
	_, err := c.W.Write(csvio.AppendRow(nil, t.Products.Type.Fields()...))
	return err
}
