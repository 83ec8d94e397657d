package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/membudget"
)

const (
	formType = "multipart/form-data"
	// maxFormOverhead is the allowed size of a form besides its file, in bytes.
	maxFormOverhead = 64 << 10
	// maxFieldSize is the maximum size of a field that is not a file, in bytes.
	maxFieldSize = 1 << 10
	// bodyTimeout is the time limit for receiving a body.
	bodyTimeout = time.Minute
)

// upload describes a form with one file and some fields, and holds what was read.
type upload struct {
	subject string   // the file, as the start of a sentence
	hint    string   // message if the request is not a form
	maxFile int64    // bytes
	fields  []string // besides the file; all required

	claim  *membudget.Claim
	file   []byte
	values map[string]string
}

// read reads the whole form. Unknown and repeated fields are errors.
func (f *upload) read(w *streamWriter, r *http.Request) error {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != formType || params["boundary"] == "" {
		return apierr.New(apierr.UnsupportedMediaType, "%s", f.hint)
	}
	w.setReadTimeout(bodyTimeout)
	defer w.setReadTimeout(0)
	body := http.MaxBytesReader(w.ResponseWriter, r.Body, f.maxFile+maxFormOverhead)
	parts := multipart.NewReader(body, params["boundary"])
	f.values, f.claim = map[string]string{}, requestInfoOf(r.Context()).claim
	for {
		part, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return f.checkRequired()
		case err != nil:
			return bodyError(err)
		}
		if err := f.readPart(part, r.ContentLength); err != nil {
			return err
		}
	}
}

// readPart reads one part.
func (f *upload) readPart(part *multipart.Part, length int64) (err error) {
	name := part.FormName()
	_, seen := f.values[name]
	switch {
	case name == "file" && f.file == nil:
		f.file, err = f.readFile(part, length)
		return err
	case seen, name == "file":
		return apierr.Invalid(apierr.Detail{Field: name, Message: "appears more than once"})
	case !slices.Contains(f.fields, name):
		return apierr.Invalid(apierr.Detail{Field: name, Message: "is not a known field"})
	}
	value, err := io.ReadAll(io.LimitReader(part, maxFieldSize+1))
	switch {
	case err != nil:
		return bodyError(err)
	case len(value) > maxFieldSize:
		return apierr.Invalid(apierr.Detail{Field: name, Message: "is too long"})
	}
	f.values[name] = string(value)
	return nil
}

// checkRequired returns an error that names the missing fields.
func (f *upload) checkRequired() error {
	var details []apierr.Detail
	if f.file == nil {
		details = append(details, apierr.Detail{Field: "file", Message: "is required"})
	}
	for _, name := range f.fields {
		if f.values[name] == "" {
			details = append(details, apierr.Detail{Field: name, Message: "is required"})
		}
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}

// readFile reads the file part. It reserves memory for the announced length first.
func (f *upload) readFile(part io.Reader, length int64) ([]byte, error) {
	var file bytes.Buffer
	if length > 0 {
		expected := min(length, f.maxFile)
		if err := f.claim.Hold(expected); err != nil {
			return nil, bodyError(err)
		}
		file.Grow(int(expected) + bytes.MinRead)
	}
	if _, err := file.ReadFrom(io.LimitReader(part, f.maxFile+1)); err != nil {
		return nil, bodyError(err)
	}
	if int64(file.Len()) > f.maxFile {
		return nil, apierr.New(apierr.PayloadTooLarge, "%s can have at most %d bytes.", f.subject, f.maxFile)
	}
	return file.Bytes(), nil
}

// bodyError returns the error for a body that could not be read.
func bodyError(err error) error {
	if errors.Is(err, membudget.ErrExceeded) {
		return overloaded()
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return apierr.New(apierr.PayloadTooLarge, "The body has more than %d bytes.", tooLarge.Limit)
	}
	return apierr.Invalid(apierr.Detail{Field: "body", Message: "could not be read completely"}).WithCause(err)
}
