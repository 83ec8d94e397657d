package store

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The methods of this file are for transactions of tenant.Operator.

const passkeyColumns = "id, user_id, name, credential_id, credential, created_at, last_used_at" // #nosec G101 -- columns

func scanPasskey(r engine.Row, p *access.Passkey) error {
	return r.Scan(&p.ID, &p.UserID, &p.Name, &p.CredentialID, &p.Credential, (*instant)(&p.CreatedAt), (*instant)(&p.LastUsedAt))
}

// AddPasskey stores a passkey.
func (t *Tx) AddPasskey(p access.Passkey) error {
	_, err := t.exec("INSERT INTO passkeys (org_id, id, user_id, name, credential_id, credential, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		p.ID, p.UserID, p.Name, p.CredentialID, p.Credential, instant(p.CreatedAt))
	return err
}

// Passkeys lists the passkeys of a user, oldest first.
func (t *Tx) Passkeys(userID string) (all []access.Passkey, err error) {
	err = t.rows("SELECT "+passkeyColumns+" FROM passkeys WHERE org_id = $1 AND user_id = $2 ORDER BY created_at, id", []any{userID}, func(r engine.Row) error {
		var p access.Passkey
		err := scanPasskey(r, &p)
		all = append(all, p)
		return err
	})
	return all, err
}

// EachPasskey reads the passkeys of all users.
func (t *Tx) EachPasskey(fn func(access.Passkey)) error {
	return t.rows("SELECT "+passkeyColumns+" FROM passkeys WHERE org_id = $1", nil, func(r engine.Row) error {
		var p access.Passkey
		err := scanPasskey(r, &p)
		fn(p)
		return err
	})
}

// PasskeyByCredential finds a passkey by the id that the authenticator gave it.
func (t *Tx) PasskeyByCredential(credentialID string) (p access.Passkey, found bool, err error) {
	err = t.rows("SELECT "+passkeyColumns+" FROM passkeys WHERE org_id = $1 AND credential_id = $2", []any{credentialID}, func(r engine.Row) error {
		found = true
		return scanPasskey(r, &p)
	})
	return p, found, err
}

// UsePasskey stores what a sign-in changed in a passkey, such as its counter.
func (t *Tx) UsePasskey(id, credential string) error {
	_, err := t.exec("UPDATE passkeys SET credential = $3, last_used_at = $4 WHERE org_id = $1 AND id = $2", id, credential, instant(t.real))
	return err
}

// AddAuthenticator stores an authenticator app.
func (t *Tx) AddAuthenticator(a access.Authenticator) error {
	_, err := t.exec("INSERT INTO totp_factors (org_id, id, user_id, name, secret, last_step, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		a.ID, a.UserID, a.Name, a.Secret, a.LastStep, instant(a.CreatedAt))
	return err
}

// Authenticators lists the authenticator apps of a user, oldest first.
func (t *Tx) Authenticators(userID string) (all []access.Authenticator, err error) {
	err = t.rows("SELECT id, user_id, name, secret, last_step, created_at, last_used_at FROM totp_factors "+
		"WHERE org_id = $1 AND user_id = $2 ORDER BY created_at, id", []any{userID}, func(r engine.Row) error {
		var a access.Authenticator
		err := r.Scan(&a.ID, &a.UserID, &a.Name, &a.Secret, &a.LastStep, (*instant)(&a.CreatedAt), (*instant)(&a.LastUsedAt))
		all = append(all, a)
		return err
	})
	return all, err
}

// UseAuthenticator invalidates the code of a time step, and all earlier ones.
func (t *Tx) UseAuthenticator(id string, step int64) (bool, error) {
	n, err := t.exec("UPDATE totp_factors SET last_step = $3, last_used_at = $4 WHERE org_id = $1 AND id = $2 AND last_step < $3", id, step, instant(t.real))
	return n == 1, err
}

// RenameFactor renames a passkey or an authenticator app.
func (t *Tx) RenameFactor(userID, id, name string) (bool, error) {
	n, err := t.exec("UPDATE passkeys SET name = $4 WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id, name)
	if err != nil || n == 1 {
		return n == 1, err
	}
	n, err = t.exec("UPDATE totp_factors SET name = $4 WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id, name)
	return n == 1, err
}

// RemoveFactor removes a passkey or an authenticator app.
func (t *Tx) RemoveFactor(userID, id string) (bool, error) {
	n, err := t.exec("DELETE FROM passkeys WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id)
	if err != nil || n == 1 {
		return n == 1, err
	}
	n, err = t.exec("DELETE FROM totp_factors WHERE org_id = $1 AND user_id = $2 AND id = $3", userID, id)
	return n == 1, err
}

// ReplaceRecoveryCodes stores the hashes of new recovery codes, replacing the former ones.
func (t *Tx) ReplaceRecoveryCodes(userID string, hashes []string) error {
	if _, err := t.exec("DELETE FROM recovery_codes WHERE org_id = $1 AND user_id = $2", userID); err != nil {
		return err
	}
	for _, hash := range hashes {
		if _, err := t.exec("INSERT INTO recovery_codes (org_id, user_id, hash, created_at) VALUES ($1, $2, $3, $4)", userID, hash, instant(t.real)); err != nil {
			return err
		}
	}
	return nil
}

// RecoveryCodesLeft counts the recovery codes that have not been used.
func (t *Tx) RecoveryCodesLeft(userID string) (n int, err error) {
	_, err = t.row("SELECT count(*) FROM recovery_codes WHERE org_id = $1 AND user_id = $2 AND used_at IS NULL", []any{userID}, &n)
	return n, err
}

// UseRecoveryCode marks a recovery code as used and reports whether it was valid.
func (t *Tx) UseRecoveryCode(userID, hash string) (bool, error) {
	n, err := t.exec("UPDATE recovery_codes SET used_at = $4 WHERE org_id = $1 AND user_id = $2 AND hash = $3 AND used_at IS NULL", userID, hash, instant(t.real))
	return n == 1, err
}

// AddStep stores a step of a sign-in or registration.
func (t *Tx) AddStep(s access.Step) error {
	_, err := t.exec("INSERT INTO sign_in_steps (org_id, hash, kind, user_id, data, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		s.Hash, string(s.Kind), nullable(s.UserID), s.Data, instant(s.CreatedAt), instant(s.ExpiresAt))
	return err
}

// Step reads a step that has not expired.
func (t *Tx) Step(hash string, kind access.StepKind) (s access.Step, found bool, err error) {
	found, err = t.row("SELECT hash, kind, COALESCE(CAST(user_id AS TEXT), ''), data, created_at, expires_at FROM sign_in_steps "+
		"WHERE org_id = $1 AND hash = $2 AND kind = $3 AND expires_at > $4", []any{hash, string(kind), instant(t.real)},
		&s.Hash, &s.Kind, &s.UserID, &s.Data, (*instant)(&s.CreatedAt), (*instant)(&s.ExpiresAt))
	return s, found, err
}

// UseStep removes a step and reports whether it was still there.
func (t *Tx) UseStep(hash string, kind access.StepKind) (s access.Step, taken bool, err error) {
	s, found, err := t.Step(hash, kind)
	if err != nil || !found {
		return s, false, err
	}
	n, err := t.exec("DELETE FROM sign_in_steps WHERE org_id = $1 AND hash = $2 AND kind = $3", hash, string(kind))
	return s, n == 1, err
}

// RecordAuthentication stores when the user of a session last authenticated.
func (t *Tx) RecordAuthentication(sessionID string, at time.Time) error {
	_, err := t.exec("UPDATE sessions SET authenticated_at = $3 WHERE org_id = $1 AND id = $2", sessionID, instant(at))
	return err
}
