package access

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Policy is the security policy that an OWNER sets. The zero value is the policy of a new
// organisation.
type Policy struct {
	MembersMayManageWebhooks bool   `json:"membersMayManageWebhooks" doc:"Whether MEMBERs may create, change and delete webhook endpoints and see their secrets"`
	SecondFactorRequired     bool   `json:"secondFactorRequired" doc:"Whether members need a second factor or a passkey"`
	PasswordSignInOff        bool   `json:"passwordSignInOff" doc:"Whether password sign-in is off, except for emergencyOwnerId"`
	EmergencyOwnerID         string `json:"emergencyOwnerId,omitempty" format:"uuid" doc:"OWNER who can sign in by password while that is off"`
	ApprovalRequired         bool   `json:"approvalRequired" doc:"Whether a second person must approve what is submitted"`
	AIProviderOff            bool   `json:"aiProviderOff" doc:"Whether no data is sent to an AI provider; the offline engine is used instead"`
}

// StoredPolicy is a Policy in its stored form; most requests need not decode it.
type StoredPolicy string

// Policy decodes the stored form. An invalid one gives the strictest policy.
func (s StoredPolicy) Policy() (p Policy) {
	if s == "" {
		return p
	}
	if json.Unmarshal([]byte(s), &p) != nil {
		return Policy{SecondFactorRequired: true, PasswordSignInOff: true, ApprovalRequired: true, AIProviderOff: true}
	}
	return p
}

// ManagesWebhooks reports whether a role may create, change and delete webhook endpoints
// and see their secrets.
func (p Policy) ManagesWebhooks(role tenant.Role) bool {
	return role.Covers(tenant.Owner) || p.MembersMayManageWebhooks && role.Covers(tenant.Member)
}

// UpdatePolicy replaces the organisation's policy and writes an audit event, unless the policy is
// the same.
func (s *Service) UpdatePolicy(tx Tx, call tenant.Call, policy Policy) (Organisation, error) {
	org, err := tx.Organisation()
	if err != nil || org.Policy == policy {
		return org, err
	}
	if err := checkPolicy(tx, policy); err != nil {
		return org, err
	}
	before := org.Policy
	org.Policy, org.UpdatedAt = policy, tx.Now()
	if err := tx.SaveOrganisation(org); err != nil {
		return Organisation{}, err
	}
	return org, s.record(tx, call, PolicyChanged, "organisation", string(org.ID), map[string]any{"before": before, "after": policy})
}
