package page

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxParts is how many fields a form with a file may have.
const maxParts = 100

// File is what was chosen in a form's field of type file.
type File struct {
	Name    string
	Content []byte
}

// readParts takes a form with a file apart. The file is held in memory, never on the
// disk, and only for a visitor who may send it; that of anybody else runs past, so
// that a browser comes to the answer and nothing of what was typed is lost.
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
	return errors.New("console: a form of too many parts")
}

// readPart reads one part. The organisation that the form was made for stands before
// the file in every form.
func (c *Context) readPart(rt Route, part *multipart.Part, room *int64) error {
	if part.FileName() == "" {
		return c.readField(part, room)
	}
	if part.FormName() != "file" || c.File != nil || !c.SignedIn || c.checkPermission(rt) != nil {
		return nil
	}
	var content bytes.Buffer
	if length := min(c.R.ContentLength, rt.MaxUpload); length > 0 {
		if err := c.claim.Hold(length); err != nil {
			return err
		}
		content.Grow(int(length) + bytes.MinRead)
	}
	if _, err := content.ReadFrom(part); err != nil {
		return err
	}
	c.File = &File{part.FileName(), content.Bytes()}
	return nil
}

func (c *Context) readField(part *multipart.Part, room *int64) error {
	var value strings.Builder
	read, err := io.Copy(&value, io.LimitReader(part, *room+1))
	if err != nil {
		return err
	}
	if !c.SignedIn { // with a session the whole body is charged as it is read
		if err := c.claim.Hold(c.maxForm() - *room + read); err != nil {
			return err
		}
	}
	if *room -= read; *room < 0 {
		return apierr.New(apierr.PayloadTooLarge, "The fields of this form have more than the %d kB that are taken.", c.maxForm()>>10)
	}
	c.R.PostForm.Add(part.FormName(), value.String())
	c.R.Form.Add(part.FormName(), value.String())
	return nil
}
