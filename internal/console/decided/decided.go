// Package decided has the fields of forms with which an authority's decision is entered: its own reference, when it decided, why,
// and its document.
package decided

import (
	"embed"
	"io/fs"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

//go:embed parts
var parts embed.FS

// Partials returns the template "decided", which takes the page and Fields.
func Partials() fs.FS {
	below, _ := fs.Sub(parts, "parts") // the folder is embedded
	return below
}

// MaxForm is the size limit of such a form in bytes.
const MaxForm = decision.MaxDocument + 64<<10

// maxReason is the maximum length of a reason in characters.
const maxReason = 1000

// Fields are the fields of a form.
type Fields struct {
	Reference bool   // whether the authority's own reference and its document can be entered
	Simulated string // the reference that it replaces; empty for none
	Reason    bool   // whether a reason is required
}

// FieldsOf returns the fields with which a record is marked.
func FieldsOf(t *filing.Type, f *filing.Filing, by lifecycle.Action) Fields {
	return Fields{Reference: t.TakesDecision(by), Simulated: t.SimulatedReference(f), Reason: t.Lifecycle.HasEffect(by, lifecycle.KeepReason)}
}

// Read reads the fields of a form that was sent, and reports everything that is wrong with them.
func (f Fields) Read(c *page.Context) (e decision.Entry, err error) {
	var details []apierr.Detail
	wrong := func(field, message string) { details = append(details, apierr.Detail{Field: field, Message: message}) }
	if f.Reason || f.Reference {
		e.Reason = c.Value("reason")
	}
	switch {
	case e.Reason == "" && f.Reason:
		wrong("reason", "is required")
	case utf8.RuneCountInString(e.Reason) > maxReason:
		wrong("reason", "must have at most 1,000 characters")
	}
	if f.Reference {
		e.Reference = c.Value("reference")
		if typed := c.Value(filing.DecidedAtMember); typed != "" {
			if e.DecidedAt, err = time.Parse(time.RFC3339Nano, form.ParseInstant(typed)); err != nil {
				wrong(filing.DecidedAtMember, "must be a date and a time, such as 26 November 2026 14:30")
			}
		}
		if c.File != nil {
			e.Document = &attachment.File{Name: c.File.Name, Content: c.File.Content}
		}
	}
	if details != nil {
		return e, apierr.Invalid(details...)
	}
	return e, nil
}

// SendDocument answers with the document in the path, of a record of a kind.
func SendDocument(c *page.Context, kind string) error {
	var a attachment.Attachment
	var content []byte
	id := c.R.PathValue("file")
	if !ident.IsUUID(id) {
		return apierr.Missing()
	}
	err := c.View(func(tx page.Tx) (err error) {
		if _, err = tx.Filing(kind, c.ID()); err != nil {
			return err
		}
		if a, err = tx.Attachment(c.ID(), id); err != nil {
			return err
		}
		content, err = attachment.Content(tx, &a)
		return err
	})
	if err != nil {
		return err
	}
	return c.SendAttachment(&a, content)
}

// Label returns the label of a field in messages.
func Label(field string) string {
	switch field {
	case "reference":
		return "The authority’s reference"
	case filing.DecidedAtMember:
		return "The time of the decision"
	case "document", "file":
		return "The document"
	}
	return "The reason"
}
