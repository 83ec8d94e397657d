package verify_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/integrity"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// changed stores a setting with the event of its change.
func (x *tampered) changed(eventType, resource string, change func(tx *store.Tx) error) {
	x.Helper()
	x.update(func(tx *store.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		return tx.Record(audit.Event{ID: x.ids.UUID(), Type: eventType, ResourceType: "setting", ResourceID: resource})
	})
}

const (
	mia, key, hook, idp, invited = 301, 302, 303, 304, 305
)

// furnished is an organisation with a setting of each kind, ten in all.
func furnished(t *testing.T, b storetest.Backend) *tampered {
	x := tamper(t, b)
	if err := x.store.AddUser(t.Context(), access.User{ID: id(mia), Name: "Mia"}); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	x.changed(access.UserAdded, id(mia), func(tx *store.Tx) error { return tx.AddMember(id(mia), tenant.Member) })
	x.changed(access.KeyCreated, id(key), func(tx *store.Tx) error {
		return tx.AddKey(access.Key{ID: id(key), UserID: id(mia), Name: "K", Role: tenant.Viewer, Hash: "h", Hint: "abcd", CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
	})
	x.changed("webhook.endpoint.created", id(hook), func(tx *store.Tx) error {
		return tx.AddEndpoint(webhook.Endpoint{ID: id(hook), URL: "https://receiver.example/", Active: true, Secret: "sealed", CreatedAt: now, UpdatedAt: now})
	})
	x.changed(access.ProviderSaved, id(idp), func(tx *store.Tx) error {
		return tx.PutProvider(oidc.Provider{Org: victim, ID: id(idp), Settings: oidc.Settings{Name: "ID", Issuer: "https://id.example"}, Secret: "sealed", CreatedAt: now, UpdatedAt: now})
	})
	x.changed(access.DomainAdded, "quay.example", func(tx *store.Tx) error {
		return tx.PutDomain(oidc.Domain{Org: victim, Name: "quay.example", Token: "t", CreatedAt: now})
	})
	x.changed(access.IdentityLinked, id(mia), func(tx *store.Tx) error { return tx.LinkIdentity(id(idp), "mia", id(mia)) })
	x.changed(access.SCIMTokenCreated, string(victim), func(tx *store.Tx) error {
		return tx.PutSCIMToken(scim.Token{Org: victim, Hash: "h", Hint: "abcd", CreatedAt: now})
	})
	x.changed(access.InvitationCreated, id(invited), func(tx *store.Tx) error {
		return tx.AddInvitation(access.Invitation{ID: id(invited), Email: "nia@example.com", Role: tenant.Viewer, Hash: "h", InvitedBy: id(mia), CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
	})
	x.changed(retention.HoldSet, string(victim), func(tx *store.Tx) error { return tx.SetHold(retention.Hold{Reason: "inquiry", SetAt: now}) })
	return x
}

// Every field of a setting that SQL changes shows, as do settings that SQL adds or deletes: a member who is
// made OWNER, a key without limits or with another secret, an endpoint with another address.
func TestVerifyComparesSettings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		x := furnished(t, b)
		x.mustFind("as written")
		if r := x.report(); r.Settings != 10 || r.SettingsNotCovered != 0 {
			t.Errorf("%+v", r)
		}
		later := "'2030-01-01T00:00:00.000Z'"
		for _, c := range []struct {
			table, id string
			changes   []string
		}{
			{"memberships", id(mia), []string{"role = 'OWNER'", "left_at = " + later}},
			{"api_keys", id(key), []string{
				"role = 'OWNER'", "scopes = '*:write'", "addresses = '203.0.113.0/24'", "expires_at = NULL", "expires_at = " + later, "hash = 'i'", "former_hash = 'i'",
				"former_until = " + later, "revoked_at = " + later, "name = 'L'",
			}},
			{"endpoints", id(hook), []string{
				"url = 'https://evil.example/'", "active = FALSE", "events = '[]'", "secret = 'another'", "former_secret = 'another'", "former_until = " + later, "paused_reason = 'x'",
			}},
			{"organisations", string(victim), []string{"policy = '{}'", "profile = '{\"eori\":\"GB1\"}'", "name = 'Evil Ltd'", "hubs = '{\"tss\":\"2026-01-01T00:00:00Z\"}'"}},
			{"identity_providers", id(idp), []string{"settings = '{\"issuer\":\"https://evil.example\"}'", "secret = 'another'"}},
			{"identity_domains", "quay.example", []string{"verified_at = " + later, "token = 'u'"}},
			{"identity_links", id(mia), []string{"subject = 'eve'"}},
			{"scim_tokens", string(victim), []string{"hash = 'i'", "settings = '{\"roles\":{\"x\":\"OWNER\"}}'"}},
			{"invitations", id(invited), []string{"role = 'OWNER'", "hash = 'i'", "expires_at = " + later}},
			{"holds", string(victim), []string{"reason = 'none'"}},
		} {
			x.do("CREATE TABLE kept_" + c.table + " AS SELECT * FROM " + c.table + " WHERE org_id = '" + string(victim) + "'")
			for _, change := range c.changes {
				column, _, _ := strings.Cut(change, " = ")
				x.do("UPDATE " + c.table + " SET " + change + " WHERE org_id = '" + string(victim) + "'")
				x.mustFind(c.table+" "+change, c.id+" changed")
				x.do("UPDATE " + c.table + " SET " + column + " = (SELECT k." + column + " FROM kept_" + c.table + " k) WHERE org_id = '" + string(victim) + "'")
				x.mustFind(c.table + " as before")
			}
		}
		x.do("DELETE FROM holds")
		x.mustFind("without the hold", string(victim)+" missing")
		x.do("INSERT INTO holds SELECT * FROM kept_holds")
		x.do("UPDATE api_keys SET id = '" + id(400) + "' WHERE org_id = '" + string(victim) + "'")
		x.mustFind("another key", id(400)+" unrecorded", id(key)+" missing")
		x.do("UPDATE api_keys SET id = '" + id(key) + "' WHERE org_id = '" + string(victim) + "'")
		if err := x.store.AddUser(t.Context(), access.User{ID: id(401), Name: "Eve"}); err != nil {
			t.Fatal(err)
		}
		x.do("INSERT INTO memberships (org_id, user_id, role, created_at) SELECT org_id, '" + id(401) + "', 'OWNER', '2020-01-01T00:00:00.000Z' FROM kept_memberships")
		x.mustFind("another member", id(401)+" unrecorded")
	})
}

// What the service changes is as its last event says, and rows that a provider or an erasure removes
// without an event of their own are no fault.
func TestVerifyFollowsChangedSettings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		x := furnished(t, b)
		x.changed(access.RoleChanged, id(mia), func(tx *store.Tx) error { _, err := tx.SetRole(id(mia), tenant.Owner); return err })
		x.changed(access.KeyRotated, id(key), func(tx *store.Tx) error { return tx.ReplaceKeySecret(id(key), "i", "efgh", tx.Now()) })
		x.update(func(tx *store.Tx) error { return tx.RecordKeyUse(id(key), "203.0.113.7") })
		x.changed(access.KeyRevoked, id(key), func(tx *store.Tx) error { _, err := tx.RevokeKey(id(key)); return err })
		x.changed(access.UserRemoved, id(mia), func(tx *store.Tx) error { _, err := tx.RemoveMember(id(mia)); return err })
		x.changed("webhook.endpoint.deleted", id(hook), func(tx *store.Tx) error { return tx.RemoveEndpoint(id(hook)) })
		x.changed(retention.HoldLifted, string(victim), func(tx *store.Tx) error { return tx.LiftHold("") })
		x.do("DELETE FROM identity_links")
		x.do("DELETE FROM scim_tokens")
		x.mustFind("after changes")
		if r := x.report(); r.Settings != 6 || r.SettingsNotCovered != 0 {
			t.Errorf("%+v", r)
		}
		x.do("UPDATE memberships SET left_at = NULL, role = 'OWNER' WHERE org_id = '" + string(victim) + "'")
		x.mustFind("a former member", id(mia)+" changed")
	})
}

// Settings that a version without digests changed last are counted as not covered; the role of a member
// is compared all the same, because those versions recorded it.
func TestVerifyComparesOlderSettings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		x := furnished(t, b)
		x.do(map[bool]string{true: "DROP TRIGGER events_are_never_changed ON events", false: "DROP TRIGGER events_are_never_changed"}[b.URL != ""])
		x.do(map[bool]string{true: "DROP TRIGGER events_are_only_erased ON events", false: "DROP TRIGGER events_are_only_erased"}[b.URL != ""])
		x.do("UPDATE events SET data = '' WHERE type <> 'user.added'")
		x.do("UPDATE events SET data = '{\"role\":\"MEMBER\"}' WHERE type = 'user.added'")
		older := func(what string, want ...string) {
			t.Helper()
			r := x.recordsOnly()
			got := []string{}
			for _, f := range r.Differences {
				got = append(got, f.RecordID+" "+string(f.Problem))
			}
			if !slices.Equal(got, append([]string{}, want...)) || r.Settings != 0 || r.SettingsNotCovered != 10-int64(len(want)) {
				t.Errorf("%s: %v, %+v", what, got, r)
			}
		}
		older("as an older version left it")
		x.do("UPDATE memberships SET role = 'OWNER' WHERE org_id = '" + string(victim) + "'")
		older("made OWNER by SQL", id(mia)+" changed")
		x.do("UPDATE memberships SET role = 'MEMBER' WHERE org_id = '" + string(victim) + "'")
		x.founder(401)
		if r := x.recordsOnly(); len(r.Differences) != 0 || r.SettingsNotCovered != 11 {
			t.Errorf("the founder: %+v", r)
		}
		x.founder(402)
		if r := x.recordsOnly(); len(r.Differences) != 1 || r.Differences[0].Problem != integrity.Unrecorded {
			t.Errorf("a second founder: %+v", r)
		}
	})
}

// recordsOnly compares records and settings but not the chain, whose events the test has changed.
func (x *tampered) recordsOnly() *integrity.Report {
	x.Helper()
	r, err := integrity.Records(x.Context(), adapter.Of(x.store), victim, kinds)
	if err != nil {
		x.Fatal(err)
	}
	return r
}

// founder adds a member without an event, at the time at which the organisation was created.
func (x *tampered) founder(user int) {
	x.Helper()
	if err := x.store.AddUser(x.Context(), access.User{ID: id(user), Name: "Founder"}); err != nil {
		x.Fatal(err)
	}
	x.update(func(tx *store.Tx) error { return tx.AddMember(id(user), tenant.Owner) })
	x.do("UPDATE memberships SET created_at = (SELECT e.occurred_at FROM events e WHERE e.org_id = memberships.org_id AND e.sequence = 1) WHERE user_id = '" + id(user) + "'")
}
