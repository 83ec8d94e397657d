package access

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/access/passkey"
	"github.com/tidewaiter/tidewaiter/internal/access/totp"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Sealer encrypts secrets with the master key.
type Sealer interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

const issuer = "Tidewaiter" // name shown in authenticator apps

// Factors returns the second factors of the session's user.
func (a *Accounts) Factors(ctx context.Context, g Session) (f Factors, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) (err error) { f, err = factorsOf(d, g.UserID); return err })
	return f, err
}

// NewApp is an authenticator app that has not shown its first code yet.
type NewApp struct {
	Step    string // token of the registration
	Secret  string
	Address string
}

// BeginApp creates the secret of a new authenticator app.
func (a *Accounts) BeginApp(ctx context.Context, g Session) (n NewApp, err error) {
	n.Secret = totp.Secret(a.IDs.Bytes(totp.SecretLength))
	n.Address = totp.Address(issuer, g.User.Email, n.Secret)
	sealed, err := a.seal(g.UserID, n.Secret)
	if err != nil {
		return n, err
	}
	n.Step, err = a.addStep(ctx, newAppStep, g.UserID, sealed)
	return n, err
}

// App returns the authenticator app of a pending registration.
func (a *Accounts) App(ctx context.Context, g Session, step string) (n NewApp, err error) {
	s, err := a.step(ctx, newAppStep, step, g.UserID)
	if err != nil {
		return n, err
	}
	n.Step = step
	if n.Secret, err = a.unseal(g.UserID, s.Data); err != nil {
		return n, err
	}
	n.Address = totp.Address(issuer, g.User.Email, n.Secret)
	return n, nil
}

// AddApp adds an authenticator app that has shown its first code. It returns recovery codes if
// this is the first factor.
func (a *Accounts) AddApp(ctx context.Context, v Visitor, g Session, step, name, code string) (codes []string, err error) {
	n, err := a.App(ctx, g, step)
	if err != nil {
		return nil, err
	}
	if err := checkFactorName(name); err != nil {
		return nil, err
	}
	at, ok := totp.Check(n.Secret, plainCode(code), a.Now(), 0)
	if !ok {
		return nil, apierr.Invalid(apierr.Detail{Field: "code", Message: "does not match. Check that the device's clock is correct, and enter the code that the app shows now"})
	}
	sealed, err := a.seal(g.UserID, n.Secret)
	if err != nil {
		return nil, err
	}
	return a.addFactor(ctx, v, g, newAppStep, step, "authenticator app", name, func(d AccountTx, f Factors) error {
		if len(f.Authenticators) >= maxFactors {
			return errTooManyFactors()
		}
		return d.AddAuthenticator(Authenticator{ID: a.IDs.UUID(), UserID: g.UserID, Name: name, Secret: sealed, LastStep: at, CreatedAt: d.Now()})
	})
}

// BeginPasskey returns the options for navigator.credentials.create and the registration's token.
func (a *Accounts) BeginPasskey(ctx context.Context, g Session) (options json.RawMessage, step string, err error) {
	if a.Passkeys == nil {
		return nil, "", ErrNoPasskeys()
	}
	person, err := a.passkeyUser(ctx, g.UserID)
	if err != nil {
		return nil, "", err
	}
	options, state, err := a.Passkeys.BeginRegistration(person)
	if err != nil {
		return nil, "", err
	}
	step, err = a.addStep(ctx, newPasskeyStep, g.UserID, state)
	return options, step, err
}

// AddPasskey adds the passkey that the browser has created.
func (a *Accounts) AddPasskey(ctx context.Context, v Visitor, g Session, step, name, answer string) (codes []string, err error) {
	if a.Passkeys == nil {
		return nil, ErrNoPasskeys()
	}
	if err := checkFactorName(name); err != nil {
		return nil, err
	}
	s, err := a.step(ctx, newPasskeyStep, step, g.UserID)
	if err != nil {
		return nil, err
	}
	person, err := a.passkeyUser(ctx, g.UserID)
	if err != nil {
		return nil, err
	}
	id, credential, err := a.Passkeys.Register(person, s.Data, answer)
	if err != nil {
		return nil, apierr.New(apierr.InvalidRequest, "The browser's response is not a passkey for this service. Try again.").WithCause(err)
	}
	return a.addFactor(ctx, v, g, newPasskeyStep, step, "passkey", name, func(d AccountTx, f Factors) error {
		if len(f.Passkeys) >= maxFactors {
			return errTooManyFactors()
		}
		return d.AddPasskey(Passkey{ID: a.IDs.UUID(), UserID: g.UserID, Name: name, CredentialID: id, Credential: credential, CreatedAt: d.Now()})
	})
}

// addFactor adds a factor, with recovery codes if it is the first, and writes the audit event.
func (a *Accounts) addFactor(ctx context.Context, v Visitor, g Session, kind StepKind, step, what, name string, add func(AccountTx, Factors) error) (codes []string, err error) {
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		if _, taken, err := d.UseStep(Hash(step), kind); err != nil || !taken {
			return errors.Join(err, errStepExpired())
		}
		before, err := factorsOf(d, g.UserID)
		if err != nil {
			return err
		}
		if err := add(d, before); err != nil || before.RecoveryCodes > 0 {
			return err
		}
		codes = newRecoveryCodes(a.IDs)
		return d.ReplaceRecoveryCodes(g.UserID, hashedCodes(g.UserID, codes))
	})
	if err != nil {
		return nil, err
	}
	return codes, a.recordInOrganisations(ctx, v, g.UserID, FactorAdded, selfActor(g.UserID), map[string]any{"factor": what, "name": name})
}

// RenameFactor renames a passkey or an authenticator app.
func (a *Accounts) RenameFactor(ctx context.Context, v Visitor, g Session, id, name string) error {
	if err := checkFactorName(name); err != nil {
		return err
	}
	err := a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		renamed, err := d.RenameFactor(g.UserID, id, name)
		if err == nil && !renamed {
			err = apierr.Missing()
		}
		return err
	})
	if err != nil {
		return err
	}
	return a.recordInOrganisations(ctx, v, g.UserID, FactorRenamed, selfActor(g.UserID), map[string]any{"factorId": id, "name": name})
}

// RemoveFactor removes a passkey or an authenticator app, and the recovery codes with the last
// one.
func (a *Accounts) RemoveFactor(ctx context.Context, v Visitor, g Session, id string) error {
	err := a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		removed, err := d.RemoveFactor(g.UserID, id)
		if err == nil && !removed {
			err = apierr.Missing()
		}
		if err != nil {
			return err
		}
		left, err := factorsOf(d, g.UserID)
		if err != nil || left.Any() {
			return err
		}
		return d.ReplaceRecoveryCodes(g.UserID, nil)
	})
	if err != nil {
		return err
	}
	return a.recordInOrganisations(ctx, v, g.UserID, FactorRemoved, selfActor(g.UserID), map[string]any{"factorId": id})
}

// NewRecoveryCodes replaces the recovery codes of an account that has a second factor.
func (a *Accounts) NewRecoveryCodes(ctx context.Context, v Visitor, g Session) (codes []string, err error) {
	codes = newRecoveryCodes(a.IDs)
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		f, err := factorsOf(d, g.UserID)
		if err == nil && !f.Any() {
			err = apierr.New(apierr.InvalidState, "Recovery codes require a second factor. Add a passkey or an authenticator app first.")
		}
		if err != nil {
			return err
		}
		return d.ReplaceRecoveryCodes(g.UserID, hashedCodes(g.UserID, codes))
	})
	if err != nil {
		return nil, err
	}
	return codes, a.recordInOrganisations(ctx, v, g.UserID, RecoveryCodesMade, selfActor(g.UserID), nil)
}

// ResetFactors removes all second factors of a user and ends the user's sessions; only the
// operator can do this.
func (a *Accounts) ResetFactors(ctx context.Context, v Visitor, email string) (removed int, err error) {
	u, known, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.UserByEmail(NormalEmail(email)) })
	if err == nil && !known {
		err = apierr.New(apierr.NotFound, "There is no user with the address %s.", NormalEmail(email))
	}
	if err != nil {
		return 0, err
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		f, err := factorsOf(d, u.ID)
		if err != nil {
			return err
		}
		var ids []string
		for _, p := range f.Passkeys {
			ids = append(ids, p.ID)
		}
		for _, app := range f.Authenticators {
			ids = append(ids, app.ID)
		}
		for _, id := range ids {
			if _, err := d.RemoveFactor(u.ID, id); err != nil {
				return err
			}
		}
		removed = len(ids)
		if err := d.ReplaceRecoveryCodes(u.ID, nil); err != nil {
			return err
		}
		_, err = d.EndSessions(u.ID, "")
		return err
	})
	if err != nil {
		return 0, err
	}
	return removed, a.recordInOrganisations(ctx, v, u.ID, FactorsReset, selfActor(u.ID), map[string]any{"removed": removed})
}

// passkeyUser returns a user in the form of package passkey.
func (a *Accounts) passkeyUser(ctx context.Context, userID string) (p passkey.User, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) error {
		u, found, err := d.User(userID)
		if err == nil && !found {
			err = errNoMatch()
		}
		if err != nil {
			return err
		}
		keys, err := d.Passkeys(userID)
		p = passkey.User{ID: u.ID, Name: u.Email, DisplayName: u.Name}
		for _, k := range keys {
			p.Credentials = append(p.Credentials, k.Credential)
		}
		return err
	})
	return p, err
}

// addStep stores a step and returns its token.
func (a *Accounts) addStep(ctx context.Context, kind StepKind, userID, data string) (token string, err error) {
	token = newToken(a.IDs)
	return token, a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		return d.AddStep(Step{Hash: Hash(token), Kind: kind, UserID: userID, Data: data, CreatedAt: d.Now(), ExpiresAt: d.Now().Add(stepLife)})
	})
}

// step reads a step of a user, or of any user if userID is empty.
func (a *Accounts) step(ctx context.Context, kind StepKind, token, userID string) (s Step, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) error {
		var found bool
		if s, found, err = d.Step(Hash(token), kind); err == nil && (!found || userID != "" && s.UserID != userID) {
			err = errStepExpired()
		}
		return err
	})
	return s, err
}

func (a *Accounts) seal(userID, secret string) (string, error) {
	if a.Sealer == nil {
		return "", errors.New("access: no master key to encrypt secrets")
	}
	closed, err := a.Sealer.Encrypt([]byte(secret), sealedFor(userID))
	return base64.StdEncoding.EncodeToString(closed), err
}

func (a *Accounts) unseal(userID, sealed string) (string, error) {
	closed, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return "", fmt.Errorf("access: sealed secret: %w", err)
	}
	if a.Sealer == nil {
		return "", errors.New("access: no master key to decrypt secrets")
	}
	secret, err := a.Sealer.Decrypt(closed, sealedFor(userID))
	if err != nil {
		return "", fmt.Errorf("access: open secret: %w", err)
	}
	return string(secret), nil
}

// sealedFor returns the associated data that binds a secret to its user.
func sealedFor(userID string) []byte { return []byte("tidewaiter authenticator app\n" + userID) }

func hashedCodes(userID string, codes []string) (hashes []string) {
	for _, c := range codes {
		hashes = append(hashes, Hash(userID+"\n"+plainCode(c)))
	}
	return hashes
}

// plainCode removes spaces and hyphens from a code.
func plainCode(code string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

func checkFactorName(name string) error {
	if n := utf8.RuneCountInString(strings.TrimSpace(name)); n == 0 || n > maxFactorName {
		return apierr.Invalid(apierr.Detail{Field: "name", Message: fmt.Sprintf("must have 1 to %d characters", maxFactorName)})
	}
	return nil
}

func errTooManyFactors() error {
	return apierr.New(apierr.InvalidState, "An account can have at most %d passkeys and %d authenticator apps. Remove one first.", maxFactors, maxFactors)
}

// ErrNoPasskeys is the error where browsers do not allow passkeys.
func ErrNoPasskeys() error {
	return apierr.New(apierr.InvalidState, "Passkeys need a host name with https, or localhost. Ask the operator to set the public address.")
}

func errStepExpired() error {
	return apierr.New(apierr.InvalidState, "This step has expired after %d minutes or was already completed. Start again.", int(stepLife.Minutes()))
}

// PasskeysElsewhere counts the passkeys of other hosts than the given one; browsers do not offer
// them there.
func (a *Accounts) PasskeysElsewhere(ctx context.Context, host string) (n int, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) error {
		return d.EachPasskey(func(p Passkey) {
			if passkey.HostOf(p.Credential) != host {
				n++
			}
		})
	})
	return n, err
}
