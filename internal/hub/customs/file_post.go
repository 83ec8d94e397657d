package customs

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// postFile posts a file to its form. That it begins is stored before, so that after a crash the service waits for the
// notification of the upload and does not post the file at once again.
func (s *Service) postFile(ctx context.Context, j jobs.Job, content []byte) error {
	f, begun, err := s.beginPost(ctx, j)
	if err != nil || !begun {
		return err
	}
	outcome := s.Sender.PostFile(ctx, j.Org, *f.Form, client.FormFile{Name: f.FileName, MediaType: f.MediaType, Content: content})
	return s.Store.UpdateCustoms(context.WithoutCancel(ctx), j.Org, func(tx Tx) error {
		accepted := isFormAccepted(outcome)
		if err := tx.FinishJob(j); err != nil && !(accepted && errors.Is(err, jobs.ErrLeaseLost)) {
			return err
		}
		now, err := tx.File(f.ID)
		if err != nil || now.isFinal() || now.Reference != f.Reference {
			return err
		}
		return s.storePost(ctx, tx, now, outcome)
	})
}

func isFormAccepted(o client.Outcome) bool {
	_, ok := o.(client.FormAccepted)
	return ok
}

// beginPost stores that a file is about to be posted. It returns false if it is not time for that.
func (s *Service) beginPost(ctx context.Context, j jobs.Job) (f File, begun bool, err error) {
	err = s.Store.UpdateCustoms(ctx, j.Org, func(tx Tx) error {
		begun = false
		if f, err = tx.File(j.Subject); err != nil {
			return err
		}
		wait := settleTime - tx.RealNow().Sub(f.PostingSince) // a test clock may stand
		switch {
		case f.isFinal() || f.Form == nil: // a form is on its way, with its own job
			return tx.FinishJob(j)
		case !f.PostingSince.IsZero() && wait > 0 && wait <= settleTime: // its form gave no answer
			return errors.Join(tx.FinishJob(j), s.enqueueFile(tx, f.ID, wait))
		case tx.Now().Sub(f.FormAt) > formLife:
			return errors.Join(tx.FinishJob(j), s.askFor(tx, f.FilingID, []File{f}))
		}
		f.PostingSince, begun = tx.RealNow(), true
		return tx.SaveFile(f)
	})
	return f, begun, err
}

// storePost stores the outcome of an attempt.
func (s *Service) storePost(ctx context.Context, tx Tx, f File, outcome client.Outcome) error {
	switch o := outcome.(type) {
	case client.FormAccepted:
		f.Status, f.SentAt = FileSent, tx.Now()
		if err := tx.SaveFile(f); err != nil {
			return err
		}
		return s.noteFiles(tx, systemCall(tx), f.FilingID, sendFile, f.auditData())
	case client.Refused:
		if o.IsForbidden() && f.Forms < maxForms {
			s.Log.WarnContext(ctx, "an upload form refused a file; another form is requested", "file", f.ID, "error", o)
			return s.askFor(tx, f.FilingID, []File{f})
		}
		return s.rejectFile(tx, f, strings.TrimSpace("Customs' upload form refused it. "+o.Message))
	case client.Unreachable:
		wait := retryTime
		if errors.Is(o.Cause, client.ErrFormAddress) {
			wait = blockTime
		}
		return s.postLater(ctx, tx, f, time.Time{}, wait, o)
	case client.Failure:
		return s.postLater(ctx, tx, f, f.PostingSince, settleTime, o)
	}
	return s.postLater(ctx, tx, f, f.PostingSince, settleTime, nil)
}

// postLater posts a file again after a time.
func (s *Service) postLater(ctx context.Context, tx Tx, f File, since time.Time, wait time.Duration, cause error) error {
	s.Log.WarnContext(ctx, "a file was not posted", "file", f.ID, "again in", wait, "error", cause)
	f.PostingSince = since
	if err := tx.SaveFile(f); err != nil {
		return err
	}
	return s.enqueueFile(tx, f.ID, wait)
}

// rejectFile stores that a file was rejected.
func (s *Service) rejectFile(tx Tx, f File, reason string) error {
	f.Status, f.Reason, f.EndedAt = FileRejected, strings.TrimSpace(reason), tx.Now()
	if err := tx.SaveFile(f); err != nil {
		return err
	}
	return s.noteFiles(tx, systemCall(tx), f.FilingID, rejectFile, f.auditData())
}
