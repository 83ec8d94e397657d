package access

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// MailQueue is the queue of the jobs that send mails; a job's subject is the mail's ID.
const MailQueue = "mail"

// MailLife is how long an unsent mail is stored.
const MailLife = 7 * 24 * time.Hour

// Mail is a mail that waits to be sent.
type Mail struct {
	ID        string
	To        string // an address, or userRecipient and a user ID
	Content   string // encrypted
	CreatedAt time.Time
}

// MailContent is the content of a mail.
type MailContent struct{ Subject, Text string }

// MailTx stores mails in a transaction; it is part of Tx and of Desk.
type MailTx interface {
	Now() time.Time
	// RealNow is the time of mails, also in a test organisation.
	RealNow() time.Time
	// AddMail stores a mail with the job that sends it.
	AddMail(Mail) error
}

// Mails are the settings of mails. The zero value sends none.
type Mails struct {
	On     bool
	Public string // public URL of the console
}

// queue stores a mail in the transaction of the change. It does nothing if mails are off.
func (a *Accounts) queue(tx MailTx, to, subject, text string) error {
	if !a.Mails.On || to == "" {
		return nil
	}
	m := Mail{ID: a.IDs.UUID(), To: to, CreatedAt: tx.RealNow()}
	content, err := json.Marshal(MailContent{subject, text})
	if err != nil {
		return err
	}
	closed, err := a.Sealer.Encrypt(content, mailData(m.ID))
	if err != nil {
		return fmt.Errorf("access: seal mail: %w", err)
	}
	m.Content = base64.StdEncoding.EncodeToString(closed)
	return tx.AddMail(m)
}

// OpenMail decrypts the content of a mail.
func (a *Accounts) OpenMail(m Mail) (l MailContent, err error) {
	closed, err := base64.StdEncoding.DecodeString(m.Content)
	if err != nil {
		return l, fmt.Errorf("access: mail: %w", err)
	}
	content, err := a.Sealer.Decrypt(closed, mailData(m.ID))
	if err != nil {
		return l, fmt.Errorf("access: open mail: %w", err)
	}
	return l, json.Unmarshal(content, &l)
}

func mailData(id string) []byte { return []byte("tidewaiter mail\n" + id) }

func (a *Accounts) address(path string) string { return strings.TrimRight(a.Mails.Public, "/") + path }

// MailInvitation mails the link of an invitation, in the transaction that creates it.
func (a *Accounts) MailInvitation(tx MailTx, i Invitation, organisation, token string) error {
	return a.queue(tx, i.Email, "Join "+organisation+" on Tidewaiter", fmt.Sprintf(
		"You are invited to join %s on Tidewaiter as %s.\n\nOpen this link to join. It works once, until %s.\n\n%s\n\nIf you did not expect this mail, ignore it.\n",
		organisation, i.Role, i.ExpiresAt.UTC().Format("2 January 2006 15:04 UTC"), a.address("/invitations/"+token)))
}

// MailClosed tells the OWNERs that their organisation was closed, in the transaction that closes it.
func (a *Accounts) MailClosed(tx Tx, organisation string, deleteAfter time.Time) error {
	return a.queueOwners(tx, organisation+" was closed on Tidewaiter", fmt.Sprintf(
		"%s was closed. Its API keys have ended, and its data will be deleted on %s.\n\nUntil then an OWNER can restore it or download its data: %s\n",
		organisation, deleteAfter.UTC().Format("2 January 2006 15:04 UTC"), a.address("/settings/data")))
}

// noteBrowser records the browser of a sign-in, and mails the user about a new one.
func (a *Accounts) noteBrowser(d AccountTx, v Visitor, u User) error {
	known, others, err := d.RecordBrowser(u.ID, Hash(v.Browser))
	if err != nil || known || others == 0 {
		return err
	}
	return a.queue(d, u.Email, "New sign-in to Tidewaiter", fmt.Sprintf(
		"Someone signed in to your account from a browser that was not used before.\n\nTime: %s\nAddress: %s\nBrowser: %s\n\n"+
			"If this was not you, set a new password and end the session: %s\n",
		d.Now().UTC().Format("2 January 2006 15:04 UTC"), v.IPAddress, truncate(v.UserAgent), a.address("/account")))
}

// forgotLimits limits requests for reset links.
var forgotLimits = []ratelimit.Budget{
	{Name: "forgot-account", Requests: 3, Window: time.Hour},
	{Name: "forgot-address", Requests: 20, Window: time.Hour},
}

// Forgot mails a reset link to the owner of an account. The result is the same whether or not the
// account exists.
func (a *Accounts) Forgot(ctx context.Context, v Visitor, email string) error {
	if !a.Mails.On {
		return apierr.New(apierr.NotFound, "This page does not exist.")
	}
	email, details := checkEmail("email", email)
	if details != nil {
		return apierr.Invalid(details...)
	}
	for i, subject := range []string{Hash(email), clientaddr.Group(v.IPAddress)} {
		state, err := a.Limiter.Take(ctx, forgotLimits[i], subject)
		if err == nil && state.Exceeded {
			refusal := apierr.New(apierr.RateLimited, "Too many links were requested. Try again later.")
			return refusal.WithRetryAfter(state.Reset.Sub(a.Now()))
		}
	}
	u, known, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.UserByEmail(email) })
	if err != nil {
		return err
	}
	if !known {
		_, err := a.addStep(ctx, storedFormStep, "", "") // so that it takes as long as storing a link
		return err
	}
	if _, err := a.mailReset(ctx, u); err != nil {
		return err
	}
	return a.recordInOrganisations(ctx, v, u.ID, ResetLinkMade, tenant.System, map[string]any{"by": "forgotten password"})
}

// mailReset creates a reset link and mails it, in one transaction.
func (a *Accounts) mailReset(ctx context.Context, u User) (token string, err error) {
	token = newToken(a.IDs)
	return token, a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		if err := a.addResetLink(d, u.ID, token); err != nil {
			return err
		}
		return a.queue(d, u.Email, "Set a new password for Tidewaiter", fmt.Sprintf(
			"Open this link to set a new password. It works once, for %d minutes.\n\n%s\n\nIf you did not ask for it, ignore this mail: your password stays as it is.\n",
			int(LinkLife.Minutes()), a.address("/reset/"+token)))
	})
}

func (a *Accounts) addResetLink(d AccountTx, userID, token string) error {
	if err := d.DropLinks(ResetLink, userID); err != nil {
		return err
	}
	return d.AddLink(Link{ID: a.IDs.UUID(), Kind: ResetLink, UserID: userID, Hash: Hash(token), CreatedAt: d.Now(), ExpiresAt: d.Now().Add(LinkLife)})
}
