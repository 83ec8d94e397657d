package cds

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

const uploadPath = "/customs/declarations/file-upload"

// MaxFiles and MaxFile are HMRC's limits of an upload: files of one request, and bytes of a file.
const (
	MaxFiles = 11
	MaxFile  = 10 << 20
)

// maxFields limits the fields of a form; HMRC sends 15.
const maxFields = 100

var errNoForms = errors.New("CDS answered without upload forms")

// uploads is the operation that gives upload forms. Unlike the others it answers 200 with a body.
var uploads = client.API{
	ContentType: declarations.ContentType, Success: []int{http.StatusOK}, Closed: declarations.Closed, Decode: xml.Unmarshal,
	CorrelationID: declarations.CorrelationID,
	Check:         func(a client.Answer) error { _, err := readForms(a.Body); return errors.Join(a.Err, err) },
}

// FormsGiven means that CDS gave a form for each file of a request.
type FormsGiven struct {
	client.Accepted
	ConversationID string        // of the request; no message comes for it
	Forms          []client.Form // in the order of the files
}

// RequestForms asks for a form for each file of a document. Asking again gives other forms and harms nothing.
func (c *Client) RequestForms(ctx context.Context, as client.Credentials, document []byte) client.Outcome {
	answer, failure := c.uploads.Do(ctx, as, client.Request{Method: http.MethodPost, Path: uploadPath, Header: c.header, Body: document})
	if failure != nil {
		return failure
	}
	forms, err := readForms(answer.Body)
	if err != nil {
		return answer.Unknown(err)
	}
	return FormsGiven{ConversationID: answer.CorrelationID, Forms: forms}
}

type formsBody struct {
	XMLName xml.Name   `xml:"hmrc:fileupload FileUploadResponse"`
	Files   []formBody `xml:"Files>File"`
}

type formBody struct {
	Reference string `xml:"Reference"`
	Href      string `xml:"UploadRequest>Href"`
	Fields    struct {
		All []fieldBody `xml:",any"`
	} `xml:"UploadRequest>Fields"`
}

type fieldBody struct {
	XMLName xml.Name
	Value   string `xml:",chardata"`
}

// readForms reads the forms of an answer. References must be different UUIDs.
func readForms(body []byte) ([]client.Form, error) {
	var answer formsBody
	if err := xml.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("reading the upload forms: %w", err)
	}
	if len(answer.Files) == 0 || len(answer.Files) > MaxFiles {
		return nil, errNoForms
	}
	known := map[string]bool{}
	forms := make([]client.Form, len(answer.Files))
	for i, f := range answer.Files {
		if !ident.IsUUID(f.Reference) || known[f.Reference] || f.Href == "" || len(f.Fields.All) > maxFields {
			return nil, fmt.Errorf("upload form %d of the answer is not complete", i+1)
		}
		known[f.Reference] = true
		forms[i] = client.Form{Reference: f.Reference, Href: f.Href}
		for _, field := range f.Fields.All {
			forms[i].Fields = append(forms[i].Fields, client.FormField{Name: field.XMLName.Local, Value: field.Value})
		}
	}
	return forms, nil
}

// UploadRequest is the document that asks for upload forms.
type UploadRequest struct {
	XMLName       xml.Name     `xml:"hmrc:fileupload FileUploadRequest"`
	DeclarationID string       `xml:"DeclarationID"` // the MRN
	GroupSize     int          `xml:"FileGroupSize"`
	Files         []UploadFile `xml:"Files>File"`
}

// UploadFile is a file of an UploadRequest. The answer does not repeat its number: the forms have the order of the files.
type UploadFile struct {
	Number       int    `xml:"FileSequenceNo"` // from 1
	DocumentType string `xml:"DocumentType,omitempty"`
	Success      string `xml:"SuccessRedirect,omitempty"`
	Error        string `xml:"ErrorRedirect,omitempty"`
}

// EncodeUpload returns the document that asks for a form for files of some types.
func EncodeUpload(mrn string, documentTypes []string) (string, error) {
	r := UploadRequest{DeclarationID: mrn, GroupSize: len(documentTypes)}
	for i, kind := range documentTypes {
		r.Files = append(r.Files, UploadFile{Number: i + 1, DocumentType: kind})
	}
	body, err := xml.Marshal(r)
	return xml.Header + string(body), err
}

// UploadOutcome is the notification about an uploaded file.
type UploadOutcome struct {
	XMLName   xml.Name `xml:"hmrc:fileupload Root"`
	Reference string   `xml:"FileReference"`
	Batch     string   `xml:"BatchId,omitempty"`
	FileName  string   `xml:"FileName,omitempty"`
	Outcome   string   `xml:"Outcome"` // UploadSuccess; anything else is a rejection
	Details   string   `xml:"Details"`
}

// UploadSuccess is the outcome of a file that HMRC has received.
const UploadSuccess = "SUCCESS"

// ReadUpload reads the notification about an uploaded file; false if a message is another one. notDecoded is the error of
// reading it as a notification about a declaration, which has checked that it is XML of a sensible size and depth.
func ReadUpload(message []byte, notDecoded error) (o UploadOutcome, ok bool) {
	if !errors.Is(notDecoded, notification.ErrUnknownDocument) || xml.Unmarshal(message, &o) != nil {
		return UploadOutcome{}, false
	}
	o.Outcome, o.Details = client.Clip(o.Outcome), client.Clip(o.Details)
	return o, o.Outcome != ""
}
