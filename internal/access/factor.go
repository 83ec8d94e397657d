package access

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Limits of the factors of an account.
const (
	maxFactors         = 10 // of each kind
	recoveryCodes      = 10
	recoveryCodeLength = 10 // characters of 5 bits
	maxFactorName      = 60
	stepLife           = 10 * time.Minute
)

// Passkey is a stored passkey of a user.
type Passkey struct {
	ID           string
	UserID       string
	Name         string
	CredentialID string
	Credential   string // as package passkey made it
	CreatedAt    time.Time
	LastUsedAt   time.Time
}

// Authenticator is an authenticator app of a user.
type Authenticator struct {
	ID         string
	UserID     string
	Name       string
	Secret     string // encrypted with the master key, base64
	LastStep   int64  // time step of the last used code; each code works once
	CreatedAt  time.Time
	LastUsedAt time.Time
}

// Factors are the second factors of an account.
type Factors struct {
	Passkeys       []Passkey
	Authenticators []Authenticator
	RecoveryCodes  int // unused ones
}

// Any reports whether the account has a second factor.
func (f Factors) Any() bool { return len(f.Passkeys)+len(f.Authenticators) > 0 }

// StepKind is the kind of a step.
type StepKind string

// Kinds of steps.
const (
	secondFactorStep StepKind = "second-factor"
	passkeyStep      StepKind = "passkey-sign-in"
	newPasskeyStep   StepKind = "passkey-registration"
	newAppStep       StepKind = "totp-registration"
	storedFormStep   StepKind = "kept-form"
)

// Step is a part of a sign-in or registration that waits for its next request.
type Step struct {
	Hash      string
	Kind      StepKind
	UserID    string // empty if not known yet
	Data      string
	CreatedAt time.Time
	ExpiresAt time.Time
}

// FactorTx reads and writes second factors; it is part of Desk.
type FactorTx interface {
	AddPasskey(Passkey) error
	Passkeys(userID string) ([]Passkey, error)
	EachPasskey(fn func(Passkey)) error
	PasskeyByCredential(credentialID string) (Passkey, bool, error)
	UsePasskey(id, credential string) error
	AddAuthenticator(Authenticator) error
	Authenticators(userID string) ([]Authenticator, error)
	// UseAuthenticator reports whether the step is later than the last one that was used.
	UseAuthenticator(id string, step int64) (bool, error)
	RenameFactor(userID, id, name string) (bool, error)
	RemoveFactor(userID, id string) (bool, error)
	ReplaceRecoveryCodes(userID string, hashes []string) error
	RecoveryCodesLeft(userID string) (int, error)
	UseRecoveryCode(userID, hash string) (bool, error)
	AddStep(Step) error
	Step(hash string, kind StepKind) (Step, bool, error)
	// UseStep deletes a step and reports whether it existed and had not expired.
	UseStep(hash string, kind StepKind) (Step, bool, error)
	RecordAuthentication(sessionID string, at time.Time) error
}

// factorsOf reads the second factors of a user.
func factorsOf(d AccountTx, userID string) (f Factors, err error) {
	if f.Passkeys, err = d.Passkeys(userID); err != nil {
		return f, err
	}
	if f.Authenticators, err = d.Authenticators(userID); err != nil {
		return f, err
	}
	f.RecoveryCodes, err = d.RecoveryCodesLeft(userID)
	return f, err
}

// crockford are the characters of recovery codes, without those that are easily confused.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

func newRecoveryCodes(ids *ident.Source) (codes []string) {
	for range recoveryCodes {
		text := ids.Text(crockford, recoveryCodeLength)
		codes = append(codes, text[:recoveryCodeLength/2]+"-"+text[recoveryCodeLength/2:])
	}
	return codes
}
