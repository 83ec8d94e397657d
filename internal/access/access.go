// Package access manages organisations, users, roles, keys and sessions: authentication
// and authorisation.
package access

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/appearance"
	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Organisation is a customer of the service. Its profile is used in its declarations.
type Organisation struct {
	ID        tenant.ID
	Name      string
	Profile   Profile
	Policy    Policy
	Hubs      Hubs
	Closing   Closing
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64 // rises with every change; the store counts
}

// Profile is the editable data of an organisation.
type Profile struct {
	EORI              string `json:"eori,omitempty" maxLength:"17" doc:"EORI number" example:"GB123456789000"`
	VATNumber         string `json:"vatNumber,omitempty" maxLength:"14" doc:"VAT registration number" example:"GB123456789"`
	AddressLine1      string `json:"addressLine1,omitempty" maxLength:"70" doc:"First line of the address" example:"1 Quay Street"`
	AddressLine2      string `json:"addressLine2,omitempty" maxLength:"70" doc:"Second line of the address"`
	City              string `json:"city,omitempty" maxLength:"35" doc:"Town or city" example:"Felixstowe"`
	Postcode          string `json:"postcode,omitempty" maxLength:"9" doc:"Postcode" example:"IP11 3SY"`
	Country           string `json:"country,omitempty" maxLength:"2" doc:"Country" example:"GB"`
	ContactName       string `json:"contactName,omitempty" maxLength:"140" doc:"Name of the contact person" example:"A. Trader"`
	ContactEmail      string `json:"contactEmail,omitempty" maxLength:"254" doc:"E-mail address of the contact person" example:"customs@example.com"`
	Representation    string `json:"representation,omitempty" enum:"direct,indirect,self" doc:"Default representation of the organisation's clients" example:"direct"`
	DefermentAccount  string `json:"defermentAccount,omitempty" maxLength:"7" pattern:"^[0-9]{7}$" doc:"Duty deferment account number (DAN); without one the cash account pays" example:"1234567"`
	PostponedVAT      bool   `json:"postponedVat,omitempty" doc:"Account for import VAT on the VAT return"`
	GuaranteeRequired bool   `json:"guaranteeRequired,omitempty" doc:"Whether a comprehensive guarantee covers the deferment account, rather than a waiver"`

	terms.Terms

	Portal *appearance.PortalAppearance `json:"portal,omitempty" doc:"Look of the webhook portal"`
}

// User is a person, who can be a member of several organisations. A user with neither password nor
// subject cannot sign in.
type User struct {
	ID       string
	Name     string
	Email    string // in lower case; empty for users that were created by command
	Password string // hash; empty for none
	Subject  string // issuer and subject of single sign-on; empty for none
}

// Hubs maps the enabled Hubs to the time of enabling.
type Hubs map[string]time.Time

// ParseHubs decodes the stored form; an invalid one enables nothing.
func ParseHubs(text string) Hubs {
	h := Hubs{}
	if json.Unmarshal([]byte(text), &h) != nil || h == nil {
		return Hubs{}
	}
	return h
}

// Has reports whether a Hub is enabled.
func (h Hubs) Has(id string) bool {
	_, ok := h[id]
	return ok
}

// StoredHubs are Hubs in their stored form; most requests need not decode them.
type StoredHubs string

// Has reports whether a Hub is enabled.
func (s StoredHubs) Has(id string) bool { return ParseHubs(string(s)).Has(id) }

// Tx reads and writes members, keys and settings of one organisation.
type Tx interface {
	audit.Recorder
	Now() time.Time
	// RealNow is the time of keys, invitations and mails, also if the test clock of a test organisation is set.
	RealNow() time.Time
	// Test is zero for a live organisation.
	Test() TestOrganisation
	AddTestOrganisation(TestOrganisation) error
	// ClaimTest makes a sandbox with the hash of a claim token the test organisation of a live one. It reports whether the
	// sandbox could be claimed.
	ClaimTest(live tenant.ID, hash string) (bool, error)
	// TransferKeys gives all keys and feeds to a user, as if they were created now.
	TransferKeys(userID string) error
	// SetTestClock stops the test clock at a time; the zero time is real time.
	SetTestClock(at time.Time) error
	// NoteMember makes sure that rows of a test organisation can refer to a member of its live one, and reports
	// whether they could not before.
	NoteMember(userID string) (added bool, err error)
	// RestoreOrganisation opens the organisation again and reports whether it did: not if its deletion has begun.
	RestoreOrganisation() (bool, error)
	Org() tenant.ID
	Organisation() (Organisation, error)
	AddOrganisation(Organisation) error
	SaveOrganisation(Organisation) error
	secret.Store
	SaveSecrets(recordID, sealed string) error
	AddMember(userID string, role tenant.Role) error
	Member(userID string) (tenant.Role, bool, error)
	FirstOwner() (string, error)
	Owners() (int, error)
	// OwnerIDs lists at most limit OWNERs, earliest members first.
	OwnerIDs(limit int) ([]string, error)
	SetRole(userID string, role tenant.Role) (bool, error)
	RemoveMember(userID string) (bool, error)
	AddInvitation(Invitation) error
	Invitations() ([]Invitation, error)
	UseInvitation(id string) (bool, error)
	WithdrawInvitation(id string) (bool, error)
	AddKey(Key) error
	Keys() ([]Key, error)
	LiveKeys(before time.Time, beforeID string, limit int) ([]Key, error)
	Key(id string) (Key, error)
	ReplaceKeySecret(id, hash, hint string, formerUntil time.Time) error
	RevokeKey(id string) (bool, error)
	RecordKeyUse(id, ip string) error
	// ExpiringKeys lists at most limit valid keys that expire before a time, soonest first. With
	// unwarned, only those without a warning by mail.
	ExpiringKeys(until time.Time, unwarned bool, limit int) ([]Key, error)
	// RecordKeyWarning records a warning by mail, and reports whether it is the first.
	RecordKeyWarning(id string) (bool, error)
	AddFeed(Feed) error
	Feed(userID string) (f Feed, found bool, err error)
	AddMail(Mail) error
	EndSessionInOrg(sessionID, by string) error
	// ErasedMembers returns which of some users were erased in the organisation.
	ErasedMembers(userIDs []string) (map[string]bool, error)
	RemoveFeed(userID string) (removed bool, err error)
	RemoveFeeds() (removed int64, err error)
	// RemovePortalLinks revokes the links to the webhook portal that a member made, or all of them if userID is empty.
	RemovePortalLinks(userID string) (removed int64, err error)
	RemoveSCIMToken() (removed int64, err error)
	RemoveMails() (removed int64, err error)
}
