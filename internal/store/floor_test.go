package store_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A program can start on a database that a newer program has migrated, as after a rolled-back
// upgrade, unless a later migration forbids it. This holds when it connects by its own role, by
// the owner's address, and when it runs a migration.
func TestNewerSchema(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		b.Open(t)
		execute(t, b.AsOwner(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)")
		starts(t, b, true)
		execute(t, b.AsOwner(), "UPDATE schema_floor SET oldest = 99999")
		starts(t, b, false)
	})
}

func starts(t *testing.T, b storetest.Backend, does bool) {
	t.Helper()
	ends := func(what string, err error) {
		t.Helper()
		if refused := err != nil && strings.Contains(err.Error(), "the database has schema 99999, this program knows "); refused == does || refused != (err != nil) {
			t.Errorf("%s: %v", what, err)
		}
	}
	service, owner := b.Options(), b.Options()
	owner.OwnerURL = b.Owner
	for what, o := range map[string]store.Options{"as the service": service, "by the owner's address": owner} {
		s, err := store.Open(ctx, o)
		ends(what, err)
		if err == nil {
			_ = s.Close()
		}
	}
	_, err := store.Migrate(ctx, owner, "")
	ends("migrating", err)
}

// Migrate leaves the rights on tables of a newer program as they are, because they may be
// append-only tables.
func TestRightsOnNewerTables(t *testing.T) {
	b := storetest.Postgres(t)
	execute(t, b.AsOwner(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)",
		"CREATE TABLE newer (id UUID PRIMARY KEY)", "GRANT SELECT, INSERT ON newer TO tidewaiter")
	o := b.Options()
	o.OwnerURL = b.Owner
	m, err := store.Migrate(ctx, o, "")
	if err != nil || m.Schema != 99999 {
		t.Errorf("%+v, %v", m, err)
	}
	var may bool
	if err := storetest.Superuser(t, b).QueryRow("SELECT has_table_privilege('tidewaiter', 'newer', 'DELETE')").Scan(&may); err != nil || may {
		t.Errorf("the older program granted rights on a table that it does not know: %v", err)
	}
}
