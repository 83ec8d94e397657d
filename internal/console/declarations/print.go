package declarations

import (
	"cmp"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
)

// print sends the declaration, its clearance or its review as PDF.
func (d *Declarations) print(c *page.Context) error {
	of := cmp.Or(c.R.URL.Query().Get("of"), print.OfDeclaration)
	if of != print.OfDeclaration && of != print.OfClearance && of != print.OfReview {
		return apierr.New(apierr.NotFound, "There is no such document. Print the declaration, its clearance or its review.")
	}
	var document *print.Document
	err := c.View(func(tx page.Tx) (err error) { document, err = d.Printer.Read(tx, c.ID(), of); return err })
	if err != nil {
		return err
	}
	return c.SendDocument(document.FileName(), document.Write)
}
