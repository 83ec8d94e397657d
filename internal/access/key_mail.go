package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of mails about keys.
const (
	maxMailedOwners = 50  // the longest-standing OWNERs of an organisation
	maxWarnedKeys   = 100 // keys that one mail warns of; further keys go into the next one
	orgsAtATime     = 100 // organisations that are looked up together
)

// userRecipient begins the recipient of a mail to a user whose address is looked up when the
// mail is sent. What follows is the user's id.
const userRecipient = "user:"

// MailKey mails the OWNERs that a key was made or rotated, in the transaction of the change.
func (a *Accounts) MailKey(tx Tx, event string, k Key) error {
	if !a.Mails.On {
		return nil
	}
	org, err := tx.Organisation()
	if err != nil {
		return err
	}
	subject, done := "New API key in "+org.Name, "was made in "+org.Name+"."
	if event == KeyRotated {
		subject, done = "New secret of an API key in "+org.Name, "of "+org.Name+" has a new secret. The former one works for another 24 hours."
	}
	return a.queueOwners(tx, subject, fmt.Sprintf(
		"The API key \"%s\" (%s, ending in %s) %s\n%s\n\nIf no one in your organisation did this, revoke the key: %s\n",
		k.Name, k.Role, k.Hint, done, expiry(k), a.address("/settings/keys")))
}

func expiry(k Key) string {
	if k.ExpiresAt.IsZero() {
		return "It never expires."
	}
	return "It expires on " + day(k.ExpiresAt) + "."
}

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// queueOwners stores a mail to each OWNER.
func (a *Accounts) queueOwners(tx Tx, subject, text string) error {
	owners, err := tx.OwnerIDs(maxMailedOwners)
	if err != nil {
		return err
	}
	for _, id := range owners {
		if err := a.queue(tx, userRecipient+id, subject, text); err != nil {
			return err
		}
	}
	return nil
}

// Recipient returns the address that a mail goes to: empty if it is for a user who is gone or
// has no address.
func (a *Accounts) Recipient(ctx context.Context, m Mail) (address string, err error) {
	id, ofUser := strings.CutPrefix(m.To, userRecipient)
	if !ofUser {
		return m.To, nil
	}
	u, _, err := a.find(ctx, func(d Desk) (User, bool, error) { return d.User(id) })
	return u.Email, err
}

// WarnOfExpiry mails the OWNERs of every organisation, once for each key, that keys expire
// within ExpiryWarning. A key that was made for a shorter life is passed over: its OWNERs have
// just read its end in the mail about its making. An organisation that fails does not stop
// the others.
func (a *Accounts) WarnOfExpiry(ctx context.Context) error {
	if !a.Mails.On {
		return nil
	}
	until := a.Now().Add(ExpiryWarning)
	var failed error
	for after := tenant.ID(""); ; {
		orgs, err := a.Register.ExpiringKeysOf(ctx, until, after, orgsAtATime)
		if err != nil {
			return errors.Join(failed, err)
		}
		for _, org := range orgs {
			err := a.Register.UpdateAccess(ctx, org, func(tx Tx) error { return a.warn(tx, until) })
			failed = errors.Join(failed, err)
		}
		if len(orgs) < orgsAtATime {
			return failed
		}
		after = orgs[len(orgs)-1]
	}
}

// warn mails one organisation's OWNERs. That a key was warned of is stored together with the
// mails, so that no other run repeats it.
func (a *Accounts) warn(tx Tx, until time.Time) error {
	keys, err := tx.ExpiringKeys(until, true, maxWarnedKeys)
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, k := range keys {
		first, err := tx.NoteKeyWarned(k.ID)
		if err != nil {
			return err
		}
		if first && k.ExpiresAt.Sub(k.CreatedAt) > ExpiryWarning {
			fmt.Fprintf(&lines, "- \"%s\" (%s, ending in %s) expires on %s\n", k.Name, k.Role, k.Hint, day(k.ExpiresAt))
		}
	}
	if lines.Len() == 0 {
		return nil
	}
	org, err := tx.Organisation()
	if err != nil {
		return err
	}
	return a.queueOwners(tx, "API keys of "+org.Name+" expire soon", fmt.Sprintf(
		"These API keys of %s expire within %d days. Programs that use them are refused from then on.\n\n%s\n"+
			"Make a new key for each that is still needed: %s\n",
		org.Name, int(ExpiryWarning.Hours()/24), lines.String(), a.address("/settings/keys")))
}
