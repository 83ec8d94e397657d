package access

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// FoundationalHub is the Hub that is always enabled.
const FoundationalHub = "customs"

// maxNameLength is the maximum length of a name in characters.
const maxNameLength = 140

// Service manages organisations, members and keys.
type Service struct {
	IDs     *ident.Source
	KeyMail KeyMailer // nil for no mails about keys
	Sealer  secret.Sealer
}

// KeyMailer mails the OWNERs of an organisation about one of its keys, in the transaction
// that changes the key. The event is KeyCreated or KeyRotated.
type KeyMailer interface {
	MailKey(tx Tx, event string, k Key) error
}

// CreatedOrganisation is a new organisation with its first key.
type CreatedOrganisation struct {
	Organisation Organisation
	UserID       string
	KeyID        string
	Secret       string // of an OWNER key, shown once
}

// CreateOrganisation creates an organisation with its first OWNER and an OWNER key, in a transaction of that
// organisation. The caller must have stored the user before.
func (s *Service) CreateOrganisation(tx Tx, call tenant.Call, userID, name string, profile Profile) (CreatedOrganisation, error) {
	org, err := s.createOrganisation(tx, call, userID, name, profile)
	if err != nil {
		return CreatedOrganisation{}, err
	}
	key, secret, err := s.addKey(tx, call, userID, NewKey{Name: "First key", Role: tenant.Owner})
	return CreatedOrganisation{org, userID, key.ID, secret}, err
}

// createOrganisation creates an organisation with its first OWNER, without a key.
func (s *Service) createOrganisation(tx Tx, call tenant.Call, userID, name string, profile Profile) (Organisation, error) {
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

// Hub is an area of an organisation.
type Hub struct {
	ID        string
	Name      string
	EnabledAt time.Time // zero: not enabled
}

// EnableHub enables a Hub. The caller has checked that it exists and can be enabled.
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

// DisableHub disables a Hub; its records stay.
func (s *Service) DisableHub(tx Tx, call tenant.Call, id string) error {
	if id == FoundationalHub {
		return apierr.New(apierr.HubFoundational, "The Hub customs cannot be disabled.")
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
	if wrong := profile.Portal.Check("portal"); wrong != nil {
		return Organisation{}, apierr.Invalid(wrong...)
	}
	org, err := tx.Organisation()
	if err != nil {
		return Organisation{}, err
	}
	before := organisationData{org.Name, org.Profile}
	if err := s.saveSecrets(tx, org, &profile); err != nil {
		return Organisation{}, err
	}
	org.Name, org.Profile, org.UpdatedAt = name, profile, tx.Now()
	if err := tx.SaveOrganisation(org); err != nil {
		return Organisation{}, err
	}
	return org, s.record(tx, call, OrganisationUpdated, "organisation", string(org.ID), map[string]any{"before": before, "after": organisationData{name, profile}})
}

// saveSecrets stores the access codes of the organisation's guarantees.
func (s *Service) saveSecrets(tx Tx, org Organisation, profile *Profile) error {
	given := profile.Secrets()
	if len(given) == 0 && len(org.Profile.Secrets()) == 0 {
		return nil
	}
	id := string(org.ID)
	sealed, err := (secret.Vault{Sealer: s.Sealer, Org: org.ID}).Update(tx, id, id, terms.AccessCodes, given)
	if err != nil {
		return err
	}
	return tx.SaveSecrets(id, sealed)
}

// organisationData is the data of an organisation in audit events.
type organisationData struct {
	Name string `json:"name"`
	Profile
}

func checkName(field, name string) error {
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxNameLength {
		return apierr.Invalid(apierr.Detail{Field: field, Message: fmt.Sprintf("must have 1 to %d characters", maxNameLength)})
	}
	return nil
}
