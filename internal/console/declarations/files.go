package declarations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

const (
	fileRows = 3 // documents of one form
	// maxFilesForm is the maximum size in bytes of the form with documents.
	maxFilesForm = fileRows*cds.MaxFile + 64<<10
)

// FileRows are the numbers of the documents in the form.
func (*declarationView) FileRows() (all []int) {
	for n := range fileRows {
		all = append(all, n+1)
	}
	return all
}

// FileWords are the words for the status of a document.
func (*declarationView) FileWords() map[customs.FileStatus]string {
	return map[customs.FileStatus]string{
		customs.FileRequested: "Waiting", customs.FileSent: "Sent", customs.FileReceived: "Received by customs", customs.FileRejected: "Rejected",
	}
}

// FileColours are the colours for the status of a document.
func (*declarationView) FileColours() map[customs.FileStatus]string {
	return map[customs.FileStatus]string{customs.FileRequested: "wait", customs.FileSent: "note", customs.FileReceived: "good", customs.FileRejected: "bad"}
}

// SourceName returns the name of the type of a document that the declaration was made from.
func (*declarationView) SourceName(documentType string) string {
	return map[string]string{"invoice": "invoice", "bill_of_lading": "bill of lading", "packing_list": "packing list", "email": "e-mail"}[documentType]
}

// fileLabels adds the labels of the fields of the form with documents.
func fileLabels(labels map[string]string) map[string]string {
	for n := range fileRows {
		labels[fmt.Sprintf("type-%d", n+1)] = fmt.Sprintf("The type of document %d", n+1)
		labels[fmt.Sprintf("file-%d", n+1)] = fmt.Sprintf("The file of document %d", n+1)
	}
	return labels
}

// KnownFileTypes are types of documents that the form offers. Any other can be typed.
func (*declarationView) KnownFileTypes() []string {
	return []string{"Invoice", "Packing list", "Bill of lading", "Air waybill", "Certificate of origin", "Licence", customs.QueryResponse}
}

// Asked reports whether customs waits for the answer to a question.
func (s *declarationView) Asked() bool {
	return slices.ContainsFunc(s.Demands, func(d customs.Demand) bool { return d.Kind == customs.DemandQuery && d.Status == customs.DemandOpen })
}

// enteredTypes returns the types of documents in a form that is shown again.
func enteredTypes(c *page.Context) map[string]string {
	types := map[string]string{}
	for n := range fileRows {
		name := fmt.Sprintf("type-%d", n+1)
		types[name] = c.Value(name)
	}
	return types
}

// formFiles returns the documents of the form, and the number of the row of each.
func formFiles(c *page.Context) (files []customs.NewFile, rows []int) {
	for n := 1; n <= fileRows; n++ {
		kind, file := c.Value(fmt.Sprintf("type-%d", n)), c.Files[fmt.Sprintf("file-%d", n)]
		if kind == "" && file == nil && (n > 1 || len(c.Files) > 0) {
			continue
		}
		given := customs.NewFile{DocumentType: kind}
		if file != nil {
			given.File = attachment.File{Name: file.Name, Content: file.Content}
		}
		files, rows = append(files, given), append(rows, n)
	}
	return files, rows
}

// checkFiles returns what is wrong with the documents, at the fields of the form.
func checkFiles(files []customs.NewFile, rows []int) error {
	var details []apierr.Detail
	for i, f := range files {
		if f.Name == "" && len(f.Content) == 0 {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("file-%d", rows[i]), Message: "is missing. Select a file"})
			continue
		}
		for _, wrong := range customs.CheckFiles(files[i : i+1]) {
			name, message := "file", wrong.Message
			if strings.HasPrefix(wrong.Field, "documentType") {
				name, message = "type", "must have 1 to 100 characters"
			}
			details = append(details, apierr.Detail{Field: fmt.Sprintf("%s-%d", name, rows[i]), Message: message})
		}
	}
	if details == nil {
		return nil
	}
	return apierr.Invalid(details...)
}

// addFiles stores the documents of the form, which are then sent to customs.
func (d *Declarations) addFiles(c *page.Context) error {
	files, rows := formFiles(c)
	err := checkFiles(files, rows)
	if err == nil {
		var single bool
		if single, err = d.Customs.HasSingleToken(c.R.Context()); err != nil {
			return err
		}
		err = c.Update(func(tx page.Tx) error {
			_, err := d.Customs.AddFiles(tx, customs.Request{Call: c.Call()}, c.ID(), files, single)
			return err
		})
	}
	if apierr.Is(err, apierr.InvalidRequest) || apierr.Is(err, apierr.PayloadTooLarge) {
		return c.Redisplay(err, func() error { return d.detail(c) })
	}
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/"+c.ID(), "files-added")
}

// file sends a document as a download.
func (d *Declarations) file(c *page.Context) error {
	var a attachment.Attachment
	var content []byte
	err := c.View(func(tx page.Tx) (err error) {
		if _, err = tx.Filing(customs.DeclarationKind, c.ID()); err != nil {
			return err
		}
		if a, err = d.Customs.FileOf(tx, c.ID(), c.R.URL.Query().Get("part")); err != nil {
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
