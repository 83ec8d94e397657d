package access

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// FoundationalHub is the one that every organisation has and cannot disable.
const FoundationalHub = "customs"

// maxNameLength is the longest name of an organisation or a key.
const maxNameLength = 140

// Service makes organisations and keys.
type Service struct {
	IDs     *ident.Source
	KeyMail KeyMailer // nil: no mails about keys
}

// KeyMailer mails the OWNERs of an organisation about one of its keys, in the transaction
// that changes the key. The event is KeyCreated or KeyRotated.
type KeyMailer interface {
	MailKey(tx Tx, event string, k Key) error
}

// Founding is what a new organisation starts with.
type Founding struct {
	Organisation Organisation
	UserID       string
	KeyID        string
	Secret       string // of an OWNER key, shown once
}

// Found makes an organisation with its first user and an OWNER key, inside a
// transaction of that organisation. The user is a record of the operator's and is
// written by the caller beforehand.
func (s *Service) Found(tx Tx, call tenant.Call, userID, name string, profile Profile) (Founding, error) {
	org, err := s.establish(tx, call, userID, name, profile)
	if err != nil {
		return Founding{}, err
	}
	key, secret, err := s.addKey(tx, call, userID, NewKey{Name: "First key", Role: tenant.Owner})
	return Founding{org, userID, key.ID, secret}, err
}

// establish makes an organisation with its first OWNER, who makes keys when needed.
func (s *Service) establish(tx Tx, call tenant.Call, userID, name string, profile Profile) (Organisation, error) {
	if err := checkName("name", name); err != nil {
		return Organisation{}, err
	}
	now := tx.Now()
	org := Organisation{
		ID: tx.Org(), Name: name, Profile: profile, Hubs: Hubs{FoundationalHub: now}, CreatedAt: now, UpdatedAt: now,
	}
	if err := tx.AddOrganisation(org); err != nil {
		return org, err
	}
	if err := tx.AddMember(userID, tenant.Owner); err != nil {
		return org, err
	}
	if err := s.record(tx, call, OrganisationCreated, "organisation", string(org.ID), map[string]any{"name": name}); err != nil {
		return org, err
	}
	return org, s.record(tx, call, UserAdded, "user", userID, map[string]any{"role": tenant.Owner})
}

// Hub is an area as an organisation sees it.
type Hub struct {
	ID        string
	Name      string
	EnabledAt time.Time // zero: not enabled
}

// EnableHub books a Hub. The caller has checked that it exists and may be booked.
func (s *Service) EnableHub(tx Tx, call tenant.Call, id string) (time.Time, error) {
	org, err := tx.Organisation()
	if err != nil {
		return time.Time{}, err
	}
	if org.Hubs.Has(id) {
		return time.Time{}, apierr.New(apierr.HubAlreadyEnabled, "The Hub %s is already enabled.", id)
	}
	org.Hubs[id] = tx.Now()
	return tx.Now(), s.saveHubs(tx, call, org, HubEnabled, id)
}

// DisableHub takes a Hub off the list; what was filed in it stays.
func (s *Service) DisableHub(tx Tx, call tenant.Call, id string) error {
	if id == FoundationalHub {
		return apierr.New(apierr.HubFoundational, "The Hub customs is the foundation of the service and cannot be disabled.")
	}
	org, err := tx.Organisation()
	if err != nil || !org.Hubs.Has(id) {
		return err
	}
	delete(org.Hubs, id)
	return s.saveHubs(tx, call, org, HubDisabled, id)
}

func (s *Service) saveHubs(tx Tx, call tenant.Call, org Organisation, event, id string) error {
	org.UpdatedAt = tx.Now()
	if err := tx.SaveOrganisation(org); err != nil {
		return err
	}
	return s.record(tx, call, event, "hub", id, nil)
}

// UpdateOrganisation replaces name and profile.
func (s *Service) UpdateOrganisation(tx Tx, call tenant.Call, name string, profile Profile) (Organisation, error) {
	if err := checkName("name", name); err != nil {
		return Organisation{}, err
	}
	org, err := tx.Organisation()
	if err != nil {
		return Organisation{}, err
	}
	before := said{org.Name, org.Profile}
	org.Name, org.Profile, org.UpdatedAt = name, profile, tx.Now()
	if err := tx.SaveOrganisation(org); err != nil {
		return Organisation{}, err
	}
	return org, s.record(tx, call, OrganisationUpdated, "organisation", string(org.ID), map[string]any{"before": before, "after": said{name, profile}})
}

// said is what an organisation says of itself, for the trail.
type said struct {
	Name string `json:"name"`
	Profile
}

func checkName(field, name string) error {
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxNameLength {
		return apierr.Invalid(apierr.Detail{Field: field, Message: fmt.Sprintf("must have 1 to %d characters", maxNameLength)})
	}
	return nil
}
