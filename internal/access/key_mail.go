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
	maxMailedOwners = 50  // OWNERs of an organisation, earliest members first
	maxWarnedKeys   = 100 // keys in one mail; others follow in the next one
	orgPageSize     = 100 // organisations per query
)

// userRecipient is the prefix of a recipient that is a user ID. The address is looked up when
// the mail is sent.
const userRecipient = "user:"

// MailKey mails the OWNERs about a new or rotated key, in the transaction of the change.
func (a *Accounts) MailKey(tx Tx, event string, k Key) error {
	if !a.Mails.On {
		return nil
	}
	org, err := tx.Organisation()
	if err != nil {
		return err
	}
	subject, done := "New API key in "+org.Name, "was created in "+org.Name+"."
	if event == KeyRotated {
		subject, done = "New secret of an API key in "+org.Name, "of "+org.Name+" has a new secret. The previous one works for another 24 hours."
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

// OwnerMailTx stores mails to the OWNERs of an organisation.
type OwnerMailTx interface {
	MailTx
	OwnerIDs(limit int) ([]string, error)
	Organisation() (Organisation, error)
}

// queueOwners stores a mail to each OWNER.
func (a *Accounts) queueOwners(tx OwnerMailTx, subject, text string) error {
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

// Recipient returns the address of a mail; "" if the user no longer exists or has no address.
func (a *Accounts) Recipient(ctx context.Context, m Mail) (address string, err error) {
	id, ofUser := strings.CutPrefix(m.To, userRecipient)
	if !ofUser {
		return m.To, nil
	}
	u, _, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.User(id) })
	return u.Email, err
}

// WarnOfExpiry mails the OWNERs once about each key that expires within ExpiryWarning. A key with
// a shorter life is skipped, since the mail about its creation names the date. An error in one
// organisation does not stop the others.
func (a *Accounts) WarnOfExpiry(ctx context.Context) error {
	if !a.Mails.On {
		return nil
	}
	until := a.Now().Add(ExpiryWarning)
	var failed error
	for after := tenant.ID(""); ; {
		orgs, err := a.Store.ExpiringKeysOf(ctx, until, after, orgPageSize)
		if err != nil {
			return errors.Join(failed, err)
		}
		for _, org := range orgs {
			err := a.Store.UpdateAccess(ctx, org, func(tx Tx) error { return a.warn(tx, until) })
			failed = errors.Join(failed, err)
		}
		if len(orgs) < orgPageSize {
			return failed
		}
		after = orgs[len(orgs)-1]
	}
}

// warn mails one organisation's OWNERs. The warning is recorded in the same transaction, so that
// it is not repeated.
func (a *Accounts) warn(tx Tx, until time.Time) error {
	keys, err := tx.ExpiringKeys(until, true, maxWarnedKeys)
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, k := range keys {
		first, err := tx.RecordKeyWarning(k.ID)
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
		"These API keys of %s expire within %d days. After that, programs that use them are refused.\n\n%s\n"+
			"Create a new key for each that is still needed: %s\n",
		org.Name, int(ExpiryWarning.Hours()/24), lines.String(), a.address("/settings/keys")))
}
