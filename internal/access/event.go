package access

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Audit event types of this package. Sign-ins and sign-outs are recorded in every organisation
// of the user.
const (
	OrganisationCreated = "organisation.created"
	OrganisationUpdated = "organisation.updated"
	PolicyChanged       = "organisation.policy_changed"
	UserAdded           = "user.added"
	UserRemoved         = "user.removed"
	RoleChanged         = "user.role_changed"
	PasswordChanged     = "user.password_changed"
	SignedIn            = "user.signed_in"
	SignInRefused       = "user.sign_in_refused"
	SignedOut           = "user.signed_out"
	Reauthenticated     = "user.reauthenticated"
	ResetLinkMade       = "user.reset_link_made"
	FactorAdded         = "user.factor_added"
	FactorRenamed       = "user.factor_renamed"
	FactorRemoved       = "user.factor_removed"
	FactorsReset        = "user.factors_reset"
	RecoveryCodesMade   = "user.recovery_codes_made"
	RecoveryCodeUsed    = "user.recovery_code_used"
	InvitationCreated   = "invitation.created"
	InvitationWithdrawn = "invitation.withdrawn"
	KeyCreated          = "key.created"
	KeyRevoked          = "key.revoked"
	KeyRotated          = "key.rotated"
	KeyTransferred      = "key.transferred"
	HubEnabled          = "hub.enabled"
	HubDisabled         = "hub.disabled"
	FeedCreated         = "feed.created"
	FeedRevoked         = "feed.revoked"
	SessionEnded        = "user.session_ended"
	IdentityLinked      = "user.identity_linked"
	ProviderSaved       = "identity_provider.saved"
	ProviderRemoved     = "identity_provider.removed"
	DomainAdded         = "domain.added"
	DomainVerified      = "domain.verified"
	DomainLost          = "domain.verification_lost"
	DomainRemoved       = "domain.removed"
	SCIMTokenCreated    = "scim_token.created" // #nosec G101 -- an event type
	SCIMSettingsSaved   = "scim_token.settings_saved"
	UserProvisioned     = "user.provisioned"
	GroupSaved          = "group.saved"
	GroupRemoved        = "group.removed"
	UserErased          = "user.erased"
	TestClockSet        = "organisation.test_clock_set"
	TestClockReset      = "organisation.test_clock_reset"
	SandboxClaimed      = "organisation.claimed"

	// RefusedSuffix follows a resource and an action, such as tss.declaration.mark-accepted.
	RefusedSuffix = ".refused"
)

// personalMembers maps event types to the member of their data that is personal: the invited address, the name of a
// device, and the person's ID at an identity provider.
var personalMembers = map[string]string{
	InvitationCreated: "email",
	FactorAdded:       "name",
	FactorRenamed:     "name",
	IdentityLinked:    "subject",
}

// PersonalMember returns the personal member of an event's data; "" if the type has none.
func PersonalMember(eventType string) string { return personalMembers[eventType] }

// EventTypes returns all types above; refusals have one type per resource and action.
func EventTypes() []string {
	return []string{
		OrganisationCreated, OrganisationUpdated, PolicyChanged, UserAdded, UserRemoved, RoleChanged, PasswordChanged, SignedIn, SignInRefused, SignedOut,
		Reauthenticated, ResetLinkMade, FactorAdded, FactorRenamed, FactorRemoved, FactorsReset, RecoveryCodesMade, RecoveryCodeUsed,
		InvitationCreated, InvitationWithdrawn, KeyCreated, KeyRevoked, KeyRotated, HubEnabled, HubDisabled, FeedCreated, FeedRevoked,
		SessionEnded, IdentityLinked, ProviderSaved, ProviderRemoved, DomainAdded, DomainVerified, DomainLost, DomainRemoved,
		SCIMTokenCreated, SCIMSettingsSaved, UserProvisioned, GroupSaved, GroupRemoved, UserErased, TestClockSet, TestClockReset, SandboxClaimed, KeyTransferred,
	}
}

// Refusal is an action that was refused because of the role.
type Refusal struct {
	Hub      string
	Resource string // kind of record
	ID       string // of the record; may be empty
	Action   string // such as mark-accepted
	Role     tenant.Role
	Reason   error
}

// RecordRefusal writes the audit event about a refused action. It does not check that the record
// exists, since the caller must not learn this.
func (s *Service) RecordRefusal(tx Tx, call tenant.Call, r Refusal) error {
	data := map[string]any{"role": r.Role}
	if f, ok := apierr.As(r.Reason); ok {
		data["error"] = f.Code
	}
	return s.recordEvent(tx, call, audit.Event{
		Hub: r.Hub, Type: r.Resource + "." + r.Action + RefusedSuffix, ResourceType: r.Resource, ResourceID: r.ID,
	}, data)
}

func (s *Service) record(tx Tx, call tenant.Call, event, resource, id string, data map[string]any) error {
	return s.recordEvent(tx, call, audit.Event{Hub: FoundationalHub, Type: event, ResourceType: resource, ResourceID: id}, data)
}

func (s *Service) recordEvent(tx Tx, call tenant.Call, e audit.Event, data map[string]any) error {
	e.ID = s.IDs.UUID()
	if data != nil {
		e.Data, _ = json.Marshal(data)
	}
	if member := personalMembers[e.Type]; member != "" {
		value, _ := data[member].(string)
		e.Personal = []audit.Personal{audit.DataMember(member, value)}
	}
	return tx.Record(audit.By(call, e))
}
