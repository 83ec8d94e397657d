package tenant_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A role covers itself and those below it; what is no role covers nothing and is
// covered by nobody's lack of one.
func TestRoles(t *testing.T) {
	roles := []tenant.Role{tenant.Viewer, tenant.Member, tenant.Owner}
	for i, r := range roles {
		for j, needed := range roles {
			if got := r.Covers(needed); got != (i >= j) {
				t.Errorf("%s covers %s: %t", r, needed, got)
			}
			if got := tenant.Least(r, needed); got != roles[min(i, j)] {
				t.Errorf("the least of %s and %s: %s", r, needed, got)
			}
		}
		if tenant.Role("").Covers(r) || tenant.Role("owner").Covers(r) {
			t.Errorf("what is no role covers %s", r)
		}
	}
	if tenant.Role("").Covers("") {
		t.Error("no role covers no role")
	}
}

// The lesser of a role and of none is none, on whichever side it stands.
func TestLeastOfNone(t *testing.T) {
	for _, none := range []tenant.Role{"", "ADMIN"} {
		for _, r := range []tenant.Role{tenant.Viewer, tenant.Owner} {
			if tenant.Least(r, none).Covers(tenant.Viewer) || tenant.Least(none, r).Covers(tenant.Viewer) {
				t.Errorf("%q with %s gives a role", none, r)
			}
		}
	}
}

// Roles are read as they are written, in capitals.
func TestParseRole(t *testing.T) {
	for _, text := range []string{"OWNER", "MEMBER", "VIEWER"} {
		if r, err := tenant.ParseRole(text); err != nil || string(r) != text {
			t.Errorf("%s: %s, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "owner", "ADMIN", "OWNER "} {
		if r, err := tenant.ParseRole(text); err == nil || r != "" {
			t.Errorf("%q is read as %s", text, r)
		}
	}
}

// Customs and timers act as the system, with every right in one organisation.
func TestSystem(t *testing.T) {
	p := tenant.System("o")
	if p != (tenant.Principal{Org: "o", UserID: "system", Role: tenant.Owner, Type: tenant.BySystem}) {
		t.Errorf("got %+v", p)
	}
}
