package store

import (
	"cmp"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// noKey is stored as the API key of a console user.
const noKey = "00000000-0000-0000-0000-000000000000"

// noLease is the end of the lease if there is none.
var noLease = time.Unix(0, 0)

// PutConsentRequest stores a consent that was begun. It replaces the user's former one at the authority.
func (t *Tx) PutConsentRequest(r consent.Request) error {
	_, err := t.exec("DELETE FROM consent_requests WHERE org_id = $1 AND authority = $2 AND user_id = $3", r.Authority, r.UserID)
	if err == nil {
		_, err = t.exec("INSERT INTO consent_requests (org_id, authority, user_id, identifier, key_id, session_id, link_hash, state_hash, verifier, context, expires_at) "+
			"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
			r.Authority, r.UserID, r.Identifier, cmp.Or(r.KeyID, noKey), r.SessionID, r.LinkHash, r.StateHash, string(r.Verifier), string(r.Context), instant(r.ExpiresAt))
	}
	return wrapError("put consent request", err)
}

// ConsentRequestByState finds a request by its state.
func (t *Tx) ConsentRequestByState(authority, stateHash string) (consent.Request, bool, error) {
	return t.consentRequest("c.authority = $4 AND c.state_hash = $2", stateHash, authority)
}

// ConsentRequestByLink finds a request by its link.
func (t *Tx) ConsentRequestByLink(linkHash string) (consent.Request, bool, error) {
	return t.consentRequest("c.link_hash = $2", linkHash)
}

// consentRequest finds a request by a hash. It finds none that has expired, or whose API key was revoked.
func (t *Tx) consentRequest(condition, hash string, more ...any) (r consent.Request, found bool, err error) {
	var context string
	found, err = t.row("SELECT c.org_id, c.authority, c.user_id, c.identifier, c.key_id, c.session_id, c.link_hash, c.state_hash, c.verifier, c.context, c.expires_at "+
		"FROM consent_requests c LEFT JOIN api_keys k ON k.org_id = c.org_id AND k.id = c.key_id "+
		"WHERE c.org_id = $1 AND c.expires_at > $3 AND k.revoked_at IS NULL AND "+condition, append([]any{hash, instant(t.now)}, more...),
		&r.Org, &r.Authority, &r.UserID, &r.Identifier, &r.KeyID, &r.SessionID, &r.LinkHash, &r.StateHash, &r.Verifier, &context, (*instant)(&r.ExpiresAt))
	if r.KeyID == noKey {
		r.KeyID = ""
	}
	r.Context = []byte(context)
	return r, found, wrapError("consent request", err)
}

// UseConsentRequest uses up a request; it can be used once.
func (t *Tx) UseConsentRequest(r consent.Request) (bool, error) {
	n, err := t.exec("DELETE FROM consent_requests WHERE org_id = $1 AND authority = $2 AND user_id = $3 AND link_hash = $4 AND state_hash = $5 AND expires_at > $6",
		r.Authority, r.UserID, r.LinkHash, r.StateHash, instant(t.now))
	return n == 1, wrapError("use consent request", err)
}

// HasConsentRequest reports whether a consent for an identifier at an authority was begun and has not expired.
func (t *Tx) HasConsentRequest(authority, identifier string) (bool, error) {
	return t.exists("SELECT 1 FROM consent_requests WHERE org_id = $1 AND authority = $2 AND identifier = $3 AND expires_at > $4", authority, identifier, instant(t.now))
}

// ConsentIdentifiers lists the identifiers at an authority for which a consent was begun and has not expired, or was given once.
func (t *Tx) ConsentIdentifiers(authority string, limit int) (all []string, err error) {
	err = t.rows("SELECT identifier FROM consent_tokens WHERE org_id = $1 AND authority = $2 "+
		"UNION SELECT identifier FROM consent_requests WHERE org_id = $1 AND authority = $2 AND expires_at > $3 ORDER BY identifier LIMIT $4"+computed,
		[]any{authority, instant(t.now), limit}, func(r engine.Row) error {
			var identifier string
			err := r.Scan(&identifier)
			all = append(all, identifier)
			return err
		})
	return all, wrapError("consent identifiers", err)
}

// ConsentToken reads the stored token of a consent.
func (t *Tx) ConsentToken(authority, identifier string) (s consent.Stored, found bool, err error) {
	found, err = t.row("SELECT id, token, holder, held_until, access_expires_at, refreshed_at, problem FROM consent_tokens WHERE org_id = $1 AND authority = $2 AND identifier = $3",
		[]any{authority, identifier}, &s.ID, &s.Token, &s.Holder, (*instant)(&s.HeldUntil), (*instant)(&s.AccessExpiresAt), (*instant)(&s.RefreshedAt), &s.Problem)
	return s, found, wrapError("consent token", err)
}

// PutConsentToken stores the token of a consent that was given, which replaces the former one.
func (t *Tx) PutConsentToken(authority, identifier string, s consent.Stored) error {
	_, err := t.exec("INSERT INTO consent_tokens (org_id, authority, identifier, id, token, holder, held_until, access_expires_at, problem) VALUES ($1, $2, $3, $4, $5, '', $6, $7, '') "+
		"ON CONFLICT (org_id, authority, identifier) DO UPDATE SET id = excluded.id, token = excluded.token, holder = excluded.holder, held_until = excluded.held_until, "+
		"access_expires_at = excluded.access_expires_at, refreshed_at = NULL, problem = excluded.problem",
		authority, identifier, s.ID, string(s.Token), instant(noLease), instant(s.AccessExpiresAt))
	return wrapError("put consent token", err)
}

// EndConsentToken deletes a token and keeps the problem; it does nothing if the consent was given again.
func (t *Tx) EndConsentToken(authority, identifier, id, problem string) error {
	_, err := t.exec("UPDATE consent_tokens SET token = '', holder = '', held_until = $6, access_expires_at = NULL, problem = $5 WHERE org_id = $1 AND authority = $2 AND identifier = $3 AND id = $4",
		authority, identifier, id, problem, instant(noLease))
	return wrapError("end consent token", err)
}

// SwapConsentToken replaces a token, unless it differs from the old one by now.
func (t *Tx) SwapConsentToken(authority, identifier string, old consent.Sealed, s consent.Stored) (bool, error) {
	n, err := t.exec("UPDATE consent_tokens SET token = $5, access_expires_at = $6, refreshed_at = $7, problem = '' WHERE org_id = $1 AND authority = $2 AND identifier = $3 AND token = $4",
		authority, identifier, string(old), string(s.Token), instant(s.AccessExpiresAt), instant(s.RefreshedAt))
	return n == 1, wrapError("swap consent token", err)
}

// AcquireConsentToken takes the lease to refresh a token, unless another process holds it.
func (t *Tx) AcquireConsentToken(authority, identifier, holder string, until time.Time) (bool, error) {
	n, err := t.exec("UPDATE consent_tokens SET holder = $4, held_until = $5 WHERE org_id = $1 AND authority = $2 AND identifier = $3 AND held_until <= $6",
		authority, identifier, holder, instant(until), instant(t.now))
	return n == 1, wrapError("acquire consent token", err)
}

// ReleaseConsentToken releases the lease, unless another process holds it by now.
func (t *Tx) ReleaseConsentToken(authority, identifier, holder string) error {
	_, err := t.exec("UPDATE consent_tokens SET holder = '', held_until = $5 WHERE org_id = $1 AND authority = $2 AND identifier = $3 AND holder = $4",
		authority, identifier, holder, instant(noLease))
	return wrapError("release consent token", err)
}
