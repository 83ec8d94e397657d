package tenant_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A role covers itself and the roles with fewer rights. An unknown role covers nothing.
func TestRoles(t *testing.T) {
	roles := []tenant.Role{tenant.Viewer, tenant.Member, tenant.Owner}
	for i, r := range roles {
		for j, needed := range roles {
			if got := r.Covers(needed); got != (i >= j) {
				t.Errorf("%s covers %s: got %t", r, needed, got)
			}
			if got := tenant.Least(r, needed); got != roles[min(i, j)] {
				t.Errorf("least of %s and %s: got %s", r, needed, got)
			}
		}
		if tenant.Role("").Covers(r) || tenant.Role("owner").Covers(r) {
			t.Errorf("an unknown role covers %s", r)
		}
	}
	if tenant.Role("").Covers("") {
		t.Error("an unknown role covers an unknown role")
	}
}

// Least of a known and an unknown role has no rights, in either order.
func TestLeastOfUnknown(t *testing.T) {
	for _, unknown := range []tenant.Role{"", "ADMIN"} {
		for _, r := range []tenant.Role{tenant.Viewer, tenant.Owner} {
			if tenant.Least(r, unknown).Covers(tenant.Viewer) || tenant.Least(unknown, r).Covers(tenant.Viewer) {
				t.Errorf("%q with %s gives rights", unknown, r)
			}
		}
	}
}

// Role names are upper case and parsed exactly.
func TestParseRole(t *testing.T) {
	for _, text := range []string{"OWNER", "MEMBER", "VIEWER"} {
		if r, err := tenant.ParseRole(text); err != nil || string(r) != text {
			t.Errorf("%s: got %s, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "owner", "ADMIN", "OWNER "} {
		if r, err := tenant.ParseRole(text); err == nil || r != "" {
			t.Errorf("%q: got %s, want an error", text, r)
		}
	}
}

// The system principal has all rights in one organisation.
func TestSystem(t *testing.T) {
	p := tenant.System("o")
	if p != (tenant.Principal{Org: "o", UserID: "system", Role: tenant.Owner, Type: tenant.BySystem}) {
		t.Errorf("got %+v", p)
	}
}

// Only the operator's actor type makes a call the operator's. A call without an address or
// key, with the operator's request ID, is not.
func TestOperator(t *testing.T) {
	call := tenant.OperatorCall("o", "u")
	if !call.ByOperator() || call.Role != tenant.Owner || call.Org != "o" || call.UserID != "u" {
		t.Errorf("got %+v", call)
	}
	for _, p := range []tenant.Principal{tenant.System("o"), {Org: "o", UserID: "u", Role: tenant.Owner, Type: tenant.ByUser}} {
		if c := (tenant.Call{Principal: p, RequestID: tenant.OperatorRequestID}); c.ByOperator() {
			t.Errorf("the call of %s counts as the operator's", p.Type)
		}
	}
}

// Audit events store the actor types that they always had.
func TestRecordedActorType(t *testing.T) {
	for _, c := range []struct {
		actor  tenant.ActorType
		userID string
		want   tenant.ActorType
	}{
		{tenant.ByUser, "u", tenant.ByUser},
		{tenant.BySystem, tenant.SystemUser, tenant.BySystem},
		{tenant.ByOperator, "u", tenant.ByUser},
		{tenant.ByOperator, tenant.SystemUser, tenant.BySystem},
	} {
		if got := c.actor.Recorded(c.userID); got != c.want {
			t.Errorf("%s for %s: got %s, want %s", c.actor, c.userID, got, c.want)
		}
	}
}
