package cdssim

import (
	"bytes"
	"crypto/hmac"
	"encoding/xml"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

const (
	maxFormFields = 64 << 10 // bytes of a form without its file
	sniffed       = 512      // bytes of a file that decide its type
	// testVirus is part of the test file that virus scanners find (EICAR).
	testVirus = "EICAR-STANDARD-ANTIVIRUS-TEST-FILE"
)

// formError is an error answer of S3.
type formError struct {
	XMLName xml.Name `xml:"Error"`
	Code    string   `xml:"Code"`
	Message string   `xml:"Message"`
	status  int
}

func (e *formError) Error() string { return e.Code + ": " + e.Message }

var (
	accessDenied   = &formError{status: http.StatusForbidden, Code: "AccessDenied", Message: "Invalid according to Policy: the form is unknown or has expired"}
	badSignature   = &formError{status: http.StatusForbidden, Code: "SignatureDoesNotMatch", Message: "The fields are not those of the form"}
	fileTooLarge   = &formError{status: http.StatusBadRequest, Code: "EntityTooLarge", Message: "Your proposed upload exceeds the maximum allowed size"}
	notAForm       = &formError{status: http.StatusPreconditionFailed, Code: "PreconditionFailed", Message: "Bucket POST must be of the enclosure-type multipart/form-data"}
	fileNotLast    = &formError{status: http.StatusBadRequest, Code: "InvalidArgument", Message: "The file must be the last field of the form"}
	incompleteForm = &formError{status: http.StatusBadRequest, Code: "IncompleteBody", Message: "The request body could not be read"}
)

// postedFile is what the simulator reads of a file; it keeps no content.
type postedFile struct {
	name, mediaType string
	infected        bool
}

// servePosted takes a file that is posted to a form. It answers as S3 does.
func (s *Simulator) servePosted(w http.ResponseWriter, r *http.Request, fault simulator.Fault) {
	reference, file, err := s.readPosted(w, r)
	if err == nil {
		err = s.takeFile(reference, file)
	}
	if err != nil {
		refused, ok := errors.AsType[*formError](err)
		if !ok {
			s.options.Log.Error("a file was not taken", "error", err)
			refused = &formError{status: http.StatusInternalServerError, Code: "InternalError", Message: "We encountered an internal error. Please try again."}
		}
		body, _ := xml.Marshal(refused)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(refused.status)
		_, _ = w.Write(append([]byte(xml.Header), body...)) // #nosec G705 -- encoded as XML, and not HTML
		return
	}
	if fault.Kind == simulator.HangUpAfter {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(http.StatusNoContent)
}

// readPosted reads the form: all fields, and then the file.
func (s *Simulator) readPosted(w http.ResponseWriter, r *http.Request) (reference string, file postedFile, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, cds.MaxFile+maxFormFields)
	parts, err := r.MultipartReader()
	if err != nil {
		return "", file, notAForm
	}
	fields := map[string]string{}
	for {
		part, err := parts.NextPart()
		if err != nil {
			return "", file, fileNotLast // there was none
		}
		if part.FormName() == "file" {
			if file, err = readFile(part); err != nil {
				return "", file, err
			}
			break
		}
		value, err := io.ReadAll(io.LimitReader(part, maxFormFields))
		if err != nil {
			return "", file, incompleteForm
		}
		fields[part.FormName()] = string(value)
	}
	if _, err := parts.NextPart(); !errors.Is(err, io.EOF) {
		return "", file, fileNotLast
	}
	reference = fields["key"]
	if !hmac.Equal([]byte(fields["x-amz-signature"]), []byte(s.tokens.proof("form "+reference))) {
		return "", file, badSignature
	}
	return reference, file, nil
}

func readFile(part *multipart.Part) (file postedFile, err error) {
	head := make([]byte, sniffed)
	n, err := io.ReadFull(part, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return file, incompleteForm
	}
	rest, err := io.Copy(io.Discard, part)
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return file, fileTooLarge
		}
		return file, incompleteForm
	}
	if int64(n)+rest > cds.MaxFile {
		return file, fileTooLarge
	}
	media, _, _ := strings.Cut(http.DetectContentType(head[:n]), ";")
	return postedFile{name: part.FileName(), mediaType: media, infected: bytes.Contains(head[:n], []byte(testVirus))}, nil
}

// acceptedTypes are the types of files that HMRC takes, as far as their first bytes tell: Office files are ZIP or other.
var acceptedTypes = []string{"application/pdf", "image/jpeg", "image/png", "text/plain", "application/zip"}

// rejection returns why HMRC rejects a file; empty if it does not.
func (f *postedFile) rejection(u *upload) string {
	switch {
	case u.Rejects:
		return "Steered by " + simulator.SteeringHeader + ": " + simulator.RejectFiles
	case f.infected:
		return "Virus detected: Eicar-Test-Signature"
	case !slices.Contains(acceptedTypes, f.mediaType):
		return "MIME type [" + f.mediaType + "] is not allowed for service: [customs-declarations]"
	}
	return ""
}

// receipt is what HMRC says about a file that it has received.
const receipt = "Thank you for submitting your documents. Typical clearance times are 2 hours for air and 3 hours for maritime declarations. " +
	"During busy periods wait times may be longer."

// takeFile stores that a file was posted, with its notification. A second file for the same form has no effect. After the
// last file of a request the declaration goes on, if its documents were asked for.
func (s *Simulator) takeFile(reference string, file postedFile) error {
	s.mu.Lock()
	u, known := s.registry.byReference[reference]
	if !known {
		s.mu.Unlock()
		return accessDenied
	}
	now := s.options.Clock(u.Organisation).UTC()
	switch {
	case now.Sub(u.At) >= formLife:
		s.mu.Unlock()
		return accessDenied
	case slices.Contains(u.Received, reference):
		s.mu.Unlock()
		return nil
	case !s.registry.evict():
		s.mu.Unlock()
		return unavailable
	}
	dice := s.randomnessFor("conversation", s.registry.count+1)
	outcome := cds.UploadOutcome{Reference: reference, Batch: dice.messageID(), FileName: file.name, Outcome: cds.UploadSuccess, Details: receipt}
	if why := file.rejection(u); why != "" {
		outcome = cds.UploadOutcome{Reference: reference, Outcome: "REJECTED", Details: why}
	}
	body, err := xml.Marshal(outcome)
	if err != nil {
		s.mu.Unlock()
		return err
	}
	note := &conversation{Number: s.registry.count + 1, ID: reference, At: now, Request: true, MRN: u.MRN, Organisation: u.Organisation, Delay: s.options.Delay}
	original := s.registry.byMRN[u.MRN]
	if original != nil {
		note.Delay, note.Submitter = original.Delay, original.Submitter
	}
	note.Messages = s.applyFaults([]outgoingMessage{{ID: outcome.Batch, Code: uploadCode, Wait: note.Delay, Body: xml.Header + string(body)}}, dice)
	r := record{Uploaded: &uploaded{Reference: reference, Accepted: outcome.Outcome == cds.UploadSuccess, Notified: note}}
	before := s.registry.state(u.MRN)
	if r.Uploaded.Accepted && u.Accepted+1 == len(u.References) && original != nil && original.awaitsDocuments() {
		r.Continued = s.releaseAfterDocuments(original, dice)
	} else {
		original = nil
	}
	written := s.record(r)
	s.mu.Unlock()
	if err := s.journal.Commit(written); err != nil {
		s.remove(note)
		s.forgetFile(u, reference, r.Uploaded.Accepted)
		if original != nil {
			s.restore(before)
		}
		return err
	}
	s.wake(note)
	if original != nil {
		s.wake(original)
	}
	return nil
}

// uploadCode stands for the function code, which notifications about files do not have.
const uploadCode = "FILE"

// awaitsDocuments reports whether customs has asked for documents and decided nothing since.
func (c *conversation) awaitsDocuments() bool {
	return !c.Cancelled && c.hasSent("06") && c.Messages[len(c.Messages)-1].Code == "06"
}

// released is the course of a declaration after its documents came.
const released course = "08 09"

// releaseAfterDocuments returns the messages after the notification about the last document.
func (s *Simulator) releaseAfterDocuments(c *conversation, dice randomness) *continuation {
	now := s.options.Clock(c.Organisation).UTC()
	all := messages(released, message{lrn: c.LRN, mrn: c.MRN}, now.Add(c.Delay), c.Delay, dice)
	all[0].Wait = 2 * c.Delay // the document is confirmed first
	return &continuation{Conversation: c.ID, Messages: s.applyFaults(all, dice)}
}

// forgetFile reverts a file that could not be stored. Its sender gets an error and can post it again.
func (s *Simulator) forgetFile(u *upload, reference string, accepted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.Received = slices.DeleteFunc(u.Received, func(r string) bool { return r == reference })
	if accepted {
		u.Accepted--
	}
}
