package customs

import (
	"context"
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// Names of the messages about uploads among the messages about a declaration. They have no function code.
const (
	UploadReceived = "file received"
	UploadRejected = "file rejected"
)

// applyUpload applies the notification about an uploaded file. Its conversation ID is customs' reference of the upload.
func (s *Service) applyUpload(ctx context.Context, j jobs.Job, in Inbound, o cds.UploadOutcome) error {
	if replayed, err := s.setAsideReplay(ctx, j, in); err != nil || replayed {
		return err
	}
	org, id, found, err := s.Store.FindFile(ctx, in.ConversationID)
	if err != nil {
		return err
	}
	if !found {
		return s.setAsideUnmatched(ctx, j, in, "")
	}
	err = s.Store.UpdateCustoms(ctx, org, func(tx Tx) error {
		if err := s.checkSource(tx, in.Source); err != nil {
			return err
		}
		return s.applyUploadTo(tx, id, in, o)
	})
	if errors.Is(err, errOtherSource) {
		return s.keepUnapplied(ctx, j, in, err)
	}
	if err != nil {
		return err
	}
	return s.Store.FinishInbound(ctx, j, Applied, "")
}

// applyUploadTo stores the message and its outcome. A file that customs has received stays RECEIVED, whatever else comes in
// whatever order.
func (s *Service) applyUploadTo(tx Tx, id string, in Inbound, o cds.UploadOutcome) error {
	f, err := tx.File(id)
	if err != nil {
		return err
	}
	received := o.Outcome == cds.UploadSuccess
	m := Message{
		ID: s.IDs.UUID(), FilingID: f.FilingID, ConversationID: in.ConversationID, MessageID: in.Digest, Purpose: toUpload, ReceivedAt: in.ReceivedAt, InboxID: in.ID,
		Notification: notification.Notification{Name: UploadRejected, MessageID: in.Digest},
	}
	if received {
		m.Notification.Name = UploadReceived
	}
	added, err := tx.AddMessage(m)
	if err != nil || !added || f.Status == FileReceived {
		return err
	}
	f.EndedAt = tx.Now()
	if !received {
		if f.Status == FileRejected {
			return nil
		}
		return s.endUpload(tx, f, in, m, FileRejected, "Customs rejected it. "+o.Details)
	}
	if f.SentAt.IsZero() { // its form gave no answer
		f.SentAt, f.Status, f.Reason = tx.Now(), FileSent, ""
		if err := tx.SaveFile(f); err != nil {
			return err
		}
		if err := s.noteFiles(tx, systemCall(tx), f.FilingID, sendFile, f.auditData()); err != nil {
			return err
		}
	}
	return s.endUpload(tx, f, in, m, FileReceived, "")
}

// endUpload stores customs' decision about a file.
func (s *Service) endUpload(tx Tx, f File, in Inbound, m Message, status FileStatus, reason string) error {
	f.Status, f.Reason = status, reason
	if err := tx.SaveFile(f); err != nil {
		return err
	}
	action := receiveFile
	if status == FileRejected {
		action = rejectFile
	}
	data := auditData(m, in.Digest)
	for name, value := range f.auditData() {
		data[name] = value
	}
	return s.noteFiles(tx, systemCall(tx), f.FilingID, action, data)
}
