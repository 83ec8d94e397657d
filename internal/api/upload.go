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
	// maxFrame is what a form may have around its file.
	maxFrame = 64 << 10
	// maxValue is the size of a field that is no file.
	maxValue = 1 << 10
	// bodyTimeout is how long a body may take once it is read.
	bodyTimeout = time.Minute
)

// upload is what a form may hold, and what it held: one file and some fields.
type upload struct {
	what    string   // the file is, in a sentence
	hint    string   // to whoever sends no form
	maxFile int64    // bytes
	fields  []string // besides the file; all are required

	claim  *membudget.Claim
	file   []byte
	values map[string]string
}

// read reads a form to its end. Fields that are not known, and those that appear
// twice, are refused.
func (f *upload) read(w *answerWriter, r *http.Request) error {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != formType || params["boundary"] == "" {
		return apierr.New(apierr.UnsupportedMediaType, "%s", f.hint)
	}
	w.readWithin(bodyTimeout)
	defer w.readWithin(0)
	body := http.MaxBytesReader(w.ResponseWriter, r.Body, f.maxFile+maxFrame)
	parts := multipart.NewReader(body, params["boundary"])
	f.values, f.claim = map[string]string{}, passedOf(r.Context()).claim
	for {
		part, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return f.complete()
		case err != nil:
			return broken(err)
		}
		if err := f.take(part, r.ContentLength); err != nil {
			return err
		}
	}
}

// take reads one part.
func (f *upload) take(part *multipart.Part, length int64) (err error) {
	name := part.FormName()
	_, seen := f.values[name]
	switch {
	case name == "file" && f.file == nil:
		f.file, err = f.whole(part, length)
		return err
	case seen, name == "file":
		return apierr.Invalid(apierr.Detail{Field: name, Message: "appears more than once"})
	case !slices.Contains(f.fields, name):
		return apierr.Invalid(apierr.Detail{Field: name, Message: "is not a known field"})
	}
	value, err := io.ReadAll(io.LimitReader(part, maxValue+1))
	switch {
	case err != nil:
		return broken(err)
	case len(value) > maxValue:
		return apierr.Invalid(apierr.Detail{Field: name, Message: "is too long"})
	}
	f.values[name] = string(value)
	return nil
}

// complete names what is missing.
func (f *upload) complete() error {
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

// whole reads a part that may be as long as the body says.
func (f *upload) whole(part io.Reader, length int64) ([]byte, error) {
	var file bytes.Buffer
	if length > 0 {
		expected := min(length, f.maxFile)
		if err := f.claim.Hold(expected); err != nil {
			return nil, broken(err)
		}
		file.Grow(int(expected) + bytes.MinRead)
	}
	if _, err := file.ReadFrom(io.LimitReader(part, f.maxFile+1)); err != nil {
		return nil, broken(err)
	}
	if int64(file.Len()) > f.maxFile {
		return nil, apierr.New(apierr.PayloadTooLarge, "%s has at most %d bytes.", f.what, f.maxFile)
	}
	return file.Bytes(), nil
}

// broken says why a body could not be read.
func broken(err error) error {
	if errors.Is(err, membudget.ErrExceeded) {
		return overloaded()
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return apierr.New(apierr.PayloadTooLarge, "The body has more than %d bytes.", large.Limit)
	}
	return apierr.Invalid(apierr.Detail{Field: "body", Message: "could not be read to its end"}).Because(err)
}
