package consent

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	requestLife = 10 * time.Minute // of a link, and of a state: as long as HMRC's code works
	secretBytes = 32               // of a link, a state and a PKCE verifier
)

// LinkPath is the path of the page at which a person continues a consent that an API key began; the link's token follows.
const LinkPath = "/connect/"

// Request is a consent that a person has begun. One that an API key began has a link until a person opens it in a
// browser; from then on it belongs to that person's session, and has a state.
type Request struct {
	Org        tenant.ID
	Authority  string // such as vat or customs
	Identifier string // at the authority: EORI or VRN
	UserID     string
	KeyID      string // the API key that began it; empty for none
	SessionID  string // empty while it has a link
	LinkHash   string // SHA-256 of the link's token, hex; empty if it has a state
	StateHash  string // SHA-256 of the state, hex; empty while it has a link
	Verifier   Sealed // PKCE verifier; empty while it has a link
	Context    json.RawMessage
	ExpiresAt  time.Time
}

// RequestTx is the part of an organisation's transaction that requests need. It finds none that has expired, or whose
// API key was revoked.
type RequestTx interface {
	Now() time.Time
	PutConsentRequest(Request) error // replaces the user's earlier one at the authority
	ConsentRequestByState(authority, stateHash string) (r Request, found bool, err error)
	ConsentRequestByLink(linkHash string) (r Request, found bool, err error)
	UseConsentRequest(Request) (used bool, err error) // deletes it; false if it was used or replaced before
}

// Requests begins and completes requests for consent at all authorities.
type Requests struct {
	IDs       *ident.Source
	Sealer    Sealer
	PublicURL string
	// Authorities return the address at which a person gives consent, by the name of the authority.
	Authorities map[string]func(state, verifier string) string
}

// Begin starts a consent: in the browser session that the request names, or, if it names none, for the API key of the
// call. It returns the address that the person opens: the authority's, or the link's.
func (s *Requests) Begin(tx RequestTx, call tenant.Call, r Request) (address string, expires time.Time, err error) {
	r.Org, r.UserID, r.KeyID = call.Org, call.UserID, call.KeyID
	if r.SessionID != "" {
		return s.authorise(tx, r)
	}
	token := s.secret()
	r.LinkHash, r.ExpiresAt = hash(token), tx.Now().Add(requestLife)
	return strings.TrimRight(s.PublicURL, "/") + LinkPath + token, r.ExpiresAt, tx.PutConsentRequest(r)
}

// authorise stores a request with a new state and returns the address at the authority.
func (s *Requests) authorise(tx RequestTx, r Request) (address string, expires time.Time, err error) {
	authorise := s.Authorities[r.Authority]
	if authorise == nil {
		return "", time.Time{}, fmt.Errorf("consent: there is no connection to %s", r.Authority)
	}
	state, verifier := s.secret(), s.secret()
	r.LinkHash, r.StateHash, r.ExpiresAt = "", hash(state), tx.Now().Add(requestLife)
	if r.Verifier, err = Seal(s.Sealer, verifier, r.verifierOwner()); err != nil {
		return "", time.Time{}, err
	}
	return authorise(state, verifier), r.ExpiresAt, tx.PutConsentRequest(r)
}

// secret returns 256 random bits in the characters that addresses and PKCE verifiers may have.
func (s *Requests) secret() string {
	return base64.RawURLEncoding.EncodeToString(s.IDs.Bytes(secretBytes))
}

func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// verifierOwner binds a sealed verifier to its request.
func (r *Request) verifierOwner() []byte {
	return []byte("tidewaiter consent verifier\n" + string(r.Org) + "\n" + r.Authority + "\n" + r.StateHash)
}

var errLink = apierr.Invalid(apierr.Detail{Field: "link", Message: "was used before, has expired, or belongs to another organisation or user; begin the connection again"})

// Linked finds the request of a link. It changes nothing.
func (s *Requests) Linked(tx RequestTx, token string) (Request, error) {
	r, found, err := tx.ConsentRequestByLink(hash(token))
	if err == nil && !found {
		err = errLink
	}
	return r, err
}

// Continue spends a link and gives its request to the session that opened it. It returns the address at the authority.
// Only the user whose API key began it may continue it, unless that user cannot sign in: then anyOwner is true.
func (s *Requests) Continue(tx RequestTx, call tenant.Call, session, token string, anyOwner bool) (address string, expires time.Time, err error) {
	r, err := s.Linked(tx, token)
	if err != nil {
		return "", time.Time{}, err
	}
	if r.UserID != call.UserID && !anyOwner {
		return "", time.Time{}, errLink
	}
	if err := use(tx, r, errLink); err != nil {
		return "", time.Time{}, err
	}
	r.UserID, r.SessionID = call.UserID, session
	return s.authorise(tx, r)
}

// Redirect is what a person's browser brings back from the authority, with the session that it belongs to.
type Redirect struct {
	State, Code string
	SessionID   string
}

var errState = apierr.Invalid(apierr.Detail{Field: "state", Message: "belongs to no consent that this session began for this organisation, was used before, or has expired; begin again"})

// Pending finds the request that a person comes back for. Only the session that it belongs to finds it. It changes
// nothing.
func (s *Requests) Pending(tx RequestTx, authority string, back Redirect) (Request, error) {
	if back.State == "" || back.SessionID == "" {
		return Request{}, errState
	}
	r, found, err := tx.ConsentRequestByState(authority, hash(back.State))
	if err == nil && (!found || r.SessionID != back.SessionID) {
		err = errState
	}
	return r, err
}

// Spend uses a request up, so that its state never works twice, and returns it with its PKCE verifier.
func (s *Requests) Spend(tx RequestTx, authority string, back Redirect) (r Request, verifier string, err error) {
	if r, err = s.Pending(tx, authority, back); err != nil {
		return r, "", err
	}
	if err := use(tx, r, errState); err != nil {
		return r, "", err
	}
	verifier, err = Open(s.Sealer, r.Verifier, r.verifierOwner())
	return r, verifier, err
}

// use deletes a request. If it was used or replaced before, the error is gone.
func use(tx RequestTx, r Request, gone error) error {
	used, err := tx.UseConsentRequest(r)
	if err == nil && !used {
		err = gone
	}
	return err
}
