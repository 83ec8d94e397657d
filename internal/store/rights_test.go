package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func rights(t *testing.T, s *store.Store) store.Rights {
	t.Helper()
	r, err := s.Rights(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The service's role has no faults, nor has SQLite, and both report the schema.
func TestRightsOfAService(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		r := rights(t, b.Open(t))
		if r.Database != b.Name || r.Schema < 32 || r.Schema != r.Newest || len(r.Faults()) > 0 {
			t.Errorf("%+v: %q", r, r.Faults())
		}
	})
}

// Rights reports a role that owns the tables, may create tables, or may change the trail.
func TestRightsOfAnOwner(t *testing.T) {
	r := rights(t, storetest.Postgres(t).AsOwner().Open(t))
	if !slices.Contains(r.Owns, "filings") || !r.Creates || !r.RewritesLog || r.Superuser || r.BypassesRLS || r.Role != "tidewaiter_owner" {
		t.Errorf("%+v", r)
	}
	if faults := strings.Join(r.Faults(), "; "); !strings.Contains(faults, "the role tidewaiter_owner owns answers, api_keys") {
		t.Errorf("faults: %q", faults)
	}
}
