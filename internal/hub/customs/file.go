package customs

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// FileStatus says how far a file is. The values are stored.
type FileStatus string

// Statuses of a file.
const (
	FileRequested FileStatus = "REQUESTED" // it is scanned, or waits for its upload form
	FileSent      FileStatus = "SENT"      // the form took it
	FileReceived  FileStatus = "RECEIVED"  // customs has confirmed it
	FileRejected  FileStatus = "REJECTED"  // by the virus scan, the form or customs
)

// QueryResponse is the type of a document that answers a question of customs.
const QueryResponse = "query-response"

// File is a document that is sent to customs. Its content is an attachment with the same ID.
type File struct {
	ID, FilingID string
	BatchID      string // of the files that were given together
	Position     int64  // in the batch, from 1
	DocumentType string
	Status       FileStatus
	Reason       string   // of a rejection
	Demands      []string // IDs of the demands that were open when it was given, and that it answers
	Request      Request

	TransmissionID string       // asked for its form; empty if none did
	Forms          int64        // forms that were asked for
	Form           *client.Form // nil until customs gives one
	FormAt         time.Time    // when customs gave the form
	Reference      string       // customs' own, of the upload

	ScannedAt    time.Time
	PostingSince time.Time // real time of the begin of the last attempt to post it; zero if that certainly failed
	SentAt       time.Time
	EndedAt      time.Time

	// From the attachment.
	FileName, MediaType, SHA256 string
	Size                        int64
	AddedAt                     time.Time
}

// isFinal reports whether nothing is to be sent any more.
func (f *File) isFinal() bool { return f.Status != FileRequested }

// FileShown is a file as the API shows it.
type FileShown struct {
	ID           string     `json:"id" format:"uuid" doc:"Id of the file"`
	FileName     string     `json:"fileName" doc:"Name" example:"invoice-4711.pdf"`
	DocumentType string     `json:"documentType" doc:"What the document is; query-response answers a question of customs" example:"Invoice"`
	Status       FileStatus `json:"status" enum:"REQUESTED,SENT,RECEIVED,REJECTED" doc:"REQUESTED: being scanned, or waiting for customs' upload form. SENT: the form took it. RECEIVED: customs confirmed it. REJECTED: see reason"`
	Reason       string     `json:"reason,omitempty" doc:"Why it was rejected" example:"The virus scan found: Eicar-Signature"`
	MediaType    string     `json:"mediaType" doc:"Its type, from the content" example:"application/pdf"`
	Size         int64      `json:"size" doc:"Its size in bytes" example:"48213"`
	SHA256       string     `json:"sha256" doc:"SHA-256 of its content, in hexadecimal" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	AddedAt      string     `json:"addedAt" format:"date-time" doc:"When it was given to this service" example:"2026-12-01T09:00:00.000Z"`
	SentAt       string     `json:"sentAt,omitempty" format:"date-time" doc:"When customs' upload form took it" example:"2026-12-01T09:00:02.000Z"`
	Reference    string     `json:"reference,omitempty" doc:"Customs' reference of the upload, the conversation ID of its notification" example:"63acb547-85d4-4ce7-b702-05115ed99521"`
	Demands      []string   `json:"demands,omitempty" doc:"IDs of the demands that it answers"`
}

// DeclarationFiles holds the files of a declaration.
type DeclarationFiles struct {
	Files []FileShown `json:"files,omitempty" doc:"Documents that were given for customs, oldest first"`
}

// UploadRequested is the request that an upload of files makes.
type UploadRequested struct {
	ID          string `json:"id" format:"uuid" doc:"Id of the files that were given together"`
	Kind        string `json:"kind" enum:"FILES" doc:"What was requested"`
	RequestedAt string `json:"requestedAt" format:"date-time" doc:"When it was created"`
	Status      string `json:"status" enum:"REQUESTED" doc:"Each file has a status of its own"`
}

// Uploaded is the answer to an upload of files.
type Uploaded struct {
	Request UploadRequested `json:"request" doc:"The upload"`
	Files   []FileShown     `json:"files" doc:"Its files"`
}

// shown returns a file as the API shows it.
func (f *File) shown() FileShown {
	s := FileShown{
		ID: f.ID, FileName: f.FileName, DocumentType: f.DocumentType, Status: f.Status, Reason: f.Reason, MediaType: f.MediaType, Size: f.Size, SHA256: f.SHA256,
		AddedAt: audit.Instant(f.AddedAt), Reference: f.Reference, Demands: f.Demands,
	}
	if !f.SentAt.IsZero() {
		s.SentAt = audit.Instant(f.SentAt)
	}
	return s
}

func shownFiles(files []File) (all []FileShown) {
	for i := range files {
		all = append(all, files[i].shown())
	}
	return all
}

// auditData returns the data of an audit event about a file. The name sha256 belongs to the digest of the record's body.
func (f *File) auditData() filing.Added {
	data := filing.Added{"fileId": f.ID, "fileName": f.FileName, "documentType": f.DocumentType, "fileSha256": f.SHA256}
	if f.Reference != "" {
		data["reference"] = f.Reference
	}
	if f.Reason != "" {
		data["reason"] = f.Reason
	}
	return data
}

// TakesFiles reports whether documents answer the demand.
func (d *Demand) TakesFiles() bool {
	return d.Kind == DemandDocuments || d.Kind == DemandQuery || d.Kind == DemandExitEvidence
}

// answeredKinds are the kinds of demands that a document of a type answers.
func answeredKinds(documentType string) []string {
	if documentType == QueryResponse {
		return []string{DemandQuery}
	}
	return []string{DemandDocuments, DemandExitEvidence}
}

// answerWith sets the demands to ANSWERED for which a file was sent and not rejected. Evidence of exit closes its demand. If
// all files for a demand were rejected it is open again.
func (p *progress) answerWith(files []FileShown) {
	for i := range p.Demands {
		d := &p.Demands[i]
		if d.Status == DemandClosed {
			continue
		}
		sent, rejected := "", false
		for _, f := range files {
			switch {
			case f.SentAt == "" || !slices.Contains(f.Demands, d.ID):
			case f.Status == FileRejected:
				rejected = rejected || d.AnsweredAt != nil && *d.AnsweredAt == f.SentAt
			case sent == "" || f.SentAt < sent:
				sent = f.SentAt
			}
		}
		switch {
		case sent != "" && d.Kind == DemandExitEvidence:
			by := closedByFiles
			d.Status, d.AnsweredAt, d.ClosedAt, d.ClosedBy = DemandClosed, &sent, &sent, &by
		case sent != "":
			d.Status, d.AnsweredAt = DemandAnswered, &sent
		case rejected:
			d.Status, d.AnsweredAt = DemandOpen, nil
		}
	}
}

// closedByFiles is the closedBy of a demand that was closed by the documents that were sent for it.
const closedByFiles = "files"
