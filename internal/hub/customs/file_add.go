package customs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	maxFilesOfDeclaration = 20 * cds.MaxFiles
	maxDocumentType       = 100 // characters
)

// NewFile is a document that a caller gives for customs.
type NewFile struct {
	DocumentType string
	attachment.File
}

// CheckFiles returns what is wrong with the files of an upload, all of it.
func CheckFiles(files []NewFile) (details []apierr.Detail) {
	if len(files) == 0 {
		details = append(details, apierr.Detail{Field: "file", Message: "is required"})
	}
	if len(files) > cds.MaxFiles {
		details = append(details, apierr.Detail{Field: "file", Message: fmt.Sprintf("can be sent %d times at most", cds.MaxFiles)})
	}
	for i, f := range files {
		kind := strings.TrimSpace(f.DocumentType)
		if kind == "" || len([]rune(kind)) > maxDocumentType || strings.ContainsFunc(kind, unicode.IsControl) {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("documentType[%d]", i), Message: "must have 1 to 100 characters and stand before its file"})
		}
		if wrong := attachment.Check(f.File, cds.MaxFile); wrong != "" {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("file[%d]", i), Message: wrong})
		}
	}
	return details
}

// HasSingleToken reports whether the token of the configuration may serve an organisation without a consent.
func (s *Service) HasSingleToken(ctx context.Context) (bool, error) { return s.Consents.HasSingle(ctx) }

// AddFiles stores documents for customs with the jobs that send them. They must have passed CheckFiles.
func (s *Service) AddFiles(tx Tx, r Request, id string, files []NewFile, single bool) (done Uploaded, err error) {
	if err := s.checkSimulate(tx, r, isUploadOutcome, "accept, reject"); err != nil {
		return done, err
	}
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return done, err
	}
	if err := r.If.Check(f.Version); err != nil {
		return done, err
	}
	a, err := addedOf(&f)
	if err != nil {
		return done, err
	}
	if err := TakesFiles(&f); err != nil {
		return done, err
	}
	if len(a.Files)+len(files) > maxFilesOfDeclaration {
		return done, apierr.New(apierr.InvalidState, "A declaration has at most %d files, and this one has %d.", maxFilesOfDeclaration, len(a.Files))
	}
	if err := s.checkConsent(tx, single); err != nil {
		return done, err
	}
	batch, err := s.storeFiles(tx, r, id, files, a.Demands)
	if err != nil {
		return done, err
	}
	ids, digests := []string{}, []string{}
	for i := range batch {
		ids, digests = append(ids, batch[i].ID), append(digests, batch[i].SHA256)
	}
	data := filing.Added{"batchId": batch[0].BatchID, "fileIds": ids, "filesSha256": digests}
	if err := s.noteFiles(tx, r.Call, id, addFiles, data); err != nil {
		return done, err
	}
	if s.Scanner == nil {
		err = s.askForForms(tx, id, batch[0].BatchID)
	}
	done.Request = UploadRequested{ID: batch[0].BatchID, Kind: "FILES", RequestedAt: audit.Instant(tx.Now()), Status: requestOpen}
	done.Files = shownFiles(batch)
	return done, err
}

// FileOf returns a file of a declaration without its content. A malformed ID is an unknown file.
func (s *Service) FileOf(tx Tx, declarationID, fileID string) (attachment.Attachment, error) {
	if !ident.IsUUID(fileID) {
		return attachment.Attachment{}, apierr.Missing()
	}
	return tx.Attachment(declarationID, fileID)
}

// isUploadOutcome reports whether the simulator has an outcome for files.
func isUploadOutcome(value string) bool {
	return value == simulator.AcceptFiles || value == simulator.RejectFiles
}

// TakesFiles returns an error unless customs accepts documents for a declaration: while it is ACCEPTED, and while customs has
// not closed a demand for them.
func TakesFiles(f *filing.Filing) error {
	a, err := addedOf(f)
	if err != nil {
		return err
	}
	asked := slices.ContainsFunc(a.Demands, func(d Demand) bool { return d.Status != DemandClosed && d.TakesFiles() })
	if a.MRN != nil && (f.Status == lifecycle.Accepted || asked) && f.Status != lifecycle.Cancelled {
		return nil
	}
	return apierr.New(apierr.InvalidState, "Documents are sent while a declaration is ACCEPTED, or when customs has asked for them. This one is %s and customs asks for none.", f.Status)
}

// storeFiles stores the files and, if they are to be scanned, their jobs.
func (s *Service) storeFiles(tx Tx, r Request, id string, files []NewFile, demands []Demand) ([]File, error) {
	contents := make([]attachment.File, len(files))
	for i := range files {
		contents[i] = files[i].File
	}
	stored, err := s.Attachments.Add(tx, r.Call, id, contents)
	if err != nil {
		return nil, err
	}
	batch, all := s.IDs.UUID(), make([]File, len(files))
	for i, a := range stored {
		all[i] = File{
			ID: a.ID, FilingID: id, BatchID: batch, Position: int64(i + 1), DocumentType: strings.TrimSpace(files[i].DocumentType), Status: FileRequested,
			Request: r, FileName: a.FileName, MediaType: a.MediaType, SHA256: a.SHA256, Size: a.Size, AddedAt: a.CreatedAt,
		}
		for _, d := range demands {
			if d.Status != DemandClosed && slices.Contains(answeredKinds(all[i].DocumentType), d.Kind) {
				all[i].Demands = append(all[i].Demands, d.ID)
			}
		}
		if err := tx.AddFile(all[i]); err != nil {
			return nil, err
		}
		if s.Scanner == nil {
			continue
		}
		if err := s.enqueueFile(tx, a.ID, 0); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// askForForms stores the request for the upload forms of the files of a batch, once all of them are scanned.
func (s *Service) askForForms(tx Tx, filingID, batchID string) error {
	all, err := tx.Files(filingID)
	if err != nil {
		return err
	}
	var ready []File
	for _, f := range all {
		switch {
		case f.BatchID != batchID || f.isFinal():
		case s.Scanner != nil && f.ScannedAt.IsZero():
			return nil
		case f.TransmissionID == "":
			ready = append(ready, f)
		}
	}
	if len(ready) == 0 {
		return nil
	}
	return s.askFor(tx, filingID, ready)
}

// askFor stores the request for the upload forms of files.
func (s *Service) askFor(tx Tx, filingID string, files []File) error {
	f, err := tx.Filing(s.Type.Kind, filingID)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	if err != nil {
		return err
	}
	if a.MRN == nil {
		return apierr.New(apierr.InvalidState, "The declaration has no MRN.")
	}
	var kinds, ids []string
	for i := range files {
		kinds, ids = append(kinds, files[i].DocumentType), append(ids, files[i].ID)
	}
	body, err := cds.EncodeUpload(*a.MRN, kinds)
	if err != nil {
		return err
	}
	t := Transmission{Purpose: toUpload, Reference: s.IDs.LRN(), Body: body, Detail: RequestDetail{Files: ids, HasDataSet: true}}
	t.ID, t.FilingID, t.State, t.Request, t.CreatedAt = s.IDs.UUID(), filingID, outbox.Pending, files[0].Request, tx.Now()
	t.Request.Key, t.Request.Digest = "", "" // they belong to the upload, which is answered
	if err := tx.AddTransmission(t); err != nil {
		return err
	}
	for i := range files {
		files[i].TransmissionID, files[i].Forms = t.ID, files[i].Forms+1
		files[i].Form, files[i].FormAt, files[i].Reference, files[i].PostingSince = nil, time.Time{}, "", time.Time{}
		if err := tx.SaveFile(files[i]); err != nil {
			return err
		}
	}
	return s.formsQueue().Enqueue(tx, t.ID, filing.NoApproval())
}

// noteFiles brings the record up to date with the stored files, in a transition.
func (s *Service) noteFiles(tx Tx, call tenant.Call, id string, action lifecycle.Action, data filing.Added) error {
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	if err != nil {
		return err
	}
	files, err := tx.Files(id)
	if err != nil {
		return err
	}
	messages, err := tx.Messages(id)
	if err != nil {
		return err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return err
	}
	before := a.Demands
	a.Files = shownFiles(files)
	now := s.progressOf(ofLRN(messages, a.LRN), ts, a)
	step := filing.TransitionData{Added: filing.Added{"files": a.Files}, Data: data}
	if now.addTo(step.Added); a.Stage == WaitingConsent {
		step.Added["stage"] = WaitingConsent
	}
	if _, err := s.Filings.Transition(tx, call, s.Type, id, action, step); err != nil {
		return err
	}
	return s.endDemands(tx, call, id, closedSince(before, now.Demands))
}

// enqueueFile adds the job that does the next step for a file.
func (s *Service) enqueueFile(tx Tx, id string, after time.Duration) error {
	return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: FileQueue, Subject: id, RunAt: tx.Now().Add(after)})
}
