package declare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/email"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// typeEmail is the type of an e-mail, which is kept beside the files that came with it.
const typeEmail = "email"

// given is a file that was given to the form, and what was read from it.
type given struct {
	attachment.NewSource
	found *extract.Extraction // nil if nothing can be read from it
}

// readGiven reads the files of the form, invoices first, without storing them. Every file counts against AssistBudget. Of
// several files, those that cannot be read are left out, and the notes say so.
func (d *Declare) readGiven(c *page.Context) (all []given, notes []string, err error) {
	kind := extract.DocumentType(c.Value("documentType"))
	if kind != "" && !slices.Contains(extract.Types, kind) {
		return nil, nil, apierr.Invalid(apierr.Detail{Field: "documentType", Message: "must be one of the choices"})
	}
	if len(c.Uploads) == 0 {
		return nil, nil, apierr.Invalid(apierr.Detail{Field: "file", Message: "must be selected"})
	}
	files, notes, err := unpack(c.Uploads)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		one, err := d.readOne(c, f, kind)
		switch reason := unreadable(err); {
		case reason != "" && len(files) > 1:
			notes = append(notes, f.Name+" was left out: it "+reason+".")
		case err != nil:
			return nil, nil, err
		default:
			all = append(all, one)
		}
	}
	sorting.Stable(all, func(a, b given) int { return order(a) - order(b) })
	if !slices.ContainsFunc(all, func(g given) bool { return g.found != nil }) {
		return nil, nil, apierr.Invalid(apierr.Detail{Field: "file", Message: "cannot be read, and neither can the files in it. " + strings.Join(notes, " ")})
	}
	return all, notes, nil
}

// order is the place of a file in the order of reading: an invoice has the most, and the e-mail nothing.
func order(g given) int {
	if g.found == nil {
		return len(extract.Types)
	}
	return map[extract.DocumentType]int{extract.Invoice: 0, extract.PackingList: 1, extract.BillOfLading: 2}[g.found.Document.DocumentType]
}

// unpack returns the files of the form, each e-mail followed by the files that came with it.
func unpack(uploads []*page.File) (files []attachment.NewSource, notes []string, err error) {
	add := func(kind, name string, content []byte) {
		files = append(files, attachment.NewSource{DocumentType: kind, File: attachment.File{Name: name, Content: content}})
	}
	for _, u := range uploads {
		if !email.Is(u.Name, u.Content) {
			add("", u.Name, u.Content)
			continue
		}
		message, err := email.Read(u.Content)
		if err != nil {
			return nil, nil, apierr.Invalid(apierr.Detail{Field: "file", Message: fmt.Sprintf("%s %s", u.Name, err)})
		}
		add(typeEmail, u.Name, u.Content)
		for _, f := range message.Files {
			add("", f.Name, f.Content)
		}
		if message.More {
			notes = append(notes, "Not all files of the e-mail "+u.Name+" were taken. Select the others yourself.")
		}
	}
	var wrong []apierr.Detail
	if len(files) > attachment.MaxSources {
		wrong = append(wrong, apierr.Detail{Field: "file", Message: fmt.Sprintf("must be at most %d files, and there are %d", attachment.MaxSources, len(files))})
	}
	for _, f := range files {
		switch {
		case attachment.CleanName(f.Name) == "":
			wrong = append(wrong, apierr.Detail{Field: "file", Message: "needs a file name"})
		case len(f.Content) > attachment.MaxSourceFile:
			wrong = append(wrong, apierr.Detail{Field: "file", Message: f.Name + " is larger than 20 MB"})
		}
	}
	if wrong != nil {
		return nil, nil, apierr.Invalid(wrong...)
	}
	return files, notes, nil
}

// readOne scans a file and reads it.
func (d *Declare) readOne(c *page.Context, f attachment.NewSource, kind extract.DocumentType) (given, error) {
	if err := d.Customs.ScanSource(c.R.Context(), f.File); err != nil {
		return given{}, err
	}
	if f.DocumentType == typeEmail {
		return given{NewSource: f}, nil
	}
	if err := c.TakeFromBudget(d.AssistBudget); err != nil {
		return given{}, err
	}
	found, err := d.Read(c.R.Context(), c.Session.Org, extract.Request{File: f.Content, DocumentType: kind, Guess: kind == ""})
	f.DocumentType = string(found.Document.DocumentType)
	return given{f, &found}, err
}

// unreadable returns why a file cannot be read; empty for any other error.
func unreadable(err error) string {
	f, is := apierr.As(err)
	if !is || f.Code != apierr.InvalidRequest || len(f.Details) != 1 || f.Details[0].Field != "file" {
		return ""
	}
	return f.Details[0].Message
}

// keep stores the files, and fills the worksheet from them. The files of a correction belong to its declaration.
func (d *Declare) keep(c *page.Context, tx page.Tx, s *worksheet.Worksheet, all []given, notes []string) error {
	if len(s.Sources)+len(all) > attachment.MaxSources {
		return apierr.Invalid(apierr.Detail{Field: "file", Message: fmt.Sprintf("must be at most %d files for one declaration, and there would be %d", attachment.MaxSources, len(s.Sources)+len(all))})
	}
	files := make([]attachment.NewSource, len(all))
	for i := range all {
		files[i] = all[i].NewSource
	}
	added, err := d.storeFiles(c, tx, s, files)
	if err != nil {
		return err
	}
	s.Sources = append(s.Sources, added...)
	for i := range all {
		if all[i].found != nil {
			s.Fill(*all[i].found, added[i].ID)
		}
	}
	s.AddNotes(notes)
	return nil
}

// storeFiles stores the files with the worksheet or, for a correction, with the declaration.
func (d *Declare) storeFiles(c *page.Context, tx page.Tx, s *worksheet.Worksheet, files []attachment.NewSource) ([]attachment.Source, error) {
	if s.Purpose() == worksheet.New {
		return d.Customs.Attachments.AddSources(tx, c.Call(), s.ID, files)
	}
	f, added, err := d.Customs.AddSources(tx, c.Call(), nil, s.ID, files)
	if err != nil {
		return nil, err
	}
	s.BaseVersion = f.Version
	return added, nil
}

// addFiles adds files to a form that is being filled in.
func (d *Declare) addFiles(c *page.Context) error {
	c.Label = labelOfUpload
	f := &stepView{Step: worksheet.StepBasics}
	all, notes, err := d.readGiven(c)
	if err == nil {
		err = c.Update(func(tx page.Tx) (err error) {
			if f.Worksheet, err = d.worksheet(c, tx); err != nil {
				return err
			}
			if err := d.keep(c, tx, f.Worksheet, all, notes); err != nil {
				return err
			}
			return d.store(c, tx, f.Worksheet)
		})
	}
	if err != nil {
		return c.Redisplay(err, func() error {
			return d.show(c, f, func(tx page.Tx) (err error) { f.Worksheet, err = d.worksheet(c, tx); return err })
		})
	}
	return c.RedirectWithNotice(path(c.ID(), stepOf(c)), "document-read")
}

// stepOf returns the step that the form of the files was on.
func stepOf(c *page.Context) worksheet.Step {
	if at := worksheet.Step(c.Value("at")); at.Known() || at == stepPage {
		return at
	}
	return worksheet.StepBasics
}

// removeFile removes a file from the form of a new declaration. The values that were taken from it stay.
func (d *Declare) removeFile(c *page.Context) error {
	err := c.Update(func(tx page.Tx) error {
		s, err := d.worksheet(c, tx)
		if err != nil {
			return err
		}
		source, err := sourceOf(s, c.R.PathValue("file"))
		if err != nil {
			return err
		}
		if s.Purpose() != worksheet.New {
			return apierr.New(apierr.InvalidState, "This file is kept with the declaration, and stays there.")
		}
		if err := tx.DropAttachment(s.ID, source.ID); err != nil {
			return err
		}
		s.DropSource(source.ID)
		return d.store(c, tx, s)
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(path(c.ID(), stepOf(c)), "document-removed")
}

// sourceOf returns a file of a worksheet.
func sourceOf(s *worksheet.Worksheet, id string) (attachment.Source, error) {
	for _, source := range s.Sources {
		if source.ID == id {
			return source, nil
		}
	}
	return attachment.Source{}, apierr.Missing()
}
