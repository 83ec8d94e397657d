package store_test

import (
	"errors"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A new connection to the database of another installation is refused, and so is a start with
// it. When the original database is back, it is served again.
func TestReplacedPostgresIsRefused(t *testing.T) {
	b := storetest.Postgres(t)
	s := b.Open(t)
	id, err := s.Identify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db := storetest.Superuser(t, b)
	becomes := func(other string) {
		t.Helper()
		for _, statement := range []string{
			"UPDATE installation SET value = '" + other + "' WHERE name = 'installation-id'",
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
		} {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	becomes("another")
	refused := func() bool { return apierr.Is(s.SetInstallationValue(t.Context(), "x", "y"), apierr.StoreUnavailable) }
	for range 50 { // those whose connection was ended are refused as well: all have to be new
		refused()
	}
	if !refused() || s.Ping(t.Context()) == nil {
		t.Error("another installation's database is written to")
	}
	o := b.Options()
	o.Folder, o.Expect = t.TempDir(), engine.Expectation{ID: id, Used: true}
	var lost *engine.Lost
	if other, err := store.Open(t.Context(), o); !errors.As(err, &lost) {
		t.Errorf("a start on another installation's database: %v, %v", other, err)
	}
	becomes(id)
	for n := 0; s.SetInstallationValue(t.Context(), "x", "y") != nil; n++ {
		if n == 100 {
			t.Fatal("the original database is not served again")
		}
	}
	again, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}
