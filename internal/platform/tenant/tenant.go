// Package tenant holds the organisation, role and actor of a request.
package tenant

import (
	"cmp"
	"fmt"
	"strings"
)

// ID is an organisation's UUID.
type ID string

// Operator is the organisation ID of the service itself. It owns data that is not yet
// matched to an organisation, such as a CDS message that has just arrived.
const Operator ID = "00000000-0000-0000-0000-000000000000"

// testSuffix ends the ID of every test organisation. One in 65,536 other organisations has it by chance.
const testSuffix = "7e57"

// TestID returns a UUID with the ending of test organisations.
func TestID(uuid string) ID { return ID(uuid[:len(uuid)-len(testSuffix)] + testSuffix) }

// MayBeTest reports whether the ID ends as those of test organisations do. The store knows for certain, and is asked
// only if it does, so that requests of live organisations need no further query.
func (id ID) MayBeTest() bool { return strings.HasSuffix(string(id), testSuffix) }

// Mode says where an organisation's documents are sent.
type Mode string

// The modes.
const (
	Simulator Mode = "simulator" // a live organisation of an installation that is connected to simulators only
	Live      Mode = "live"      // a live organisation of an installation with a connection to HMRC
	Test      Mode = "test"      // a test organisation, always connected to simulators
)

// Role is what a user may do in an organisation.
type Role string

// The roles, from the fewest rights to the most.
const (
	Viewer Role = "VIEWER" // reads
	Member Role = "MEMBER" // reads and writes
	Owner  Role = "OWNER"  // also manages keys, users and the organisation, and marks filings by hand
)

var rank = map[Role]int{Viewer: 1, Member: 2, Owner: 3}

// Covers reports whether r has all rights of the needed role. An unknown role has none.
func (r Role) Covers(needed Role) bool { return rank[r] > 0 && rank[r] >= rank[needed] }

// Least returns the role with fewer rights.
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

// ActorType is the kind of actor that makes a change.
type ActorType string

// The kinds of actor. Audit events hold only the first two; see [ActorType.Recorded].
const (
	ByUser     ActorType = "user"
	BySystem   ActorType = "system"   // a message of an authority, or a timer
	ByOperator ActorType = "operator" // the operator of the service, on its command line
)

// Recorded returns the actor type as audit events store and show it. Events of the
// operator carry OperatorRequestID instead of a type of their own: events are hashed
// and published as they are stored, so their set of actor types is fixed.
func (t ActorType) Recorded(userID string) ActorType {
	switch {
	case t != ByOperator:
		return t
	case userID == SystemUser:
		return BySystem
	}
	return ByUser
}

// SystemUser is the actorUserId of changes that no user made.
const SystemUser = "system"

// Principal is the authenticated caller of a request: organisation, user and API key.
type Principal struct {
	Org    ID
	UserID string
	Role   Role
	KeyID  string // empty if no API key was used
	Type   ActorType
}

// Caller returns the owner of the call's idempotency keys: the ID of the API key or, if
// there is none, of the user.
func (p Principal) Caller() string { return cmp.Or(p.KeyID, p.UserID) }

// System returns the principal of an authority's message or a timer in one organisation.
func System(org ID) Principal {
	return Principal{Org: org, UserID: SystemUser, Role: Owner, Type: BySystem}
}

// Call is one request of a principal, with what its audit events record.
type Call struct {
	Principal
	RequestID string
	IPAddress string // empty if it did not come over the network
	Simulate  string `json:",omitempty"` // outcome of a simulator that the caller asked for; empty for none
}

// OperatorRequestID is the request ID in audit events of the operator. Events of other
// actors never carry it.
const OperatorRequestID = "command-line"

// OperatorCall returns a call of the operator, who acts for a user of an organisation or,
// with SystemUser, for none.
func OperatorCall(org ID, userID string) Call {
	return Call{Principal: Principal{Org: org, UserID: userID, Role: Owner, Type: ByOperator}, RequestID: OperatorRequestID}
}

// ByOperator reports whether the operator of the service makes the call.
func (c Call) ByOperator() bool { return c.Type == ByOperator }
