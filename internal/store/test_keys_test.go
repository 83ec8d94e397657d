package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A test key works although the clock of the instance that made it is behind that of the one which added the member. It ends when
// the member leaves the live organisation, and does not come back when the member joins again.
func TestKeysOfAMemberWhoJoinsAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, pass := clocked(t, b, store.Observer{})
		user, test := uuid(70), tenant.TestID(uuid(3))
		if err := s.AddUser(ctx, access.User{ID: user, Name: "Mia"}); err != nil {
			t.Fatal(err)
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.AddMember(user, tenant.Owner) })
		pass(-time.Hour)
		update(t, s, test, func(tx *store.Tx) error {
			noted := func() error { _, err := tx.NoteMember(user); return err }
			return errors.Join(tx.AddOrganisation(access.Organisation{ID: test, Hubs: access.Hubs{}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}),
				tx.AddTestOrganisation(access.TestOrganisation{Test: true, Live: ours}), noted(),
				tx.AddKey(access.Key{ID: uuid(71), UserID: user, Role: tenant.Owner, Hash: "hash", CreatedAt: tx.Now()}))
		})
		if _, found, err := s.KeyByHash(ctx, "hash"); err != nil || !found {
			t.Errorf("the new key: %v, %v", found, err)
		}
		pass(2 * time.Hour)
		update(t, s, ours, func(tx *store.Tx) error { _, err := tx.RemoveMember(user); return err })
		update(t, s, ours, func(tx *store.Tx) error { return tx.AddMember(user, tenant.Owner) })
		if _, found, err := s.KeyByHash(ctx, "hash"); err != nil || found {
			t.Errorf("after leaving: %v, %v", found, err)
		}
	})
}
