package customs

import (
	"context"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// Queues of the jobs that send files.
const (
	FormsQueue = "customs.forms" // ask customs for upload forms
	FileQueue  = "customs.files" // scan one file, or post it to its form
)

const (
	// formLife is for how long a form is used; HMRC's expire after 7 days (CDS end-to-end service guide, uploading
	// supporting documents).
	formLife = 6 * 24 * time.Hour
	// settleTime is the wait for the notification of a file whose form gave no answer, before it is posted again.
	settleTime = 10 * time.Minute
	scanTime   = 10 * time.Second // after the scanner failed
	retryTime  = time.Minute      // after an attempt that certainly sent nothing
	blockTime  = time.Hour        // if the address of the form is not allowed
	maxForms   = 3                // forms that are asked for, for one file, because the form before refused it
)

// givenForms is the answer to a request for upload forms.
type givenForms struct {
	conversation string
	forms        []client.Form
}

// formsQueue returns the queue of requests for upload forms. An unknown outcome is tried again: other forms harm nothing.
func (s *Service) formsQueue() *outbox.Queue[*Transmission, givenForms, Tx] {
	return &outbox.Queue[*Transmission, givenForms, Tx]{
		Name: FormsQueue, Authority: "Customs", Document: "request for upload forms", LogKey: "transmission", TimeoutCode: apierr.CustomsUnreachable,
		RetryDelays: []time.Duration{15 * time.Second, retryTime},
		View:        s.Store.ViewCustoms, Update: s.Store.UpdateCustoms,
		Load: func(tx Tx, id string) (*Transmission, error) {
			t, err := tx.Transmission(id)
			return &t, err
		},
		Send: s.attemptForms, Store: s.storeForms, Continues: s.isConsented,
		Waiters: &s.waiters, IDs: s.IDs, Log: s.Log,
	}
}

// SendForms is the job that asks customs for upload forms.
func (s *Service) SendForms(ctx context.Context, j jobs.Job) error {
	return s.formsQueue().RunJob(ctx, j)
}

func (s *Service) attemptForms(ctx context.Context, j jobs.Job, t *Transmission, _ bool) (outbox.Result[givenForms], error) {
	switch o := s.Sender.RequestForms(ctx, j.Org, []byte(t.Body), simulator.Request{Simulate: t.Request.Simulate}).(type) {
	case cds.FormsGiven:
		if len(o.Forms) != len(t.Detail.Files) {
			return outbox.Result[givenForms]{State: outbox.Unknown, Cause: errors.New("customs: another number of upload forms than files")}, nil
		}
		return outbox.Result[givenForms]{State: outbox.Sent, Answer: givenForms{o.ConversationID, o.Forms}}, nil
	case client.Refused:
		if o.Code == client.CodeNoConsent {
			p := outbox.Problem{Code: apierr.CustomsConsentRequired, Message: "The files wait for the organisation's consent at HMRC."}
			return outbox.Result[givenForms]{State: outbox.Held, Problem: p, Cause: o}, nil
		}
		if o.IsUnauthorised() || o.IsTooMany() {
			return outbox.Result[givenForms]{State: outbox.Unknown, Cause: o}, nil
		}
		p := outbox.Problem{Code: apierr.CustomsRejected, Message: "Customs gave no upload form: " + o.Message}
		return outbox.Result[givenForms]{State: outbox.Refused, Problem: p, Cause: o}, nil
	case client.Unreachable:
		if apierr.CannotStore(o.Cause) {
			return outbox.Result[givenForms]{}, o.Cause
		}
		return outbox.Result[givenForms]{State: outbox.Unknown, Cause: o}, nil
	case client.Unknown:
		return outbox.Result[givenForms]{State: outbox.Unknown, Cause: o}, nil
	}
	return outbox.Result[givenForms]{State: outbox.Unknown}, nil
}

// storeForms stores the outcome of a request for upload forms, with the jobs that post the files.
func (s *Service) storeForms(tx Tx, t *Transmission, r outbox.Result[givenForms]) error {
	if t.State == outbox.Sent {
		t.ConversationID = r.Answer.conversation
	}
	if r.State == outbox.Held {
		return s.hold(tx, *t)
	}
	if err := tx.CompleteTransmission(*t); err != nil || r.State == outbox.Unknown {
		return err
	}
	if err := s.endWait(tx, *t); err != nil {
		return err
	}
	if r.State == outbox.Sent {
		data := filing.Added{"conversationId": t.ConversationID, "fileIds": t.Detail.Files, "sentSha256": digest(t.Body)}
		if err := s.noteFiles(tx, systemCall(tx), t.FilingID, requestUpload, data); err != nil {
			return err
		}
	}
	for i, id := range t.Detail.Files {
		f, err := tx.File(id)
		if err != nil {
			return err
		}
		if f.isFinal() || f.TransmissionID != t.ID {
			continue
		}
		if r.State == outbox.Refused {
			if err := s.rejectFile(tx, f, t.Problem.Message); err != nil {
				return err
			}
			continue
		}
		f.Form, f.FormAt, f.Reference = &r.Answer.forms[i], tx.Now(), r.Answer.forms[i].Reference
		if err := tx.SaveFile(f); err != nil {
			return err
		}
		if err := s.enqueueFile(tx, f.ID, 0); err != nil {
			return err
		}
	}
	return nil
}

// endWait removes the stage WAITING_CONSENT after the files waited for it.
func (s *Service) endWait(tx Tx, t Transmission) error {
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	if err != nil || a.Stage != WaitingConsent || a.ConversationID == "" {
		return err
	}
	messages, err := tx.Messages(t.FilingID)
	if err != nil {
		return err
	}
	ts, err := tx.Transmissions(t.FilingID)
	if err != nil {
		return err
	}
	now := s.progressOf(ofLRN(messages, a.LRN), ts, a)
	return s.setStage(tx, t, Stage(now.Stage))
}

// SendFile is the job that does the next step for one file: it scans the file, or posts it to its form.
func (s *Service) SendFile(ctx context.Context, j jobs.Job) error {
	var f File
	var content []byte
	closed := false
	err := s.Store.ViewCustoms(ctx, j.Org, func(tx Tx) (err error) {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		closed = org.Closing.Closed()
		f, err = tx.File(j.Subject)
		if err != nil || f.isFinal() || closed {
			return err
		}
		content, err = attachment.Content(tx, &attachment.Attachment{ID: f.ID, Size: f.Size, SHA256: f.SHA256})
		return err
	})
	switch {
	case apierr.Is(err, apierr.NotFound), err == nil && (f.isFinal() || closed):
		return s.Store.UpdateCustoms(ctx, j.Org, func(tx Tx) error { return tx.FinishJob(j) })
	case err != nil:
		return err
	case s.Scanner != nil && f.ScannedAt.IsZero():
		return s.scanFile(ctx, j, content)
	}
	return s.postFile(ctx, j, content)
}

// scanFile looks for viruses in a file. No file of its batch is sent before all files of the batch are scanned.
func (s *Service) scanFile(ctx context.Context, j jobs.Job, content []byte) error {
	verdict, failed := s.Scanner.Scan(ctx, content)
	if failed != nil {
		s.Log.WarnContext(ctx, "the virus scan failed and is tried again", "file", j.Subject, "error", failed)
	}
	return s.Store.UpdateCustoms(context.WithoutCancel(ctx), j.Org, func(tx Tx) error {
		if err := tx.FinishJob(j); err != nil {
			return err
		}
		f, err := tx.File(j.Subject)
		switch {
		case err != nil || f.isFinal():
			return err
		case failed != nil:
			return s.enqueueFile(tx, f.ID, scanTime)
		}
		if f.ScannedAt = tx.Now(); verdict.Infected {
			err = s.rejectFile(tx, f, "The virus scan refused it. "+verdict.Reason)
		} else {
			err = tx.SaveFile(f)
		}
		if err != nil {
			return err
		}
		return s.askForForms(tx, f.FilingID, f.BatchID)
	})
}
