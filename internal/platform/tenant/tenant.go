// Package tenant says whose data a request may touch and what it may do there.
package tenant

import (
	"cmp"
	"fmt"
)

// ID is an organisation's UUID.
type ID string

// Operator is the service itself: it owns what has not been matched to an
// organisation yet, such as a message from customs that has just come in.
const Operator ID = "00000000-0000-0000-0000-000000000000"

// Role is what a user may do in an organisation.
type Role string

// Roles, least first.
const (
	Viewer Role = "VIEWER" // reads
	Member Role = "MEMBER" // reads and writes
	Owner  Role = "OWNER"  // also marks, keys, users and the organisation
)

var rank = map[Role]int{Viewer: 1, Member: 2, Owner: 3}

// Covers tells whether r may do what needs the other role.
func (r Role) Covers(needed Role) bool { return rank[r] > 0 && rank[r] >= rank[needed] }

// Least is the smaller of two roles.
func Least(a, b Role) Role {
	if a.Covers(b) {
		return b
	}
	return a
}

// ParseRole reads OWNER, MEMBER or VIEWER.
func ParseRole(text string) (Role, error) {
	if _, ok := rank[Role(text)]; !ok {
		return "", fmt.Errorf("role must be OWNER, MEMBER or VIEWER, not %q", text)
	}
	return Role(text), nil
}

// ActorType says what kind of actor changed something.
type ActorType string

// Kinds of actor.
const (
	ByUser   ActorType = "user"
	BySystem ActorType = "system" // customs or a timer
)

// SystemUser is the actorUserId of what customs or a timer did.
const SystemUser = "system"

// Principal is who asks: the organisation, the user and the key that was shown.
type Principal struct {
	Org    ID
	UserID string
	Role   Role
	KeyID  string
	Type   ActorType
}

// Caller is whose idempotency keys a call uses: the id of the API key, or of the user
// where there is none.
func (p Principal) Caller() string { return cmp.Or(p.KeyID, p.UserID) }

// System acts for customs or a timer inside one organisation.
func System(org ID) Principal {
	return Principal{Org: org, UserID: SystemUser, Role: Owner, Type: BySystem}
}

// Call is one request of a principal: what the audit trail remembers of it.
type Call struct {
	Principal
	RequestID string
	IPAddress string
}

// CommandLine is the request id of what the operator does.
const CommandLine = "command-line"

// ByOperator tells whether the operator acts, by command: nobody who calls over a
// network has no address.
func (c Call) ByOperator() bool {
	return c.RequestID == CommandLine && c.IPAddress == "" && c.KeyID == ""
}
