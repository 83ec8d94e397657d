package page

import (
	"bytes"
	"mime"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
)

// SendAttachment answers with a stored file. Browsers save it and never show it as a page of the console.
func (c *Context) SendAttachment(a *attachment.Attachment, content []byte) error {
	h := c.W.Header()
	h.Set("Content-Type", a.MediaType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.FileName}))
	http.ServeContent(c.W, c.R, "", time.Time{}, bytes.NewReader(content))
	return nil
}
