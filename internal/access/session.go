package access

import (
	"cmp"
	"encoding/base64"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Maximum time of a session between visits, and in total.
const (
	SessionIdle = 8 * time.Hour
	SessionLife = 7 * 24 * time.Hour

	seenInterval = time.Minute // minimum interval between writes of the last visit
)

// SessionRecord is a stored session. Its token is in the browser's cookie; only the hash is stored.
type SessionRecord struct {
	ID        string
	UserID    string
	Hash      string
	Org       tenant.ID // open organisation; empty for none
	CreatedAt time.Time
	SeenAt    time.Time
	ExpiresAt time.Time
	IPAddress string
	UserAgent string

	Method          Method
	AuthenticatedAt time.Time // last authentication; zero in sessions of older versions
	Provider        string    // ID of the organisation's identity provider; empty for none
	BoundOrg        tenant.ID // the only organisation that the session opens; empty for all of the user's
}

// Method is how a session was opened.
type Method string

// Methods of signing in.
const (
	ByPassword Method = "password"
	ByPasskey  Method = "passkey"
	BySSO      Method = "sso"  // single sign-on
	ByLink     Method = "link" // a set-up, invitation or reset link
)

// Over reports whether the session has expired.
func (s SessionRecord) Over(now time.Time) bool {
	return !now.Before(s.ExpiresAt) || now.Sub(s.SeenAt) >= SessionIdle
}

// Session is a session with its user and the organisation that is open in it. Role and the fields
// after it are empty if the user is not, or no longer, a member of the organisation.
type Session struct {
	SessionRecord
	User         User // without the hash of the password
	HasPassword  bool
	Role         tenant.Role
	Organisation string
	Hubs         StoredHubs
	Policy       StoredPolicy
	HasFactor    bool // whether the account has a second factor
	EndedHere    bool // whether an OWNER has ended the session for the organisation
	NeedsFactor  bool // whether the organisation stays closed until the account has one
	SignOnNeeded bool // whether the organisation is closed to sessions opened by password
	Closing      Closing
	Test         bool      // whether Org is a test organisation
	Live         tenant.ID // of a test organisation: the live one, whose members it has; empty for none
	TestClock    time.Time // at which the clock of a test organisation stands; zero for real time
}

// memberOf is the organisation whose membership gives the session its role.
func (g Session) memberOf() tenant.ID { return cmp.Or(g.Live, g.Org) }

// Principal acts with the user's own role.
func (g Session) Principal() tenant.Principal {
	return tenant.Principal{Org: g.Org, UserID: g.UserID, Role: g.Role, Type: tenant.ByUser}
}

// tokenLength is the number of random bytes of a session or of a link.
const tokenLength = 32

// newToken returns a token of 256 random bits that is safe in URLs and cookies.
func newToken(ids *ident.Source) string {
	return base64.RawURLEncoding.EncodeToString(ids.Bytes(tokenLength))
}

// BrowserLife is how long a browser is recognised after the last sign-in with it.
const BrowserLife = 400 * 24 * time.Hour

// NewToken returns a new token of a browser.
func NewToken(ids *ident.Source) string { return newToken(ids) }

// WellformedToken reports whether text has the form of a token.
func WellformedToken(text string) bool {
	b, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && len(b) == tokenLength
}

// Membership is one organisation of a user.
type Membership struct {
	Org     tenant.ID
	Name    string
	Role    tenant.Role
	Closing Closing
}

// Opens reports whether the member may open the organisation.
func (m Membership) Opens() bool { return m.Closing.opens(m.Role) }

// Member is one user of an organisation.
type Member struct {
	User
	Role  tenant.Role
	Since time.Time
}
