package postgres_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest/notes"
)

const org = tenant.ID("org_1")

// openNotes opens a database with the table of notes.
func openNotes(t *testing.T) *notes.DB {
	b := storetest.Postgres(t)
	if _, err := storetest.Superuser(t, b).Exec(notes.Table + "; GRANT ALL ON notes TO PUBLIC"); err != nil {
		t.Fatal(err)
	}
	o := b.Options().Engine()
	o.NewBatch = func() engine.Batch { return notes.NoBatch{} }
	e, err := postgres.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return &notes.DB{Engine: e, Org: org, Waiting: func() int { return e.Waiting(org) }}
}

func TestChangesOfACommit(t *testing.T) { notes.CheckChanges(t, openNotes) }

func TestRandomChangesOfACommit(t *testing.T) { notes.CheckRandomChanges(t, 30, openNotes) }
