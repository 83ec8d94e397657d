package app

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/mail"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// mailBackoff is for mail servers that do not answer or reject a mail. After the last try the mail is dropped.
var mailBackoff = []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}

// mailQueue sends each mail at least once.
func (a *App) mailQueue() jobs.Queue {
	return jobs.Queue{Name: access.MailQueue, Workers: 2, Do: a.sendMail, Backoff: mailBackoff}
}

func (a *App) sendMail(ctx context.Context, j jobs.Job) error {
	var m access.Mail
	var found bool
	err := a.Store.View(ctx, j.Org, func(tx *store.Tx) (err error) { m, found, err = tx.Mail(j.Subject); return err })
	if err != nil {
		return err
	}
	if found && a.mail != nil {
		letter, err := a.Accounts.OpenMail(m)
		if err != nil {
			return err
		}
		to, err := a.Accounts.Recipient(ctx, m)
		if err != nil {
			return err
		}
		if to != "" {
			err = a.mail.Send(ctx, mail.Message{ID: m.ID, To: to, Subject: letter.Subject, Text: letter.Text, At: m.CreatedAt})
		}
		if err != nil {
			return err
		}
	}
	return a.Store.Update(ctx, j.Org, func(tx *store.Tx) error {
		if err := tx.RemoveMail(j.Subject); err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
}
