package access_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var ctx = context.Background()

// fixture is an organisation on a real store, with a clock that the test sets.
type fixture struct {
	*testing.T
	service *access.Service
	store   *store.Store
	now     time.Time
	org     tenant.ID
	owner   string
	founded access.CreatedOrganisation
}

func each(t *testing.T, run func(h *fixture)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := &fixture{T: t, now: nine}
		o := b.Options()
		o.Now = func() time.Time { return h.now }
		var err error
		if h.store, err = store.Open(ctx, o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.store.Close() })
		h.service = &access.Service{IDs: source(9)}
		h.org, h.owner = tenant.ID(h.service.IDs.UUID()), h.user("Olive Owner")
		h.must(h.org, func(tx *store.Tx) error {
			h.founded, err = h.service.CreateOrganisation(tx, h.call(), h.owner, "Quay Ltd", access.Profile{EORI: "GB123456789000"})
			return err
		})
		run(h)
	})
}

func (h *fixture) user(name string) string {
	h.Helper()
	id := h.service.IDs.UUID()
	if err := h.store.AddUser(ctx, access.User{ID: id, Name: name}); err != nil {
		h.Fatal(err)
	}
	return id
}

func (h *fixture) call() tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: h.org, UserID: h.owner, Role: tenant.Owner, Type: tenant.ByUser}, RequestID: "r"}
}

func (h *fixture) try(org tenant.ID, fn func(*store.Tx) error) error {
	h.Helper()
	return h.store.Update(ctx, org, fn)
}

func (h *fixture) must(org tenant.ID, fn func(*store.Tx) error) {
	h.Helper()
	if err := h.try(org, fn); err != nil {
		h.Fatal(err)
	}
}

func (h *fixture) issue(user string, role tenant.Role, expires time.Time) (key access.Key, secret string, err error) {
	h.Helper()
	err = h.try(h.org, func(tx *store.Tx) (err error) {
		key, secret, err = h.service.IssueKey(tx, h.call(), user, access.NewKey{Name: "A key", Role: role, ExpiresAt: expires})
		return err
	})
	return key, secret, err
}

// holderOf returns the holder of a secret, if the secret is valid.
func (h *fixture) holderOf(secret string) (access.Holder, bool) {
	h.Helper()
	holder, found, err := h.store.KeyByHash(ctx, access.Hash(secret))
	if err != nil {
		h.Fatal(err)
	}
	return holder, found
}

// events returns the types of the organisation's events, oldest first.
func (h *fixture) events() string {
	h.Helper()
	var types []string
	if err := h.store.View(ctx, h.org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error {
			if e.Hub != access.FoundationalHub || e.ActorUserID != h.owner || e.RequestID != "r" {
				h.Errorf("event %+v", e)
			}
			types = append(types, e.Type)
			return nil
		})
	}); err != nil {
		h.Fatal(err)
	}
	return strings.Join(types, " ")
}

// A new organisation has only the customs Hub, an OWNER, and an OWNER key whose secret is not
// stored.
func TestFound(t *testing.T) {
	each(t, func(h *fixture) {
		holder, found := h.holderOf(h.founded.Secret)
		if !found || holder.Principal() != (tenant.Principal{Org: h.org, UserID: h.owner, KeyID: h.founded.KeyID, Role: tenant.Owner, Type: tenant.ByUser}) {
			h.Errorf("holder %+v, %t", holder, found)
		}
		if hubs := access.ParseHubs(string(holder.Hubs)); len(hubs) != 1 || !hubs.Has(access.FoundationalHub) {
			h.Errorf("Hubs %v", hubs)
		}
		h.must(h.org, func(tx *store.Tx) error {
			keys, err := tx.Keys()
			if len(keys) != 1 || keys[0].Hash != access.Hash(h.founded.Secret) || keys[0].Hint != h.founded.Secret[32:] || keys[0].Role != tenant.Owner {
				h.Errorf("keys %+v", keys)
			}
			return err
		})
		if got := h.events(); got != "organisation.created user.added key.created" {
			h.Errorf("events %s", got)
		}
	})
}

// A key's role is at most its user's, and a user without membership cannot create keys.
func TestKeyRoles(t *testing.T) {
	each(t, func(h *fixture) {
		member, viewer, outsider := h.user("M"), h.user("V"), h.user("S")
		h.must(h.org, func(tx *store.Tx) error {
			if err := tx.AddMember(member, tenant.Member); err != nil {
				return err
			}
			return tx.AddMember(viewer, tenant.Viewer)
		})
		for _, c := range []struct {
			user    string
			highest int
		}{{h.owner, 2}, {member, 1}, {viewer, 0}, {outsider, -1}} {
			for i, role := range []tenant.Role{tenant.Viewer, tenant.Member, tenant.Owner} {
				_, secret, err := h.issue(c.user, role, time.Time{})
				if i > c.highest {
					if e, _ := apierr.As(err); !apierr.Is(err, apierr.InvalidRequest) || len(e.Details) != 1 || e.Details[0].Field != "role" || secret != "" {
						h.Errorf("a %s key of %s: %v", role, c.user, err)
					}
					continue
				}
				if err != nil {
					h.Fatal(err)
				}
				if holder, found := h.holderOf(secret); !found || holder.Principal().Role != role || holder.UserID != c.user {
					h.Errorf("a %s key has the holder %+v", role, holder)
				}
			}
		}
	})
}

// A key works until its expiry.
func TestExpiry(t *testing.T) {
	each(t, func(h *fixture) {
		_, secret, err := h.issue(h.owner, tenant.Member, nine.Add(time.Hour))
		if err != nil {
			h.Fatal(err)
		}
		for _, c := range []struct {
			at    time.Duration
			found bool
		}{{0, true}, {time.Hour - time.Millisecond, true}, {time.Hour, false}, {time.Hour + time.Millisecond, false}} {
			h.now = nine.Add(c.at)
			if _, found := h.holderOf(secret); found != c.found {
				h.Errorf("after %s: %t", c.at, found)
			}
		}
		if _, found := h.holderOf(h.founded.Secret); !found {
			h.Error("a key without an expiry has expired")
		}
	})
}

// A revoked key never works again. Revoking it twice, from another organisation, or an unknown key
// has the same result and writes no event.
func TestRevocation(t *testing.T) {
	each(t, func(h *fixture) {
		key, secret, err := h.issue(h.owner, tenant.Member, time.Time{})
		if err != nil {
			h.Fatal(err)
		}
		revoke := func(org tenant.ID, id string) error {
			return h.try(org, func(tx *store.Tx) error { return h.service.RevokeKey(tx, h.call(), id) })
		}
		other := tenant.ID(h.service.IDs.UUID())
		if err := revoke(other, key.ID); !apierr.Is(err, apierr.NotFound) {
			h.Errorf("by another organisation: %v", err)
		}
		if _, found := h.holderOf(secret); !found {
			h.Error("the key was revoked by another organisation")
		}
		if err := revoke(h.org, key.ID); err != nil {
			h.Fatal(err)
		}
		if _, found := h.holderOf(secret); found {
			h.Error("the key still works")
		}
		for _, id := range []string{key.ID, h.service.IDs.UUID()} {
			if err := revoke(h.org, id); !apierr.Is(err, apierr.NotFound) {
				h.Errorf("second revocation: %v", err)
			}
		}
		if got := h.events(); got != "organisation.created user.added key.created key.created key.revoked" {
			h.Errorf("events %s", got)
		}
	})
}

// Only the secret itself is accepted: neither its hash, nor another well-formed secret.
func TestUnknownSecrets(t *testing.T) {
	each(t, func(h *fixture) {
		for _, secret := range []string{access.Hash(h.founded.Secret), access.NewSecret(source(77)), ""} {
			if holder, found := h.holderOf(secret); found {
				h.Errorf("%q is accepted as %+v", secret, holder)
			}
		}
	})
}

// A Hub can be enabled once and disabled; customs cannot be disabled.
func TestHubs(t *testing.T) {
	each(t, func(h *fixture) {
		enable := func(id string) (at time.Time, err error) {
			err = h.try(h.org, func(tx *store.Tx) (err error) { at, err = h.service.EnableHub(tx, h.call(), id); return err })
			return at, err
		}
		disable := func(id string) error {
			return h.try(h.org, func(tx *store.Tx) error { return h.service.DisableHub(tx, h.call(), id) })
		}
		has := func(id string) bool { holder, _ := h.holderOf(h.founded.Secret); return holder.Hubs.Has(id) }

		h.now = nine.Add(time.Hour)
		if at, err := enable("tss"); err != nil || !at.Equal(h.now) || !has("tss") {
			h.Errorf("enabled at %s, %v", at, err)
		}
		for _, id := range []string{"tss", "customs"} {
			if _, err := enable(id); !apierr.Is(err, apierr.HubAlreadyEnabled) {
				h.Errorf("%s again: %v", id, err)
			}
		}
		if err := disable("customs"); !apierr.Is(err, apierr.HubFoundational) || !has("customs") {
			h.Errorf("customs disabled: %v", err)
		}
		for range 2 {
			if err := disable("tss"); err != nil || has("tss") {
				h.Errorf("disabled: %v", err)
			}
		}
		if _, err := enable("tss"); err != nil || !has("tss") {
			h.Errorf("enabled again: %v", err)
		}
		if got := h.events(); got != "organisation.created user.added key.created hub.enabled hub.disabled hub.enabled" {
			h.Errorf("events %s", got)
		}
	})
}

// Name and profile are replaced as a whole, and the audit event has both versions.
func TestUpdateOrganisation(t *testing.T) {
	each(t, func(h *fixture) {
		h.now = nine.Add(time.Minute)
		var saved access.Organisation
		h.must(h.org, func(tx *store.Tx) (err error) {
			saved, err = h.service.UpdateOrganisation(tx, h.call(), "Pier Ltd", access.Profile{City: "Hull"})
			return err
		})
		h.must(h.org, func(tx *store.Tx) error {
			org, err := tx.Organisation()
			if org.Name != "Pier Ltd" || !reflect.DeepEqual(org.Profile, access.Profile{City: "Hull"}) || !org.UpdatedAt.Equal(h.now) || !org.CreatedAt.Equal(nine) || saved.Name != org.Name {
				h.Errorf("got %+v", org)
			}
			events, err2 := tx.Events(audit.Query{Limit: 1})
			if len(events) != 1 || !strings.HasPrefix(string(events[0].Data), `{"after":{"name":"Pier Ltd","city":"Hull"},"before":{"name":"Quay Ltd","eori":"GB123456789000"},"settingSha256":["`) {
				h.Errorf("events %+v, %v", events, err2)
			}
			return err
		})
	})
}

// A policy is replaced as a whole, and the audit event has both versions; the same policy writes no
// event.
func TestUpdatePolicy(t *testing.T) {
	each(t, func(h *fixture) {
		wanted := access.Policy{SecondFactorRequired: true}
		for range 2 {
			h.must(h.org, func(tx *store.Tx) error {
				_, err := h.service.UpdatePolicy(tx, h.call(), wanted)
				return err
			})
		}
		h.must(h.org, func(tx *store.Tx) error {
			org, err := tx.Organisation()
			if org.Policy != wanted {
				h.Errorf("got %+v", org.Policy)
			}
			return err
		})
		if got := h.events(); got != "organisation.created user.added key.created organisation.policy_changed" {
			h.Errorf("events %s", got)
		}
	})
}

// A name must have 1 to 140 characters; an invalid one stores nothing.
func TestNames(t *testing.T) {
	each(t, func(h *fixture) {
		for name, sound := range map[string]bool{"": false, "K": true, strings.Repeat("u", 140): true, strings.Repeat("u", 141): false} {
			if err := h.named(name); sound != (err == nil) || !sound && !apierr.Is(err, apierr.InvalidRequest) {
				h.Errorf("%d characters: %v", len(name), err)
			}
		}
		if got := h.events(); strings.Count(got, "key.created") != 3 {
			h.Errorf("events %s", got)
		}
	})
}

// The length of a name is counted in characters, not bytes.
func TestNamesInCharacters(t *testing.T) {
	each(t, func(h *fixture) {
		if err := h.named(strings.Repeat("ü", 140)); err != nil {
			h.Errorf("140 characters: %v", err)
		}
		if err := h.named(strings.Repeat("ü", 141)); !apierr.Is(err, apierr.InvalidRequest) {
			h.Errorf("141 characters: %v", err)
		}
	})
}

func (h *fixture) named(name string) error {
	h.Helper()
	return h.try(h.org, func(tx *store.Tx) error {
		_, _, err := h.service.IssueKey(tx, h.call(), h.owner, access.NewKey{Name: name, Role: tenant.Viewer})
		return err
	})
}

// The event of a refused action has the role and the error code. Secrets of keys are never in
// the audit trail.
func TestRefused(t *testing.T) {
	each(t, func(h *fixture) {
		id := h.service.IDs.UUID()
		h.must(h.org, func(tx *store.Tx) error {
			return h.service.RecordRefusal(tx, h.call(), access.Refusal{
				Hub: access.FoundationalHub, Resource: "thing", ID: id, Action: "mark-accepted", Role: tenant.Member, Reason: apierr.New(apierr.OwnerRoleRequired, "no"),
			})
		})
		h.must(h.org, func(tx *store.Tx) error {
			events, err := tx.Events(audit.Query{Limit: 10})
			if e := events[0]; e.Type != "thing.mark-accepted.refused" || e.ResourceType != "thing" || e.ResourceID != id || string(e.Data) != `{"error":"owner_role_required","role":"MEMBER"}` {
				h.Errorf("event %+v", e)
			}
			for _, e := range events {
				if strings.Contains(string(e.Data), h.founded.Secret[4:32]) || strings.Contains(string(e.Data), access.Hash(h.founded.Secret)) {
					h.Errorf("the secret is in the audit trail: %s", e.Data)
				}
			}
			return err
		})
	})
}
