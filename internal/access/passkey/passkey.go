// Package passkey makes and checks passkeys (WebAuthn): discoverable credentials with user
// verification, so that one passkey counts as both factors.
package passkey

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// RelyingParty is the WebAuthn relying party of one host.
type RelyingParty struct {
	host string
	auth *webauthn.WebAuthn
}

// timeout is how long a browser waits for the user.
const timeout = 5 * time.Minute

// New returns the relying party of the console's host. It is nil where browsers do not allow
// passkeys: on an IP address, and without TLS except on localhost.
func New(publicURL string) (*RelyingParty, error) {
	public, err := url.Parse(publicURL)
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	host := public.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || host == "" || public.Scheme != "https" && host != "localhost" {
		return nil, nil
	}
	wait := webauthn.TimeoutConfig{Timeout: timeout, TimeoutUVD: timeout}
	auth, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Tidewaiter", RPOrigins: []string{public.Scheme + "://" + public.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		Timeouts:              webauthn.TimeoutsConfig{Login: wait, Registration: wait},
	})
	if err != nil {
		return nil, fmt.Errorf("passkey: %w", err)
	}
	return &RelyingParty{host, auth}, nil
}

// Host returns the host of the passkeys.
func (r *RelyingParty) Host() string { return r.host }

// User is the owner of passkeys.
type User struct {
	ID          string // UUID
	Name        string // shown by the browser, such as an e-mail address
	DisplayName string
	Credentials []string // as Register returned them
}

// stored is a passkey as it is stored.
type stored struct {
	Host       string              `json:"host"`
	Credential webauthn.Credential `json:"credential"`
}

// user adapts a Person to the library.
type user struct{ User }

func (u user) WebAuthnID() []byte          { return []byte(u.ID) }
func (u user) WebAuthnName() string        { return u.Name }
func (u user) WebAuthnDisplayName() string { return u.DisplayName }

func (u user) WebAuthnCredentials() (all []webauthn.Credential) {
	for _, text := range u.Credentials {
		var s stored
		if json.Unmarshal([]byte(text), &s) == nil {
			all = append(all, s.Credential)
		}
	}
	return all
}

// HostOf returns the host of a stored passkey.
func HostOf(credential string) string {
	var s stored
	_ = json.Unmarshal([]byte(credential), &s)
	return s.Host
}

// BeginRegistration returns the options for navigator.credentials.create, as JSON, and the
// state that Register needs.
func (r *RelyingParty) BeginRegistration(p User) (options json.RawMessage, state string, err error) {
	u := user{p}
	creation, session, err := r.auth.BeginRegistration(u,
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		}),
		webauthn.WithExclusions(webauthn.Credentials(u.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return nil, "", fmt.Errorf("passkey: begin registration: %w", err)
	}
	return encodeBoth(creation.Response, session)
}

// Register checks the response of the browser and returns the passkey's ID and the data to store.
func (r *RelyingParty) Register(p User, state, answer string) (id, credential string, err error) {
	session, err := sessionOf(state)
	if err != nil {
		return "", "", err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return "", "", fmt.Errorf("passkey: answer: %w", err)
	}
	made, err := r.auth.CreateCredential(user{p}, session, parsed)
	if err != nil {
		return "", "", fmt.Errorf("passkey: register: %w", err)
	}
	text, err := json.Marshal(stored{r.host, *made})
	return identifier(made.ID), string(text), err
}

// BeginSignIn returns the options for navigator.credentials.get, as JSON, and the state that
// SignIn needs. The browser offers all passkeys of this host.
func (r *RelyingParty) BeginSignIn() (options json.RawMessage, state string, err error) {
	assertion, session, err := r.auth.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, "", fmt.Errorf("passkey: begin sign-in: %w", err)
	}
	return encodeBoth(assertion.Response, session)
}

// SignIn checks the response of the browser. find returns the person with a user ID. SignIn
// returns the passkey's ID and the updated data to store.
func (r *RelyingParty) SignIn(state, answer string, find func(userID string) (User, error)) (id, credential string, err error) {
	session, err := sessionOf(state)
	if err != nil {
		return "", "", err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return "", "", fmt.Errorf("passkey: answer: %w", err)
	}
	used, err := r.auth.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) {
		p, err := find(string(handle))
		return user{p}, err
	}, session, parsed)
	if err != nil {
		return "", "", fmt.Errorf("passkey: sign in: %w", err)
	}
	if used.Authenticator.CloneWarning {
		return "", "", errors.New("passkey: the signature counter decreased; the passkey may have been copied")
	}
	text, err := json.Marshal(stored{r.host, *used})
	return identifier(used.ID), string(text), err
}

func identifier(id []byte) string { return base64.RawURLEncoding.EncodeToString(id) }

func sessionOf(state string) (s webauthn.SessionData, err error) {
	if err := json.Unmarshal([]byte(state), &s); err != nil {
		return s, fmt.Errorf("passkey: state: %w", err)
	}
	s.Expires = time.Time{} // the caller checks the expiry with its own clock
	return s, nil
}

func encodeBoth(options any, session *webauthn.SessionData) (json.RawMessage, string, error) {
	o, err := json.Marshal(options)
	if err != nil {
		return nil, "", fmt.Errorf("passkey: options: %w", err)
	}
	s, err := json.Marshal(session)
	return o, string(s), err
}
