package page

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxParts is the maximum number of parts of a form with a file.
const maxParts = 100

// File is an uploaded file.
type File struct {
	Name    string
	Content []byte
}

// fileField begins the name of a field in a form with several files.
const fileField = "file-"

// readParts reads a multipart form. The file is held in memory, never on disk, and only if
// the user is allowed to send it. Any other file is read and dropped, so that the browser
// finishes sending and gets the response, and the other fields are kept.
func (c *Context) readParts(rt Route) error {
	parts, err := c.R.MultipartReader()
	if err != nil {
		return err
	}
	room := c.maxForm()
	for range maxParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.readPart(rt, part, &room); err != nil {
			return err
		}
	}
	return errors.New("console: the form has too many parts")
}

// readPart reads one part. In every form the organisation's field comes before the file,
// so that checkPermission can read it.
func (c *Context) readPart(rt Route, part *multipart.Part, room *int64) error {
	if part.FileName() == "" {
		return c.readField(part, room)
	}
	name := part.FormName()
	one, many := name == "file" && len(c.Uploads) < max(rt.MaxFiles, 1), strings.HasPrefix(name, fileField) && c.Files[name] == nil
	if name == "file" && !one && rt.MaxFiles > 0 {
		return apierr.New(apierr.PayloadTooLarge, "You can send at most %d files at once.", rt.MaxFiles)
	}
	if !one && !many || !c.SignedIn || c.checkPermission(rt) != nil {
		return nil
	}
	var content bytes.Buffer
	if many {
		if _, err := content.ReadFrom(part); err != nil {
			return err
		}
		if c.Files == nil {
			c.Files = map[string]*File{}
		}
		c.Files[name] = &File{part.FileName(), content.Bytes()}
		return nil
	}
	if length := min(c.R.ContentLength, rt.MaxUpload); length > 0 && len(c.Uploads) == 0 {
		if err := c.claim.Hold(length); err != nil {
			return err
		}
		if rt.MaxFiles == 0 {
			content.Grow(int(length) + bytes.MinRead)
		}
	}
	if _, err := content.ReadFrom(part); err != nil {
		return err
	}
	c.Uploads = append(c.Uploads, &File{part.FileName(), content.Bytes()})
	c.File = c.Uploads[0]
	return nil
}

func (c *Context) readField(part *multipart.Part, room *int64) error {
	var value strings.Builder
	read, err := io.Copy(&value, io.LimitReader(part, *room+1))
	if err != nil {
		return err
	}
	if !c.SignedIn { // with a session, the claim counts the whole body as it is read
		if err := c.claim.Hold(c.maxForm() - *room + read); err != nil {
			return err
		}
	}
	if *room -= read; *room < 0 {
		return apierr.New(apierr.PayloadTooLarge, "The fields of this form are larger than %d kB. Shorten them and send the form again.", c.maxForm()>>10)
	}
	c.R.PostForm.Add(part.FormName(), value.String())
	c.R.Form.Add(part.FormName(), value.String())
	return nil
}
