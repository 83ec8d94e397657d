package declarations

import (
	"bytes"
	"cmp"
	"fmt"

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
	var file bytes.Buffer // the library has the whole document in memory too
	if err := document.Write(c.R.Context(), &file); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", print.ContentType)
	c.W.Header().Set("Content-Length", fmt.Sprint(file.Len()))
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+document.FileName()+`"`)
	_, err = file.WriteTo(c.W)
	return err
}
