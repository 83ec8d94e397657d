package store_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// keyWorks reports whether a store finds the key whose hash is "hash".
func keyWorks(t *testing.T, s *store.Store) bool {
	t.Helper()
	_, found, err := s.KeyByHash(ctx, "hash")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// addKey stores a member with a key that expires after a time; never if it is 0.
func addKey(t *testing.T, s *store.Store, life time.Duration) {
	t.Helper()
	k := access.Key{ID: uuid(71), UserID: uuid(70), Role: tenant.Owner, Hash: "hash"}
	if err := s.AddUser(ctx, access.User{ID: k.UserID, Name: "Mia"}); err != nil {
		t.Fatal(err)
	}
	update(t, s, ours, func(tx *store.Tx) error {
		k.CreatedAt = tx.Now()
		if life > 0 {
			k.ExpiresAt = tx.Now().Add(life)
		}
		return errors.Join(tx.AddMember(k.UserID, tenant.Owner), tx.AddKey(k))
	})
}

// A key that was found ends with the commit of whatever ends it, also in another process.
func TestKeyEndsAtOnce(t *testing.T) {
	for name, end := range map[string]func(*store.Tx) error{
		"revoked":       func(tx *store.Tx) error { _, err := tx.RevokeKey(uuid(71)); return err },
		"member leaves": func(tx *store.Tx) error { _, err := tx.RemoveMember(uuid(70)); return err },
		"closed":        func(tx *store.Tx) error { _, err := tx.CloseOrganisation(tx.Now().Add(time.Hour)); return err },
		"replaced":      func(tx *store.Tx) error { return tx.ReplaceKeySecret(uuid(71), "new hash", "hint", tx.Now()) },
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, b storetest.Backend) {
				s, other := open(t, b), b.Open(t)
				addKey(t, s, 0)
				if !keyWorks(t, s) || !keyWorks(t, other) {
					t.Fatal("the new key does not work")
				}
				update(t, other, ours, end)
				if keyWorks(t, other) || keyWorks(t, s) {
					t.Error("the key still works")
				}
			})
		})
	}
}

// What a key may do is that of the last commit.
func TestKeyChangesAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, other := open(t, b), b.Open(t)
		addKey(t, s, 0)
		keyWorks(t, s)
		update(t, other, ours, func(tx *store.Tx) error { _, err := tx.SetRole(uuid(70), tenant.Viewer); return err })
		if k, _, _ := s.KeyByHash(ctx, "hash"); k.MemberRole != tenant.Viewer {
			t.Errorf("role %s", k.MemberRole)
		}
		update(t, other, ours, func(tx *store.Tx) error { return tx.RecordKeyUse(uuid(71), "192.0.2.1") })
		if k, _, _ := s.KeyByHash(ctx, "hash"); k.LastUsedAt.IsZero() {
			t.Error("never used")
		}
	})
}

// A key ends at its own time, also if it was found just before.
func TestKeyExpires(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, pass := clocked(t, b, store.Observer{})
		addKey(t, s, 100*time.Millisecond)
		pass(50 * time.Millisecond)
		if !keyWorks(t, s) {
			t.Error("the key does not work before it expires")
		}
		pass(60 * time.Millisecond)
		if keyWorks(t, s) {
			t.Error("the key works after it has expired")
		}
	})
}

// SQLite answers a second look for a key from memory, for a second at most.
func TestKeyIsHeld(t *testing.T) {
	var statements atomic.Int64
	s, pass := clocked(t, storetest.SQLite(t), store.Observer{Statement: func(string) { statements.Add(1) }})
	addKey(t, s, 0)
	count := func() int64 {
		before := statements.Load()
		if !keyWorks(t, s) {
			t.Error("the key does not work")
		}
		return statements.Load() - before
	}
	if got := []int64{count(), count(), count()}; !slices.Equal(got, []int64{1, 0, 0}) {
		t.Errorf("statements %d", got)
	}
	if pass(time.Second); count() != 1 {
		t.Error("the key was held for more than a second")
	}
}

// Every table from which keys are read ends what is held of them.
func TestRightsTables(t *testing.T) {
	var all []string
	s, _ := clocked(t, storetest.SQLite(t), store.Observer{Statement: func(query string) {
		for _, found := range regexp.MustCompile(`(?:FROM|JOIN) (\w+)`).FindAllStringSubmatch(query, -1) {
			if strings.Contains(query, "FROM api_keys k") {
				all = append(all, found[1])
			}
		}
	}})
	keyWorks(t, s)
	slices.Sort(all)
	if all = slices.Compact(all); !slices.Equal(all, engine.RightsTables) {
		t.Errorf("keys are read from %q", all)
	}
}
