package access

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/passkey"
	"github.com/tidewaiter/tidewaiter/internal/access/totp"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// SignInResult is the result of a first factor: a session, or the step that waits for the second
// factor.
type SignInResult struct {
	Session string // token of the session; empty if a second factor is needed
	Step    string // token of the step that waits for the second factor
	Factors Factors
}

// startSession opens a session, or starts the step for the second factor if the account has one.
func (a *Accounts) startSession(ctx context.Context, v Visitor, u User, method Method, by string) (e SignInResult, err error) {
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) (err error) { e.Factors, err = factorsOf(d, u.ID); return err })
	if err != nil {
		return e, err
	}
	if e.Factors.Any() {
		e.Step, err = a.addStep(ctx, secondFactorStep, u.ID, string(method))
		return e, err
	}
	e.Session, err = a.openSession(ctx, v, u, method, by)
	return e, err
}

// SecondFactor completes a sign-in with a code of an authenticator app or a recovery code.
func (a *Accounts) SecondFactor(ctx context.Context, v Visitor, token, code string) (session string, err error) {
	s, err := a.step(ctx, secondFactorStep, token, "")
	if err != nil {
		return "", err
	}
	u, _, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.User(s.UserID) })
	if err != nil {
		return "", err
	}
	by, err := a.verifyCode(ctx, v, u, code)
	if err != nil {
		return "", err
	}
	if err := a.finishStep(ctx, secondFactorStep, token); err != nil {
		return "", err
	}
	return a.openSession(ctx, v, u, Method(s.Data), s.Data+" and "+by)
}

// PendingFactors returns the factors that can complete a sign-in.
func (a *Accounts) PendingFactors(ctx context.Context, token string) (f Factors, err error) {
	s, err := a.step(ctx, secondFactorStep, token, "")
	if err != nil {
		return f, err
	}
	err = a.Store.ViewAccounts(ctx, func(d AccountTx) (err error) { f, err = factorsOf(d, s.UserID); return err })
	return f, err
}

func (a *Accounts) finishStep(ctx context.Context, kind StepKind, token string) error {
	return a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		_, taken, err := d.UseStep(Hash(token), kind)
		if err == nil && !taken {
			err = errStepExpired()
		}
		return err
	})
}

// verifyCode checks a code within the limits on failed sign-ins, and invalidates it.
func (a *Accounts) verifyCode(ctx context.Context, v Visitor, u User, code string) (by string, err error) {
	var problem error
	right, err := a.attempt(ctx, v, u.Email, u, func() bool {
		by, problem = a.useCode(ctx, u.ID, plainCode(code))
		return by != ""
	})
	if err := errors.Join(err, problem); err != nil {
		return "", err
	}
	if !right {
		if err := a.recordInOrganisations(ctx, v, u.ID, SignInRefused, tenant.System, map[string]any{"factor": "code"}); err != nil {
			return "", err
		}
		return "", apierr.New(apierr.Unauthorized, "This code is wrong or was already used. Enter the code that the app shows now, or a recovery code.")
	}
	if by == recoveryCode {
		return by, a.recordInOrganisations(ctx, v, u.ID, RecoveryCodeUsed, selfActor(u.ID), nil)
	}
	return by, nil
}

// Types of codes in audit events.
const (
	appCode      = "authenticator app"
	recoveryCode = "recovery code"
)

// useCode invalidates a code and returns its type; "" if the code is wrong.
func (a *Accounts) useCode(ctx context.Context, userID, code string) (by string, err error) {
	if len(code) == recoveryCodeLength {
		err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
			used, err := d.UseRecoveryCode(userID, Hash(userID+"\n"+code))
			if used {
				by = recoveryCode
			}
			return err
		})
		return by, err
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		apps, err := d.Authenticators(userID)
		for _, app := range apps {
			secret, err := a.unseal(userID, app.Secret)
			if err != nil {
				return err
			}
			step, ok := totp.Check(secret, code, a.Now(), app.LastStep)
			if !ok {
				continue
			}
			fresh, err := d.UseAuthenticator(app.ID, step)
			if fresh {
				by = appCode
			}
			return err
		}
		return err
	})
	return by, err
}

// passkeyBegins limits sign-ins with a passkey that an address starts.
var passkeyBegins = ratelimit.Budget{Name: "sign-in-passkey", Requests: 60, Window: time.Minute}

// BeginPasskeySignIn returns the options for navigator.credentials.get and the step's token.
func (a *Accounts) BeginPasskeySignIn(ctx context.Context, v Visitor) (options json.RawMessage, step string, err error) {
	if a.Passkeys == nil {
		return nil, "", ErrNoPasskeys()
	}
	state, err := a.Limiter.Take(ctx, passkeyBegins, clientaddr.Group(v.IPAddress))
	if err == nil && state.Exceeded {
		refusal := apierr.New(apierr.RateLimited, "Too many sign-ins were started from this address.").WithRetryAfter(state.Reset.Sub(a.Now()))
		return nil, "", refusal
	}
	options, session, err := a.Passkeys.BeginSignIn()
	if err != nil {
		return nil, "", err
	}
	step, err = a.addStep(ctx, passkeyStep, "", session)
	return options, step, err
}

// PasskeySignIn opens a session with a passkey, which counts as both factors.
func (a *Accounts) PasskeySignIn(ctx context.Context, v Visitor, step, answer string) (session string, err error) {
	u, err := a.verifyPasskey(ctx, step, answer)
	if err != nil {
		return "", err
	}
	return a.openSession(ctx, v, u, ByPasskey, "passkey")
}

// verifyPasskey checks the response of a browser and returns the owner of the passkey.
func (a *Accounts) verifyPasskey(ctx context.Context, step, answer string) (u User, err error) {
	if a.Passkeys == nil {
		return u, ErrNoPasskeys()
	}
	var s Step
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		var taken bool
		if s, taken, err = d.UseStep(Hash(step), passkeyStep); err == nil && !taken {
			err = errStepExpired()
		}
		return err
	})
	if err != nil {
		return u, err
	}
	userID := ""
	id, credential, err := a.Passkeys.SignIn(s.Data, answer, func(handle string) (p passkey.User, err error) {
		if !ident.IsUUID(handle) {
			return p, errNoMatch()
		}
		userID = handle
		return a.passkeyUser(ctx, handle)
	})
	if err != nil {
		return u, apierr.New(apierr.Unauthorized, "This passkey is not registered here. Sign in with your password or another passkey.").WithCause(err)
	}
	err = a.Store.UpdateAccounts(ctx, func(d AccountTx) error {
		k, found, err := d.PasskeyByCredential(id)
		if err == nil && (!found || k.UserID != userID) {
			err = errNoMatch()
		}
		if err != nil {
			return err
		}
		if u, _, err = d.User(userID); err != nil {
			return err
		}
		return d.UsePasskey(k.ID, credential)
	})
	return u, err
}

// RecentlyAuthenticated reports whether the last authentication is recent enough for sensitive actions.
func (a *Accounts) RecentlyAuthenticated(g Session) bool {
	return a.ReauthenticateAfter <= 0 || a.Now().Sub(g.AuthenticatedAt) < a.ReauthenticateAfter
}

// Proof is a renewed authentication of the user, by one of these.
type Proof struct {
	Password     string
	Code         string
	Step, Answer string // of a passkey
}

// Reauthenticate renews the authentication of a session.
func (a *Accounts) Reauthenticate(ctx context.Context, v Visitor, g Session, p Proof) error {
	u, _, err := a.find(ctx, func(d AccountTx) (User, bool, error) { return d.User(g.UserID) })
	if err != nil {
		return err
	}
	by := "password"
	switch {
	case p.Answer != "":
		owner, err := a.verifyPasskey(ctx, p.Step, p.Answer)
		if err != nil {
			return err
		}
		if by = "passkey"; owner.ID != g.UserID {
			return apierr.New(apierr.Unauthorized, "This passkey belongs to another account.")
		}
	case p.Code != "":
		if by, err = a.verifyCode(ctx, v, u, p.Code); err != nil {
			return err
		}
	default:
		if err := a.verifyPassword(ctx, v, u, p.Password); err != nil {
			return err
		}
	}
	if err := a.Store.UpdateAccounts(ctx, func(d AccountTx) error { return d.RecordAuthentication(g.ID, d.Now()) }); err != nil {
		return err
	}
	return a.recordInOrganisations(ctx, v, g.UserID, Reauthenticated, selfActor(g.UserID), map[string]any{"by": by})
}

func (a *Accounts) verifyPassword(ctx context.Context, v Visitor, u User, password string) error {
	right := false
	err := a.Hasher.Run(ctx, func() (err error) {
		right, err = a.attempt(ctx, v, u.Email, u, func() bool { return a.Hasher.Matches(u.Password, password) })
		return err
	})
	if err == nil && !right {
		err = a.recordInOrganisations(ctx, v, u.ID, SignInRefused, tenant.System, nil)
		if err == nil {
			err = apierr.New(apierr.Unauthorized, "The password is wrong.")
		}
	}
	return err
}

// StoreForm stores what a user typed while the user signs in again at a provider.
func (a *Accounts) StoreForm(ctx context.Context, g Session, form string) (token string, err error) {
	return a.addStep(ctx, storedFormStep, g.UserID, form)
}

// StoredForm returns what the user typed.
func (a *Accounts) StoredForm(ctx context.Context, g Session, token string) (form string, err error) {
	s, err := a.step(ctx, storedFormStep, token, g.UserID)
	return s.Data, err
}
