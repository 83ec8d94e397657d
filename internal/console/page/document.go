package page

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

// SendDocument sends a PDF document as a file.
func (c *Context) SendDocument(fileName string, write func(context.Context, io.Writer) error) error {
	var file bytes.Buffer // the writer has the whole document in memory too
	if err := write(c.R.Context(), &file); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/pdf")
	c.W.Header().Set("Content-Length", fmt.Sprint(file.Len()))
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+fileName+`"`)
	_, err := file.WriteTo(c.W)
	return err
}
