package cdssim

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

const (
	formsPath = "/customs/declarations/file-upload"
	// formPath is the target of the forms. At HMRC it is a bucket of S3.
	formPath = "/upload-form"

	maxDeclarationID = 22
	formLife         = 7 * 24 * time.Hour
	maxUploads       = 10_000 // requests for forms that are remembered
)

// upload is a request for upload forms. Each reference is the conversation ID of one file's notification.
type upload struct {
	Number       uint64    `json:"number"`
	MRN          string    `json:"mrn"`
	Organisation string    `json:"organisation,omitempty"`
	At           time.Time `json:"at"`
	Rejects      bool      `json:"rejects,omitempty"` // the files, as the caller asked
	References   []string  `json:"references"`
	Received     []string  `json:"received,omitempty"` // references of files that were posted
	Accepted     int       `json:"accepted,omitempty"` // number of files with the outcome SUCCESS
}

// uploaded is a file that was posted to a form, with its notification.
type uploaded struct {
	Reference string        `json:"reference"`
	Accepted  bool          `json:"accepted,omitempty"`
	Notified  *conversation `json:"notified"`
}

type formsAnswer struct {
	XMLName xml.Name     `xml:"hmrc:fileupload FileUploadResponse"`
	Files   []formAnswer `xml:"Files>File"`
}

type formAnswer struct {
	Reference string       `xml:"Reference"`
	Href      string       `xml:"UploadRequest>Href"`
	Fields    []fieldValue `xml:"UploadRequest>Fields>field"`
}

// fieldValue is written as an element with the name of the field.
type fieldValue struct{ name, value string }

// MarshalXML writes the field.
func (f fieldValue) MarshalXML(e *xml.Encoder, _ xml.StartElement) error {
	return e.EncodeElement(f.value, xml.StartElement{Name: xml.Name{Local: f.name}})
}

// serveForms gives a form for each file. Unlike for other documents the answer is 200 with a body.
func (s *Simulator) serveForms(w http.ResponseWriter, r *http.Request, fault simulator.Fault) {
	var u *upload
	id, err := s.acceptDocument(w, r, func(asked simulator.Request, document []byte) (string, error) {
		opened, id, err := s.openUpload(asked, document)
		u = opened
		return id, err
	})
	if err != nil {
		s.answerError(w, err)
		return
	}
	if fault.Kind == simulator.HangUpAfter {
		panic(http.ErrAbortHandler)
	}
	answer := formsAnswer{}
	for _, reference := range u.References {
		answer.Files = append(answer.Files, formAnswer{Reference: reference, Href: "http://" + r.Host + formPath, Fields: s.formFields(reference, u.At)})
	}
	body, err := xml.Marshal(answer)
	if err != nil {
		s.answerError(w, err)
		return
	}
	w.Header().Set(conversationHeader, id)
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(append([]byte(xml.Header), body...))
}

// formFields returns the fields of a form. They have the names of HMRC's; the signature alone is checked.
func (s *Simulator) formFields(reference string, at time.Time) []fieldValue {
	stamp := at.UTC().Format("20060102T150405Z")
	return []fieldValue{
		{"x-amz-meta-callback-url", "https://simulator.invalid/callback"}, {"x-amz-date", stamp}, {"x-amz-credential", "SIMULATED/" + stamp[:8] + "/eu-west-2/s3/aws4_request"},
		{"x-amz-meta-original-filename", "${filename}"}, {"x-amz-algorithm", "AWS4-HMAC-SHA256"}, {"key", reference}, {"acl", "private"},
		{"x-amz-signature", s.tokens.proof("form " + reference)}, {"x-amz-meta-consuming-service", "customs-declarations"}, {"policy", "c2ltdWxhdGVk"},
	}
}

// openUpload checks a request for forms and stores it. It returns the conversation ID of the answer too.
func (s *Simulator) openUpload(asked simulator.Request, document []byte) (*upload, string, error) {
	var d cds.UploadRequest
	if err := xml.Unmarshal(document, &d); err != nil {
		return nil, "", notWellFormed
	}
	if err := checkUpload(&d); err != nil {
		return nil, "", err
	}
	if asked.Simulate != "" && asked.Simulate != simulator.AcceptFiles && asked.Simulate != simulator.RejectFiles {
		return nil, "", badUploadOutcome
	}
	s.mu.Lock()
	if len(s.registry.uploads) >= maxUploads {
		s.registry.expireUploads(s.options.Clock)
	}
	if len(s.registry.uploads) >= maxUploads {
		s.mu.Unlock()
		return nil, "", unavailable
	}
	number := s.registry.count + 1
	dice := s.randomnessFor("upload", number)
	id := dice.conversationID()
	u := &upload{
		Number: number, MRN: d.DeclarationID, Organisation: asked.Organisation, At: s.options.Clock(asked.Organisation).UTC(), Rejects: asked.Simulate == simulator.RejectFiles,
	}
	for range d.Files {
		u.References = append(u.References, dice.conversationID())
	}
	written := s.record(record{Upload: u})
	s.mu.Unlock()
	return u, id, s.journal.Commit(written)
}

// badUploadOutcome is the answer to a header that selects no outcome of files.
var badUploadOutcome = &refusal{
	status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "The header " + simulator.SteeringHeader + " of a file upload must be accept or reject.",
}

// checkUpload makes HMRC's checks of a request for forms, and reports all faults.
func checkUpload(d *cds.UploadRequest) error {
	var problems []string
	add := func(wrong bool, text string, values ...any) {
		if wrong {
			problems = append(problems, fmt.Sprintf(text, values...))
		}
	}
	add(d.DeclarationID == "" || len(d.DeclarationID) > maxDeclarationID, "DeclarationID must have 1 to %d characters", maxDeclarationID)
	add(len(d.Files) == 0, "Files must have a File")
	add(d.GroupSize > cds.MaxFiles, "FileGroupSize exceeds the limit of %d", cds.MaxFiles)
	add(d.GroupSize != len(d.Files), "FileGroupSize does not match the number of File elements")
	var numbers []int
	for _, f := range d.Files {
		add(f.Number > d.GroupSize, "FileSequenceNo must not be greater than FileGroupSize")
		add(f.Number < 1, "FileSequenceNo must start from 1")
		add(slices.Contains(numbers, f.Number), "FileSequenceNo is duplicated")
		add(f.Error != "" && f.Success == "", "ErrorRedirect must be used together with SuccessRedirect")
		numbers = append(numbers, f.Number)
	}
	if problems == nil {
		return nil
	}
	refused := &refusal{status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "Payload did not pass validation", Details: &details{}}
	for _, text := range problems[:min(len(problems), maxDetails)] {
		refused.Details.Errors = append(refused.Details.Errors, detail{Code: "BAD_REQUEST", Message: text})
	}
	return refused
}

func (b *registry) addUpload(u *upload) {
	b.count = max(b.count, u.Number)
	b.uploads = append(b.uploads, u)
	for _, reference := range u.References {
		b.byReference[reference] = u
	}
}

func (b *registry) addUploaded(f *uploaded) {
	u, known := b.byReference[f.Reference]
	if !known {
		return
	}
	u.Received = append(u.Received, f.Reference)
	if f.Accepted {
		u.Accepted++
	}
	b.open(f.Notified)
}

// expireUploads removes requests whose forms have expired.
func (b *registry) expireUploads(clock simulator.Clock) {
	b.uploads = slices.DeleteFunc(b.uploads, func(u *upload) bool {
		old := clock(u.Organisation).Sub(u.At) >= formLife
		if old {
			for _, reference := range u.References {
				delete(b.byReference, reference)
			}
		}
		return old
	})
}
