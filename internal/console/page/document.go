package page

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

// Document is a PDF document that was read.
type Document interface {
	FileName() string
	Write(context.Context, io.Writer) error
}

// SendDocument sends a document as a file.
func (c *Context) SendDocument(d Document) error {
	var file bytes.Buffer // the writer has the whole document in memory too
	if err := d.Write(c.R.Context(), &file); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/pdf")
	c.W.Header().Set("Content-Length", fmt.Sprint(file.Len()))
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+d.FileName()+`"`)
	_, err := file.WriteTo(c.W)
	return err
}
