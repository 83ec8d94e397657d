// Package access knows organisations, users, roles and keys: who may come in,
// and as whom.
package access

import (
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Organisation is a customer of the service. Its customs settings are what goes
// into a declaration besides the declaration itself.
type Organisation struct {
	ID        tenant.ID
	Name      string
	Profile   Profile
	Policy    Policy
	Hubs      Hubs
	Closing   Closing
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Profile is what an organisation says of itself.
type Profile struct {
	EORI              string `json:"eori,omitempty" maxLength:"17" doc:"Economic Operators Registration and Identification number" example:"GB123456789000"`
	VATNumber         string `json:"vatNumber,omitempty" maxLength:"14" doc:"VAT registration number" example:"GB123456789"`
	AddressLine1      string `json:"addressLine1,omitempty" maxLength:"70" doc:"First line of the address" example:"1 Quay Street"`
	AddressLine2      string `json:"addressLine2,omitempty" maxLength:"70" doc:"Second line of the address"`
	City              string `json:"city,omitempty" maxLength:"35" doc:"Town or city" example:"Felixstowe"`
	Postcode          string `json:"postcode,omitempty" maxLength:"9" doc:"Postcode" example:"IP11 3SY"`
	Country           string `json:"country,omitempty" maxLength:"2" doc:"ISO 3166-1 alpha-2 country" example:"GB"`
	ContactName       string `json:"contactName,omitempty" maxLength:"140" doc:"Who to ask" example:"A. Trader"`
	ContactEmail      string `json:"contactEmail,omitempty" maxLength:"254" doc:"Where to ask" example:"customs@example.com"`
	Representation    string `json:"representation,omitempty" enum:"direct,indirect,self" doc:"How the organisation represents its clients when nothing else is said" example:"direct"`
	DefermentAccount  string `json:"defermentAccount,omitempty" maxLength:"7" pattern:"^[0-9]{7}$" doc:"Duty deferment account number (DAN); without one duty is paid from the cash account" example:"1234567"`
	PostponedVAT      bool   `json:"postponedVat,omitempty" doc:"Account for import VAT on the VAT return"`
	GuaranteeRequired bool   `json:"guaranteeRequired,omitempty" doc:"Whether a customs comprehensive guarantee covers the deferment account, rather than a waiver"`
}

// User is a person, who may work for several organisations. Whoever has neither
// password nor subject cannot sign in.
type User struct {
	ID       string
	Name     string
	Email    string // in small letters; empty for the users of organisations made by command
	Password string // as hashed; empty for none
	Subject  string // issuer and subject of single sign-on; empty for none
}

// Hubs are the areas that an organisation has enabled, and since when.
type Hubs map[string]time.Time

// ParseHubs reads the stored form; what cannot be read enables nothing.
func ParseHubs(text string) Hubs {
	h := Hubs{}
	if json.Unmarshal([]byte(text), &h) != nil || h == nil {
		return Hubs{}
	}
	return h
}

// Has tells whether a Hub is enabled.
func (h Hubs) Has(id string) bool {
	_, ok := h[id]
	return ok
}

// StoredHubs are Hubs as they are stored; most requests need not read them.
type StoredHubs string

// Has tells whether a Hub is enabled.
func (s StoredHubs) Has(id string) bool { return ParseHubs(string(s)).Has(id) }

// Tx reads and writes who may come in, inside one organisation.
type Tx interface {
	audit.Recorder
	Now() time.Time
	Org() tenant.ID
	Organisation() (Organisation, error)
	AddOrganisation(Organisation) error
	SaveOrganisation(Organisation) error
	AddMember(userID string, role tenant.Role) error
	Member(userID string) (tenant.Role, bool, error)
	FirstOwner() (string, error)
	Owners() (int, error)
	// OwnerIDs lists at most limit users who are OWNER, the longest-standing first.
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
	NoteKeyUse(id, ip string) error
	// ExpiringKeys lists at most limit unrevoked keys that work and expire until an instant,
	// the soonest first. With unwarned, only those that no mail has warned of.
	ExpiringKeys(until time.Time, unwarned bool, limit int) ([]Key, error)
	// NoteKeyWarned remembers that a mail warns of a key's expiry, and reports whether none did before.
	NoteKeyWarned(id string) (bool, error)
	AddFeed(Feed) error
	Feed(userID string) (f Feed, found bool, err error)
	AddMail(Mail) error
	EndSessionHere(sessionID, by string) error
	// ErasedMembers returns those of some users who were erased in the organisation.
	ErasedMembers(userIDs []string) (map[string]bool, error)
	RemoveFeed(userID string) (removed bool, err error)
	RemoveFeeds() (removed int64, err error)
	RemoveSCIMToken() (removed int64, err error)
	RemoveMails() (removed int64, err error)
}
